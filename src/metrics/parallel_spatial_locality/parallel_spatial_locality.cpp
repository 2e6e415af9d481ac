#include "common/hash.h"
#include "metrics/shared/analysis.h"
#include "metrics/shared/lockstep_sampling.h"
#include "metrics/shared/marked_chunk.h"
#include "trace/chunk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace aiwc::metrics {
namespace {

/// The accesses of a group's work-items in a barrier interval that LockstepSampling selects. A
/// column is the k-th access of every work-item.
///
/// The accesses of lane groups whose work-items are alike are kept by column: where the lanes are
/// equally spaced, two numbers. Others are kept one by one. Their layout: a cache line holds
/// consecutive accesses of one work-item, the next cache line those of the next work-item. So a
/// work-item writes one line sequentially, and reading a column uses adjacent lines.
class AccessColumns {
public:
  void begin(uint32_t items) {
    items_ = items;
    room_ = slotsIn(addresses_.size());
    made_.assign(items, LockstepCounter{});
    longest_ = 0;
    alike_.resize(lanesEnd(items) / kLanes);
    for (Alike &alike : alike_)
      alike.clear();
  }

  void add(const trace::Chunk &chunk, const LaneBlock &block) {
    if (isLaneGroup(block))
      addAlike(chunk, block);
    else
      for (const trace::Run &run : block.runs)
        add(run.item, chunk.accessesOf(run));
  }

  uint32_t columns() const { return longest_; }
  /// Counters of the accesses, by work-item.
  std::span<const LockstepCounter> made() const { return made_; }

  /// The addresses of a column that has one access of every work-item, all in one address space and
  /// equally spaced.
  struct Spaced {
    uint64_t first = 0, stride = 0;
  };
  std::optional<Spaced> spaced(uint32_t slot) const {
    const Piece *const first = alike_.front().piece(slot);
    if (!first || first->scattered != kSpaced)
      return std::nullopt;
    uint64_t expected = first->first;
    for (const Alike &alike : alike_) {
      const Piece *const piece = alike.piece(slot);
      if (!piece || piece->scattered != kSpaced || piece->first != expected ||
          piece->stride != first->stride || piece->space != first->space)
        return std::nullopt;
      expected += kLanes * piece->stride;
    }
    return Spaced{first->first, first->stride};
  }

  /// Writes the addresses of this slot to `addresses`, sorted by work-item. Returns whether they
  /// are in different address spaces.
  bool read(uint32_t slot, std::vector<uint64_t> &addresses) const {
    uint32_t spaces = 0;
    addresses.clear();
    visit(slot, [&](uint32_t space, uint64_t address) {
      spaces |= uint32_t{1} << space;
      addresses.push_back(address);
    });
    return !std::has_single_bit(spaces);
  }
  /// Appends the addresses of this slot that are in the address space `space`.
  void read(uint32_t slot, uint32_t space, std::vector<uint64_t> &addresses) const {
    visit(slot, [&](uint32_t of, uint64_t address) {
      if (of == space)
        addresses.push_back(address);
    });
  }

private:
  static constexpr size_t kLine = 8;
  static constexpr uint32_t kLanes = LaneBlock::kLanes;
  static constexpr uint32_t kSpaced = UINT32_MAX;

  /// A column of a lane group.
  struct Piece {
    uint64_t first = 0, stride = 0;
    uint32_t scattered = kSpaced; ///< else the index of its first address in `Alike::addresses`
    uint32_t space = 0;
  };
  /// The columns of a lane group whose work-items are alike.
  struct Alike {
    std::vector<Piece> pieces; ///< by slot
    std::vector<uint64_t> addresses;
    uint32_t lanes = 0; ///< 0: the accesses of this lane group are kept one by one

    void clear() {
      pieces.clear();
      addresses.clear();
      lanes = 0;
    }
    const Piece *piece(uint32_t slot) const {
      return slot < pieces.size() ? &pieces[slot] : nullptr;
    }
  };

  static uint32_t lanesEnd(uint32_t items) { return (items + kLanes - 1) / kLanes * kLanes; }

