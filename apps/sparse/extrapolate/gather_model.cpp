#include "extrapolate/gather_model.h"

#include "metrics/reuse_distance/distance_counts.h"
#include "metrics/reuse_distance/lru_stack.h"
#include "metrics/shared/tally.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace aiwc::extrapolate {

namespace {

/// The lines of an array that is gathered.
struct Array {
  uint64_t span = 4;
  uint64_t firstLine = 0; ///< in the numbers of the lines of all arrays
  uint64_t linesOf() const { return std::max<uint64_t>(1, span / kLineBytes); }
  uint64_t lineOf(uint64_t index) const { return firstLine + index * span / kLineBytes; }
};

/// Follows the accesses of a traversal.
class Walk {
public:
  Walk(const Traversal &traversal, const sparse::Matrix &matrix)
      : traversal_(traversal), matrix_(matrix) {
    std::map<std::string, size_t> numbers;
    uint64_t lines = 0;
    for (const Gather &gather : traversal.gathers) {
      const auto [found, fresh] = numbers.try_emplace(gather.array, arrays_.size());
      if (fresh) {
        arrays_.push_back({gather.span, lines});
        lines += (std::max(matrix.rows, matrix.columns) * gather.span) / kLineBytes +
                 arrays_.back().linesOf() + 1;
      }
      arrayOf_.push_back(found->second);
    }
    last_.resize(lines);
  }

  GatheredLines go() {
    const bool skipDiagonal = traversal_.visits == Quantity::kOffDiagonal;
    uint64_t visit = 0;
    for (uint32_t row = 0; row < matrix_.rows; ++row)
      for (const uint32_t column : matrix_.row(row)) {
        if (skipDiagonal && column == row)
          continue;
        for (size_t i = 0; i < arrayOf_.size(); ++i) {
          const Array &array = arrays_[arrayOf_[i]];
          const uint64_t begin = array.lineOf(traversal_.gathers[i].byRow ? row : column);
          for (uint64_t line = begin; line < begin + array.linesOf(); ++line)
            access(line, {visit, row});
        }
        ++visit;
      }
    return {counts_.histogram(), stack_.lines().size()};
  }

private:
  /// Where in the traversal a line was accessed.
  struct Time {
    uint64_t visit = 0;
    uint32_t row = 0;
  };

  void access(uint64_t line, const Time &now) {
    const Time before = std::exchange(last_[line], now);
    if (const uint64_t distance = stack_.access(line); distance != metrics::LruStack::kCold)
      counts_.add(0, distance + streamed(before, now));
  }

  /// Distinct lines of the streams between two visits.
  uint64_t streamed(const Time &before, const Time &now) const {
    uint64_t lines = 0;
    const auto between = [](uint64_t first, uint64_t last, uint64_t bytes) {
      return last * bytes / kLineBytes - first * bytes / kLineBytes + 1;
    };
    if (now.visit > before.visit)
      for (const Stream &stream : traversal_.perNonZero)
        lines += between(before.visit + 1, now.visit, stream.bytes);
    if (now.row > before.row)
      for (const Stream &stream : traversal_.perRow)
        lines += between(before.row + 1, now.row, stream.bytes);
    return lines;
  }

  const Traversal &traversal_;
  const sparse::Matrix &matrix_;
  std::vector<Array> arrays_;
  std::vector<size_t> arrayOf_; ///< by gather
  std::vector<Time> last_;      ///< by line
  metrics::LruStack stack_;
  metrics::DistanceCounts counts_{1};
};

} // namespace

uint64_t GatheredLines::accesses() const {
  return cold + metrics::population(distances);
}

GatheredLines gatheredLines(const Traversal &traversal, const Pattern &pattern) {
  return Walk(traversal, pattern.matrix()).go();
}

double streamLines(const Traversal &traversal, const Pattern &pattern) {
  double lines = 0;
  const auto add = [&](const std::vector<Stream> &streams, Quantity quantity) {
    for (const Stream &stream : streams)
      lines += static_cast<double>(pattern[quantity] * stream.bytes) / kLineBytes;
  };
  add(traversal.perNonZero, traversal.visits);
  add(traversal.perRow, Quantity::kRows);
  return lines;
}

double addressEntropy(const Traversal &traversal, const Pattern &pattern, unsigned bits) {
  double all = 0;
  double sum = 0; // of c log2 c
  const auto addEach = [&](double number, double count) {
    all += number * count;
    sum += count > 0 ? number * count * std::log2(count) : 0;
  };
  const auto stream = [&](const Stream &of, double elements) {
    const double together =
        std::max(1.0, std::ldexp(1.0, static_cast<int>(bits)) / static_cast<double>(of.bytes));
    addEach(elements / together, together * static_cast<double>(of.times));
  };
  for (const Stream &of : traversal.perNonZero)
    stream(of, static_cast<double>(pattern[traversal.visits]));
  for (const Stream &of : traversal.perRow)
    stream(of, static_cast<double>(pattern[Quantity::kRows]));
  for (const Gather &gather : traversal.gathers) {
    const uint64_t together = std::max<uint64_t>(1, (uint64_t{1} << bits) / gather.span);
    const uint64_t indices = gather.byRow ? pattern.matrix().rows : pattern.matrix().columns;
    for (uint64_t first = 0; first < indices; first += together) {
      double count = 0;
      for (uint64_t i = first; i < std::min(indices, first + together); ++i)
        count += gather.byRow
                     ? static_cast<double>(pattern.matrix().degree(static_cast<uint32_t>(i)))
                     : pattern.columnDegrees()[i];
      addEach(1, count * gather.times);
    }
  }
  return all > 0 ? std::log2(all) - sum / all : 0;
}

const GatheredLines &GatherModels::lines(const Traversal &traversal, const Pattern &pattern) {
  const auto found = std::ranges::find_if(known_, [&](const Known &known) {
    return known.pattern == &pattern && known.traversal == traversal;
  });
  if (found != known_.end())
    return found->lines;
  return known_.emplace_back(Known{traversal, &pattern, gatheredLines(traversal, pattern)}).lines;
}

} // namespace aiwc::extrapolate
