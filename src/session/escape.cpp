#include "session/escape.h"

#include <cstddef>
#include <optional>

namespace aiwc {
namespace {

std::optional<int> hexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return std::nullopt;
}

} // namespace

std::string escapeLine(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\')
      line += "\\\\";
    else if (c == '\n')
      line += "\\n";
    else if (c == '\t')
      line += "\\t";
    else if (byte < 0x20 || byte == 0x7f)
      line += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    else
      line += c;
  }
  return line;
}

std::string unescapeLine(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\' || i + 1 == line.size()) {
      text += line[i];
      continue;
    }
    const char kind = line[++i];
    if (kind == 'x' && i + 2 < line.size() && hexDigit(line[i + 1]) && hexDigit(line[i + 2])) {
      text += static_cast<char>(*hexDigit(line[i + 1]) * 16 + *hexDigit(line[i + 2]));
      i += 2;
    } else {
      text += kind == 'n' ? '\n' : kind == 't' ? '\t' : kind;
    }
  }
  return text;
}

} // namespace aiwc