  /// Whether the block is a whole lane group that has made no access in this barrier interval.
  bool isLaneGroup(const LaneBlock &block) const {
    const uint32_t first = block.firstItem();
    if (block.runs.size() < 2 || first % kLanes != 0 ||
        block.runs.size() != std::min(items_ - first, kLanes))
      return false;
    return std::ranges::all_of(std::span(made_).subspan(first, block.runs.size()),
                               [](const LockstepCounter &made) { return made.counted() == 0; });
  }

  void addAlike(const trace::Chunk &chunk, const LaneBlock &block) {
    const size_t lanes = block.runs.size();
    const auto accesses = chunk.accessesOf(block.runs.front());
    Alike &alike = alike_[block.firstItem() / kLanes];
    LockstepCounter made;
    for (size_t a = 0; a < accesses.size(); ++a) {
      const trace::Access &access = accesses[a];
      if (access.addressSpace() == trace::AddressSpace::kPrivate ||
          made.count() == LockstepSampling::kNone)
        continue;
      const Column &column = block.columns[a];
      Piece piece{access.address, column.stride, kSpaced, access.space};
      if (!column.equallySpaced()) {
        piece.scattered = static_cast<uint32_t>(alike.addresses.size());
        alike.addresses.insert(alike.addresses.end(), column.addresses, column.addresses + lanes);
      }
      alike.pieces.push_back(piece);
    }
    alike.lanes = static_cast<uint32_t>(lanes);
    longest_ = std::max(longest_, made.slots());
    std::fill_n(made_.begin() + block.firstItem(), lanes, made);
  }

  void add(uint32_t item, std::span<const trace::Access> accesses) {
    assert(alike_[item / kLanes].lanes == 0 || accesses.empty());
    LockstepCounter made = made_[item];
    for (const trace::Access &access : accesses) {
      if (access.addressSpace() == trace::AddressSpace::kPrivate)
        continue;
      const uint32_t slot = made.count();
      if (slot == LockstepSampling::kNone)
        continue;
      const size_t at = placeOf(slot, item);
      if (slot >= room_) [[unlikely]]
        grow(slot);
      addresses_[at] = access.address;
      spaces_[at] = static_cast<uint8_t>(access.space);
    }
    longest_ = std::max(longest_, made.slots());
    made_[item] = made;
  }

  /// Calls visit(address space, address) for each access of this slot, by work-item.
  template <typename Visit> void visit(uint32_t slot, Visit visit) const {
    for (size_t group = 0; group < alike_.size(); ++group) {
      const Alike &alike = alike_[group];
      if (alike.lanes == 0) {
        const auto first = static_cast<uint32_t>(group) * kLanes;
        for (uint32_t item = first; item < std::min(items_, first + kLanes); ++item)
          if (made_[item].slots() > slot)
            visit(spaces_[placeOf(slot, item)], addresses_[placeOf(slot, item)]);
      } else if (const Piece *const piece = alike.piece(slot)) {
        for (uint32_t lane = 0; lane < alike.lanes; ++lane)
          visit(piece->space, piece->scattered == kSpaced
                                  ? piece->first + lane * piece->stride
                                  : alike.addresses[piece->scattered + lane]);
      }
    }
  }

  size_t placeOf(uint32_t slot, uint32_t item) const {
    return (slot / kLine * items_ + item) * kLine + slot % kLine;
  }
  /// Makes room for this slot for all work-items.
  void grow(uint32_t slot) {
    const size_t size = std::max((slot / kLine + 1) * items_ * kLine, addresses_.size() * 3 / 2);
    addresses_.resize(size);
    spaces_.resize(size);
    room_ = slotsIn(size);
  }
  /// The number of slots for all work-items that fit into `places` elements.
  size_t slotsIn(size_t places) const {
    return items_ == 0 ? 0 : places / (items_ * kLine) * kLine;
  }

