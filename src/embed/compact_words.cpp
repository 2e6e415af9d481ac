#include "embed/compact_words.h"

#include "common/error.h"
#include "embed/bytes.h"
#include "embed/compact_text.h"
#include "profile/source_hash.h"
#include "text/text.h"

#include <fmt/format.h>

namespace aiwc::embed {

namespace {

bool isSpace(char c) {
  return c == ' ' || c == '\n' || c == '\r';
}

/// Removes the next word from `text`; empty at the end. Does not use find_first_of, which is
/// several times slower.
std::string_view takeWord(std::string_view &text) {
  size_t begin = 0;
  while (begin < text.size() && isSpace(text[begin]))
    ++begin;
  size_t end = begin;
  while (end < text.size() && !isSpace(text[end]))
    ++end;
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

/// Whether the only white space in `words` is one space between words. Whole strides are checked at
/// once, which compilers vectorise.
bool isPlain(std::string_view words) {
  const auto isOdd = [&](size_t at) {
    return static_cast<unsigned char>(
        static_cast<unsigned>(words[at] == '\r') | static_cast<unsigned>(words[at] == '\n') |
        (static_cast<unsigned>(words[at] == ' ') & static_cast<unsigned>(words[at + 1] == ' ')));
  };
  if (words.empty() || isSpace(words.front()) || isSpace(words.back()))
    return words.empty();
  unsigned char odd = 0;
  size_t at = 0;
  for (; words.size() - at > kStride; at += kStride)
    for (size_t i = 0; i < kStride; ++i)
      odd |= isOdd(at + i);
  for (; at + 1 < words.size(); ++at)
    odd |= isOdd(at);
  return odd == 0;
}

/// The words of `text` with one space between them. Containers keep the lines, or replace newlines
/// with spaces; any other white space comes from editing and takes longer to process.
std::string wordsOf(std::string_view text) {
  std::string words(text);
  joinLines(words);
  if (words.ends_with(' '))
    words.pop_back();
  if (isPlain(words))
    return words;
  words.clear();
  for (std::string_view word = takeWord(text); !word.empty(); word = takeWord(text)) {
    if (!words.empty())
      words += ' ';
    words += word;
  }
  return words;
}

/// Throws Error unless `words` end with the checksum of the words before it.
void verify(std::string_view words) {
  const size_t at = words.rfind("check=");
  if (at == std::string_view::npos || at == 0)
    throw Error("check is missing: expected it at the end; the annotation is cut off");
  const std::string_view value = words.substr(at + std::string_view("check=").size());
  if (words[at - 1] != ' ' ||
      value != fmt::format("{:016x}", profile::checksum(words.substr(0, at - 1))))
    wrong({"check", value}, "the checksum of the text before it; the annotation is damaged");
}

} // namespace

void wrong(const Token &token, std::string_view expected) {
  throw Error(fmt::format("{} is {}: expected {}", text::printable(token.key, 40),
                          token.value.empty() ? "empty" : text::printable(token.value, 40),
                          expected));
}

Token takeToken(std::string_view &text) {
  std::string_view word = takeWord(text);
  const std::string_view key = takeUntil(word, '=');
  return {key, word};
}

std::string checkedWords(std::string_view text) {
  std::string words = wordsOf(text);
  verify(words);
  return words;
}

} // namespace aiwc::embed
