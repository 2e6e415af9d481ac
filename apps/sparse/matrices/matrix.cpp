#include "sparse/matrix.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace aiwc::sparse {

Matrix matrixOf(uint32_t rows, uint32_t columns, std::span<const Entry> entries, bool withValues) {
  std::vector<uint64_t> begins(uint64_t{rows} + 1);
  for (const Entry &entry : entries)
    ++begins[entry.row + 1];
  std::inclusive_scan(begins.begin(), begins.end(), begins.begin());
  std::vector<Entry> byRow(entries.size());
  {
    std::vector<uint64_t> next(begins.begin(), begins.end() - 1);
    for (const Entry &entry : entries)
      byRow[next[entry.row]++] = entry;
  }
  Matrix matrix{.rows = rows, .columns = columns, .rowBegins = {}, .columnOf = {}, .values = {}};
  matrix.rowBegins.assign(uint64_t{rows} + 1, 0);
  matrix.columnOf.reserve(entries.size());
  if (withValues)
    matrix.values.reserve(entries.size());
  for (uint32_t row = 0; row < rows; ++row) {
    const auto begin = byRow.begin() + static_cast<ptrdiff_t>(begins[row]);
    const auto end = byRow.begin() + static_cast<ptrdiff_t>(begins[row + 1]);
    std::stable_sort(begin, end,
                     [](const Entry &a, const Entry &b) { return a.column < b.column; });
    for (auto entry = begin; entry != end; ++entry) {
      if (entry != begin && std::prev(entry)->column == entry->column) {
        if (withValues)
          matrix.values.back() += entry->value;
        continue;
      }
      matrix.columnOf.push_back(entry->column);
      if (withValues)
        matrix.values.push_back(entry->value);
    }
    matrix.rowBegins[row + 1] = matrix.columnOf.size();
  }
  return matrix;
}

Matrix transposed(const Matrix &matrix) {
  Matrix result{.rows = matrix.columns,
                .columns = matrix.rows,
                .rowBegins = std::vector<uint64_t>(uint64_t{matrix.columns} + 1),
                .columnOf = std::vector<uint32_t>(matrix.columnOf.size()),
                .values = std::vector<float>(matrix.values.size())};
  for (const uint32_t column : matrix.columnOf)
    ++result.rowBegins[column + 1];
  std::inclusive_scan(result.rowBegins.begin(), result.rowBegins.end(), result.rowBegins.begin());
  std::vector<uint64_t> next(result.rowBegins.begin(), result.rowBegins.end() - 1);
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (uint64_t i = matrix.rowBegins[row]; i < matrix.rowBegins[row + 1]; ++i) {
      const uint64_t at = next[matrix.columnOf[i]]++;
      result.columnOf[at] = row;
      if (!matrix.values.empty())
        result.values[at] = matrix.values[i];
    }
  return result;
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
