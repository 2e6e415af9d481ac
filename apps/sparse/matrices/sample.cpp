#include "sparse/sample.h"

#include "common/error.h"
#include "sparse/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace aiwc::sparse {

namespace {

struct MethodName {
  Method method;
  std::string_view name;
};
constexpr std::array kMethods = {MethodName{Method::kStrideAverage, "stride-average"},
                                 MethodName{Method::kRandomTile, "random-tile"},
                                 MethodName{Method::kRandomEdge, "random-edge"}};

constexpr uint32_t kNowhere = ~uint32_t{0};

/// Rows or columns `first` up to, without, `end`.
struct Range {
  uint32_t first = 0, end = 0;
};

/// The indices in `matrix` of the non-zeros of a row whose columns are in `columns`.
struct Places {
  uint64_t first = 0, end = 0;
  uint64_t count() const { return end - first; }
};
Places placesIn(const Matrix &matrix, uint32_t row, Range columns) {
  const auto begin = matrix.columnOf.begin();
  const auto rowBegin = begin + static_cast<ptrdiff_t>(matrix.rowBegins[row]);
  const auto rowEnd = begin + static_cast<ptrdiff_t>(matrix.rowBegins[row + 1]);
  const auto first = std::lower_bound(rowBegin, rowEnd, columns.first);
  const auto end = std::lower_bound(first, rowEnd, columns.end);
  return {static_cast<uint64_t>(first - begin), static_cast<uint64_t>(end - begin)};
}

/// Which non-zeros of a matrix are sampled, and which rows and columns the sample has.
class Selection {
public:
  explicit Selection(const Matrix &whole)
      : whole_(whole), taken_(whole.nonZeros()), rows_(whole.rows), columns_(whole.columns) {}

  void cover(Range rows, Range columns) {
    std::fill(rows_.begin() + rows.first, rows_.begin() + rows.end, true);
    std::fill(columns_.begin() + columns.first, columns_.begin() + columns.end, true);
  }
  void take(uint64_t place) {
    if (!taken_[place])
      ++count_;
    taken_[place] = true;
  }
  void take(Places places) {
    for (uint64_t place = places.first; place < places.end; ++place)
      take(place);
  }
  bool has(uint64_t place) const { return taken_[place]; }
  uint64_t count() const { return count_; }

  Sample sample() {
    if (whole_.rows == whole_.columns)
      for (uint32_t i = 0; i < whole_.rows; ++i)
        rows_[i] = columns_[i] = rows_[i] || columns_[i];
    Sample result;
    result.rows = kept(rows_);
    result.columns = kept(columns_);
    std::vector<uint32_t> newColumn(whole_.columns, kNowhere);
    for (uint32_t i = 0; i < result.columns.size(); ++i)
      newColumn[result.columns[i]] = i;
    Matrix &matrix = result.matrix;
    matrix.rows = static_cast<uint32_t>(result.rows.size());
    matrix.columns = static_cast<uint32_t>(result.columns.size());
    matrix.columnOf.reserve(count_);
    if (!whole_.values.empty())
      matrix.values.reserve(count_);
    for (const uint32_t row : result.rows) {
      for (uint64_t place = whole_.rowBegins[row]; place < whole_.rowBegins[row + 1]; ++place)
        if (taken_[place]) {
          matrix.columnOf.push_back(newColumn[whole_.columnOf[place]]);
          if (!whole_.values.empty())
            matrix.values.push_back(whole_.values[place]);
        }
      matrix.rowBegins.push_back(matrix.columnOf.size());
    }
    result.achieved = static_cast<double>(count_) / static_cast<double>(whole_.nonZeros());
    return result;
  }

private:
  static std::vector<uint32_t> kept(const std::vector<bool> &which) {
    std::vector<uint32_t> numbers;
    for (uint32_t i = 0; i < which.size(); ++i)
      if (which[i])
        numbers.push_back(i);
    return numbers;
  }

  const Matrix &whole_;
  std::vector<bool> taken_, rows_, columns_;
  uint64_t count_ = 0;
};

/// The two ranges of `count` numbers in squares with this share of them as their side.
std::array<Range, 2> squares(uint32_t count, double side) {
  const auto around = [&](double centre) {
    const double first = std::max(0.0, std::ceil((centre - side / 2) * count));
    const double last = std::min(count - 1.0, std::floor((centre + side / 2) * count));
    return last < first ? Range{}
                        : Range{static_cast<uint32_t>(first), static_cast<uint32_t>(last) + 1};
  };
  std::array<Range, 2> both = {around(0.25), around(0.75)};
  // Squares of half the matrix share their border.
  both[1].first = std::max(both[1].first, both[0].end);
  both[1].end = std::max(both[1].first, both[1].end);
  return both;
}

template <typename Visit> void inSquares(const Matrix &whole, double side, Visit visit) {
  for (const Range rows : squares(whole.rows, side))
    for (uint32_t row = rows.first; row < rows.end; ++row)
      for (const Range columns : squares(whole.columns, side))
        visit(placesIn(whole, row, columns));
}

Sample strideAverage(const Matrix &whole, double fraction) {
  const auto countOf = [&](double side) {
    uint64_t count = 0;
    inSquares(whole, side, [&](Places places) { count += places.count(); });
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
    if (countOf(side) < wanted)
      least = side;
    else
      most = side;
    side = (least + most) / 2;
  }
  side = wanted - countOf(least) < countOf(most) - wanted && countOf(least) > 0 ? least : most;
  Selection selection(whole);
  for (const Range rows : squares(whole.rows, side))
    for (const Range columns : squares(whole.columns, side))
      selection.cover(rows, columns);
  inSquares(whole, side, [&](Places places) { selection.take(places); });
  return selection.sample();
}

class RandomTiles {
public:
  RandomTiles(const Matrix &whole, const SampleOptions &options)
      : whole_(whole), random_(options.seed), selection_(whole),
        tile_(options.tile > 0 ? options.tile : usualTile(whole, options.fraction)),
        density_(static_cast<double>(whole.nonZeros()) / whole.rows / whole.columns),
        wanted_(std::max(1.0, options.fraction * static_cast<double>(whole.nonZeros()))) {}

