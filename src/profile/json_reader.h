/// What the readers of our JSON files have in common: typed access to the values of a document, and
/// messages that name what is wrong by its path, "metrics.fp_add is -3: expected ...".
#pragma once

#include "profile/json_document.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace aiwc::profile {

/// `key` in what `parent` names; the document itself is "".
std::string childPath(std::string_view parent, std::string_view key);

class JsonReader {
public:
  /// `whole` is what the document is, "a profile". `text` outlives the reader. Throws as
  /// JsonDocument does.
  JsonReader(std::string_view text, const std::string &file, std::string whole)
      : document_(text, file), whole_(std::move(whole)) {}

protected:
  static constexpr std::string_view kCountExpected = "a non-negative integer below 2^64";

  /// Refuses the document unless its schema_version is one from 1 to `newest`. Asked first of all:
  /// the rest of a newer schema may look wrong in any way.
  void requireSchemaVersion(uint64_t newest) const;

  // What a value must be. `path` names it in the message; all throw Error.
  const JsonValue::Object &object(const JsonValue &value, std::string_view path) const;
  const JsonValue::Array &array(const JsonValue &value, std::string_view path) const;
  const JsonValue &required(const JsonValue &parent, std::string_view path,
                            std::string_view key) const;
  uint64_t count(const JsonValue &value, std::string_view path,
                 std::string_view alternative = "") const;
  bool truth(const JsonValue &value, std::string_view path) const;
  const std::string &text(const JsonValue &value, std::string_view path) const;

  static std::string described(const JsonValue &value);
  [[noreturn]] void wrong(const JsonValue &value, std::string_view path,
                          std::string_view expected) const;
  [[noreturn]] void unknown(const JsonMember &member, std::string_view path,
                            std::string_view expected) const;

  const JsonDocument &document() const { return document_; }

private:
  JsonDocument document_;
  std::string whole_;
};

} // namespace aiwc::profile
