#pragma once

#include "trace/chunk.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aiwc::metrics {

/// The accesses of a lane block with the same index in each run. They differ in their addresses
/// only.
struct Column {
  static constexpr uint64_t kFarthest = uint64_t{1} << 48;

  /// From lane to lane, modulo 2^64, but for the breaks. Less than `kFarthest` up or down, so that
  /// the first and the last of equally spaced lanes have the lowest and the highest address.
  uint64_t stride = 0;
  /// Bit l: lane l is not `stride` from lane l - 1, such as where a row of a tile begins.
  uint64_t breaks = 0;
  /// By lane; null if there are no breaks.
  const uint64_t *addresses = nullptr;

  bool equallySpaced() const { return breaks == 0; }

  /// Calls visit(address of the first lane, number of lanes) for each part between two breaks.
  /// `first`: the address of lane 0.
  template <typename Visit> void forEachPart(uint64_t first, size_t lanes, Visit visit) const {
    size_t begin = 0;
    for (uint64_t left = breaks; left != 0; left &= left - 1) {
      const auto end = static_cast<size_t>(std::countr_zero(left));
      visit(addresses[begin], end - begin);
      begin = end;
    }
    visit(begin == 0 ? first : addresses[begin], lanes - begin);
  }
};

/// Work-items that follow one another, and whose runs repeat the first one's. None of them but the
/// first has an id that is a multiple of `kLanes`.
struct LaneBlock {
  static constexpr uint32_t kLanes = 64; ///< at most

  std::span<const trace::Run> runs;
  /// By access of a run; empty if there is one run only.
  std::span<const Column> columns;

  uint32_t firstItem() const { return runs.front().item; }
};

/// A chunk in which repeated runs are marked, divided into lane blocks (metrics/shared/repeats.h).
struct MarkedChunk : trace::Chunk {
  /// In the order of the runs; each run is in one of them.
  std::span<const LaneBlock> blocks;
};

} // namespace aiwc::metrics
