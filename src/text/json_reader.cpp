#include "text/json_reader.h"

#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::text {

std::string childPath(std::string_view parent, std::string_view key) {
  return parent.empty() ? std::string(key) : fmt::format("{}.{}", parent, key);
}

void JsonReader::requireSchemaVersion(uint64_t newest) const {
  const JsonValue &value = required(document_.root(), "", "schema_version");
  const uint64_t version = count(value, "schema_version");
  if (version > newest)
    document_.fail(value,
                   fmt::format("schema_version {} is newer than {}, the newest this version reads",
                               version, newest));
  if (version < 1)
    document_.fail(
        value, fmt::format("schema_version {} does not exist: expected 1 to {}", version, newest));
}

const JsonValue *JsonReader::find(const JsonValue &parent, std::string_view key) {
  const auto *members = std::get_if<JsonValue::Object>(&parent.value);
  if (!members)
    return nullptr;
  const auto found = std::ranges::find(*members, key, &JsonMember::key);
  return found == members->end() ? nullptr : &found->value;
}

const JsonValue::Object &JsonReader::object(const JsonValue &value, std::string_view path) const {
  const auto *members = std::get_if<JsonValue::Object>(&value.value);
  if (!members)
    wrong(value, path, "an object");
  return *members;
}

const JsonValue::Array &JsonReader::array(const JsonValue &value, std::string_view path) const {
  const auto *elements = std::get_if<JsonValue::Array>(&value.value);
  if (!elements)
    wrong(value, path, "an array");
  return *elements;
}

const JsonValue &JsonReader::required(const JsonValue &parent, std::string_view path,
                                      std::string_view key) const {
  for (const JsonMember &member : object(parent, path))
    if (member.key == key)
      return member.value;
  document_.fail(parent, fmt::format("{} is missing: expected it in {}", childPath(path, key),
                                     path.empty() ? whole_ : path));
}

uint64_t JsonReader::count(const JsonValue &value, std::string_view path,
                           std::string_view alternative) const {
  const auto *number = std::get_if<uint64_t>(&value.value);
  if (!number)
    wrong(value, path, fmt::format("{}{}", kCountExpected, alternative));
  return *number;
}

bool JsonReader::truth(const JsonValue &value, std::string_view path) const {
  const auto *flag = std::get_if<bool>(&value.value);
  if (!flag)
    wrong(value, path, "true or false");
  return *flag;
}

const std::string &JsonReader::text(const JsonValue &value, std::string_view path) const {
  const auto *string = std::get_if<std::string>(&value.value);
  if (!string)
    wrong(value, path, "a string");
  return *string;
}

std::string JsonReader::described(const JsonValue &value) {
  if (const auto *number = std::get_if<double>(&value.value))
    return fmt::format("{}", *number);
  if (const auto *elements = std::get_if<JsonValue::Array>(&value.value))
    return fmt::format("an array of {}", elements->size());
  return std::string(value.kind());
}

void JsonReader::wrong(const JsonValue &value, std::string_view path,
                       std::string_view expected) const {
  document_.fail(value, fmt::format("{} is {}: expected {}", path.empty() ? "the text" : path,
                                    described(value), expected));
}

void JsonReader::unknown(const JsonMember &member, std::string_view path,
                         std::string_view expected) const {
  document_.fail(member.value, fmt::format("{} is unknown: expected {}",
                                           childPath(path, printable(member.key, 60)), expected));
}

} // namespace aiwc::text
