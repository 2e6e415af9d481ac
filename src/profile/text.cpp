#include "profile/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace aiwc::profile {

namespace {

std::string withThousands(std::string_view digits) {
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0)
      text += ',';
    text += digits[i];
  }
  return text;
}

/// The number of bytes of the UTF-8 character at the begin of `text`; 0 if there is no valid
/// character or if it is a control character.
size_t printableCharacter(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80)
    return byte(0) >= 0x20 && byte(0) != 0x7f ? 1 : 0;
  const size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : byte(0) >= 0xc0 ? 2 : 0;
  if (length == 0 || text.size() < length)
    return 0;
  uint32_t point = byte(0) & (0x7fU >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80)
      return 0;
    point = (point << 6U) | (byte(i) & 0x3fU);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0xa0, 0x800, 0x10000}; // 0x80 to 0x9f are controls
  const bool surrogate = point >= 0xd800 && point <= 0xdfff;
  // Line separators and direction overrides would change the layout of the printed line.
  const bool layout = (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
  return point < kSmallest[length] || point > 0x10ffff || surrogate || layout ? 0 : length;
}

} // namespace

std::string formatReal(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos)
    text += ".0";
  return text;
}

std::string formatValue(const Value &value, std::string_view none) {
  if (const auto *count = std::get_if<uint64_t>(&value))
    return fmt::format("{}", *count);
  if (const auto *real = std::get_if<double>(&value))
    return formatReal(*real);
  return std::string(none);
}

std::string formatReadable(const Value &value) {
  if (const auto *count = std::get_if<uint64_t>(&value))
    return withThousands(fmt::format("{}", *count));
  const auto *real = std::get_if<double>(&value);
  if (!real)
    return "-";
  // From a million on, six significant digits would print large instruction counts with an
  // exponent.
  if (*real >= 1e6 && *real < 1e15)
    return withThousands(fmt::format("{:.0f}", *real));
  const std::string digits = fmt::format("{:.6g}", *real);
  if (*real < 1000 || *real >= 1e6)
    return digits;
  const size_t point = std::min(digits.find('.'), digits.size());
  return withThousands(digits.substr(0, point)) + digits.substr(point);
}

std::string formatBytes(uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit)
    value /= 1024;
  return fmt::format("{:.4g} {}", value, kUnits[unit]);
}

std::optional<uint64_t> parseBytes(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, unsigned>, 5> kUnits = {
      {{"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}}};
  uint64_t number = 0;
  const char *const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, number);
  const auto *const unit = std::ranges::find(kUnits, std::string_view(behind, end),
                                             &std::pair<std::string_view, unsigned>::first);
  if (error != std::errc{} || unit == kUnits.end() || number == 0 ||
      number > std::numeric_limits<uint64_t>::max() >> unit->second)
    return std::nullopt;
  return number << unit->second;
}

std::string printable(std::string_view text, size_t maximumBytes) {
  std::string line;
  while (!text.empty()) {
    const size_t length = printableCharacter(text);
    const std::string piece = length
                                  ? std::string(text.substr(0, length))
                                  : fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    if (line.size() + piece.size() > maximumBytes)
      return line + "...";
    line += piece;
    text.remove_prefix(length ? length : 1);
  }
  return line;
}

std::string wrapped(std::string_view text, size_t indent, size_t columns) {
  std::string lines;
  while (!text.empty()) {
    size_t length = text.size();
    if (length > columns - indent) {
      length = text.rfind(' ', columns - indent);
      if (length == std::string_view::npos)
        length = std::min(text.find(' '), text.size());
    }
    lines += fmt::format("{}{}\n", std::string(indent, ' '), text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return lines;
}

std::string csvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"')
      field += '"';
    field += c;
  }
  return field + '"';
}

std::string textTable(const std::vector<std::vector<std::string>> &rows,
                      const std::vector<bool> &left, std::string_view indent) {
  std::vector<size_t> widths;
  for (const auto &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto &row : rows) {
    std::string line(indent);
    for (size_t i = 0; i < row.size(); ++i)
      line += i < left.size() && left[i] ? fmt::format("{:<{}}  ", row[i], widths[i])
                                         : fmt::format("{:>{}}  ", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

} // namespace aiwc::profile
