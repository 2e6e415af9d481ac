/// A JSON parser. Each value stores its offset in the text, so that an error message can name its
/// line. It does not depend on the meaning of the files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace aiwc::text {

struct JsonMember;

struct JsonValue {
  using Array = std::vector<JsonValue>;
  using Object = std::vector<JsonMember>; ///< in the order of the text; keys are unique

  size_t offset = 0; ///< of its first character in the text, in bytes
  /// A number is a uint64_t if it is an integer in that type's range, else a double. It has no
  /// initialiser (and so starts as null), because Clang 14 would need the complete type JsonMember.
  std::variant<std::nullptr_t, bool, uint64_t, double, std::string, Array, Object> value;

  /// The kind of the value for messages: "null", "a string", "an object", ...
  std::string_view kind() const;
};

struct JsonMember {
  std::string key;
  JsonValue value;
};

class JsonDocument {
public:
  /// Parses `text`, the content of `file`, which must outlive the document. Throws Error,
  /// `file:line:column: ...: expected ...`, if the text is not one JSON value, an object has a key
  /// twice, or values are nested deeper than in any file of this project. Time and memory are
  /// linear in the text's length (times its logarithm for the keys); the recursion depth is
  /// bounded.
  JsonDocument(std::string_view text, std::string file);

  const JsonValue &root() const { return root_; }
  /// Throws Error with the position of `at`, then `message`.
  [[noreturn]] void fail(const JsonValue &at, const std::string &message) const;

private:
  std::string_view text_;
  std::string file_;
  JsonValue root_;
};

} // namespace aiwc::text
