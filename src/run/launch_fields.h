/// Reads a launch from JSON, for launch.cpp and run.cpp.
#pragma once

#include "run/launch.h"
#include "text/json_reader.h"

#include <array>

namespace aiwc::run {

/// Reads launches in a document.
class LaunchReader : protected text::JsonReader {
public:
  LaunchReader(std::string_view text, const std::string &file, std::string whole)
      : JsonReader(text, file, std::move(whole)) {}

  Launch launch(const text::JsonValue &value, const std::string &path) const;
  Launch root() const { return launch(document().root(), ""); }

protected:
  uint64_t countOf(const text::JsonValue &parent, const std::string &path,
                   std::string_view key) const;
  const std::string &textOf(const text::JsonValue &parent, const std::string &path,
                            std::string_view key) const;
  /// The member; null if there is none.
  static const text::JsonValue *find(const text::JsonValue &parent, std::string_view key);

private:
  profile::Size3 size(const text::JsonValue &parent, const std::string &path, std::string_view key,
                      uint32_t dimensions, uint64_t rest) const;
  Transfers transfers(const text::JsonValue &parent, const std::string &path,
                      std::string_view key) const;
  Argument argument(const text::JsonValue &value, const std::string &path) const;
};

} // namespace aiwc::run
