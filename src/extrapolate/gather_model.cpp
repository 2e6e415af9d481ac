#include "extrapolate/gather_model.h"

#include "profile/reuse.h"
#include "sparse/slots.h"

#include <algorithm>
#include <array>
#include <bit>
#include <future>
#include <map>

namespace aiwc::extrapolate {

namespace {

using sparse::Slots;

/// More accesses than this are followed in part.
constexpr double kFollowed = 2e6;
/// A line with a larger part of all accesses than this is always followed.
constexpr double kFrequent = 1.0 / 16384;

/// Lines of two kinds by their last access: of each kind, how many were accessed after one of them.
class RecentLines {
public:
  /// `lines`: how many different ones there can be.
  explicit RecentLines(size_t lines)
      : slotOf_(lines, kNone), frequent_(lines), lineAt_(std::max<size_t>(1024, 2 * lines)),
        frequentSlots_(lineAt_.size()), otherSlots_(lineAt_.size()) {}

  struct After {
    uint32_t frequent = 0, others = 0;
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  bool seen(uint32_t line) const { return slotOf_[line] != kNone; }
  bool latest(uint32_t line) const { return slotOf_[line] + 1 == next_; }
  void setFrequent(uint32_t line) {
    frequent_[line] = 1;
    anyFrequent_ = true;
  }
  bool frequent(uint32_t line) const { return frequent_[line] != 0; }

  After after(uint32_t line) const {
    return {anyFrequent_ ? frequentSlots_.after(slotOf_[line], next_) : 0,
            otherSlots_.after(slotOf_[line], next_)};
  }
  void access(uint32_t line) {
    if (next_ == lineAt_.size())
      compact();
    Slots &slots = frequent(line) ? frequentSlots_ : otherSlots_;
    if (slotOf_[line] != kNone)
      slots.leave(slotOf_[line]);
    slotOf_[line] = next_;
    lineAt_[next_] = line;
    slots.take(next_);
    ++next_;
  }

private:
  void compact() {
    frequentSlots_.clear();
    otherSlots_.clear();
    uint32_t to = 0;
    for (uint32_t slot = 0; slot < next_; ++slot) {
      const uint32_t line = lineAt_[slot];
      if (slotOf_[line] != slot)
        continue;
      lineAt_[to] = line;
      slotOf_[line] = to;
      (frequent(line) ? frequentSlots_ : otherSlots_).take(to);
      ++to;
    }
    next_ = to;
  }

  std::vector<uint32_t> slotOf_;
  std::vector<uint8_t> frequent_;
  std::vector<uint32_t> lineAt_;
  Slots frequentSlots_, otherSlots_;
  bool anyFrequent_ = false;
  uint32_t next_ = 0;
};

/// Sums of weights by bin of profile/reuse.h.
class Distances {
public:
  void add(uint64_t distance, double weight) {
    const size_t bin = number(distance);
    any_[bin] = distance;
    weights_[bin] += weight;
  }
  void add(const Distances &others) {
    for (size_t bin = 0; bin < kBins; ++bin)
      if (others.weights_[bin] > 0) {
        any_[bin] = others.any_[bin];
        weights_[bin] += others.weights_[bin];
      }
  }
  std::vector<std::pair<uint64_t, double>> histogram(double factor) const {
    std::vector<std::pair<uint64_t, double>> bins;
    for (size_t bin = 0; bin < kBins; ++bin)
      if (weights_[bin] > 0)
        bins.emplace_back(profile::reuseBin(any_[bin]), weights_[bin] * factor);
    return bins;
  }

private:
  /// The same of all distances of a bin, and increasing.
  static size_t number(uint64_t distance) {
    if (distance < profile::kExactReuseDistances)
      return distance;
    const auto octave = static_cast<unsigned>(std::bit_width(distance)) - kFinest;
    return profile::kExactReuseDistances + uint64_t{octave} * kOfOctave +
           (distance >> octave) % kOfOctave;
  }
  /// Bins are as fine as the upper four bits of a distance.
  static constexpr unsigned kFinest = 4, kOfOctave = 8;
  static constexpr size_t kBins = profile::kExactReuseDistances + (64 - kFinest + 1) * kOfOctave;
  std::array<uint64_t, kBins> any_{}; ///< a distance of the bin
  std::array<double, kBins> weights_{};
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

