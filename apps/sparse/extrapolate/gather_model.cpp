#include "extrapolate/gather_model.h"

#include "common/hash.h"
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
      : slotOf_(lines, kNone), kindOf_(lines, Slots::kUsual),
        lineAt_(std::max<size_t>(1024, 2 * lines)), slots_(lineAt_.size()) {}

  static constexpr uint32_t kNone = UINT32_MAX;

  bool seen(uint32_t line) const { return slotOf_[line] != kNone; }
  bool latest(uint32_t line) const { return slotOf_[line] + 1 == next_; }
  void setFrequent(uint32_t line) { kindOf_[line] = Slots::kSpecial; }
  bool frequent(uint32_t line) const { return kindOf_[line] == Slots::kSpecial; }

  /// Frequent lines are the special ones.
  Slots::Counts after(uint32_t line) const { return slots_.after(slotOf_[line], next_); }
  void access(uint32_t line) {
    if (next_ == lineAt_.size())
      compact();
    if (slotOf_[line] != kNone)
      slots_.leave(slotOf_[line], kindOf_[line]);
    slotOf_[line] = next_;
    lineAt_[next_] = line;
    slots_.take(next_, kindOf_[line]);
    ++next_;
  }

private:
  void compact() {
    slots_.clear();
    uint32_t to = 0;
    for (uint32_t slot = 0; slot < next_; ++slot) {
      const uint32_t line = lineAt_[slot];
      if (slotOf_[line] != slot)
        continue;
      lineAt_[to] = line;
      slotOf_[line] = to;
      slots_.take(to, kindOf_[line]);
      ++to;
    }
    next_ = to;
  }

  std::vector<uint32_t> slotOf_;
  std::vector<Slots::Kind> kindOf_;
  std::vector<uint32_t> lineAt_;
  Slots slots_;
  uint32_t next_ = 0;
};

/// Numbers of accesses to each of two kinds of lines, by bin of profile/reuse.h.
class Distances {
public:
  void add(uint64_t distance, Slots::Kind kind) {
    Bin &bin = bins_[number(distance)];
    bin.any = distance;
    ++bin.accesses[kind];
  }
  void add(const Distances &others) {
    for (size_t i = 0; i < kBins; ++i)
      for (size_t kind = 0; kind < 2; ++kind)
        if (others.bins_[i].accesses[kind] > 0) {
          bins_[i].any = others.bins_[i].any;
          bins_[i].accesses[kind] += others.bins_[i].accesses[kind];
        }
  }
  /// The sums of the kinds' `weights`, which add up to `all`.
  std::vector<std::pair<uint64_t, double>> histogram(const std::array<double, 2> &weights,
                                                     double all) const {
    std::vector<std::pair<uint64_t, double>> result;
    double sum = 0;
    for (const Bin &bin : bins_) {
      const double weight = weights[0] * static_cast<double>(bin.accesses[0]) +
                            weights[1] * static_cast<double>(bin.accesses[1]);
      if (weight > 0)
        result.emplace_back(profile::reuseBin(bin.any), weight);
      sum += weight;
    }
    for (auto &[lowest, accesses] : result)
      accesses *= all / sum;
    return result;
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
  static constexpr size_t kBins =
      profile::kExactReuseDistances + size_t{64 - kFinest + 1} * kOfOctave;
  struct Bin {
    uint64_t any = 0; ///< a distance of the bin
    std::array<uint64_t, 2> accesses{};
  };
  std::array<Bin, kBins> bins_{};
};

/// The lines of an array that is gathered.
struct Array {
  uint64_t span = 4;
  uint64_t firstLine = 0; ///< in the numbers of the lines of all arrays
  uint64_t linesOf() const { return std::max<uint64_t>(1, span / kLineBytes); }
  uint64_t lineOf(uint64_t index) const { return firstLine + index * span / kLineBytes; }
};

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
    result.distances = first.distances().histogram({1 / rate_, 1 / frequentRate_},
                                                   static_cast<double>(accesses_) - result.cold);
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
        if (recent_.seen(access.line) && isMeasured(access.line))
          add(access);
        recent_.access(access.line);
      }
      distances_.add(next.distances_);
    }

    const Distances &distances() const { return distances_; }

  private:
    struct Access {
      uint32_t line = 0, row = 0;
      uint64_t visit = 0;
    };

    void access(const Access &access) {
      if (!recent_.seen(access.line))
        firsts_.push_back(access);
      else if (isMeasured(access.line))
        add(access);
      if (!recent_.seen(access.line) || !recent_.latest(access.line))
        recent_.access(access.line);
      lastVisit_[access.line] = access.visit;
      lastRow_[access.line] = access.row;
    }

    /// Of lines that are accessed often, some accesses are enough.
    bool isMeasured(uint32_t line) {
      if (model_.frequentRate_ == 1 || !recent_.frequent(line))
        return true;
      random_ = random_ * 6364136223846793005U + 1442695040888963407U;
      return static_cast<double>(random_ >> 32U) * 0x1p-32 < model_.frequentRate_;
    }

    /// Adds the distance from the last access of the line.
    void add(const Access &access) {
      const uint32_t line = access.line;
      uint64_t distance =
          model_.streamed(lastVisit_[line], lastRow_[line], access.visit, access.row);
      if (!recent_.latest(line)) {
        const Slots::Counts after = recent_.after(line);
        distance += after.special + static_cast<uint64_t>(after.usual / model_.rate_);
      }
      distances_.add(distance, recent_.frequent(line) ? Slots::kSpecial : Slots::kUsual);
    }

    const Model &model_;
    uint32_t first_, end_;
    RecentLines recent_;
    std::vector<uint64_t> lastVisit_; ///< by line
    std::vector<uint32_t> lastRow_;
    std::vector<Access> firsts_; ///< the first access of each line
    Distances distances_;
    uint64_t random_ = first_;
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
    double ofFrequent = 0;
    numberOf_.assign(counts.size(), RecentLines::kNone);
    for (size_t line = 0; line < counts.size(); ++line) {
      if (counts[line] == 0)
        continue;
      ++touched_;
      const bool frequent = rate_ < 1 && counts[line] > often;
      ofFrequent += frequent ? counts[line] : 0;
      if (rate_ == 1 || frequent || splitMix64(line) >> 1U < threshold) {
        numberOf_[line] = followed_;
        frequent_.emplace_back(followed_, frequent);
        ++followed_;
      }
    }
    frequentRate_ = std::min(1.0, kFollowed / std::max(1.0, ofFrequent));
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
  double rate_ = 1;         ///< of the other lines, which are followed
  double frequentRate_ = 1; ///< of the accesses to frequent lines, which are measured
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

const GatheredLines *GatherModels::find(const Traversal &traversal, const Pattern &pattern) const {
  for (const Known &known : known_)
    if (known.pattern == &pattern && known.traversal == traversal)
      return &known.lines;
  return nullptr;
}

const GatheredLines &GatherModels::lines(const Traversal &traversal, const Pattern &pattern) {
  {
    const std::scoped_lock lock(mutex_);
    if (const GatheredLines *const known = find(traversal, pattern))
      return *known;
  }
  GatheredLines made = gatheredLines(traversal, pattern);
  const std::scoped_lock lock(mutex_);
  if (const GatheredLines *const known = find(traversal, pattern))
    return *known;
  return known_.emplace_back(Known{traversal, &pattern, std::move(made)}).lines;
}

} // namespace aiwc::extrapolate
