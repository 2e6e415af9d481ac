#include "metrics/families.h"
#include "metrics/lockstep_sampling.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

namespace aiwc::metrics {
namespace {

using profile::Metric;

constexpr uint32_t kLevels = 11; ///< 0 to 10 skipped bits

/// The accesses of a group's work-items in a barrier interval, from the first on, as far as they
/// are looked at. A cache line holds consecutive ones of one work-item, and the next line those of
/// the next work-item: it is written in one go, and read when the k-th ones are put side by side.
class AccessColumns {
public:
  void begin(uint32_t items) {
    items_ = items;
    room_ = slotsIn(addresses_.size());
    made_.assign(items, LockstepCounter{});
    longest_ = 0;
  }

  void add(uint32_t item, std::span<const trace::Access> accesses) {
    last_ = {item, made_[item], accesses.size()};
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

  /// The work-item makes accesses of the same kinds as the one that was added last.
  void addAgain(uint32_t item, std::span<const trace::Access> accesses) {
    const LockstepCounter after = made_[last_.item];
    // Of some accesses or others no notice is taken, or of others than the last time.
    if (made_[item] != last_.before || after.slots() - last_.before.slots() != last_.accesses)
      return add(item, accesses);
    uint32_t slot = last_.before.slots();
    for (auto access = accesses.begin(); access != accesses.end();) {
      const size_t at = placeOf(slot, item);
      const auto count = static_cast<uint32_t>(
          std::min<std::ptrdiff_t>(kLine - slot % kLine, accesses.end() - access));
      std::copy_n(spaces_.begin() + static_cast<std::ptrdiff_t>(placeOf(slot, last_.item)), count,
                  spaces_.begin() + static_cast<std::ptrdiff_t>(at));
      for (uint32_t i = 0; i < count; ++i)
        addresses_[at + i] = (access++)->address;
      slot += count;
    }
    made_[item] = after;
  }

  uint32_t columns() const { return longest_; }
  /// By work-item.
  std::span<const LockstepCounter> made() const { return made_; }

  /// Puts the addresses with this slot into `addresses`, by work-item. Returns whether their
  /// address spaces differ.
  bool read(uint32_t slot, std::vector<uint64_t> &addresses) const {
    uint32_t spaces = 0;
    size_t at = placeOf(slot, 0);
    addresses.resize(items_);
    size_t n = 0;
    for (uint32_t item = 0; item < items_; ++item, at += kLine) {
      const bool made = made_[item].slots() > slot;
      addresses[n] = addresses_[at];
      spaces |= uint32_t{made} << spaces_[at];
      n += made;
    }
    addresses.resize(n);
    return !std::has_single_bit(spaces);
  }
  /// Appends those in one address space.
  void read(uint32_t slot, uint32_t space, std::vector<uint64_t> &addresses) const {
    for (uint32_t item = 0; item < items_; ++item)
      if (made_[item].slots() > slot && spaces_[placeOf(slot, item)] == space)
        addresses.push_back(addresses_[placeOf(slot, item)]);
  }

private:
  static constexpr size_t kLine = 8;

  size_t placeOf(uint32_t slot, uint32_t item) const {
    return (slot / kLine * items_ + item) * kLine + slot % kLine;
  }
  /// Makes room for this slot of all work-items.
  void grow(uint32_t slot) {
    const size_t size = std::max((slot / kLine + 1) * items_ * kLine, addresses_.size() * 3 / 2);
    addresses_.resize(size);
    spaces_.resize(size);
    room_ = slotsIn(size);
  }
  /// Of all work-items, in so many places.
  size_t slotsIn(size_t places) const {
    return items_ == 0 ? 0 : places / (items_ * kLine) * kLine;
  }

  /// What was added last, other than again.
  struct Addition {
    uint32_t item = 0;
    LockstepCounter before; ///< what the work-item had made
    size_t accesses = 0;
  };

  uint32_t items_ = 0, longest_ = 0;
  size_t room_ = 0; ///< slots that there are places for
  Addition last_;
  std::vector<LockstepCounter> made_; ///< accesses, per work-item
  std::vector<uint64_t> addresses_;
  std::vector<uint8_t> spaces_;
};

/// Calls emit(level, addresses) for every run of addresses that agree but for their `level` lowest
/// bits. A run of one says nothing (c log2 c is 0) and is left out. `sorted`: in increasing order.
template <typename Emit> void forEachRun(std::span<const uint64_t> sorted, Emit emit) {
  std::array<uint32_t, kLevels> begin{};
  const auto close = [&](uint32_t level, uint32_t end) {
    if (end - begin[level] > 1)
      emit(level, end - begin[level]);
    begin[level] = end;
  };
  const auto n = static_cast<uint32_t>(sorted.size());
  for (uint32_t i = 1; i < n; ++i) {
    const auto differing = static_cast<uint32_t>(std::bit_width(sorted[i] ^ sorted[i - 1]));
    for (uint32_t level = 0; level < std::min(differing, kLevels); ++level)
      close(level, i);
  }
  for (uint32_t level = 0; level < kLevels; ++level)
    close(level, n);
}

bool equallySpaced(std::span<const uint64_t> addresses) {
  const uint64_t stride = addresses[1] - addresses[0];
  uint64_t deviation = 0;
  for (size_t i = 2; i < addresses.size(); ++i)
    deviation |= (addresses[i] - addresses[i - 1]) ^ stride;
  return deviation == 0;
}

/// Runs of addresses, alike ones taken together.
class RunCounts {
public:
  struct Runs {
    uint32_t level = 0, length = 0, count = 0;
  };

