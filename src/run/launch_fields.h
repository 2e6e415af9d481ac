/// Reads a launch from JSON, for launch.cpp and run.cpp.
#pragma once

#include "profile/launch_identity_json.h"
#include "run/launch_texts.h"

namespace aiwc::run {

/// Reads launches in a document.
class LaunchReader : protected profile::LaunchIdentityReader {
public:
  LaunchReader(std::string_view text, const std::string &file, std::string whole)
      : LaunchIdentityReader(text, file, std::move(whole)) {}

  /// As the function launchOf with the same `earlier`.
  Launch launch(const text::JsonValue &value, const std::string &path, FullLaunches &earlier) const;
  Launch root(FullLaunches &earlier) const { return launch(document().root(), "", earlier); }

protected:
  uint64_t countOf(const text::JsonValue &parent, const std::string &path,
                   std::string_view key) const;
  const std::string &textOf(const text::JsonValue &parent, const std::string &path,
                            std::string_view key) const;
  double secondsOf(const text::JsonValue &value, const std::string &path) const;

private:
  /// Sets what the members of `value` tell. `inFull`: whether it tells all.
  void readMembers(const text::JsonValue &value, const std::string &path, bool inFull,
                   Launch &launch) const;
  /// Sets what is known of launches with a profile.
  void readProfile(const text::JsonValue &value, const std::string &path, Launch &launch) const;
  Transfers transfers(const text::JsonValue &parent, const std::string &path,
                      std::string_view key) const;
  Place place(const text::JsonValue &value, const std::string &path) const;
  DeviceTime measured(const text::JsonValue &value, const std::string &path) const;
  Argument argument(const text::JsonValue &value, const std::string &path) const;
};

} // namespace aiwc::run
