#include "text/text.h"

#include "text/json_text.h"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace aiwc::text {

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

double toDouble(const Value &value) {
  if (const auto *count = std::get_if<uint64_t>(&value))
    return static_cast<double>(*count);
  if (const auto *real = std::get_if<double>(&value))
    return *real;
  return std::numeric_limits<double>::quiet_NaN();
}

void appendReal(std::string &to, double value) {
  std::array<char, 32> text; // the longest is -2.2250738585072014e-308
  const auto [end, size] = fmt::format_to_n(text.data(), text.size(), FMT_COMPILE("{}"), value);
  const std::string_view digits(text.data(), size);
  to += digits;
  if (digits.find_first_of(".en") == std::string_view::npos)
    to += ".0";
}

void appendValue(std::string &to, const Value &value, std::string_view none) {
  if (const auto *count = std::get_if<uint64_t>(&value))
    appendJsonCount(to, *count);
  else if (const auto *real = std::get_if<double>(&value))
    appendReal(to, *real);
  else
    to += none;
}

std::string formatReal(double value) {
  std::string text;
  appendReal(text, value);
  return text;
}

std::string formatValue(const Value &value, std::string_view none) {
  std::string text;
  appendValue(text, value, none);
  return text;
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
  std::string digits = fmt::format("{:.6g}", *real);
  if (*real < 1000 || *real >= 1e6)
    return digits;
  const size_t point = std::min(digits.find('.'), digits.size());
  return withThousands(digits.substr(0, point)) + digits.substr(point);
}

std::string_view singular(std::string_view unit) {
  // accesses, addresses, branches, but bytes
  const bool es = unit.ends_with("sses") || unit.ends_with("ches");
  const size_t ending = es ? 2 : unit.ends_with("s") ? 1 : 0;
  return unit.substr(0, unit.size() - ending);
}

std::string counted(uint64_t number, std::string_view one) {
  const std::string_view several = one.ends_with("ch") ? "es" : "s";
  return fmt::format("{} {}{}", formatReadable(number), one, number == 1 ? "" : several);
}

std::string formatBytes(uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit)
    value /= 1024;
  return fmt::format("{:.4g} {}", value, kUnits[unit]);
}

std::string formatWait(double seconds) {
  constexpr uint64_t kMinute = 60, kHour = 3600;
  const auto whole = static_cast<uint64_t>(seconds);
  if (whole < kMinute)
    return fmt::format("{} s", whole);
  if (whole < kHour)
    return fmt::format("{} min {:02} s", whole / kMinute, whole % kMinute);
  return fmt::format("{} h {:02} min", whole / kHour, whole / kMinute % kMinute);
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

std::string someOf(const std::vector<std::string> &names, size_t shown) {
  const size_t listed = std::min(names.size(), shown);
  std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(listed), ", "));
  if (names.size() > listed)
    text += fmt::format(" and {} more", names.size() - listed);
  return text;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

std::vector<std::string> split(std::string_view list, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(separator, begin), list.size());
    parts.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
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

namespace {

/// Narrows the columns that may be cut, the widest first, until the lines fit.
void fit(std::vector<size_t> &widths, const TableLayout &layout) {
  constexpr size_t kLeast = 12; // characters that are left of a name
  size_t width = layout.indent.size() + 2 * (widths.size() - std::min<size_t>(widths.size(), 1));
  for (const size_t column : widths)
    width += column;
  while (width > layout.terminal.columns) {
    size_t *widest = nullptr;
    for (const size_t column : layout.names)
      if (column < widths.size() && (!widest || widths[column] > *widest))
        widest = &widths[column];
    if (!widest || *widest <= kLeast)
      return;
    --*widest;
    --width;
  }
}

/// `text` of `width` characters, with blanks behind it or in front of it.
std::string padded(const std::string &text, size_t width, bool left) {
  const std::string blanks(width - std::min(width, characters(text)), ' ');
  return left ? text + blanks : blanks + text;
}

} // namespace

std::string textTable(const std::vector<std::vector<std::string>> &rows,
                      const std::vector<bool> &left, const TableLayout &layout) {
  std::vector<size_t> widths;
  for (const auto &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], characters(row[i]));
  }
  fit(widths, layout);
  std::string text;
  for (size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (size_t i = 0; i < rows[r].size(); ++i) {
      std::string cell =
          padded(cutInMiddle(rows[r][i], widths[i]), widths[i], i < left.size() && left[i]);
      if (r == layout.best && i == 0)
        cell = emphasised(cell, Emphasis::kGood, layout.terminal);
      line += cell + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    if (r == 0 && layout.heading)
      line = emphasised(line, Emphasis::kHeading, layout.terminal);
    text += fmt::format("{}{}\n", layout.indent, line);
  }
  return text;
}

} // namespace aiwc::text