  /// Sorts the addresses, if need be.
  void countAnew(std::span<uint64_t> addresses) {
    runs_.clear();
    if (!std::is_sorted(addresses.begin(), addresses.end()))
      std::sort(addresses.begin(), addresses.end());
    forEachRun(addresses, [this](uint32_t level, uint32_t length) { count(level, length); });
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

/// The runs of some patterns of addresses that occurred: work-groups, and the iterations of a loop,
/// mostly repeat one another's. Runs depend on the first address modulo 2^10 and the distances of
/// the others from it alone.
class KnownRuns {
public:
  KnownRuns() : spaced_(kEntries), others_(kEntries) {}

  /// There are two addresses at least. They get sorted, or not.
  const RunCounts &of(std::span<uint64_t> addresses) {
    const Key key{addresses.size(), addresses[1] - addresses[0], addresses[0] & kOffsetMask,
                  addresses.back() - addresses[0]};
    return equallySpaced(addresses) ? ofSpaced(key, addresses) : ofOther(key, addresses);
  }

private:
  static constexpr size_t kEntries = 256;
  static constexpr uint64_t kOffsetMask = (uint64_t{1} << (kLevels - 1)) - 1;

  struct Key {
    uint64_t size = 0, stride = 0, first = 0, extent = 0;
    bool operator==(const Key &) const = default;
    uint64_t hash() const {
      return (size * 0x9E3779B97F4A7C15U ^ stride * 0xBF58476D1CE4E5B9U ^
              first * 0x94D049BB133111EBU ^ extent * 0xD6E8FEB86659FD93U) >>
             40;
    }
  };
  struct Entry {
    Key key;
    std::vector<uint64_t> distances; ///< from the first address, where they are not equally spaced
    RunCounts runs;
  };

  const RunCounts &ofSpaced(const Key &key, std::span<uint64_t> addresses) {
    Entry &entry = spaced_[key.hash() % kEntries];
    if (entry.key != key) {
      entry.key = key;
      entry.runs.countAnew(addresses);
    }
    return entry.runs;
  }

  const RunCounts &ofOther(const Key &key, std::span<uint64_t> addresses) {
    Entry &entry = others_[key.hash() % kEntries];
    if (entry.key != key || !haveDistances(addresses, entry.distances)) {
      entry.key = key;
      entry.distances.resize(addresses.size());
      for (size_t i = 0; i < addresses.size(); ++i)
        entry.distances[i] = addresses[i] - addresses[0];
      entry.runs.countAnew(addresses);
    }
    return entry.runs;
  }

  static bool haveDistances(std::span<const uint64_t> addresses,
                            const std::vector<uint64_t> &distances) {
    uint64_t difference = 0;
    for (size_t i = 0; i < addresses.size(); ++i)
      difference |= (addresses[i] - addresses[0]) ^ distances[i];
    return difference == 0;
  }

  std::vector<Entry> spaced_, others_;
};

/// n addresses of which c, c', ... agree have the entropy log2 n − (Σ c log2 c) / n. So the mean
/// over k, weighted by n, follows from how often each n and each c occurs: integers, whose order
/// of summation does not matter. Memory: 9 bytes per work-item of a group and access looked at.
class ParallelSpatialLocality final : public Analysis {
public:
  void beginGroup(const trace::Program &, const trace::Group &group) override {
    items_ = group.items;
    if (columnsOf_.size() <= items_) {
      columnsOf_.resize(items_ + 1);
      for (std::vector<uint64_t> &runs : runs_)
        runs.resize(items_ + 1);
    }
    columns_.begin(items_);
  }

  void consume(const trace::Chunk &chunk) override {
    for (const trace::Run &run : chunk.runs)
      if (run.item != trace::Run::kWorkGroup) {
        const auto accesses =
            chunk.accesses.subspan(run.accessBegin, run.accessEnd - run.accessBegin);
        if (run.repeats)
          columns_.addAgain(run.item, accesses);
        else
          columns_.add(run.item, accesses);
      }
    if (chunk.end != trace::ChunkEnd::kFull)
      closeInterval();
  }

  void endGroup() override {}

  void merge(Analysis &other) override {
    const auto &from = static_cast<ParallelSpatialLocality &>(other);
    const auto add = [](std::vector<uint64_t> &mine, const std::vector<uint64_t> &more) {
      mine.resize(std::max(mine.size(), more.size()));
      for (size_t i = 0; i < more.size(); ++i)
        mine[i] += more[i];
    };
    add(columnsOf_, from.columnsOf_);
    for (uint32_t level = 0; level < kLevels; ++level)
      add(runs_[level], from.runs_[level]);
    made_ += from.made_;
    measured_ += from.measured_;
  }

  void finish(profile::KernelProfile &profile) const override {
    const profile::Size3 &local = profile.provenance.localSize;
    const auto groupSize = static_cast<long double>(local[0] * local[1] * local[2]);
    long double participants = 0;
    for (size_t n = 0; n < columnsOf_.size(); ++n)
      participants += static_cast<long double>(n) * static_cast<long double>(columnsOf_[n]);
    for (uint32_t level = 0; level < kLevels; ++level) {
      const auto metric =
          static_cast<Metric>(static_cast<uint32_t>(Metric::kParallelSpatialLocality0) + level);
      if (participants == 0)
        profile.setNone(metric);
      else if (groupSize <= 1)
        profile.setReal(metric, 0);
      else
        profile.setReal(
            metric, static_cast<double>(entropySum(level) / participants / std::log2(groupSize)));
    }
    profile.setRatio(Metric::kParallelSpatialLocalityMeasured, static_cast<double>(measured_),
                     static_cast<double>(made_));
  }

private:
  void closeInterval() {
    for (const LockstepCounter &made : columns_.made()) {
      made_ += made.counted();
      measured_ += made.slots();
    }
    for (uint32_t slot = 0; slot < columns_.columns(); ++slot)
      addColumn(slot, LockstepSampling::weightOf(slot));
    columns_.begin(items_);
  }

  void addColumn(uint32_t slot, uint64_t weight) {
    const bool spacesDiffer = columns_.read(slot, column_);
    columnsOf_[column_.size()] += weight;
    if (!spacesDiffer) {
      addRuns(column_, weight);
      return;
    }
    for (uint32_t space = 0; space < 4; ++space) {
      column_.clear();
      columns_.read(slot, space, column_);
      addRuns(column_, weight);
    }
  }

  void addRuns(std::span<uint64_t> addresses, uint64_t weight) {
    if (addresses.size() < 2)
      return;
    for (const RunCounts::Runs &runs : known_.of(addresses))
      runs_[runs.level][runs.length] += runs.count * weight;
  }

  /// Σ over columns of participants times entropy, in bits. Equal addresses come out as exactly 0.
  long double entropySum(uint32_t level) const {
    long double sum = 0;
    for (size_t n = 2; n < columnsOf_.size(); ++n) {
      const auto size = static_cast<long double>(n);
      const auto difference = static_cast<int64_t>(columnsOf_[n] - runs_[level][n]);
      sum += static_cast<long double>(difference) * size * std::log2(size);
    }
    return sum;
  }

  uint32_t items_ = 0;           ///< of the current group
  AccessColumns columns_;        ///< of the current barrier interval
  std::vector<uint64_t> column_; ///< the one at hand
  KnownRuns known_;
  std::vector<uint64_t> columnsOf_;                 ///< columns, by number of participants
  std::array<std::vector<uint64_t>, kLevels> runs_; ///< runs, by number of addresses
  uint64_t made_ = 0, measured_ = 0;                ///< accesses
};

} // namespace

std::unique_ptr<Analysis> makeParallelSpatialLocality(const trace::Program &) {
  return std::make_unique<ParallelSpatialLocality>();
}

} // namespace aiwc::metrics
