/// The compact form as words: `KEY=VALUE`, and a checksum of all of them at the end.
#pragma once

#include <string>
#include <string_view>

namespace aiwc::embed {

struct Token {
  std::string_view key, value;
};

/// Throws Error, `KEY is VALUE: expected EXPECTED`.
[[noreturn]] void wrong(const Token &token, std::string_view expected);

/// The next token of `text`, which is taken off it with the white space before it; an empty key at
/// its end.
Token takeToken(std::string_view &text);

/// The words of `text` with one space between them, whatever stands between them there. Throws
/// Error where they do not end in the checksum of those before it. O(length).
std::string checkedWords(std::string_view text);

} // namespace aiwc::embed
