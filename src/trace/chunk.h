/// The dynamic half of a trace: what the work-items of a group did, in bounded pieces.
#pragma once

#include "trace/program.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>

namespace aiwc::trace {

/// One load or store. An atomic read-modify-write is two, one of each.
struct Access {
  uint64_t address = 0;       ///< start address; unique within its address space
  uint32_t size = 0;          ///< bytes
  uint32_t opOffset : 25 = 0; ///< of the operation in its block; 0 for the work-group's accesses
  uint32_t space : 2 = 0;     ///< an AddressSpace
  uint32_t write : 1 = 0;
  uint32_t atomic : 1 = 0;
  uint32_t unused : 3 = 0; ///< named, so that every bit of an access has a value

  AddressSpace addressSpace() const { return static_cast<AddressSpace>(space); }
};

/// A block that was executed to its end.
struct BlockEvent {
  BlockId block = BlockId::kNone;
  uint32_t accessEnd = 0; ///< into Chunk::accesses: one past the last access the block made
};

/// Why a run of a work-item stops.
enum class RunEnd : uint8_t {
  kContinues, ///< goes on in the next chunk
  kBarrier,
  kFinished,
  kAborted, ///< the simulation of the group was given up
};

/// A stretch in which one work-item (or, for the work-group's own accesses, none) executes.
struct Run {
  static constexpr uint32_t kWorkGroup = std::numeric_limits<uint32_t>::max();

  uint32_t item = 0; ///< local linear id, or kWorkGroup
  RunEnd end = RunEnd::kContinues;
  uint32_t eventBegin = 0, eventEnd = 0;   ///< into Chunk::events
  uint32_t accessBegin = 0, accessEnd = 0; ///< into Chunk::accesses
  /// Of an aborted run: the block it was in and how many of its operations it had executed. The
  /// accesses behind the last event's are theirs.
  BlockId partialBlock = BlockId::kNone;
  uint32_t partialOps = 0;
  /// Whether it is the run before it in the chunk over again, by another work-item: the same blocks
  /// to the same end, with accesses by the same operations, of the same sizes, kinds and address
  /// spaces. Only addresses may differ. Engines leave it false; who needs it looks
  /// (metrics/shared/repeats.h).
  bool repeats = false;
  bool atSameAddresses = false; ///< it repeats, and every address is the same as well
};

/// Why a chunk was handed on.
enum class ChunkEnd : uint8_t {
  kFull,     ///< the buffer was, or too full for another run; the barrier interval goes on
  kBarrier,  ///< every work-item of the group has reached the barrier
  kGroupEnd, ///< the group is done (or given up)
};

/// Part of what one work-group did, in canonical order: work-items one after another in
/// increasing local linear id within a barrier interval, each in program order.
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

/// A work-group, as it begins.
struct Group {
  uint64_t linearId = 0; ///< x fastest
  uint32_t items = 0;    ///< work-items in this group; fewer in a remainder group
};

/// Takes the chunks of one recorder: between `beginGroup` and `endGroup`, in order, one or more.
class ChunkConsumer {
public:
  virtual ~ChunkConsumer() = default;
  virtual void beginGroup(const Program &program, const Group &group) = 0;
  virtual void consume(const Chunk &chunk) = 0;
  virtual void endGroup() = 0;
};

} // namespace aiwc::trace
