/// How numbers and names become text, in one place: every writer of a profile says the same value
/// with the same characters, whatever the application's locale.
#pragma once

#include "profile/metric.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::profile {

/// The shortest decimal that reads back as the same double. It has a point or an exponent, so
/// that nobody takes it for a count.
std::string formatReal(double value);

/// A count in full, a real as by `formatReal`, or `none` where there is no value.
std::string formatValue(const Value &value, std::string_view none);

/// A number for people: "1,234,567", reals to six significant digits, "-" for no value.
std::string formatReadable(const Value &value);

/// A number of bytes to four significant digits: "64 B", "32 KiB", "1.5 MiB".
std::string formatBytes(uint64_t bytes);

/// `text` on one line, safe for a terminal: control characters and bytes that are not UTF-8 appear
/// as \xNN. What exceeds `maximumBytes` of the result is cut off and marked "...".
std::string printable(std::string_view text, size_t maximumBytes = 200);

/// A CSV field, quoted where RFC 4180 asks for it.
std::string csvField(std::string_view text);

/// A line for each of `rows`, which have as many cells each: columns as wide as their widest cell,
/// two spaces apart, behind `indent`. `left` says of a column whether its cells are aligned to the
/// left; those that it does not reach are aligned to the right. No line ends in a space. Widths are
/// in bytes.
std::string textTable(const std::vector<std::vector<std::string>> &rows,
                      const std::vector<bool> &left, std::string_view indent = "");

} // namespace aiwc::profile
