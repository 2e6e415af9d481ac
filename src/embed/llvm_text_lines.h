/// A minimal reader of LLVM IR as text, for annotations: it splits the text into lines and tells
/// code, strings and comments apart.
///
/// A string ends at the next quote, whatever character is before it, and may contain newlines. A
/// comment extends from a semicolon to the next newline. A newline is \n, \r or both. Everything
/// that this reader looks for is at the beginning of a line, outside of strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

/// The text from one newline outside of strings to the next.
struct IrLine {
  size_t begin = 0;
  size_t comment = 0; ///< where its comment begins; equal to `newline` if there is none
  size_t newline = 0; ///< where the newline begins; the end of the text for a last line without one
  size_t end = 0;     ///< after the newline
  size_t number = 1;
  bool closed = true; ///< false if the text ends inside a string
};

/// Reads the lines of a text in order. O(length) for all of them.
class IrLineReader {
public:
  explicit IrLineReader(std::string_view text) : text_(text) {}
  /// The next line; none after the last.
  std::optional<IrLine> next();
  /// Continues with the line that contains byte `at`, if that line is after the last one read.
  /// Skips lines without strings many at a time.
  void skipTo(size_t at);

private:
  /// The next position of a character. It is remembered until the reader has passed it.
  class Search {
  public:
    explicit Search(char wanted) : wanted_(wanted) {}
    size_t from(std::string_view text, size_t at);

  private:
    char wanted_;
    size_t found_ = 0;
    bool searched_ = false;
  };

  size_t newlineFrom(size_t at);
  /// The beginning of the line that contains `at`, provided that no string is open there.
  size_t lineBegin(size_t at) const;

  std::string_view text_;
  size_t at_ = 0;
  size_t number_ = 1;
  Search quote_{'"'}, comment_{';'}, lineFeed_{'\n'}, carriageReturn_{'\r'};
};

/// Parses a complete line `!aiwc.metrics = !{!4, !7}` and returns the numbers of the nodes. None
/// for any other line.
std::optional<std::vector<uint32_t>> parseMetricsList(std::string_view line);

struct IrNode {
  uint32_t number = 0;
  std::string_view text; ///< the text after the marker's name
};
/// Parses a complete line `!4 = !{!"aiwc.metrics 1 ..."}`. None for any other line.
std::optional<IrNode> parseMetricsNode(std::string_view line);

/// The name of the function that a line `define ... @name(` defines, with escapes resolved. None
/// for any other line.
std::optional<std::string> parseDefinition(std::string_view line);

/// The number at `at`, after a `!`. None if there is no number.
std::optional<uint32_t> referenceAt(std::string_view text, size_t at);

/// Appends to `numbers` the numbers of the nodes (`!4`) that the code of a line mentions.
void collectReferences(std::string_view text, const IrLine &line, std::vector<uint32_t> &numbers);

} // namespace aiwc::embed
