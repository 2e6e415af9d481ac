#pragma once

#include "metrics/asap/recording.h"
#include "metrics/asap/shadow_levels.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::metrics {

/// The levels of memory as the ASAP schedule finds and leaves them, access by access.
class AsapMemory {
public:
  /// Accesses that are left of those that a block made.
  struct Accesses {
    const trace::Access *next, *end;
  };

  void beginGroup() {
    levels_.reset();
    copied_ = {};
  }

  /// Joins what the operation at `offset` of its block reads, and steps over its accesses.
  /// `recording`: where to note it, or null.
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

  /// Writes `level` where the operation writes. As `read` otherwise.
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

  /// The work-item makes the recorded accesses at other addresses. Writes what those wrote if it
  /// reads what those read; else returns false, and nothing has changed.
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

  /// The work-group's own accesses: what is written has the level of what was read before it.
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
      ShadowLevels::Hint none; // every work-item's own memory is elsewhere
      return levels_.writeRevocably(found.shared ? found.owner : item, address, found.size,
                                    found.level, overwritten_, found.shared ? found.hint : none);
    }
    if (!found.shared)
      return levels_.read(item, address, found.size) == found.level;
    return levels_.read(found.owner, address, found.size, found.hint) == found.level;
  }

  ShadowLevels levels_;
  Level copied_; ///< what the work-group has read since it wrote last
  std::vector<ShadowLevels::Overwritten> overwritten_;
};

} // namespace aiwc::metrics
