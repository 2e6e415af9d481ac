#include "sparse/matrix.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace aiwc::sparse {

Matrix matrixOf(uint32_t rows, uint32_t columns, std::span<const Entry> entries, bool withValues,
                Repeated repeated) {
  std::vector<uint64_t> begins(uint64_t{rows} + 1);
  for (const Entry &entry : entries)
    ++begins[uint64_t{entry.row} + 1];
  std::inclusive_scan(begins.begin(), begins.end(), begins.begin());
  // Most files have their rows in order, so that no copy is needed.
  std::vector<Entry> sorted;
  if (!std::ranges::is_sorted(entries, {}, &Entry::row)) {
    sorted.resize(entries.size());
    std::vector<uint64_t> next(begins.begin(), begins.end() - 1);
    for (const Entry &entry : entries)
      sorted[next[entry.row]++] = entry;
    entries = sorted;
  }
  Matrix matrix{.rows = rows, .columns = columns, .rowBegins = {}, .columnOf = {}, .values = {}};
  matrix.rowBegins.assign(uint64_t{rows} + 1, 0);
  matrix.columnOf.reserve(entries.size());
  if (withValues)
    matrix.values.reserve(entries.size());
  std::vector<Entry> row;
  for (uint32_t number = 0; number < rows; ++number) {
    std::span<const Entry> of =
        entries.subspan(begins[number], begins[number + 1] - begins[number]);
    if (!std::ranges::is_sorted(of, {}, &Entry::column)) {
      row.assign(of.begin(), of.end());
      std::ranges::stable_sort(row, {}, &Entry::column);
      of = row;
    }
    for (const Entry &entry : of) {
      if (matrix.columnOf.size() > matrix.rowBegins[number] &&
          matrix.columnOf.back() == entry.column) {
        if (withValues && repeated == Repeated::kAddUp)
          matrix.values.back() += entry.value;
        continue;
      }
      matrix.columnOf.push_back(entry.column);
      if (withValues)
        matrix.values.push_back(entry.value);
    }
    matrix.rowBegins[uint64_t{number} + 1] = matrix.columnOf.size();
  }
  return matrix;
}

std::string matrixMarketText(const Matrix &matrix, const std::string &comment) {
  const bool pattern = matrix.values.empty();
  fmt::memory_buffer text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "%%MatrixMarket matrix coordinate {} general\n",
                 pattern ? "pattern" : "real");
  if (!comment.empty())
    fmt::format_to(out, "%{}\n", comment);
  fmt::format_to(out, "{} {} {}\n", matrix.rows, matrix.columns, matrix.nonZeros());
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (uint64_t i = matrix.rowBegins[row]; i < matrix.rowBegins[row + 1]; ++i) {
      const uint64_t column = uint64_t{matrix.columnOf[i]} + 1;
      if (pattern)
        fmt::format_to(out, FMT_COMPILE("{} {}\n"), uint64_t{row} + 1, column);
      else
        fmt::format_to(out, FMT_COMPILE("{} {} {}\n"), uint64_t{row} + 1, column, matrix.values[i]);
    }
  return fmt::to_string(text);
}

} // namespace aiwc::sparse
