#include "common/error.h"
#include "sparse/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace aiwc::sparse {

namespace {

/// Rows or columns `first` up to, without, `end`.
struct Range {
  uint32_t first = 0, end = 0;
};
using Ranges = std::array<Range, 2>;

/// The two ranges of `count` numbers in squares with this share of them as their side.
Ranges rangesOf(uint32_t count, double side) {
  const auto around = [&](double centre) {
    const double first = std::max(0.0, std::ceil((centre - side / 2) * count));
    const double last = std::min(count - 1.0, std::floor((centre + side / 2) * count));
    return last < first ? Range{}
                        : Range{static_cast<uint32_t>(first), static_cast<uint32_t>(last) + 1};
  };
  Ranges both = {around(0.25), around(0.75)};
  // Squares of half the matrix share their border.
  both[1].first = std::max(both[1].first, both[0].end);
  both[1].end = std::max(both[1].first, both[1].end);
  return both;
}

std::vector<uint32_t> numbersIn(const Ranges &ranges) {
  std::vector<uint32_t> numbers;
  for (const Range range : ranges)
    for (uint32_t number = range.first; number < range.end; ++number)
      numbers.push_back(number);
  return numbers;
}

/// Calls `visit` with each row of the squares of a side, and, for each of its two ranges of
/// columns, the first of the row's non-zeros in the range and the one behind the last.
template <typename Visit> void inSquares(const Matrix &whole, double side, const Visit &visit) {
  const Ranges columns = rangesOf(whole.columns, side);
  for (const uint32_t row : numbersIn(rangesOf(whole.rows, side)))
    for (const Range range : columns) {
      const auto begin = whole.columnOf.begin() + static_cast<ptrdiff_t>(whole.rowBegins[row]);
      const auto end = whole.columnOf.begin() + static_cast<ptrdiff_t>(whole.rowBegins[row + 1]);
      const auto first = std::lower_bound(begin, end, range.first);
      const auto last = std::lower_bound(first, end, range.end);
      visit(row, static_cast<uint64_t>(first - whole.columnOf.begin()),
            static_cast<uint64_t>(last - whole.columnOf.begin()));
    }
}

/// The side whose squares have nearest to `wanted` non-zeros, but at least one.
double sideFor(const Matrix &whole, double fraction) {
  const auto countOf = [&](double side) {
    uint64_t count = 0;
    inSquares(whole, side, [&](uint32_t, uint64_t first, uint64_t end) { count += end - first; });
    return static_cast<double>(count);
  };
  const double wanted = fraction * static_cast<double>(whole.nonZeros());
  constexpr double kAll = 0.5;
  double least = 0;
  double most = kAll;
  double side = std::sqrt(fraction / 4);
  // Until the sides differ by no row.
  const double order = std::max(whole.rows, whole.columns);
  while ((most - least) * order > 0.5) {
    (countOf(side) < wanted ? least : most) = side;
    side = (least + most) / 2;
  }
  return wanted - countOf(least) < countOf(most) - wanted && countOf(least) > 0 ? least : most;
}

} // namespace

Sample sample(const Matrix &whole, double fraction) {
  if (whole.nonZeros() == 0)
    throw Error("the matrix has no non-zeros: expected some to sample");
  if (!(fraction > 0 && fraction <= 1))
    throw Error(fmt::format("the fraction {}: expected more than 0, and at most 1", fraction));
  const double side = sideFor(whole, fraction);
  Sample result;
  result.rows = numbersIn(rangesOf(whole.rows, side));
  result.columns = numbersIn(rangesOf(whole.columns, side));
  std::vector<uint32_t> newRow(whole.rows), newColumn(whole.columns);
  for (uint32_t i = 0; i < result.rows.size(); ++i)
    newRow[result.rows[i]] = i;
  for (uint32_t i = 0; i < result.columns.size(); ++i)
    newColumn[result.columns[i]] = i;
  Matrix &part = result.matrix;
  part.rows = static_cast<uint32_t>(result.rows.size());
  part.columns = static_cast<uint32_t>(result.columns.size());
  part.rowBegins.resize(result.rows.size() + 1);
  inSquares(whole, side, [&](uint32_t row, uint64_t first, uint64_t end) {
    for (uint64_t place = first; place < end; ++place) {
      part.columnOf.push_back(newColumn[whole.columnOf[place]]);
      if (!whole.values.empty())
        part.values.push_back(whole.values[place]);
    }
    part.rowBegins[uint64_t{newRow[row]} + 1] = part.columnOf.size();
  });
  result.achieved = static_cast<double>(part.nonZeros()) / static_cast<double>(whole.nonZeros());
  return result;
}

std::string sampleComment(const Matrix &whole, double fraction, const Sample &taken) {
  return fmt::format("aiwc-sample: method=stride-average fraction={} achieved={:.6g} rows={} "
                     "columns={} non_zeros={}",
                     fraction, taken.achieved, whole.rows, whole.columns, whole.nonZeros());
}

} // namespace aiwc::sparse
