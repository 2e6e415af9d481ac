/// The base class of the readers of this project's JSON files: typed access to the values of a
/// document, with error messages that name the path of a wrong value, "metrics.fp_add is -3:
/// expected ...".
#pragma once

#include "text/json_document.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace aiwc::text {

/// The path of member `key` of the object at path `parent`. The document's own path is "".
std::string childPath(std::string_view parent, std::string_view key);

class JsonReader {
public:
  /// `whole` names the kind of document in messages, "a profile". `text` must outlive the reader.
  /// Throws like JsonDocument.
  JsonReader(std::string_view text, const std::string &file, std::string whole)
      : document_(text, file), whole_(std::move(whole)) {}

protected:
  static constexpr std::string_view kCountExpected = "a non-negative integer below 2^64";

  /// Throws Error unless the document's schema_version is from 1 to `newest`. Call it first: a
  /// document with a newer schema may otherwise cause misleading errors.
  void requireSchemaVersion(uint64_t newest) const;

  /// The member; null if there is none.
  static const JsonValue *find(const JsonValue &parent, std::string_view key);

  // Each returns the value as the named type (`required`: the member `key` of `parent`), or throws
  // Error; `path` names the value in the message.
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

} // namespace aiwc::text
