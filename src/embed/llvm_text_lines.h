/// LLVM IR as text, as far as annotations need it: lines, and what is code, string or comment.
///
/// A string ends at the next quote, whatever stands before it, and may hold newlines; a comment
/// reaches from a semicolon to a newline; and a newline is \n, \r or both. Everything that counts
/// here begins a line, where no string is open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::embed {

/// From one newline outside of strings to the next.
struct IrLine {
  size_t begin = 0;
  size_t comment = 0; ///< where its comment begins, or where `newline` is
  size_t newline = 0; ///< where the newline begins; the end of the text where there is none
  size_t end = 0;     ///< behind the newline
  size_t number = 1;
  bool closed = true; ///< false: the text ends in a string
};

/// Hands out a text's lines in order. O(length) for all of them.
class IrLineReader {
public:
  explicit IrLineReader(std::string_view text) : text_(text) {}
  /// The next line; none behind the last.
  std::optional<IrLine> next();
  /// Makes the line that byte `at` is in the next one, if that is behind the last one. Lines
  /// without strings are skipped many at a time.
  void skipTo(size_t at);

private:
  /// Where a character is found next, remembered as long as it lies ahead.
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
  /// Where the line begins that `at` is in, if no string is open there.
  size_t lineBegin(size_t at) const;

  std::string_view text_;
  size_t at_ = 0;
  size_t number_ = 1;
  Search quote_{'"'}, comment_{';'}, lineFeed_{'\n'}, carriageReturn_{'\r'};
};

/// `!aiwc.metrics = !{!4, !7}`, all on its line: the numbers of the nodes. None for anything else.
std::optional<std::vector<uint32_t>> parseMetricsList(std::string_view line);

struct IrNode {
  uint32_t number = 0;
  std::string_view text; ///< behind the marker's name
};
/// `!4 = !{!"aiwc.metrics 1 ..."}`, all on its line. None for anything else.
std::optional<IrNode> parseMetricsNode(std::string_view line);

/// The name of the function that a line `define ... @name(` defines, escapes resolved. None for any
/// other line.
std::optional<std::string> parseDefinition(std::string_view line);

/// The number that stands at `at`, behind a `!`. None where none does.
std::optional<uint32_t> referenceAt(std::string_view text, size_t at);

/// The numbers of the nodes (`!4`) that the code of a line mentions, appended to `numbers`.
void collectReferences(std::string_view text, const IrLine &line, std::vector<uint32_t> &numbers);

} // namespace aiwc::embed
