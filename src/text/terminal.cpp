#include "text/terminal.h"

#include <fmt/color.h>

#include <algorithm>

namespace aiwc::text {

namespace {

bool beginsCharacter(char c) {
  return (static_cast<unsigned char>(c) & 0xc0U) != 0x80;
}

/// The place in `text` where character `number` begins, or its end.
size_t placeOf(std::string_view text, size_t number) {
  for (size_t i = 0; i < text.size(); ++i)
    if (beginsCharacter(text[i]) && number-- == 0)
      return i;
  return text.size();
}

} // namespace

std::string emphasised(std::string_view text, Emphasis emphasis, const Terminal &terminal) {
  if (!terminal.colour || text.empty())
    return std::string(text);
  fmt::text_style style = fmt::emphasis::bold;
  if (emphasis == Emphasis::kGood)
    style |= fmt::fg(fmt::terminal_color::green);
  if (emphasis == Emphasis::kWarning)
    style |= fmt::fg(fmt::terminal_color::yellow);
  return fmt::format(style, "{}", text);
}

size_t characters(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(text, beginsCharacter));
}

std::string cutInMiddle(std::string_view text, size_t columns) {
  constexpr std::string_view kDots = "...";
  const size_t all = characters(text);
  if (all <= columns)
    return std::string(text);
  const size_t kept = columns - std::min(columns, kDots.size());
  const size_t end = kept / 2;
  std::string result(text.substr(0, placeOf(text, kept - end)));
  result += kDots;
  return result += text.substr(placeOf(text, all - end));
}

} // namespace aiwc::text
