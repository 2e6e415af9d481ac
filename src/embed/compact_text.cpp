#include "embed/compact_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace aiwc::embed {

namespace {

template <typename Number> std::optional<Number> parseWhole(std::string_view text) {
  Number number{};
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc{} || stop != end)
    return std::nullopt;
  return number;
}

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
  return std::ranges::all_of(text, [](char c) {
    return c == '\n' ||
           (c >= ' ' && c <= '~' && std::string_view("\\*?\"").find(c) == std::string_view::npos);
  });
}

std::optional<uint64_t> parseCount(std::string_view text) {
  return parseWhole<uint64_t>(text);
}

std::optional<uint64_t> parseScaledCount(std::string_view text) {
  const std::string_view digits = takeUntil(text, 'e');
  std::optional<uint64_t> count = parseCount(digits);
  const std::optional<uint64_t> zeros = text.data() == nullptr ? 0 : parseCount(text);
  if (!count || !zeros || *zeros > 19)
    return std::nullopt;
  for (uint64_t i = 0; i < *zeros; ++i) {
    if (*count > std::numeric_limits<uint64_t>::max() / 10)
      return std::nullopt;
    *count *= 10;
  }
  return count;
}

std::string formatScaledCount(uint64_t count) {
  unsigned zeros = 0;
  while (count != 0 && count % 10 == 0) {
    count /= 10;
    ++zeros;
  }
  // Shorter than the zeros themselves from three on.
  return zeros >= 3 ? fmt::format("{}e{}", count, zeros)
                    : fmt::format("{}{}", count, std::string(zeros, '0'));
}

std::optional<double> parseReal(std::string_view text) {
  const std::optional<double> number = parseWhole<double>(text);
  return number && std::isfinite(*number) && *number >= 0 ? number : std::nullopt;
}

std::string_view takeUntil(std::string_view &text, char separator) {
  const size_t end = text.find(separator);
  const std::string_view taken = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return taken;
}

} // namespace aiwc::embed
