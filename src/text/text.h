/// Formats numbers and names as text. All writers of profiles use these functions, so the same
/// value always gives the same characters, in every locale.
#pragma once

#include "text/terminal.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace aiwc::text {

/// A count, a real number, or `std::monostate` for "no value": it was not computed, or is not
/// defined (a ratio to zero). "No value" is `null` in JSON and `NaN` in CSV.
using Value = std::variant<std::monostate, uint64_t, double>;

/// The value as a double; NaN if there is no value.
double toDouble(const Value &value);

/// The shortest decimal that reads back as the same double. It always has a point or an exponent,
/// to distinguish it from a count.
std::string formatReal(double value);
/// Appends what `formatReal` returns.
void appendReal(std::string &to, double value);

/// A count with all digits, a real as `formatReal` does, or `none` if there is no value.
std::string formatValue(const Value &value, std::string_view none);
/// Appends what `formatValue` returns.
void appendValue(std::string &to, const Value &value, std::string_view none);

/// A number for people: "1,234,567", reals to six significant digits, "-" for no value.
std::string formatReadable(const Value &value);

/// The name of one of a metric's units: "branch" for "branches". The unit itself if it has no
/// singular.
std::string_view singular(std::string_view unit);

/// "1 launch", "1,234 kernels": a number of things, of which `one` names one.
std::string counted(uint64_t number, std::string_view one);

/// A number of bytes to four significant digits: "64 B", "32 KiB", "1.5 MiB".
std::string formatBytes(uint64_t bytes);

/// A time for people who wait, in whole units: "59 s", "2 min 05 s", "3 h 07 min".
std::string formatWait(double seconds);

/// The size that "32768", "32768B", "32KiB", "4MiB" or "1GiB" stands for; none for any other text,
/// for 0 and for what exceeds 64 bits.
std::optional<uint64_t> parseBytes(std::string_view text);

/// `text` on one line, safe for a terminal: control characters and bytes that are not UTF-8 appear
/// as \xNN. A result longer than `maximumBytes` is cut off and ends in "...".
std::string printable(std::string_view text, size_t maximumBytes = 200);

/// `text` in lines of at most `columns` characters, each with `indent` blanks in front and an end
/// of line. A longer word has a line of its own.
std::string wrapped(std::string_view text, size_t indent, size_t columns = 80);

/// "a, b, c and 4 more": the first `shown` of the names, and how many others there are.
std::string someOf(const std::vector<std::string> &names, size_t shown = 3);

/// `text` without the blanks at its ends.
std::string_view trimmed(std::string_view text);

/// The parts of `list` between separators: one more than it has separators.
std::vector<std::string> split(std::string_view list, char separator);

/// A CSV field, quoted if RFC 4180 requires it.
std::string csvField(std::string_view text);

/// How `textTable` lays out a table.
struct TableLayout {
  std::string_view indent = ""; ///< in front of each line
  /// The numbers of the columns whose cells may be cut in the middle if the lines are longer than
  /// the terminal is wide: names and the like. No number is ever cut.
  std::vector<size_t> names = {};
  Terminal terminal = {.columns = SIZE_MAX, .colour = false};
  bool heading = false;   ///< whether the first row is one
  size_t best = SIZE_MAX; ///< the row whose first cell is marked as good; by default none
};

/// Returns one line per row; all rows must have the same number of cells. Columns are as wide as
/// their widest cell and two spaces apart. `left[i]` says whether column i is left-aligned; columns
/// beyond the end of `left` are right-aligned. No line ends in a space.
std::string textTable(const std::vector<std::vector<std::string>> &rows,
                      const std::vector<bool> &left, const TableLayout &layout = {});

} // namespace aiwc::text
