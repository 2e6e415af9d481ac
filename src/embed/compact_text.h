/// Names and numbers as written in the compact form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aiwc::embed {

/// `text` with every character as %XX, except letters, digits and a few harmless signs.
std::string escaped(std::string_view text);
/// The reverse of `escaped`. None if a % is not followed by two hexadecimal digits.
std::optional<std::string> unescaped(std::string_view text);

/// Whether `text` has only characters of the compact form and newlines between its lines. Such a
/// text cannot end the comment or string that it is put into.
bool isHarmlessText(std::string_view text);

/// Removes the digits at the start of `text` and returns their value. None if there are no digits
/// or the value is too large; `text` is then unspecified.
std::optional<uint64_t> takeCount(std::string_view &text);
/// The same, and also accepts digits, `e` and a number of zeros: 1234e3.
std::optional<uint64_t> takeScaledCount(std::string_view &text);
/// Removes `sign` from the start of `text`; false if `text` starts with something else.
bool takeSign(std::string_view &text, char sign);

std::optional<uint64_t> parseCount(std::string_view text);
std::string formatScaledCount(uint64_t count);
/// Finite and not negative.
std::optional<double> parseReal(std::string_view text);

/// Removes and returns the text before the next `separator`; the separator is removed as well.
std::string_view takeUntil(std::string_view &text, char separator);

} // namespace aiwc::embed
