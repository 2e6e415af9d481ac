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
  std::vector<Piece> storage;
  std::span<Piece> pieces; ///< of `storage`
  /// begin[l] is the index of the first piece of the lanes from 16 l on.
  std::array<size_t, kWidestLaneGroup / kNarrowestLaneGroup + 1> begin{};

  std::span<Piece> ofLanes(size_t first, size_t end) {
    return pieces.subspan(begin[first], begin[end] - begin[first]);
  }
};

using SegmentsPerWidth = std::array<Segments, kLaneGroupWidths>;

/// Counts segments, and caches the results for equally spaced pieces, which most instructions
/// access. For these, the result depends only on the spacing and the first address modulo 128.
class SegmentCounter {
public:
  SegmentCounter() : known_(kKnown) {}

  /// Reorders the pieces. There must be at least one.
  SegmentsPerWidth count(Together &together);

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
    SegmentsPerWidth segments;
  };

  static bool equallySpaced(const Together &together, Key &key);
  SegmentsPerWidth countAnew(Together &together);
  void merge(std::span<Piece> pieces, size_t middle);

  std::vector<Known> known_;
  std::vector<Piece> merged_;
};

} // namespace aiwc::metrics
