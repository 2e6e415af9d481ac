#include "eod/formats/matrix_market.h"

#include "eod/formats/input_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string_view>

namespace aiwc::eod {
namespace {

/// The format allows 1024 characters.
constexpr size_t kLongestMatrixMarketLine = 1024;
using Entry = CoordinateMatrix::Entry;

enum class Symmetry { kGeneral, kSymmetric, kSkew };

std::string lowerCase(std::string_view word) {
  std::string text(word);
  for (char &c : text)
    if (c >= 'A' && c <= 'Z')
      c += 'a' - 'A';
  return text;
}

/// The whole word as a number; std::from_chars takes no plus sign.
template <typename T> std::optional<T> parse(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-')
    word.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size())
    return std::nullopt;
  return value;
}

/// Sorts by position, and adds up entries at the same one in the order of the file.
void sumDuplicates(std::vector<Entry> &entries) {
  const auto before = [](const Entry &a, const Entry &b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  };
  if (!std::ranges::is_sorted(entries, before))
    std::ranges::stable_sort(entries, before);
  size_t kept = 0;
  for (const Entry &entry : entries)
    if (kept > 0 && entries[kept - 1].row == entry.row && entries[kept - 1].column == entry.column)
      entries[kept - 1].value += entry.value;
    else
      entries[kept++] = entry;
  entries.resize(kept);
}

class MatrixMarketReader {
public:
  explicit MatrixMarketReader(const std::string &path) : file_(path, "a Matrix Market file") {
    file_.line = 0; // no line has been read
  }

  CoordinateMatrix read() {
    readHeader();
    readSizes();
    while (nextWords())
      addEntry();
    if (announced_ > read_)
      file_.fail(fmt::format("the file ends after {} entries", read_),
                 fmt::format("{}", announced_));
    sumDuplicates(matrix_.entries);
    if (pattern_)
      for (Entry &entry : matrix_.entries)
        entry.value = 1;
    for (const Entry &entry : matrix_.entries)
      if (!std::isfinite(static_cast<float>(entry.value)))
        file_.fail(fmt::format("the entries at {},{} sum to {}", entry.row + 1, entry.column + 1,
                               entry.value),
                   "what single precision can hold");
    return std::move(matrix_);
  }

private:
  void readHeader() {
    nextLine();
    const std::vector<std::string_view> words = fields(text_);
    if (words.empty() || lowerCase(words[0]) != "%%matrixmarket")
      file_.fail(fmt::format("'{}'", printable(text_)), "%%MatrixMarket matrix coordinate ...");
    if (words.size() != 5)
      file_.fail(fmt::format("a header of {} words", words.size()),
                 "%%MatrixMarket matrix coordinate <field> <symmetry>");
    if (lowerCase(words[1]) != "matrix")
      file_.fail(fmt::format("object '{}'", printable(words[1])), "matrix");
    if (lowerCase(words[2]) != "coordinate")
      file_.fail(fmt::format("format '{}'", printable(words[2])), "coordinate, a sparse matrix");
    const std::string field = lowerCase(words[3]);
    if (field != "real" && field != "integer" && field != "pattern")
      file_.fail(fmt::format("field '{}'", printable(words[3])), "real, integer or pattern");
    pattern_ = field == "pattern";
    const std::string symmetry = lowerCase(words[4]);
    if (symmetry == "symmetric")
      symmetry_ = Symmetry::kSymmetric;
    else if (symmetry == "skew-symmetric" && !pattern_)
      symmetry_ = Symmetry::kSkew;
    else if (symmetry != "general")
      file_.fail(fmt::format("symmetry '{}' of a matrix of {} entries", printable(words[4]), field),
                 pattern_ ? "general or symmetric" : "general, symmetric or skew-symmetric");
  }

  void readSizes() {
    do {
      if (!nextWords())
        file_.fail("the file ends before its size line", "rows columns entries");
    } while (words_[0].starts_with('%'));
    if (words_.size() != 3)
      file_.fail(fmt::format("a size line of {} words", words_.size()), "rows columns entries");
    matrix_.rows = static_cast<uint32_t>(number(words_[0], "rows", 1, kLargestMatrixMarketSide));
    matrix_.columns =
        static_cast<uint32_t>(number(words_[1], "columns", 1, kLargestMatrixMarketSide));
    announced_ = number(words_[2], "entries", 0, kMostMatrixMarketEntries);
    if (symmetry_ != Symmetry::kGeneral && matrix_.rows != matrix_.columns)
      file_.fail(fmt::format("{} rows, {} columns", matrix_.rows, matrix_.columns),
                 "as many of both in a symmetric matrix");
  }

  void addEntry() {
    if (read_ == announced_)
      file_.fail(fmt::format("a line after the last entry"), fmt::format("{} entries", announced_));
    if (words_.size() != (pattern_ ? 2 : 3))
      file_.fail(fmt::format("{} words", words_.size()),
                 pattern_ ? "row column" : "row column value");
    const auto row = static_cast<uint32_t>(number(words_[0], "row", 1, matrix_.rows) - 1);
    const auto column = static_cast<uint32_t>(number(words_[1], "column", 1, matrix_.columns) - 1);
    const std::optional<double> value = pattern_ ? 1 : parse<double>(words_[2]);
    if (!value || !std::isfinite(static_cast<float>(*value)))
      file_.fail(fmt::format("value '{}'", printable(words_[2])),
                 "a number that single precision can hold");
    if (symmetry_ != Symmetry::kGeneral && column > row)
      file_.fail(fmt::format("entry {},{} above the diagonal", row + 1, column + 1),
                 "in a symmetric matrix none");
    if (symmetry_ == Symmetry::kSkew && column == row)
      file_.fail(fmt::format("entry {},{} on the diagonal", row + 1, column + 1),
                 "in a skew-symmetric matrix none");
    matrix_.entries.push_back({row, column, *value});
    if (symmetry_ != Symmetry::kGeneral && column != row)
      matrix_.entries.push_back({column, row, symmetry_ == Symmetry::kSkew ? -*value : *value});
    ++read_;
  }

  uint64_t number(std::string_view word, const char *what, uint64_t low, uint64_t high) const {
    const std::optional<uint64_t> value = parse<uint64_t>(word);
    if (!value || *value < low || *value > high)
      file_.fail(fmt::format("{} '{}'", what, printable(word)), fmt::format("{} to {}", low, high));
    return *value;
  }

  /// Goes on to the next line that is not blank.
  bool nextWords() {
    do {
      if (!nextLine())
        return false;
      words_ = fields(text_);
    } while (words_.empty());
    return true;
  }

  bool nextLine() {
    ++file_.line;
    return file_.nextLine(text_, kLongestMatrixMarketLine);
  }

  InputFile file_;
  std::string text_;                    ///< of the line
  std::vector<std::string_view> words_; ///< of the line
  bool pattern_ = false;
  Symmetry symmetry_ = Symmetry::kGeneral;
  uint64_t announced_ = 0; ///< entries, by the size line
  uint64_t read_ = 0;
  CoordinateMatrix matrix_;
};

} // namespace

CoordinateMatrix readMatrixMarket(const std::string &path) {
  return MatrixMarketReader(path).read();
}

std::vector<uint32_t> rowBegins(const CoordinateMatrix &matrix) {
  std::vector<uint32_t> begins(size_t{matrix.rows} + 1);
  for (const Entry &entry : matrix.entries)
    ++begins[size_t{entry.row} + 1];
  for (size_t row = 0; row < matrix.rows; ++row)
    begins[row + 1] += begins[row];
  return begins;
}

} // namespace aiwc::eod
