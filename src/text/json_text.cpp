#include "text/json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

namespace aiwc::text {

namespace {

bool needsNoEscape(char c) {
  return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

template <typename Integer> void appendDigits(std::string &to, Integer value) {
  std::array<char, 24> digits;
  to.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

} // namespace

void appendJsonString(std::string &to, std::string_view text) {
  using nlohmann::json;
  if (std::ranges::all_of(text, needsNoEscape)) {
    to += '"';
    to += text;
    to += '"';
    return;
  }
  to += json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

void appendJsonCount(std::string &to, uint64_t value) {
  appendDigits(to, value);
}

void appendJsonCount(std::string &to, int64_t value) {
  appendDigits(to, value);
}

JsonList::JsonList(std::string &to, Kind kind, Layout layout)
    : to_(to), separator_(layout == Layout::kTight ? "," : ", "), skipped_(separator_.size()),
      kind_(kind), isOneLine_(true), isTight_(layout == Layout::kTight) {
  to_ += kind_ == Kind::kObject ? '{' : '[';
}

JsonList::JsonList(std::string &to, Kind kind, size_t indent)
    : to_(to), separator_(",\n" + std::string(indent + 2, ' ')), skipped_(1), kind_(kind),
      isOneLine_(false), isTight_(false) {
  to_ += kind_ == Kind::kObject ? '{' : '[';
}

std::string &JsonList::next(std::string_view key) {
  next();
  to_ += '"';
  to_ += key;
  to_ += isTight_ ? "\":" : "\": ";
  return to_;
}

void JsonList::texts(std::string_view key, const std::vector<std::string> &texts, Layout layout) {
  JsonList array(next(key), Kind::kArray, layout);
  for (const std::string &text : texts)
    appendJsonString(array.next(), text);
  array.close();
}

void JsonList::close() {
  if (!isOneLine_ && !isEmpty_)
    to_ += std::string_view(separator_).substr(1, separator_.size() - 3);
  to_ += kind_ == Kind::kObject ? '}' : ']';
}

} // namespace aiwc::text
