#pragma once

#include <string>
#include <string_view>

namespace aiwc {

/// `text` with control characters and backslashes escaped: one line that is safe on a terminal.
std::string escapeLine(std::string_view text);

/// The inverse of escapeLine.
std::string unescapeLine(std::string_view line);

} // namespace aiwc
