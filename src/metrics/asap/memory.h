#pragma once

#include "metrics/asap/lanes_apart.h"
#include "metrics/asap/recording.h"
#include "metrics/asap/shadow_levels.h"
#include "metrics/shared/marked_chunk.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace aiwc::metrics {

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
