#include "text/json_document.h"

#include "common/error.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

namespace aiwc::text {

namespace {

/// Maximum nesting depth. The project's profiles and devices need four levels.
constexpr size_t kMaximumDepth = 16;

[[noreturn]] void failAt(std::string_view text, const std::string &file, size_t offset,
                         const std::string &message) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::ranges::count(before, '\n');
  const size_t lineBegin = before.rfind('\n') + 1; // npos + 1 is 0
  throw Error(fmt::format("{}:{}:{}: {}", file, line, before.size() - lineBegin + 1, message));
}

/// An iterator over the text that counts the characters read. The parser does not report its
/// position except in errors, and the tree builder needs it.
class TrackingIterator {
public:
  using difference_type = std::ptrdiff_t;
  using value_type = char;
  using pointer = const char *;
  using reference = const char &;
  using iterator_category = std::input_iterator_tag;

  TrackingIterator(const char *at, const char **position) : at_(at), position_(position) {}
  reference operator*() const { return *at_; }
  TrackingIterator &operator++() {
    *position_ = ++at_;
    return *this;
  }
  TrackingIterator operator++(int) {
    TrackingIterator old = *this;
    ++*this;
    return old;
  }
  bool operator==(const TrackingIterator &other) const { return at_ == other.at_; }
  bool operator!=(const TrackingIterator &other) const { return at_ != other.at_; }

private:
  const char *at_;
  const char **position_;
};

bool isNumberCharacter(char c) {
  return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
}

/// nlohmann/json's message without its prefix and without the quoted text, since our message has
/// the position.
std::string syntaxMessage(std::string what) {
  for (const char *sign : {"unexpected end of input", "missing closing quote"})
    if (what.find(sign) != std::string::npos)
      return "ends too early, as if it was cut off: expected the whole file";
  if (const size_t column = what.find(": "); column != std::string::npos)
    what.erase(0, column + 2);
  else if (const size_t bracket = what.find("] "); bracket != std::string::npos)
    what.erase(0, bracket + 2);
  std::string expected = "JSON";
  if (const size_t at = what.rfind("; expected "); at != std::string::npos) {
    expected = what.substr(at + 11);
    what.erase(at);
  }
  what.erase(std::min(what.find("; last read: "), what.size()));
  what.erase(std::min(what.find(" parsing '"), what.size())); // "number overflow parsing '1e400'"
  return printable(fmt::format("{}: expected {}", what, expected));
}

class Builder final : public nlohmann::json_sax<nlohmann::json> {
public:
  Builder(std::string_view text, const std::string &file) : text_(text), file_(file) {}

  JsonValue build() {
    position_ = text_.data();
    const char *end = text_.data() + text_.size();
    nlohmann::json::sax_parse(TrackingIterator(text_.data(), &position_),
                              TrackingIterator(end, &position_), this);
    return std::move(root_);
  }

  bool null() override { return add(wordBegin(), nullptr); }
  bool boolean(bool value) override { return add(wordBegin(), value); }
  // Only called for negative integers, which are always refused; a double is precise enough for the
  // error message.
  bool number_integer(number_integer_t value) override {
    return add(numberBegin(), static_cast<double>(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add(numberBegin(), static_cast<uint64_t>(value));
  }
  bool number_float(number_float_t value, const string_t & /*text*/) override {
    return add(numberBegin(), value);
  }
  bool string(string_t &value) override { return add(stringBegin(), std::move(value)); }
  bool binary(binary_t & /*value*/) override { return false; } // does not occur in JSON texts

  bool start_object(std::size_t /*size*/) override { return open(JsonValue::Object{}); }
  bool key(string_t &key) override {
    auto &members = std::get<JsonValue::Object>(open_.back().value->value);
    if (!isNew(key, members))
      failAt(text_, file_, stringBegin(),
             fmt::format("key \"{}\" appears twice: expected it once", printable(key, 60)));
    members.push_back({std::move(key), {}});
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*size*/) override { return open(JsonValue::Array{}); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t position, const std::string & /*token*/,
                   const nlohmann::json::exception &exception) override {
    failAt(text_, file_, position == 0 ? 0 : position - 1, syntaxMessage(exception.what()));
  }

private:
  struct Open {
    JsonValue *value;           // in its parent, which does not grow until this value is closed
    std::set<std::string> keys; // of an object with more than kFewMembers
  };

  bool isNew(const std::string &key, const JsonValue::Object &members) {
    constexpr size_t kFewMembers = 32; // that are compared faster than they are sorted
    if (members.size() < kFewMembers)
      return std::ranges::find(members, key, &JsonMember::key) == members.end();
    std::set<std::string> &keys = open_.back().keys;
    if (members.size() == kFewMembers)
      for (const JsonMember &member : members)
        keys.insert(member.key);
    return keys.insert(key).second;
  }

  size_t consumed() const { return static_cast<size_t>(position_ - text_.data()); }

  // At an event, the parser has read up to the end of the token, and one character more after a
  // number.
  size_t wordBegin() const {
    size_t begin = consumed();
    while (begin > 0 && text_[begin - 1] >= 'a' && text_[begin - 1] <= 'z')
      --begin;
    return begin;
  }
  size_t numberBegin() const {
    size_t begin = consumed();
    if (begin > 0 && !isNumberCharacter(text_[begin - 1]))
      --begin;
    while (begin > 0 && isNumberCharacter(text_[begin - 1]))
      --begin;
    return begin;
  }
  // A quote inside a string is always preceded by an odd number of backslashes.
  size_t stringBegin() const {
    size_t begin = consumed() - 1;
    for (;;) {
      begin = text_.rfind('"', begin - 1);
      size_t backslashes = 0;
      while (backslashes < begin && text_[begin - 1 - backslashes] == '\\')
        ++backslashes;
      if (backslashes % 2 == 0)
        return begin;
    }
  }

  JsonValue &place() {
    if (open_.empty())
      return root_;
    JsonValue &parent = *open_.back().value;
    if (auto *array = std::get_if<JsonValue::Array>(&parent.value))
      return array->emplace_back();
    return std::get<JsonValue::Object>(parent.value).back().value;
  }

  template <typename T> bool add(size_t offset, T &&value) {
    JsonValue &added = place();
    added.offset = offset;
    added.value = std::forward<T>(value);
    return true;
  }

  template <typename T> bool open(T &&empty) {
    const size_t offset = consumed() - 1;
    if (open_.size() == kMaximumDepth)
      failAt(text_, file_, offset,
             fmt::format("nested deeper than {} levels: expected a file of aiwc", kMaximumDepth));
    JsonValue &added = place();
    added.offset = offset;
    added.value = std::forward<T>(empty);
    open_.push_back({&added, {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view text_;
  const std::string &file_;
  const char *position_ = nullptr;
  JsonValue root_;
  std::vector<Open> open_;
};

} // namespace

std::string_view JsonValue::kind() const {
  constexpr std::array<std::string_view, 7> kKinds = {
      "null", "a truth value", "a number", "a number", "a string", "an array", "an object"};
  return kKinds[value.index()];
}

JsonDocument::JsonDocument(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)) {
  root_ = Builder(text_, file_).build();
}

void JsonDocument::fail(const JsonValue &at, const std::string &message) const {
  failAt(text_, file_, at.offset, message);
}

} // namespace aiwc::text
