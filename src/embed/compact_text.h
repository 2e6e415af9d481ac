/// How the compact form writes names and numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aiwc::embed {

/// `text` with all but letters, digits and a few harmless signs as %XX.
std::string escaped(std::string_view text);
/// None where a % is not followed by two hexadecimal digits.
std::optional<std::string> unescaped(std::string_view text);

/// Whether `text` has the characters of the compact form, newlines between its lines, and no
/// others: so that it ends no comment and no string that it is put into.
bool isHarmlessText(std::string_view text);

/// The digits that `text` begins with, taken off it. None where there are none or they are too
/// many, and then `text` is anything.
std::optional<uint64_t> takeCount(std::string_view &text);
/// Also digits, `e` and a number of zeros: 1234e3.
std::optional<uint64_t> takeScaledCount(std::string_view &text);
/// Takes `sign` off the begin of `text`; false where that is something else.
bool takeSign(std::string_view &text, char sign);

std::optional<uint64_t> parseCount(std::string_view text);
std::string formatScaledCount(uint64_t count);
/// Finite and not negative.
std::optional<double> parseReal(std::string_view text);

/// What stands before the next `separator`, which is taken off `text` with it.
std::string_view takeUntil(std::string_view &text, char separator);

} // namespace aiwc::embed