  uint32_t items_ = 0, longest_ = 0;
  size_t room_ = 0;                   ///< number of slots that fit
  std::vector<LockstepCounter> made_; ///< accesses, per work-item
  std::vector<Alike> alike_;          ///< per lane group
  std::vector<uint64_t> addresses_;
  std::vector<uint8_t> spaces_;
};

/// Number of levels. At level l (0 to 10), addresses are compared without their l lowest bits.
inline constexpr uint32_t kRunLevels = 11;

/// Calls emit(level, length) for every run of addresses that are equal without their `level` lowest
/// bits. Runs of length 1 are left out, since they contribute nothing (c log2 c is 0). `sorted`
/// must be in increasing order.
template <typename Emit> void forEachRun(std::span<const uint64_t> sorted, Emit emit) {
  std::array<uint32_t, kRunLevels>
      begin{}; // of the open run, per level; not less than at the level above
  const auto close = [&](uint32_t levels, uint32_t end) {
    uint32_t level = levels;
    while (level > 0 && end - begin[level - 1] > 1) {
      --level;
      emit(level, end - begin[level]);
    }
    std::fill_n(begin.begin(), levels, end);
  };
  const auto n = static_cast<uint32_t>(sorted.size());
  for (uint32_t i = 1; i < n; ++i)
    if (const uint64_t difference = sorted[i] ^ sorted[i - 1])
      close(std::min(static_cast<uint32_t>(std::bit_width(difference)), kRunLevels), i);
  close(kRunLevels, n);
}

inline bool equallySpaced(std::span<const uint64_t> addresses) {
  const uint64_t stride = addresses[1] - addresses[0];
  uint64_t deviation = 0;
  for (size_t i = 2; i < addresses.size(); ++i)
    deviation |= (addresses[i] - addresses[i - 1]) ^ stride;
  return deviation == 0;
}

/// Runs of addresses, with runs of equal level and length counted together.
class RunCounts {
public:
  struct Runs {
    uint32_t level = 0, length = 0, count = 0;
  };

  void countAnew(std::span<const uint64_t> sorted) {
    runs_.clear();
    forEachRun(sorted, [this](uint32_t level, uint32_t length) { count(level, length); });
  }
  auto begin() const { return runs_.begin(); }
  auto end() const { return runs_.end(); }

private:
  void count(uint32_t level, uint32_t length) {
    for (Runs &runs : runs_)
      if (runs.level == level && runs.length == length) {
        ++runs.count;
        return;
      }
    runs_.push_back({level, length, 1});
  }

  std::vector<Runs> runs_;
};

/// A cache of the runs of address patterns, because work-groups and iterations of a loop mostly
/// repeat the same patterns. The runs depend only on the first address modulo 2^10 and the
/// distances of the others from it.
class KnownRuns {
public:
  /// Calls add(level, length, count) for the runs of the addresses. There must be at least two
  /// addresses. May sort them.
  template <typename Add> void visit(std::span<uint64_t> addresses, Add add) {
    if (equallySpaced(addresses))
      return visitSpaced(addresses[0], addresses[1] - addresses[0], addresses.size(), add);
    const Key key{addresses.size(), addresses[1] - addresses[0], addresses[0] & kOffsetMask,
                  addresses.back() - addresses[0]};
    if (const RunCounts *const known = ofOther(key, addresses))
      for (const RunCounts::Runs &runs : *known)
        add(runs.level, runs.length, runs.count);
    else
      forEachRun(sorted(addresses),
                 [&](uint32_t level, uint32_t length) { add(level, length, 1); });
  }
  /// Likewise for `first`, `first` + `stride` and so on.
  template <typename Add> void visitSpaced(uint64_t first, uint64_t stride, size_t size, Add add) {
    for (const RunCounts::Runs &runs : ofSpaced({size, stride, first & kOffsetMask, 0}, first))
      add(runs.level, runs.length, runs.count);
  }

private:
  static constexpr size_t kEntries = 256;
  static constexpr uint64_t kOffsetMask = (uint64_t{1} << (kRunLevels - 1)) - 1;

