#pragma once

#include "common/hash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::metrics {

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

} // namespace aiwc::metrics
