/// What the accesses that lanes make together look like, and how often.
#pragma once

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

/// Consecutive bytes that a lane accesses; `size` is 0 if it accesses nothing.
struct Piece {
  uint64_t address = 0;
  uint64_t size = 0;

  uint64_t end() const { return address + size; }
  bool operator<(const Piece &other) const { return address < other.address; }
};

/// Numbers of 128-byte segments of global memory.
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
  uint64_t uniform = 0;     ///< lanes of groups of 8 that all access the same bytes
  uint64_t consecutive = 0; ///< lanes of groups of 8 that access bytes after bytes
};

/// Classifies accesses, and caches the results for equally spaced pieces, which most instructions
/// access. For these, the result depends only on the spacing and the first address modulo 128.
class LanePatterns {
public:
  LanePatterns() : known_(kKnown) {}

  /// Reorders the pieces. There must be at least one. The result is valid until the next call.
  const LanePattern &of(Together &together);

private:
  static constexpr size_t kKnown = 256;

  struct Key {
    uint64_t pieces = 0, stride = 0, first = 0, size = 0;
    bool operator==(const Key &) const = default;
    uint64_t hash() const {
      return ((pieces << 32 | size) * 0x9E3779B97F4A7C15U ^ stride * 0xBF58476D1CE4E5B9U ^
              first * 0x94D049BB133111EBU) >>
             40;
    }
  };
  struct Known {
    Key key;
    LanePattern pattern;
  };

  static bool equallySpaced(const Together &together, Key &key);
  LanePattern classifyAnew(Together &together);
  void merge(std::span<Piece> pieces, size_t middle);

  std::vector<Known> known_;
  std::vector<Piece> merged_;
  LanePattern latest_; ///< of pieces that are not equally spaced
};

} // namespace aiwc::metrics
