/// Formats numbers and names as text. All writers of profiles use these functions, so the same
/// value always gives the same characters, in every locale.
#pragma once

#include "profile/metric.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::profile {

/// The shortest decimal that reads back as the same double. It always has a point or an exponent,
/// to distinguish it from a count.
std::string formatReal(double value);

/// A count with all digits, a real as `formatReal` does, or `none` if there is no value.
std::string formatValue(const Value &value, std::string_view none);

/// A number for people: "1,234,567", reals to six significant digits, "-" for no value.
std::string formatReadable(const Value &value);

/// A number of bytes to four significant digits: "64 B", "32 KiB", "1.5 MiB".
std::string formatBytes(uint64_t bytes);

/// The size that "32768", "32768B", "32KiB", "4MiB" or "1GiB" stands for; none for any other text,
/// for 0 and for what exceeds 64 bits.
std::optional<uint64_t> parseBytes(std::string_view text);

/// `text` on one line, safe for a terminal: control characters and bytes that are not UTF-8 appear
/// as \xNN. A result longer than `maximumBytes` is cut off and ends in "...".
std::string printable(std::string_view text, size_t maximumBytes = 200);

/// `text` in lines of at most `columns` characters, each with `indent` blanks in front and an end
/// of line. A longer word has a line of its own.
std::string wrapped(std::string_view text, size_t indent, size_t columns = 80);

/// A CSV field, quoted if RFC 4180 requires it.
std::string csvField(std::string_view text);

/// Returns one line per row; all rows must have the same number of cells. Each line starts with
/// `indent`; columns are as wide as their widest cell (in bytes) and two spaces apart. `left[i]`
/// says whether column i is left-aligned; columns beyond the end of `left` are right-aligned. No
/// line ends in a space.
std::string textTable(const std::vector<std::vector<std::string>> &rows,
                      const std::vector<bool> &left, std::string_view indent = "");

} // namespace aiwc::profile