  Sample sample() {
    constexpr uint64_t kVisits = 10;
    const uint64_t patience = kVisits * (whole_.rows + whole_.nonZeros());
    while (!enough())
      if (visited_ < patience)
        take(firstOf(whole_.rows), firstOf(whole_.columns));
      else
        takeAroundOne();
    return selection_.sample();
  }

private:
  bool enough() const { return static_cast<double>(selection_.count()) >= wanted_; }

  int64_t firstOf(uint32_t count) {
    return static_cast<int64_t>(random_.below(uint64_t{count} + tile_ - 1)) - tile_ + 1;
  }

  static Range clipped(int64_t first, int64_t size, uint32_t count) {
    return {static_cast<uint32_t>(std::clamp<int64_t>(first, 0, count)),
            static_cast<uint32_t>(std::clamp<int64_t>(first + size, 0, count))};
  }

  /// The size of a tile that begins in this row.
  int64_t sizeAt(int64_t firstRow) const {
    const Range rows = clipped(firstRow, tile_, whole_.rows);
    const double density =
        static_cast<double>(whole_.degree(rows.first) + whole_.degree(rows.end - 1)) / 2 /
        whole_.columns;
    if (density < 0.5 * density_)
      return std::max<int64_t>(1, tile_ / 2);
    return density > 1.5 * density_ ? tile_ + tile_ / 2 : tile_;
  }

  void take(int64_t firstRow, int64_t firstColumn) {
    const int64_t size = sizeAt(firstRow);
    Range rows = clipped(firstRow, size, whole_.rows);
    const Range columns = clipped(firstColumn, size, whole_.columns);
    uint32_t row = rows.first;
    for (; row < rows.end && !enough(); ++row)
      selection_.take(placesIn(whole_, row, columns));
    visited_ += 1 + row - rows.first;
    rows.end = row;
    selection_.cover(rows, columns);
  }

  /// A tile around the next non-zero, after a random one, that is not taken.
  void takeAroundOne() {
    uint64_t place = random_.below(whole_.nonZeros());
    while (selection_.has(place))
      place = place + 1 == whole_.nonZeros() ? 0 : place + 1;
    const auto after = std::upper_bound(whole_.rowBegins.begin(), whole_.rowBegins.end(), place);
    const int64_t row = after - whole_.rowBegins.begin() - 1;
    // Within the first half of each side, where a tile that shrinks has the non-zero as well.
    const auto half = std::max<uint64_t>(1, tile_ / 2);
    take(row - static_cast<int64_t>(random_.below(half)),
         int64_t{whole_.columnOf[place]} - static_cast<int64_t>(random_.below(half)));
  }

  const Matrix &whole_;
  Random random_;
  Selection selection_;
  int64_t tile_;
  double density_;
  double wanted_;
  uint64_t visited_ = 0; ///< rows of tiles, and tiles
};

Sample randomEdge(const Matrix &whole, double fraction, uint64_t seed) {
  Random random(seed);
  Selection selection(whole);
  // Knuth's algorithm S.
  auto missing = std::max(uint64_t{1}, static_cast<uint64_t>(std::llround(
                                           fraction * static_cast<double>(whole.nonZeros()))));
  for (uint32_t row = 0; row < whole.rows; ++row)
    for (uint64_t place = whole.rowBegins[row]; place < whole.rowBegins[row + 1]; ++place)
      if (random.below(whole.nonZeros() - place) < missing) {
        --missing;
        selection.take(place);
        const uint32_t column = whole.columnOf[place];
        selection.cover({row, row + 1}, {column, column + 1});
      }
  return selection.sample();
}

} // namespace

std::string_view name(Method method) {
  return kMethods.at(static_cast<size_t>(method)).name;
}

Method methodOf(std::string_view name) {
  const auto *const found = std::ranges::find(kMethods, name, &MethodName::name);
  if (found == kMethods.end())
    throw Error(
        fmt::format("the method {}: expected stride-average, random-tile or random-edge", name));
  return found->method;
}

uint32_t usualTile(const Matrix &whole, double fraction) {
  constexpr double kTiles = 8;
  const double side =
      std::sqrt(fraction / kTiles * static_cast<double>(whole.rows) * whole.columns);
  return std::max(1U, static_cast<uint32_t>(std::lround(side)));
}

Sample sample(const Matrix &whole, const SampleOptions &options) {
  if (whole.nonZeros() == 0)
    throw Error("the matrix has no non-zeros: expected some to sample");
  if (!(options.fraction > 0 && options.fraction <= 1))
    throw Error(
        fmt::format("the fraction {}: expected more than 0, and at most 1", options.fraction));
  switch (options.method) {
  case Method::kStrideAverage:
    return strideAverage(whole, options.fraction);
  case Method::kRandomTile:
    return RandomTiles(whole, options).sample();
  case Method::kRandomEdge:
    return randomEdge(whole, options.fraction, options.seed);
  }
  throw Error("no method has this number");
}

std::string sampleComment(const Matrix &whole, const SampleOptions &options, const Sample &taken) {
  return fmt::format("aiwc-sample: method={} fraction={} achieved={:.6g} seed={} rows={} "
                     "columns={} non_zeros={}",
                     name(options.method), options.fraction, taken.achieved, options.seed,
                     whole.rows, whole.columns, whole.nonZeros());
}

} // namespace aiwc::sparse
