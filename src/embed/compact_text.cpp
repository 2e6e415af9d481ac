#include "embed/compact_text.h"

#include "common/as_number.h"
#include "embed/bytes.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace aiwc::embed {

namespace {

bool isHarmless(char c) {
  const bool alphanumeric =
      (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return alphanumeric || std::string_view("_.:+-=,/").find(c) != std::string_view::npos;
}

int hexDigit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

} // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (isHarmless(c))
      result += c;
    else
      result += fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return result;
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    if (text.size() - i < 3 || hexDigit(text[i + 1]) < 0 || hexDigit(text[i + 2]) < 0)
      return std::nullopt;
    result += static_cast<char>(16 * hexDigit(text[i + 1]) + hexDigit(text[i + 2]));
    i += 2;
  }
  return result;
}

bool isHarmlessText(std::string_view text) {
  return !anyByte(text, [](char c) {
    const auto is = [c](char other) { return static_cast<unsigned>(c == other); };
    const unsigned control = // or not ASCII
        static_cast<unsigned>(c < ' ') & static_cast<unsigned>(c != '\n');
    return static_cast<unsigned char>(control | static_cast<unsigned>(c > '~') | is('\\') |
                                      is('*') | is('?') | is('"'));
  });
}

std::optional<uint64_t> takeCount(std::string_view &text) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  uint64_t number = 0;
  size_t at = 0;
  for (; at < text.size(); ++at) {
    const auto digit = static_cast<unsigned char>(text[at] - '0');
    if (digit > 9)
      break;
    if (number >= kMost / 10 && (number > kMost / 10 || digit > kMost % 10))
      return std::nullopt;
    number = 10 * number + digit;
  }
  text.remove_prefix(at);
  return at > 0 ? std::optional(number) : std::nullopt;
}

std::optional<uint64_t> takeScaledCount(std::string_view &text) {
  std::optional<uint64_t> count = takeCount(text);
  if (!count || !takeSign(text, 'e'))
    return count;
  const std::optional<uint64_t> zeros = takeCount(text);
  if (!zeros || *zeros > 19)
    return std::nullopt;
  for (uint64_t i = 0; i < *zeros; ++i) {
    if (*count > std::numeric_limits<uint64_t>::max() / 10)
      return std::nullopt;
    *count *= 10;
  }
  return count;
}

bool takeSign(std::string_view &text, char sign) {
  if (text.empty() || text.front() != sign)
    return false;
  text.remove_prefix(1);
  return true;
}

std::optional<uint64_t> parseCount(std::string_view text) {
  const std::optional<uint64_t> count = takeCount(text);
  return text.empty() ? count : std::nullopt;
}

std::string formatScaledCount(uint64_t count) {
  unsigned zeros = 0;
  while (count != 0 && count % 10 == 0) {
    count /= 10;
    ++zeros;
  }
  // From three zeros on, `e` and their number is shorter than the zeros.
  return zeros >= 3 ? fmt::format("{}e{}", count, zeros)
                    : fmt::format("{}{}", count, std::string(zeros, '0'));
}

std::optional<double> parseReal(std::string_view text) {
  const auto number = asNumber<double>(text);
  return number && std::isfinite(*number) && *number >= 0 ? number : std::nullopt;
}

std::string_view takeUntil(std::string_view &text, char separator) {
  const size_t end = text.find(separator);
  const std::string_view taken = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return taken;
}

} // namespace aiwc::embed
