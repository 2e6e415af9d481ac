#pragma once

#include "metrics/asap/memory.h"
#include "metrics/asap/recording.h"
#include "metrics/asap/shadow_levels.h"
#include "metrics/shared/marked_chunk.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
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

/// Reads and writes the levels of memory (ShadowLevels) for the accesses of the ASAP schedule.
class AsapMemory {
public:
  /// The accesses of a block that were not processed yet.
  struct Accesses {
    const trace::Access *next, *end;
  };

  void beginGroup() {
    levels_.reset();
    copied_ = {};
  }

  /// Returns the join of all levels that the operation at `offset` in its block reads, and advances
  /// past its accesses. Adds the reads to `recording` unless it is null.
  Level read(uint32_t offset, Accesses &accesses, uint32_t item, AsapRecording *recording) const {
    Level level;
    for (; accesses.next != accesses.end && accesses.next->opOffset <= offset; ++accesses.next) {
      const trace::Access &access = *accesses.next;
      if (access.write)
        continue;
      const Level found =
          levels_.read(ShadowLevels::ownerOf(access, item), access.address, access.size);
      if (recording)
        recording->add(access, found);
      level = join(level, found);
    }
    return level;
  }

  /// Sets the level of all bytes that the operation writes to `level`. Otherwise like `read`.
  void write(uint32_t offset, Accesses &accesses, uint32_t item, Level level,
             AsapRecording *recording) {
    for (; accesses.next != accesses.end && accesses.next->opOffset <= offset; ++accesses.next) {
      const trace::Access &access = *accesses.next;
      if (!access.write)
        continue;
      levels_.write(ShadowLevels::ownerOf(access, item), access.address, access.size, level);
      if (recording)
        recording->add(access, level);
    }
  }

  /// Replays the recorded accesses at the addresses of `accesses`. Returns true if all reads find
  /// the recorded levels; the recorded levels are then written. Otherwise changes nothing and
  /// returns false.
  bool accessAgain(AsapRecording &recording, std::span<const trace::Access> accesses,
                   uint32_t item) {
    overwritten_.clear();
    for (AsapRecording::Found &found : recording.accesses)
      if (!accessAgain(found, accesses[found.index].address, item)) [[unlikely]] {
        ShadowLevels::revoke(overwritten_);
        return false;
      }
    return true;
  }

  /// `accessAgain` for the work-items of a lane block from the second on, one access of all of them
  /// after the other. Also returns false, and changes nothing, if their order may matter.
  bool accessTogether(AsapRecording &recording, const trace::Chunk &chunk, const LaneBlock &block) {
    if (!recording.onlyReadsShared && !lanesApart_(recording, chunk, block))
      return false;
    overwritten_.clear();
    for (AsapRecording::Found &found : recording.accesses)
      if (!accessTogether(found, chunk, block)) [[unlikely]] {
        ShadowLevels::revoke(overwritten_);
        return false;
      }
    return true;
  }

  /// Replays accesses of the work-group (asynchronous copies): each write gets the join of the
  /// levels that were read since the previous write.
  void copy(std::span<const trace::Access> accesses) {
    for (const trace::Access &access : accesses) {
      const uint32_t owner = ShadowLevels::ownerOf(access, trace::Run::kWorkGroup);
      if (access.write) {
        levels_.write(owner, access.address, access.size, copied_);
        copied_ = {};
      } else {
        copied_ = join(copied_, levels_.read(owner, access.address, access.size));
      }
    }
  }

private:
  bool accessAgain(AsapRecording::Found &found, uint64_t address, uint32_t item) {
    if (found.write) {
      ShadowLevels::Hint none; // private memory is at another place for each work-item
      return levels_.writeRevocably(found.shared ? found.owner : item, address, found.size,
                                    found.level, overwritten_, found.shared ? found.hint : none);
    }
    if (!found.shared)
      return levels_.read(item, address, found.size) == found.level;
    return levels_.read(found.owner, address, found.size, found.hint) == found.level;
  }

  bool accessTogether(AsapRecording::Found &found, const trace::Chunk &chunk,
                      const LaneBlock &block) {
    const auto runs = block.runs.subspan(1);
    const auto addressOf = [&](const trace::Run &run) {
      return chunk.accesses[run.accessBegin + found.index].address;
    };
    if (!found.shared)
      return std::ranges::all_of(runs, [&](const trace::Run &run) {
        return accessAgain(found, addressOf(run), run.item);
      });
    const Column &column = block.columns[found.index];
    bool asRecorded = true;
    bool skip = true; // the first lane, which is done
    column.forEachPart(
        addressOf(block.runs.front()), block.runs.size(), [&](uint64_t address, size_t lanes) {
          if (std::exchange(skip, false)) {
            address += column.stride;
            --lanes;
          }
          asRecorded = asRecorded && accessSpaced(found, address, column.stride, lanes);
        });
    return asRecorded;
  }

  /// `lanes` accesses to shared memory, `stride` bytes (modulo 2^64) apart.
  bool accessSpaced(AsapRecording::Found &found, uint64_t address, uint64_t stride, size_t lanes) {
    if (!found.write)
      return levels_.haveLevel(found.owner, address, stride, lanes, found.size, found.level,
                               found.hint);
    if (stride == 0)
      lanes = std::min<size_t>(lanes, 1); // all write the same level
    for (; lanes > 0; --lanes, address += stride)
      if (!levels_.writeRevocably(found.owner, address, found.size, found.level, overwritten_,
                                  found.hint))
        return false;
    return true;
  }

  ShadowLevels levels_;
  LanesApart lanesApart_;
  Level copied_; ///< join of what the work-group read since its last write
  std::vector<ShadowLevels::Overwritten> overwritten_;
};

} // namespace aiwc::metrics
