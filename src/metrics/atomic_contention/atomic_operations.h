#pragma once

#include "trace/chunk.h"

#include <cstddef>
#include <unordered_map>

namespace aiwc::metrics {

/// Calls visit(item, operation, access) for each atomic operation of a chunk. A read-modify-write,
/// which is recorded as a read and a write, is one.
template <typename Visit> void forEachAtomic(const trace::Chunk &chunk, Visit visit) {
  const auto isSecondHalf = [](const trace::Access &first, const trace::Access &second) {
    return second.write && first.atomic && !first.write && first.address == second.address &&
           first.space == second.space && first.opOffset == second.opOffset;
  };
  for (const trace::Run &run : chunk.runs) {
    uint32_t event = run.eventBegin;
    for (uint32_t i = run.accessBegin; i < run.accessEnd; ++i) {
      const trace::Access &access = chunk.accesses[i];
      if (!access.atomic || (i > run.accessBegin && isSecondHalf(chunk.accesses[i - 1], access)))
        continue;
      while (event < run.eventEnd && chunk.events[event].accessEnd <= i)
        ++event;
      const trace::BlockId block =
          event < run.eventEnd ? chunk.events[event].block : run.partialBlock;
      visit(run.item,
            chunk.program.operationsOf(chunk.program.blocks[index(block)])[access.opOffset],
            access);
    }
  }
}

/// Tells which atomics take a turn of the memory, if a compiler makes one of those of 32
/// neighbouring work-items whose operation `joinsLanes`: such a group takes as many turns as the
/// work-item of it that executes the operation most often.
class AtomicTurns {
public:
  /// Whether the next atomic in the order of a trace takes a turn that those before it do not.
  bool next(uint32_t item, const trace::Operation &operation, uint64_t address) {
    if (!operation.joinsLanes)
      return true;
    Lanes &lanes = lanes_[&operation][address];
    if (lanes.item / kLanes != item / kLanes)
      lanes = {};
    lanes.ofItem = lanes.item == item ? lanes.ofItem + 1 : 1;
    lanes.item = item;
    if (lanes.ofItem <= lanes.most)
      return false;
    lanes.most = lanes.ofItem;
    return true;
  }
  /// The work-items begin again, from the first: after a barrier, or in another work-group.
  void restart() { lanes_.clear(); }

private:
  static constexpr uint32_t kLanes = 32;
  /// Of neighbours: the latest that executed the operation, how many times, and the most by one.
  struct Lanes {
    uint32_t item = 0;
    uint64_t ofItem = 0, most = 0;
  };

  /// By operation and address.
  std::unordered_map<const trace::Operation *, std::unordered_map<uint64_t, Lanes>> lanes_;
};

/// Devices carry out atomics of global memory in the order of lines of so many bytes.
inline constexpr unsigned kAtomicLineBits = 7;

/// Whether a program has atomic operations at all, which most have not.
inline bool hasAtomics(const trace::Program &program) {
  for (const trace::Operation &operation : program.operations)
    if (operation.memory == trace::MemoryKind::kAtomic)
      return true;
  return false;
}

} // namespace aiwc::metrics
