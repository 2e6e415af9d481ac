/// The compact form as a sequence of words `KEY=VALUE`, followed by a checksum of all of them.
#pragma once

#include <string>
#include <string_view>

namespace aiwc::embed {

struct Token {
  std::string_view key, value;
};

/// Throws Error, `KEY is VALUE: expected EXPECTED`.
[[noreturn]] void wrong(const Token &token, std::string_view expected);

/// Removes the next token from `text`, together with the white space before it. The key is empty at
/// the end of `text`.
Token takeToken(std::string_view &text);

/// The words of `text` with one space between them, whatever white space separates them there.
/// Throws Error unless the last word is the checksum of the words before it. O(length).
std::string checkedWords(std::string_view text);

} // namespace aiwc::embed
