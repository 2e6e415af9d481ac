/// Launches in JSON, of which many tell only in what they differ from an earlier one: an iterative
/// program launches few kernels many times.
#pragma once

#include "profile/launch_identity_json.h"
#include "run/launch.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace aiwc::run {

/// Shortens the texts of launches that are written one after another.
class LaunchTexts {
public:
  /// `inFull`: how many launches are written in full at first, whatever they are.
  explicit LaunchTexts(size_t inFull = 0) : inFull_(inFull) {}

  /// `text`: a launch in full, as toJson writes it. Returns it, or, if a launch of the same process
  /// was returned in full that differs in nothing but its numbers, arguments, transfers and times:
  /// its process and number, that launch's number as `as`, and the members that differ.
  std::string shortened(std::string text);

private:
  struct Full {
    std::string number;
    std::vector<std::string> varying; ///< members that may differ
  };

  size_t inFull_;
  std::unordered_map<std::string, Full> full_; ///< by the other members
};

/// The launches of some texts that were read in full, which the texts after them refer to.
class FullLaunches {
public:
  void add(const Launch &launch) {
    launches_.insert_or_assign({launch.process, launch.number}, launch);
  }
  /// Null if there is none.
  const Launch *find(uint64_t process, uint64_t number) const {
    const auto found = launches_.find({process, number});
    return found == launches_.end() ? nullptr : &found->second;
  }

private:
  std::map<std::pair<uint64_t, uint64_t>, Launch> launches_;
};

/// Reads what LaunchTexts wrote after the texts of `earlier`, to which it adds the launch if it is
/// given in full. Throws Error as launchOf does, and for an `as` that is not among them.
Launch launchOf(std::string_view text, const std::string &file, FullLaunches &earlier);

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
