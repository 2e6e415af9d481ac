/// A launch's identity as members of a JSON object, for the files of profiles and of runs.
#pragma once

#include "profile/launch_identity.h"
#include "text/json_reader.h"
#include "text/json_text.h"

#include <string_view>

namespace aiwc::profile {

/// Appends the members to the object.
void appendIdentity(text::JsonList &object, const LaunchIdentity &identity);

bool isIdentityKey(std::string_view key);

/// The base class of readers of documents that contain identities.
class LaunchIdentityReader : protected text::JsonReader {
protected:
  using text::JsonReader::JsonReader;

  /// Sets the fields from the members of `value`, whose path is `path`; other members are left
  /// alone. Throws Error for a missing or wrong one.
  void readIdentity(const text::JsonValue &value, std::string_view path,
                    LaunchIdentity &identity) const;

private:
  void read(const text::JsonValue &value, std::string_view path, std::string &to) const;
  void read(const text::JsonValue &value, std::string_view path, bool &to) const;
  void read(const text::JsonValue &value, std::string_view path, uint64_t &to) const;
  void read(const text::JsonValue &value, std::string_view path, uint32_t &dimensions) const;
  void read(const text::JsonValue &value, std::string_view path, Size3 &to) const;
};

} // namespace aiwc::profile
