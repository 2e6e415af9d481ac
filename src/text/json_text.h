/// Writes JSON at the end of a text. It does not depend on the meaning of the files.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::text {

/// Appends `text` as a JSON string. Bytes that are not UTF-8 (build options may have any) are
/// replaced, so that writing never fails.
void appendJsonString(std::string &to, std::string_view text);
inline std::string jsonString(std::string_view text) {
  std::string string;
  appendJsonString(string, text);
  return string;
}
/// Appends all digits of a number.
void appendJsonCount(std::string &to, uint64_t value);
void appendJsonCount(std::string &to, int64_t value);
inline void appendJsonBool(std::string &to, bool value) {
  to += value ? "true" : "false";
}

/// An object or an array at the end of a text, whose members are added one after another.
class JsonList {
public:
  enum class Kind : uint8_t { kObject, kArray };
  enum class Layout : uint8_t {
    kTight,  ///< {"a":1,"b":2}
    kOneLine ///< {"a": 1, "b": 2}
  };

  JsonList(std::string &to, Kind kind, Layout layout = Layout::kOneLine);
  /// One member per line, and `indent` blanks before the closing bracket.
  JsonList(std::string &to, Kind kind, size_t indent);

  /// Begins the next member of an array; its value is to be appended to the text.
  std::string &next() {
    to_ += isEmpty_ ? firstSeparator() : separator_;
    isEmpty_ = false;
    return to_;
  }
  /// Begins the next member of an object; `key` must need no escapes.
  std::string &next(std::string_view key);

  void member(std::string_view key, std::string_view text) { appendJsonString(next(key), text); }
  void member(std::string_view key, uint64_t value) { appendJsonCount(next(key), value); }
  void member(std::string_view key, std::same_as<bool> auto value) {
    appendJsonBool(next(key), value);
  }

  /// An array of strings.
  void texts(std::string_view key, const std::vector<std::string> &texts,
             Layout layout = Layout::kOneLine);

  Layout layout() const { return isTight_ ? Layout::kTight : Layout::kOneLine; }

  /// Ends the list. To be called once, after its last member.
  void close();

private:
  std::string_view firstSeparator() const { return std::string_view(separator_).substr(skipped_); }

  std::string &to_;
  std::string separator_; ///< between members
  size_t skipped_;        ///< how much of it does not stand before the first member
  Kind kind_;
  bool isOneLine_, isTight_;
  bool isEmpty_ = true;
};

} // namespace aiwc::text