  /// Two threads follow half of the rows each; what the second one sees for the first time is then
  /// looked up in what the first one has seen [PARDA, Niu et al., IPDPS 2012].
  GatheredLines follow() {
    constexpr uint64_t kWorthAThread = 1U << 18U;
    const auto middle = matrix_.nonZeros() < kWorthAThread
                            ? matrix_.rows
                            : static_cast<uint32_t>(std::ranges::lower_bound(
                                                        matrix_.rowBegins, matrix_.nonZeros() / 2) -
                                                    matrix_.rowBegins.begin());
    Walk first(*this, 0, middle);
    if (middle < matrix_.rows) {
      Walk second(*this, middle, matrix_.rows);
      std::future<void> done = std::async(std::launch::async, [&] { second.go(); });
      first.go();
      done.get();
      first.append(second);
    } else {
      first.go();
    }
    GatheredLines result;
    result.cold = static_cast<double>(touched_);
    const double hits = static_cast<double>(accesses_) - result.cold;
    result.distances = first.distances().histogram(first.hits() > 0 ? hits / first.hits() : 0);
    return result;
  }

private:
  /// Follows the accesses of a range of rows.
  class Walk {
  public:
    Walk(const Model &model, uint32_t first, uint32_t end)
        : model_(model), first_(first), end_(end), recent_(model.followed_),
          lastVisit_(model.followed_), lastRow_(model.followed_) {
      for (const auto &[line, often] : model.frequent_)
        if (often)
          recent_.setFrequent(line);
    }

    void go() {
      const sparse::Matrix &matrix = model_.matrix_;
      const bool skipDiagonal = model_.traversal_.visits == Quantity::kOffDiagonal;
      uint64_t visit = matrix.rowBegins[first_];
      for (uint32_t row = 0; skipDiagonal && row < first_; ++row)
        visit -= std::ranges::binary_search(matrix.row(row), row) ? 1 : 0;
      for (uint32_t row = first_; row < end_; ++row)
        for (const uint32_t column : matrix.row(row)) {
          if (skipDiagonal && column == row)
            continue;
          for (size_t i = 0; i < model_.arrayOf_.size(); ++i) {
            const Array &array = model_.arrays_[model_.arrayOf_[i]];
            const uint64_t begin = array.lineOf(model_.traversal_.gathers[i].byRow ? row : column);
            for (uint64_t line = begin; line < begin + array.linesOf(); ++line)
              if (const uint32_t number = model_.numberOf_[line]; number != RecentLines::kNone)
                access({number, row, visit});
          }
          ++visit;
        }
    }

    /// Adds the accesses of a walk that begins where this one ends. Afterwards, this one knows what
    /// is asked below, and no more.
    void append(const Walk &next) {
      for (const Access &access : next.firsts_) {
        if (recent_.seen(access.line))
          add(access);
        recent_.access(access.line);
      }
      distances_.add(next.distances_);
      hits_ += next.hits_;
    }

    const Distances &distances() const { return distances_; }
    double hits() const { return hits_; } ///< accesses that are not the first ones of their lines

  private:
    struct Access {
      uint32_t line = 0, row = 0;
      uint64_t visit = 0;
    };

    void access(const Access &access) {
      if (recent_.seen(access.line))
        add(access);
      else
        firsts_.push_back(access);
      if (!recent_.seen(access.line) || !recent_.latest(access.line))
        recent_.access(access.line);
      lastVisit_[access.line] = access.visit;
      lastRow_[access.line] = access.row;
    }

    /// Adds the distance from the last access of the line.
    void add(const Access &access) {
      const uint32_t line = access.line;
      uint64_t distance =
          model_.streamed(lastVisit_[line], lastRow_[line], access.visit, access.row);
      const double others = 1 / model_.rate_;
      if (!recent_.latest(line)) {
        const RecentLines::After after = recent_.after(line);
        distance += after.frequent + static_cast<uint64_t>(after.others * others);
      }
      const double weight = recent_.frequent(line) ? 1 : others;
      hits_ += weight;
      distances_.add(distance, weight);
    }

    const Model &model_;
    uint32_t first_, end_;
    RecentLines recent_;
    std::vector<uint64_t> lastVisit_; ///< by line
    std::vector<uint32_t> lastRow_;
    std::vector<Access> firsts_; ///< the first access of each line
    Distances distances_;
    double hits_ = 0;
  };

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
