#pragma once

#include "metrics/idioms/access_statistics.h"
#include "metrics/shared/marked_chunk.h"
#include "trace/chunk.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace aiwc::metrics {

/// Which distance between two addresses is usual. Each work-group names its most frequent distance
/// and how often it occurs; these are added up over work-groups, so that memory does not grow with
/// the number of distances, and the result does not depend on the order of the groups.
class UsualValue {
public:
  /// The number of distances that are looked at in one work-group.
  static constexpr size_t kMostPerGroup = 4096;

  void add(int64_t value) {
    if (isFull())
      return;
    ++addedOfGroup_;
    if (!ofGroup_.empty() && ofGroup_.back().value == value)
      ++ofGroup_.back().times;
    else
      ofGroup_.push_back({value, 1});
  }
  bool isFull() const { return addedOfGroup_ >= kMostPerGroup; }

  void endGroup() {
    if (ofGroup_.empty())
      return;
    std::ranges::sort(ofGroup_, {}, &Occurrences::value);
    Occurrences usual;
    for (size_t begin = 0; begin < ofGroup_.size();) {
      Occurrences all{ofGroup_[begin].value, 0};
      for (; begin < ofGroup_.size() && ofGroup_[begin].value == all.value; ++begin)
        all.times += ofGroup_[begin].times;
      if (all.times > usual.times)
        usual = all;
    }
    counts_[usual.value] += usual.times;
    all_ += addedOfGroup_;
    ofGroup_.clear();
    addedOfGroup_ = 0;
  }

  void merge(const UsualValue &other) {
    for (const auto &[value, count] : other.counts_)
      counts_[value] += count;
    all_ += other.all_;
  }

  /// Whether any distance was seen.
  bool seen() const { return all_ > 0; }
  /// The distance that at least `share` of all have; none if there is none. Distances of 2^47 and
  /// more, which only addresses of different buffers have, count as none.
  std::optional<int64_t> value(double share = 0.5) const {
    const auto most = std::ranges::max_element(
        counts_, {}, [](const auto &entry) { return entry.second; }); // the first of equals
    if (most == counts_.end() ||
        static_cast<double>(most->second) < share * static_cast<double>(all_) ||
        std::abs(most->first) >= int64_t{1} << 47U)
      return std::nullopt;
    return most->first;
  }

private:
  struct Occurrences {
    int64_t value = 0;
    uint64_t times = 0;
  };

  std::vector<Occurrences> ofGroup_; ///< equal ones that follow one another are one entry
  size_t addedOfGroup_ = 0;
  std::map<int64_t, uint64_t> counts_; ///< at most one entry per work-group that was looked at
  uint64_t all_ = 0;
};

/// A sample of a set of addresses: those with the smallest hashes, at most 64. Two sketches tell
/// how much the sets have in common (Broder, "On the resemblance and containment of documents",
/// 1997); up to 64 addresses in both together, exactly. The result does not depend on the order.
class AddressSketch {
public:
  static constexpr size_t kMost = 64;

  void add(uint64_t address) {
    const uint64_t hash = mixed(address);
    if (hash >= limit_) [[likely]]
      return;
    uint64_t &recent = recent_[hash % recent_.size()];
    if (recent == hash)
      return;
    recent = hash;
    insert(hash);
  }
  void merge(const AddressSketch &other) {
    for (const uint64_t hash : other.hashes_)
      if (hash < limit_)
        insert(hash);
  }

  /// An estimate of |A ∩ B| / |A ∪ B|; 0 for empty sets.
  double overlap(const AddressSketch &other) const {
    size_t a = 0;
    size_t b = 0;
    size_t all = 0;
    size_t common = 0;
    for (; all < kMost && (a < hashes_.size() || b < other.hashes_.size()); ++all) {
      const uint64_t left = a < hashes_.size() ? hashes_[a] : UINT64_MAX;
      const uint64_t right = b < other.hashes_.size() ? other.hashes_[b] : UINT64_MAX;
      common += left == right;
      a += left <= right;
      b += right <= left;
    }
    return all == 0 ? 0 : static_cast<double>(common) / static_cast<double>(all);
  }

private:
  /// A bijection (the finaliser of MurmurHash3), less the largest value, which stands for none.
  static uint64_t mixed(uint64_t address) {
    address ^= address >> 33U;
    address *= 0xff51afd7ed558ccdU;
    address ^= address >> 33U;
    address *= 0xc4ceb9fe1a85ec53U;
    address ^= address >> 33U;
    return address;
  }

  static constexpr std::array<uint64_t, kMost> none() {
    std::array<uint64_t, kMost> table{};
    table.fill(UINT64_MAX);
    return table;
  }

  void insert(uint64_t hash) {
    const auto at = std::ranges::lower_bound(hashes_, hash);
    if (at != hashes_.end() && *at == hash)
      return;
    hashes_.insert(at, hash);
    if (hashes_.size() > kMost)
      hashes_.pop_back();
    if (hashes_.size() == kMost)
      limit_ = hashes_.back();
  }

  std::vector<uint64_t> hashes_; ///< sorted
  uint64_t limit_ = UINT64_MAX;  ///< hashes from here on are too large
  /// Hashes that were inserted. Addresses repeat, and a look into this table is cheaper than a
  /// search.
  std::array<uint64_t, kMost> recent_ = none();
};

