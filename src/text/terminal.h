/// What a reader's terminal can show, and text that is made for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace aiwc::text {

struct Terminal {
  size_t columns = 100; ///< characters in a line
  bool colour = false;  ///< whether it understands colours and bold letters
};

enum class Emphasis : uint8_t {
  kHeading, ///< bold
  kGood,    ///< bold and green
  kWarning, ///< bold and yellow
};

/// `text` between the escape sequences of ECMA-48 for the emphasis; unchanged for a terminal
/// without colour.
std::string emphasised(std::string_view text, Emphasis emphasis, const Terminal &terminal);

/// The number of characters of UTF-8 text.
size_t characters(std::string_view text);

/// `text`, or its begin and its end around "..." if it has more than `columns` characters. Both
/// ends of a name tell it from others. `columns` is at least 5.
std::string cutInMiddle(std::string_view text, size_t columns);

} // namespace aiwc::text
