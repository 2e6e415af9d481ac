/// The dynamic part of a trace: the blocks and memory accesses that the work-items of a work-group
/// executed, in chunks of bounded size.
#pragma once

#include "trace/program.h"

#include <cstdint>
#include <limits>
#include <span>

namespace aiwc::trace {

/// One load or store. An atomic read-modify-write is recorded as two accesses: a load and a store.
struct Access {
  uint64_t address = 0;       ///< start address; unique within its address space
  uint32_t size = 0;          ///< bytes
  uint32_t opOffset : 25 = 0; ///< offset of its operation in the block; 0 if made by the work-group
  uint32_t space : 2 = 0;     ///< an AddressSpace
  uint32_t write : 1 = 0;
  uint32_t atomic : 1 = 0;
  uint32_t unused : 3 = 0; ///< named, so that all bits are initialised

  AddressSpace addressSpace() const { return static_cast<AddressSpace>(space); }
};

/// One complete execution of a block.
struct BlockEvent {
  BlockId block = BlockId::kNone;
  uint32_t accessEnd = 0; ///< index into Chunk::accesses, one past the block's last access
};

/// Why a run ends.
enum class RunEnd : uint8_t {
  kContinues, ///< the work-item continues in the next chunk
  kBarrier,
  kMeeting, ///< the work-item waits for others of its sub-group
  kFinished,
  kAborted, ///< the simulation of the work-group was abandoned
};

/// Consecutive events and accesses of one work-item, or accesses that the work-group makes as a
/// whole (async_work_group_copy).
struct Run {
  static constexpr uint32_t kWorkGroup = std::numeric_limits<uint32_t>::max();

  uint32_t item = 0; ///< local linear id, or kWorkGroup
  RunEnd end = RunEnd::kContinues;
  uint32_t eventBegin = 0, eventEnd = 0;   ///< indices into Chunk::events
  uint32_t accessBegin = 0, accessEnd = 0; ///< indices into Chunk::accesses
  /// For an aborted run: the block that it stopped in, and how many operations of this block it had
  /// executed. The accesses after those of the last event belong to these operations.
  BlockId partialBlock = BlockId::kNone;
  uint32_t partialOps = 0;
  /// Whether this run equals the previous run in the chunk, except for the work-item and the
  /// addresses: the same blocks, the same end, and accesses by the same operations with the same
  /// sizes, kinds and address spaces. Set by metrics::Repeats (metrics/shared/repeats.h), never by
  /// an engine.
  bool repeats = false;
  bool atSameAddresses = false; ///< `repeats`, and every address is the same too
};

/// Why a chunk ends.
enum class ChunkEnd : uint8_t {
  kFull,     ///< the buffer is full or has no room for another run; the barrier interval continues
  kBarrier,  ///< every work-item of the group has reached the barrier
  kMeeting,  ///< every work-item waits or has finished; some go on, of sub-groups that have met
  kGroupEnd, ///< the group has finished or was abandoned
};

/// A part of the trace of one work-group. Order: within an interval, from one barrier or meeting to
/// the next, the work-items follow one another by increasing local linear id, and the events of
/// each are in program order.
struct Chunk {
  const Program &program;
  std::span<const BlockEvent> events;
  std::span<const Access> accesses;
  std::span<const Run> runs;
  ChunkEnd end = ChunkEnd::kFull;

  std::span<const Access> accessesOf(const Run &run) const {
    return accesses.subspan(run.accessBegin, run.accessEnd - run.accessBegin);
  }
};

/// Identifies a work-group when its trace begins.
struct Group {
  uint64_t linearId = 0; ///< of the group in the NDRange; x varies fastest
  uint32_t items = 0;    ///< work-items in this group; fewer in a remainder group
};

/// Receives the chunks of one recorder. Between `beginGroup` and `endGroup` it gets one or more
/// chunks of the group, in order.
class ChunkConsumer {
public:
  virtual ~ChunkConsumer() = default;
  virtual void beginGroup(const Program &program, const Group &group) = 0;
  virtual void consume(const Chunk &chunk) = 0;
  virtual void endGroup() = 0;
};

} // namespace aiwc::trace
