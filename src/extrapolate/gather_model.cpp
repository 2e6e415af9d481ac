#include "extrapolate/gather_model.h"

#include "profile/reuse.h"

#include <algorithm>
#include <map>

namespace aiwc::extrapolate {

namespace {

/// More accesses than this are followed in part.
constexpr double kFollowed = 2e6;
/// A line with a larger part of all accesses than this is always followed.
constexpr double kFrequent = 1.0 / 16384;

/// A number of lines by their last access: of each kind, how many were accessed after one of them.
class RecentLines {
public:
  /// `lines`: how many different ones there can be.
  explicit RecentLines(size_t lines)
      : slotOf_(lines, kNone), frequent_(lines), lineAt_(std::max<size_t>(1024, 2 * lines)),
        tree_(lineAt_.size() + 1) {}

  struct After {
    uint32_t frequent = 0, others = 0;
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  bool seen(uint32_t line) const { return slotOf_[line] != kNone; }
  bool latest(uint32_t line) const { return slotOf_[line] + 1 == next_; }
  void setFrequent(uint32_t line) { frequent_[line] = 1; }
  bool frequent(uint32_t line) const { return frequent_[line] != 0; }

  After after(uint32_t line) const {
    const After before = upTo(slotOf_[line]);
    return {all_.frequent - before.frequent, all_.others - before.others};
  }
  void access(uint32_t line) {
    if (next_ == lineAt_.size())
      compact();
    if (slotOf_[line] != kNone)
      add(slotOf_[line], line, -1);
    slotOf_[line] = next_;
    lineAt_[next_] = line;
    add(next_, line, 1);
    ++next_;
  }

private:
  After upTo(uint32_t slot) const {
    After sum;
    for (size_t i = slot + 1; i > 0; i &= i - 1) {
      sum.frequent += tree_[i].frequent;
      sum.others += tree_[i].others;
    }
    return sum;
  }
  void add(uint32_t slot, uint32_t line, int change) {
    const auto by = static_cast<uint32_t>(change); // modulo 2^32, as sums are
    const bool often = frequent(line);
    (often ? all_.frequent : all_.others) += by;
    for (size_t i = size_t{slot} + 1; i < tree_.size(); i += i & (~i + 1))
      (often ? tree_[i].frequent : tree_[i].others) += by;
  }
  void compact() {
    std::ranges::fill(tree_, After{});
    all_ = {};
    uint32_t to = 0;
    for (uint32_t slot = 0; slot < next_; ++slot) {
      const uint32_t line = lineAt_[slot];
      if (slotOf_[line] != slot)
        continue;
      lineAt_[to] = line;
      slotOf_[line] = to;
      add(to, line, 1);
      ++to;
    }
    next_ = to;
  }

  std::vector<uint32_t> slotOf_;
  std::vector<uint8_t> frequent_;
  std::vector<uint32_t> lineAt_;
  std::vector<After> tree_;
  After all_;
  uint32_t next_ = 0;
};

/// The lines of an array that is gathered.
struct Array {
  uint64_t span = 4;
  uint64_t firstLine = 0; ///< in the numbers of the lines of all arrays
  uint64_t linesOf() const { return std::max<uint64_t>(1, span / kLineBytes); }
  uint64_t lineOf(uint64_t index) const { return firstLine + index * span / kLineBytes; }
};

uint64_t hashOf(uint64_t value) {
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31U);
}

class Model {
public:
  Model(const Traversal &traversal, const Pattern &pattern)
      : traversal_(traversal), matrix_(pattern.matrix()) {
    std::map<std::string, size_t> numbers;
    uint64_t lines = 0;
    for (const Gather &gather : traversal.gathers) {
      const auto [found, fresh] = numbers.try_emplace(gather.array, arrays_.size());
      if (fresh) {
        arrays_.push_back({gather.span, lines});
        lines += (std::max(matrix_.rows, matrix_.columns) * gather.span) / kLineBytes +
                 arrays_.back().linesOf() + 1;
      }
      arrayOf_.push_back(found->second);
    }
    std::vector<uint32_t> counts(lines);
    for (size_t i = 0; i < arrayOf_.size(); ++i)
      count(arrays_[arrayOf_[i]], traversal.gathers[i].byRow, pattern, counts);
    choose(counts);
  }

