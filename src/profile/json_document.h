/// JSON as a tree whose values know where in the text they stand, so that a message about a value
/// can name its line. It knows JSON alone, not what the files mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace aiwc::profile {

struct JsonMember;

struct JsonValue {
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>; ///< in the text's order, no key twice

  size_t offset = 0; ///< of its first character, in bytes from the text's begin
  /// A number is a uint64_t where it is an integer in that type's range, else a double. Null at
  /// first, without an initialiser: Clang 14 wants to see the whole of JsonMember for one.
  std::variant<std::nullptr_t, bool, uint64_t, double, std::string, Array, Object> value;

  /// "null", "a string", "an object", ...: for messages.
  std::string_view kind() const;
};

struct JsonMember {
  std::string key;
  JsonValue value;
};

class JsonDocument {
public:
  /// Parses `text`, which is `file`'s and outlives the document. Throws Error,
  /// `file:line:column: ...: expected ...`, for a text that is not one JSON value, names a key
  /// twice in an object, or nests deeper than any file of ours. Time and memory are linear in the
  /// text's length (times its logarithm for the keys), depth of recursion is bounded.
  JsonDocument(std::string_view text, std::string file);

  const JsonValue &root() const { return root_; }
  /// Throws Error with `message` behind the position of `at`.
  [[noreturn]] void fail(const JsonValue &at, const std::string &message) const;

private:
  std::string_view text_;
  std::string file_;
  JsonValue root_;
};

} // namespace aiwc::profile