/// What is measured of the executions of one access.
struct AccessStatistics {
  // Of all work-groups
  uint64_t accesses = 0;
  uint64_t bytes = 0;
  uint64_t begin = UINT64_MAX, end = 0; ///< range of its addresses
  AddressSketch addresses;              ///< only where `compared`
  // Of the work-groups that are looked at
  uint64_t executions = 0;
  UsualValue laneStride; ///< from a work-item to the next, each at its k-th execution
  UsualValue loopStride; ///< from an execution to the next in one entry of the innermost loop
  UsualValue offset;     ///< from the last access of the one that it is compared with

  void merge(const AccessStatistics &other, uint64_t times);
  uint64_t footprint() const;
};

/// How often a loop was entered, in the work-groups that are looked at.
struct LoopStatistics {
  uint64_t entries = 0;
  uint64_t iterations = 0; ///< executions of its header
};

/// Which access another one is compared with: neighbours in a stencil lie at constant offsets.
struct ComparedWith {
  static constexpr uint32_t kNothing = UINT32_MAX;
  uint32_t operation = kNothing; ///< possibly itself
};

/// Measures the accesses of global, constant and local memory by the operations of a program.
///
/// Counts, ranges and sketches are those of all work-groups. Strides are measured in a sample of
/// them: the first 16 and about 8 of each further doubling of their number; in those for the first
/// and the last 64 work-items, and for the first executions of each between two barriers. Memory:
/// 24 bytes per access in the source and such work-item, and UsualValue::kMostPerGroup distances
/// per access.
class AccessCollector {
public:
  /// `compared` has an entry per operation. `loops` has the innermost loop around each operation.
  /// Both must outlive the collector.
  AccessCollector(const trace::Program &program, const std::vector<ComparedWith> &compared,
                  const std::vector<trace::LoopId> &loops);

  void beginGroup(const trace::Group &group);
  void consume(const MarkedChunk &chunk);
  void endGroup();
  /// Adds the counts of `other`, those of all work-groups so many times.
  void merge(const AccessCollector &other, uint64_t times);

  /// Whether strides are measured in the work-group with this linear id.
  static bool looksAt(uint64_t linearId);

  /// Null for an operation that never accessed such memory.
  const AccessStatistics *of(uint32_t operation) const {
    const uint32_t slot = slots_[operation];
    return slot == kNoSlot || statistics_[slot].accesses == 0 ? nullptr : &statistics_[slot];
  }
  const LoopStatistics &of(trace::LoopId loop) const { return loops_[index(loop)]; }
  /// The accesses that work-groups make as a whole, by async_work_group_copy: reads, then writes.
  const AccessStatistics &ofGroup(bool write) const { return ofGroup_[write]; }

private:
  static constexpr uint32_t kNoSlot = UINT32_MAX;
  /// Work-items at each end of a group whose strides are measured. The ends, because kernels treat
  /// the borders of a tile in branches of their own.
  static constexpr uint32_t kAtEachEnd = 64;
  /// Executions of an access by a work-item between two barriers that are compared with those of
  /// its neighbour.
  static constexpr uint32_t kLockstep = 8;
  /// Distances of an access and a work-item in a group.
  static constexpr uint32_t kPerItem = 16;

  /// The last execution of an access by a work-item.
  struct Last {
    uint64_t address = 0;
    uint64_t entry = 0; ///< of the loop; 0: not executed yet
    uint32_t distances = 0;
    uint32_t offsets = 0;
  };
  /// The executions of an access by a work-item and by its neighbour since the last barrier.
  struct Lockstep {
    uint64_t addresses[2][kLockstep];
    uint32_t items[2] = {UINT32_MAX, UINT32_MAX};
    uint32_t counts[2] = {0, 0};
  };

  void countGroup(const trace::Chunk &chunk, const trace::Run &run);
  void findOperations(const trace::Chunk &chunk, const trace::Run &run);
  void count(const trace::Chunk &chunk, const LaneBlock &block);
  bool looksAtItem(uint32_t item) const { return item < kAtEachEnd || item + kAtEachEnd >= items_; }
  /// The position of a work-item among those that are looked at.
  size_t positionOf(uint32_t item) const {
    return item < kAtEachEnd || items_ < 2 * kAtEachEnd ? item : item - (items_ - 2 * kAtEachEnd);
  }
  void look(const trace::Chunk &chunk, const trace::Run &run);
  void enter(uint32_t item, trace::BlockId block);
  void lookAt(uint32_t item, trace::BlockId block, std::span<const trace::Access> accesses);
  void lookAt(uint32_t item, uint32_t operation, uint64_t address);

  const trace::Program &program_;
  const std::vector<ComparedWith> &compared_; ///< per operation
  const std::vector<trace::LoopId> &around_;  ///< per operation
  std::vector<uint32_t> slots_;               ///< per operation, into statistics_
  std::vector<uint8_t> headers_;              ///< per block, whether it is the header of a loop
  std::vector<AccessStatistics> statistics_;
  std::vector<LoopStatistics> loops_;
  AccessStatistics ofGroup_[2];
  std::vector<uint32_t> operations_; ///< that made the accesses of the run in findOperations
  // Of the current group, if it is looked at
  bool looking_ = false;
  uint32_t items_ = 0;
  std::array<std::optional<uint64_t>, 2> previousOfGroup_; ///< the last address, read or written
  std::vector<Last> last_;                                 ///< per position and slot
  std::vector<uint64_t> entries_;        ///< per position and loop, how often it was entered
  std::vector<trace::BlockId> previous_; ///< per position
  std::vector<Lockstep> lockstep_;       ///< per slot
};

} // namespace aiwc::metrics