  GatheredLines follow() {
    RecentLines recent(followed_);
    for (const auto &[line, often] : frequent_)
      if (often)
        recent.setFrequent(line);
    std::vector<uint64_t> lastVisit(followed_);
    std::vector<uint32_t> lastRow(followed_);
    std::map<uint64_t, double> distances;
    std::vector<double> near(profile::kExactReuseDistances);
    const double others = 1 / rate_;
    uint64_t visit = 0;
    double followedHits = 0;
    const bool skipDiagonal = traversal_.visits == Quantity::kOffDiagonal;
    for (uint32_t row = 0; row < matrix_.rows; ++row)
      for (const uint32_t column : matrix_.row(row)) {
        if (skipDiagonal && column == row)
          continue;
        for (size_t i = 0; i < arrayOf_.size(); ++i) {
          const Array &array = arrays_[arrayOf_[i]];
          const uint64_t first = array.lineOf(traversal_.gathers[i].byRow ? row : column);
          for (uint64_t line = first; line < first + array.linesOf(); ++line) {
            const uint32_t number = numberOf_[line];
            if (number == RecentLines::kNone)
              continue;
            if (recent.seen(number)) {
              uint64_t distance = streamed(lastVisit[number], lastRow[number], visit, row);
              if (!recent.latest(number)) {
                const RecentLines::After after = recent.after(number);
                distance += after.frequent + static_cast<uint64_t>(after.others * others);
              }
              const double weight = recent.frequent(number) ? 1 : others;
              followedHits += weight;
              if (distance < near.size())
                near[distance] += weight;
              else
                distances[profile::reuseBin(distance)] += weight;
            }
            if (!recent.seen(number) || !recent.latest(number))
              recent.access(number);
            lastVisit[number] = visit;
            lastRow[number] = row;
          }
        }
        ++visit;
      }
    GatheredLines result;
    result.cold = static_cast<double>(touched_);
    const double hits = static_cast<double>(accesses_) - result.cold;
    const double factor = followedHits > 0 ? hits / followedHits : 0;
    for (size_t distance = 0; distance < near.size(); ++distance)
      if (near[distance] > 0)
        result.distances.emplace_back(distance, near[distance] * factor);
    for (const auto &[lowest, weight] : distances)
      result.distances.emplace_back(lowest, weight * factor);
    return result;
  }

private:
  void count(const Array &array, bool byRow, const Pattern &pattern,
             std::vector<uint32_t> &counts) {
    const bool skipDiagonal = traversal_.visits == Quantity::kOffDiagonal;
    const uint32_t indices = byRow ? matrix_.rows : matrix_.columns;
    for (uint32_t index = 0; index < indices; ++index) {
      uint64_t visits = byRow ? matrix_.degree(index) : pattern.columnDegrees()[index];
      if (skipDiagonal && visits > 0 && index < matrix_.rows &&
          std::ranges::binary_search(matrix_.row(index), index))
        --visits;
      const uint64_t first = array.lineOf(index);
      for (uint64_t line = first; line < first + array.linesOf(); ++line)
        counts[line] += static_cast<uint32_t>(visits);
      accesses_ += visits * array.linesOf();
    }
  }

  /// Chooses the lines that are followed, and numbers them.
  void choose(const std::vector<uint32_t> &counts) {
    const auto all = static_cast<double>(accesses_);
    rate_ = std::min(1.0, kFollowed / std::max(1.0, all));
    const auto threshold = static_cast<uint64_t>(rate_ * 0x1p63);
    const double often = all * kFrequent;
    numberOf_.assign(counts.size(), RecentLines::kNone);
    for (size_t line = 0; line < counts.size(); ++line) {
      if (counts[line] == 0)
        continue;
      ++touched_;
      const bool frequent = rate_ < 1 && counts[line] > often;
      if (rate_ == 1 || frequent || hashOf(line) >> 1U < threshold) {
        numberOf_[line] = followed_;
        frequent_.emplace_back(followed_, frequent);
        ++followed_;
      }
    }
  }

  /// Distinct lines of the streams after one visit of a row up to another one.
  uint64_t streamed(uint64_t lastVisit, uint32_t lastRow, uint64_t visit, uint32_t row) const {
    uint64_t lines = 0;
    const auto between = [](uint64_t first, uint64_t last, uint64_t bytes) {
      return last * bytes / kLineBytes - first * bytes / kLineBytes + 1;
    };
    if (visit > lastVisit)
      for (const Stream &stream : traversal_.perNonZero)
        lines += between(lastVisit + 1, visit, stream.bytes);
    if (row > lastRow)
      for (const Stream &stream : traversal_.perRow)
        lines += between(lastRow + 1, row, stream.bytes);
    for (const Stream &stream : traversal_.perSlot)
      lines += row == lastRow ? visit - lastVisit
                              : std::max(matrix_.degree(row), matrix_.degree(lastRow)) *
                                    between(lastRow, row, stream.bytes);
    return lines;
  }

  const Traversal &traversal_;
  const sparse::Matrix &matrix_;
  std::vector<Array> arrays_;
  std::vector<size_t> arrayOf_; ///< by gather
  std::vector<uint32_t> numberOf_;
  std::vector<std::pair<uint32_t, bool>> frequent_;
  uint32_t followed_ = 0;
  double rate_ = 1;
  uint64_t accesses_ = 0, touched_ = 0;
};

} // namespace

double GatheredLines::accesses() const {
  double sum = cold;
  for (const auto &[lowest, weight] : distances)
    sum += weight;
  return sum;
}

GatheredLines gatheredLines(const Traversal &traversal, const Pattern &pattern) {
  return Model(traversal, pattern).follow();
}

} // namespace aiwc::extrapolate
