#pragma once

#include "common/hash.h"
#include "metrics/shared/marked_chunk.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace aiwc::metrics {

/// Finds the lanes of a lane block that touch other lines of memory than the lane before. Most
/// lanes touch the same ones: 16 neighbours read a line of 4-byte elements.
class LineChanges {
public:
  explicit LineChanges(unsigned lineShift) : lineShift_(lineShift) {}

  /// Bit l: lane l touches other lines with this access than lane l - 1. `access` is that of lane
  /// 0, in global or constant memory, of one byte or more.
  uint64_t of(const trace::Access &access, const Column &column, size_t lanes) {
    if (!column.equallySpaced())
      return among(column.addresses, access.size, lanes);
    if (column.stride == 0)
      return 0;
    const uint64_t offset = access.address & ((uint64_t{1} << lineShift_) - 1);
    if (known_.empty()) [[unlikely]] // a small launch has no use for them
      known_.resize(kKnown);
    const Key key{offset, column.stride, access.size};
    Known &known = known_[key.hash() % kKnown];
    if (known.key != key) {
      std::array<uint64_t, LaneBlock::kLanes> addresses;
      // Above 2^63, so that the distances may be negative.
      const uint64_t first = uint64_t{1} << 63 | offset;
      for (size_t lane = 0; lane < addresses.size(); ++lane)
        addresses[lane] = first + lane * column.stride;
      known = {key, among(addresses.data(), access.size, addresses.size())};
    }
    return known.changes & (~uint64_t{0} >> (LaneBlock::kLanes - lanes));
  }

private:
  static constexpr size_t kKnown = 256;

  struct Key {
    uint64_t offset = 0, stride = 0, size = 0;
    bool operator==(const Key &) const = default;
    uint64_t hash() const {
      return (fibonacciHash(offset) ^ stride * 0xBF58476D1CE4E5B9U ^ size * 0x94D049BB133111EBU) >>
             40;
    }
  };
  struct Known {
    Key key;
    uint64_t changes = 0; ///< for the most lanes that there can be
  };

  uint64_t among(const uint64_t *addresses, uint64_t size, size_t lanes) const {
    uint64_t changes = 0;
    for (size_t lane = 1; lane < lanes; ++lane) {
      const uint64_t first = addresses[lane] ^ addresses[lane - 1];
      const uint64_t last = (addresses[lane] + size - 1) ^ (addresses[lane - 1] + size - 1);
      changes |= uint64_t{((first | last) >> lineShift_) != 0} << lane;
    }
    return changes;
  }

  const unsigned lineShift_;
  std::vector<Known> known_;
};

} // namespace aiwc::metrics