  struct Key {
    uint64_t size = 0, stride = 0, first = 0, extent = 0;
    bool operator==(const Key &) const = default;
    uint64_t hash() const {
      return (fibonacciHash(size) ^ stride * 0xBF58476D1CE4E5B9U ^ first * 0x94D049BB133111EBU ^
              extent * 0xD6E8FEB86659FD93U) >>
             40;
    }
  };
  struct Entry {
    Key key;
    /// Distances from the first address, if the addresses are not equally spaced. Empty if the key
    /// occurred only once.
    std::vector<uint64_t> distances;
    RunCounts runs;
  };

  /// Makes the entries when the first is asked for: a small launch has no use for them.
  static Entry &entryOf(std::vector<Entry> &entries, const Key &key) {
    if (entries.empty()) [[unlikely]]
      entries.resize(kEntries);
    return entries[key.hash() % kEntries];
  }

  static std::span<const uint64_t> sorted(std::span<uint64_t> addresses) {
    if (!std::is_sorted(addresses.begin(), addresses.end()))
      std::sort(addresses.begin(), addresses.end());
    return addresses;
  }

  const RunCounts &ofSpaced(const Key &key, uint64_t first) {
    Entry &entry = entryOf(spaced_, key);
    if (entry.key != key) {
      made_.clear();
      for (size_t i = 0; i < key.size; ++i)
        made_.push_back(first + i * key.stride);
      entry.key = key;
      entry.runs.countAnew(sorted(made_));
    }
    return entry.runs;
  }

  /// Returns null if the pattern is not stored: a pattern is stored only when it occurs a second
  /// time.
  const RunCounts *ofOther(const Key &key, std::span<uint64_t> addresses) {
    Entry &entry = entryOf(others_, key);
    const bool again = entry.key == key;
    if (again && haveDistances(addresses, entry.distances))
      return &entry.runs;
    entry.key = key;
    entry.distances.clear();
    if (!again)
      return nullptr;
    for (const uint64_t address : addresses)
      entry.distances.push_back(address - addresses[0]);
    entry.runs.countAnew(sorted(addresses));
    return &entry.runs;
  }

  static bool haveDistances(std::span<const uint64_t> addresses,
                            const std::vector<uint64_t> &distances) {
    if (distances.size() != addresses.size())
      return false;
    uint64_t difference = 0;
    for (size_t i = 0; i < addresses.size(); ++i)
      difference |= (addresses[i] - addresses[0]) ^ distances[i];
    return difference == 0;
  }

  std::vector<Entry> spaced_, others_;
  std::vector<uint64_t> made_; ///< the addresses of equally spaced lanes
};

using profile::Metric;

constexpr uint32_t kLevels = kRunLevels;

/// What is needed while a group runs.
struct Interval {
  AccessColumns columns;        ///< of the current barrier interval
  std::vector<uint64_t> column; ///< addresses of the current column
  KnownRuns known;
};

/// If n addresses form groups of c, c', ... equal addresses, their entropy is log2 n − (Σ c log2 c)
/// / n. So the mean over k, weighted by n, can be computed from how often each n and each c occurs.
/// These are integers, so the order of summation does not matter. Memory: at most 9 bytes per
/// work-item of a group and selected access (LockstepSampling).
class ParallelSpatialLocality final : public Analysis {
public:
  explicit ParallelSpatialLocality(std::shared_ptr<Interval> interval)
      : interval_(std::move(interval)) {}

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    items_ = group.items;
    if (columnsOf_.size() <= items_) {
      columnsOf_.resize(items_ + 1);
      for (std::vector<uint64_t> &runs : runs_)
        runs.resize(items_ + 1);
    }
    interval_->columns.begin(items_);
  }

  void consume(const MarkedChunk &chunk) override {
    for (const LaneBlock &block : chunk.blocks)
      if (block.firstItem() != trace::Run::kWorkGroup)
        interval_->columns.add(chunk, block);
    if (chunk.end != trace::ChunkEnd::kFull)
      closeInterval();
  }

  void endGroup() override {}

