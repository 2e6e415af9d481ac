/// What the accesses that lanes make together look like, and how often.
#pragma once

#include "common/hash.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::metrics {

inline constexpr uint32_t kLaneGroupWidths = 3; ///< lane groups of 16, 32, 64
inline constexpr uint32_t kNarrowestLaneGroup = 16;
inline constexpr uint32_t kVectorLanes = 8; ///< lanes that a CPU's compiler may join to a vector
inline constexpr uint32_t kWidestLaneGroup = 64;
inline constexpr uint32_t kSegmentBits = 7; ///< 128 bytes
inline constexpr uint32_t kBankLanes = 32;  ///< that access the banks of local memory together

/// Consecutive bytes that a lane accesses; `size` is 0 if it accesses nothing.
struct Piece {
  uint64_t address = 0;
  uint64_t size = 0;

  uint64_t end() const { return address + size; }
  bool operator<(const Piece &other) const { return address < other.address; }
  /// Adds a piece that begins within or right after this one; returns false if it does neither.
  bool join(const Piece &more) {
    if (more.address < address || more.address > end())
      return false;
    size = std::max(end(), more.end()) - address;
    return true;
  }
};

/// Numbers of 128-byte segments of global memory, or of turns of the banks of local memory.
struct Segments {
  uint64_t needed = 0;
  uint64_t touched = 0;

  void add(const Segments &more, uint64_t times = 1) {
    needed += more.needed * times;
    touched += more.touched * times;
  }
};

/// The pieces that the lanes of a lane group access in one execution of an instruction, sorted by
/// lane.
struct Together {
  static constexpr size_t kVectors = kWidestLaneGroup / kVectorLanes;

  std::vector<Piece> storage;
  std::span<Piece> pieces; ///< of `storage`
  /// begin[l] is the index of the first piece of the lanes from 8 l on, and lanesBefore[l] the
  /// number of lanes before them that access something.
  std::array<size_t, kVectors + 1> begin{}, lanesBefore{};

  void setBegin(size_t vector, size_t piece, size_t lanes) {
    begin[vector] = piece;
    lanesBefore[vector] = lanes;
  }
  size_t lanes() const { return lanesBefore.back(); }
  /// Whether each of the lanes from 8 `vector` on, eight of them, has one piece or none.
  bool onePiecePerLane(size_t vector) const {
    return begin[vector + 1] - begin[vector] == lanesBefore[vector + 1] - lanesBefore[vector];
  }
  /// Those of the lanes from 8 `first` to 8 `end`.
  std::span<Piece> ofLanes(size_t first, size_t end) {
    return pieces.subspan(begin[first], begin[end] - begin[first]);
  }
};

using SegmentsPerWidth = std::array<Segments, kLaneGroupWidths>;

/// How the lanes of groups access memory together.
struct LanePattern {
  SegmentsPerWidth segments;
  Segments bankTurns;       ///< of groups of 32
  uint64_t uniform = 0;     ///< lanes of groups of 8 that all access the same bytes
  uint64_t consecutive = 0; ///< lanes of groups of 8 that access bytes after bytes
};

/// Classifies accesses, and caches the results where each lane accesses one piece, all of one size.
/// The result depends only on the first address modulo 128 and on the distances from it.
class LanePatterns {
public:
  /// Reorders the pieces. There must be at least one. The result is valid until the next call.
  const LanePattern &of(Together &together);
  /// Lane l accesses `size` bytes at addresses[l]; 1 to 64 lanes. The result is valid until the
  /// next call.
  const LanePattern &of(std::span<const uint64_t> addresses, uint64_t size);
  /// Likewise, at `first`, `first` + `stride` and so on.
  const LanePattern &ofSpaced(uint64_t first, uint64_t stride, size_t lanes, uint64_t size);

private:
  static constexpr size_t kSpaced = 256;
  static constexpr size_t kScattered = 64;
  using Distances = std::array<uint64_t, kWidestLaneGroup>; ///< from the first address; then 0

  struct Key {
    uint64_t lanes = 0, first = 0, size = 0;
    bool operator==(const Key &) const = default;
    uint64_t hash() const {
      return fibonacciHash(lanes << 32 | size) ^ first * 0x94D049BB133111EBU;
    }
  };
  /// Equally spaced lanes, which most instructions have.
  struct Spaced {
    Key key;
    uint64_t stride = 0;
    LanePattern pattern;
  };
  /// Other lanes, such as two rows of a matrix.
  struct Scattered {
    Key key;
    Distances distances{};
    LanePattern pattern;
  };

  LanePattern classifyAnew(std::span<const uint64_t> addresses, uint64_t size);
  LanePattern classifyAnew(Together &together);
  void merge(std::span<Piece> pieces, size_t middle);

  // Made when the first is asked for: a small launch has no use for them.
  std::vector<Spaced> spaced_;
  std::vector<Scattered> scattered_;
  Distances addresses_{}; ///< where of(Together) found one piece in each lane
  Together together_;     ///< made of addresses
  std::vector<Piece> merged_;
  LanePattern latest_; ///< of lanes with several pieces, or none
};

} // namespace aiwc::metrics
