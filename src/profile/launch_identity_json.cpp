#include "profile/launch_identity_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace aiwc::profile {

using text::childPath;
using text::JsonList;
using text::JsonValue;

namespace {

void append(JsonList &object, std::string_view key, const Size3 &sizes) {
  JsonList array(object.next(key), JsonList::Kind::kArray, object.layout());
  for (const uint64_t size : sizes)
    text::appendJsonCount(array.next(), size);
  array.close();
}

template <typename Value> void append(JsonList &object, std::string_view key, const Value &value) {
  object.member(key, value);
}

} // namespace

void appendIdentity(JsonList &object, const LaunchIdentity &identity) {
  forEachField(identity, [&](const IdentityField &field, const auto &value) {
    if (!field.onlyIfSet || value != std::decay_t<decltype(value)>{})
      append(object, field.key, value);
  });
}

bool isIdentityKey(std::string_view key) {
  return std::ranges::find(kIdentityFields, key, &IdentityField::key) != kIdentityFields.end();
}

void LaunchIdentityReader::read(const JsonValue &value, std::string_view path,
                                std::string &to) const {
  to = text(value, path);
}

void LaunchIdentityReader::read(const JsonValue &value, std::string_view path, bool &to) const {
  to = truth(value, path);
}

void LaunchIdentityReader::read(const JsonValue &value, std::string_view path, uint64_t &to) const {
  to = count(value, path);
}

void LaunchIdentityReader::read(const JsonValue &value, std::string_view path, uint32_t &to) const {
  const uint64_t dimensions = count(value, path);
  if (dimensions < 1 || dimensions > 3)
    document().fail(value, fmt::format("{} is {}: expected 1, 2 or 3", path, dimensions));
  to = static_cast<uint32_t>(dimensions);
}

void LaunchIdentityReader::read(const JsonValue &value, std::string_view path, Size3 &to) const {
  const JsonValue::Array &elements = array(value, path);
  if (elements.size() != to.size())
    document().fail(
        value, fmt::format("{} has {} elements: expected {}", path, elements.size(), to.size()));
  for (size_t i = 0; i < to.size(); ++i)
    to[i] = count(elements[i], fmt::format("{}[{}]", path, i));
}

void LaunchIdentityReader::readIdentity(const JsonValue &value, std::string_view path,
                                        LaunchIdentity &identity) const {
  const JsonValue::Object &members = object(value, path);
  forEachField(identity, [&](const IdentityField &field, auto &to) {
    const auto found = std::ranges::find(members, field.key, &text::JsonMember::key);
    if (found != members.end() || !field.onlyIfSet)
      read(required(value, path, field.key), childPath(path, field.key), to);
  });
}

} // namespace aiwc::profile
