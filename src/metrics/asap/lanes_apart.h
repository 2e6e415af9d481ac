#pragma once

#include "metrics/asap/recording.h"
#include "metrics/shared/marked_chunk.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::metrics {

/// Decides whether the work-items of a lane block can be replayed one access after the other, each
/// of all work-items, instead of one work-item after the other: whether no work-item accesses
/// memory that another one writes.
class LanesApart {
public:
  bool operator()(const AsapRecording &recording, const trace::Chunk &chunk,
                  const LaneBlock &block) {
    const auto accesses = chunk.accessesOf(block.runs.front());
    places_.clear();
    writes_.clear();
    for (const AsapRecording::Found &found : recording.accesses) {
      if (!found.shared) // each work-item has its own private memory
        continue;
      if (found.write)
        writes_.push_back(places_.size());
      places_.push_back(
          placeOf(found, accesses[found.index].address, block.columns[found.index], block));
    }
    constexpr size_t kMostPairs = 8192; // more are not worth the search
    return places_.size() * writes_.size() <= kMostPairs &&
           std::ranges::all_of(writes_, [&](size_t write) {
             return std::ranges::all_of(places_, [&](const Place &place) {
               return apart(places_[write], place, block.runs.size());
             });
           });
  }

private:
  struct Place {
    uint64_t first = 0; ///< address of lane 0
    const Column *column = nullptr;
    uint64_t size = 0;
    uint64_t begin = 0, end = 0; ///< of all lanes' bytes
    uint32_t owner = 0;
  };
  struct Range {
    uint64_t begin = 0, end = 0;
    bool overlaps(const Range &other) const { return begin < other.end && other.begin < end; }
  };

  static Place placeOf(const AsapRecording::Found &found, uint64_t first, const Column &column,
                       const LaneBlock &block) {
    Place place{first, &column, found.size, first, first + found.size, found.owner};
    column.forEachPart(first, block.runs.size(), [&](uint64_t from, size_t lanes) {
      const uint64_t to = from + (lanes - 1) * column.stride;
      place.begin = std::min({place.begin, from, to});
      place.end = std::max({place.end, from + found.size, to + found.size});
    });
    return place;
  }

  /// Whether no lane accesses at `other` what another lane writes at `write`. All lanes write the
  /// same level, so they may write to the same place.
  static bool apart(const Place &write, const Place &other, size_t lanes) {
    if (&write == &other || write.owner != other.owner || write.end <= other.begin ||
        other.end <= write.begin)
      return true;
    const Column &column = *write.column;
    if (column.stride != other.column->stride || column.breaks != other.column->breaks)
      return false;
    const uint64_t distance = other.first - write.first;
    for (size_t lane = 0; lane < lanes && !column.equallySpaced(); ++lane)
      if (other.column->addresses[lane] - column.addresses[lane] != distance)
        return false;
    // Each lane accesses bytes within a reach of its own; those of the lanes must not overlap.
    const uint64_t reach = std::min(distance, -distance) + std::max(write.size, other.size);
    std::array<Range, 8> ranges;
    size_t parts = 0;
    bool separate = true;
    column.forEachPart(write.first, lanes, [&](uint64_t from, size_t count) {
      const uint64_t to = from + (count - 1) * column.stride;
      const Range range{std::min(from, to) - reach, std::max(from, to) + reach};
      separate = separate && parts < ranges.size() && (count == 1 || isFar(column.stride, reach)) &&
                 std::ranges::none_of(std::span(ranges).first(parts), [&](const Range &earlier) {
                   return earlier.overlaps(range);
                 });
      if (separate)
        ranges[parts++] = range;
    });
    return separate;
  }

  static bool isFar(uint64_t stride, uint64_t reach) { return std::min(stride, -stride) >= reach; }

  std::vector<Place> places_;
  std::vector<size_t> writes_; ///< into `places_`
};

} // namespace aiwc::metrics