  void add(const Analysis &other, uint64_t times) override {
    const auto &from = static_cast<const ParallelSpatialLocality &>(other);
    const auto add = [times](std::vector<uint64_t> &mine, const std::vector<uint64_t> &more) {
      mine.resize(std::max(mine.size(), more.size()));
      for (size_t i = 0; i < more.size(); ++i)
        mine[i] += times * more[i];
    };
    add(columnsOf_, from.columnsOf_);
    for (uint32_t level = 0; level < kLevels; ++level)
      add(runs_[level], from.runs_[level]);
    made_ += times * from.made_;
    measured_ += times * from.measured_;
  }

  void finish(profile::KernelProfile &profile) const override {
    const profile::Size3 &local = profile.provenance.localSize;
    const auto groupSize = static_cast<long double>(local[0] * local[1] * local[2]);
    long double participants = 0;
    for (size_t n = 0; n < columnsOf_.size(); ++n)
      participants += static_cast<long double>(n) * static_cast<long double>(columnsOf_[n]);
    for (uint32_t level = 0; level < kLevels; ++level) {
      const Metric metric = kVectorMetric<"parallel_spatial_locality">.of(level);
      if (participants == 0)
        profile.setNone(metric);
      else if (groupSize <= 1)
        profile.setReal(metric, 0);
      else
        profile.setReal(
            metric, static_cast<double>(entropySum(level) / participants / std::log2(groupSize)));
    }
    profile.setRatio("parallel_spatial_locality_measured"_metric, static_cast<double>(measured_),
                     static_cast<double>(made_));
  }

private:
  void closeInterval() {
    for (const LockstepCounter &made : interval_->columns.made()) {
      made_ += made.counted();
      measured_ += made.slots();
    }
    for (uint32_t slot = 0; slot < interval_->columns.columns(); ++slot)
      addColumn(slot, LockstepSampling::weightOf(slot));
    interval_->columns.begin(items_);
  }

  auto countRuns(uint64_t weight) {
    return [this, weight](uint32_t level, uint32_t length, uint32_t count) {
      runs_[level][length] += count * weight;
    };
  }

  void addColumn(uint32_t slot, uint64_t weight) {
    if (const auto spaced = interval_->columns.spaced(slot)) {
      columnsOf_[items_] += weight;
      interval_->known.visitSpaced(spaced->first, spaced->stride, items_, countRuns(weight));
      return;
    }
    const bool spacesDiffer = interval_->columns.read(slot, interval_->column);
    columnsOf_[interval_->column.size()] += weight;
    if (!spacesDiffer) {
      addRuns(interval_->column, weight);
      return;
    }
    for (uint32_t space = 0; space < 4; ++space) {
      interval_->column.clear();
      interval_->columns.read(slot, space, interval_->column);
      addRuns(interval_->column, weight);
    }
  }

  void addRuns(std::span<uint64_t> addresses, uint64_t weight) {
    if (addresses.size() < 2)
      return;
    interval_->known.visit(addresses, countRuns(weight));
  }

  /// The sum over all columns of participants times entropy, in bits. It is exactly 0 if all
  /// addresses are equal.
  long double entropySum(uint32_t level) const {
    long double sum = 0;
    for (size_t n = 2; n < columnsOf_.size(); ++n) {
      const auto difference = static_cast<int64_t>(columnsOf_[n] - runs_[level][n]);
      if (difference == 0) // most; a logarithm takes long
        continue;
      const auto size = static_cast<long double>(n);
      sum += static_cast<long double>(difference) * size * std::log2(size);
    }
    return sum;
  }

  uint32_t items_ = 0; ///< of the current group
  std::shared_ptr<Interval> interval_;
  std::vector<uint64_t> columnsOf_;                 ///< columns, by number of participants
  std::array<std::vector<uint64_t>, kLevels> runs_; ///< runs, by number of addresses
  uint64_t made_ = 0, measured_ = 0;                ///< accesses
};

} // namespace

std::unique_ptr<Analysis> parallel_spatial_locality::make(const trace::Program &,
                                                          const Settings &settings) {
  return std::make_unique<ParallelSpatialLocality>(settings.memory.get<Interval>());
}

} // namespace aiwc::metrics
