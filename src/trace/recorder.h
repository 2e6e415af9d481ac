#pragma once

#include "trace/chunk.h"
#include "trace/executed.h"

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

namespace aiwc::trace {

/// The write positions in a recorder's buffer. They are separate from the recorder because compiled
/// kernels write to the buffer directly. When the buffer is passed on, which happens only between
/// two blocks of a run, all of these pointers may change.
struct Cursors {
  Access *access = nullptr;
  BlockEvent *event = nullptr;
  Access *accessBegin = nullptr;
  Access *accessLimit = nullptr;    ///< if reached at a block's end, the buffer is passed on
  BlockEvent *eventLimit = nullptr; ///< likewise
};

/// Writes the traces of work-groups, one group at a time, into a bounded buffer and passes them to
/// a consumer in chunks. Each thread of an engine has its own recorder, so it needs no lock.
///
/// Order of calls: beginGroup; for each run beginRun, (access*, blockExecuted)* or groupAccess*,
/// endRun; barrier after the runs that reached it; endGroup. A run of an item that is not behind
/// the one before it follows a meeting, and begins a new interval. Compiled kernels write accesses
/// and blocks through the cursors and call flushFull.
class Recorder {
public:
  /// A chunk is passed on at the first block end at which it holds this many events or accesses. It
  /// is also passed on before a run that would reach this limit if it were as long as the previous
  /// run, because analyses only recognise repeated runs (Run::repeats) that are not split. These
  /// 768 KiB have room for 64 work-items with 500 accesses each, which analyses process together,
  /// and stay in a second-level cache of 1 MiB while they read it.
  static constexpr size_t kEventCapacity = 32768;
  static constexpr size_t kAccessCapacity = 32768;
  /// The same after a run that would fit less than `kFewRuns` times: there is room for `kRuns` as
  /// long, up to this many events and accesses, since processing work-items one by one takes much
  /// longer than reading a buffer that lies in no cache.
  static constexpr size_t kMostEvents = 16 * kEventCapacity;
  static constexpr size_t kMostAccesses = 16 * kAccessCapacity;
  static constexpr size_t kFewRuns = 8;
  static constexpr size_t kRuns = 64;

  /// The memory of a recorder. One that outlives its recorder lets the next one have it, which
  /// takes a tenth of a small launch to get from the system and to give back.
  class Memory {
    friend class Recorder;

    struct Free {
      void operator()(void *memory) const { std::free(memory); }
    };

    // Not initialised: writing to the whole buffer takes longer than a small launch. Both have room
    // for the most that they may hold, because compiled code that waits at a barrier knows where
    // they are; what is not written to takes no memory.
    std::unique_ptr<BlockEvent, Free> events_;
    std::unique_ptr<Access, Free> accesses_;
    size_t accessCount_ = 0; ///< room for so many
  };

  explicit Recorder(ChunkConsumer &consumer) : Recorder(consumer, own_, 64) {}
  /// `cursors` must outlive the recorder. `blockAccesses` is the number of accesses of one block
  /// that the buffer has room for; if a block makes more, `access` enlarges the buffer.
  Recorder(ChunkConsumer &consumer, Cursors &cursors, size_t blockAccesses)
      : Recorder(consumer, cursors, blockAccesses, ownMemory_) {}
  /// `memory` must outlive the recorder, and serves one recorder at a time.
  Recorder(ChunkConsumer &consumer, Cursors &cursors, size_t blockAccesses, Memory &memory);
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;

  /// If the group is not `traced`, its trace is discarded; only its blocks are counted.
  void beginGroup(const Program &program, const Group &group, bool traced = true);
  /// `item` is the local linear id of the work-item that executes next, or Run::kWorkGroup.
  void beginRun(uint32_t item) {
    if (traced_)
      beginTracedRun(item);
    inRun_ = true;
  }
  void access(const Access &access) {
    if (cursors_.access == accessEnd_) [[unlikely]]
      grow();
    *cursors_.access++ = access;
  }
  /// Records an access of the work-group as a whole, in a run of Run::kWorkGroup. Such a run has no
  /// blocks.
  void groupAccess(const Access &made) {
    access(made);
    if (cursors_.access >= cursors_.accessLimit) [[unlikely]]
      flushFull();
  }
  void blockExecuted(BlockId block) {
    *cursors_.event++ = {block, static_cast<uint32_t>(accessesUsed())};
    if (cursors_.event >= cursors_.eventLimit || cursors_.access >= cursors_.accessLimit)
        [[unlikely]]
      flushFull();
  }
  void endRun(RunEnd end) {
    if (traced_)
      closeRun(end);
    else
      count();
    inRun_ = false;
  }
  /// Ends a run in the middle of `block`, of which `operations` were executed.
  void abortRun(BlockId block, uint32_t operations);
  void barrier();
  void endGroup();
  /// Passes on the chunk so far in the middle of a run. May only be called after a block.
  void flushFull();

  /// The accesses recorded since the last block end, which belong to the block being executed. For
  /// an engine that learns only later which block this is.
  std::span<Access> pendingAccesses();
  /// Removes them.
  void dropPendingAccesses() { cursors_.access = pendingAccesses().data(); }
  bool inRun() const { return inRun_; }
  /// Number of blocks executed so far by traced groups (true) or by the other groups (false).
  /// Includes only chunks that were passed on.
  uint64_t blocksExecuted(bool traced) const { return blocksExecuted_[traced]; }
  /// By groups that were not traced, up to the end of the last run.
  const Executed &untraced() const { return untraced_; }

private:
  size_t eventsUsed() const { return static_cast<size_t>(cursors_.event - events()); }
  size_t accessesUsed() const {
    return static_cast<size_t>(cursors_.access - cursors_.accessBegin);
  }
  BlockEvent *events() const { return memory_.events_.get(); }
  Access *accesses() const { return memory_.accesses_.get(); }
  void beginTracedRun(uint32_t item);
  void closeRun(RunEnd end);
  void openRun(uint32_t item);
  void setCapacities();
  void setLimits();
  void flush(ChunkEnd end);
  void count();
  void rewind();
  void grow();

  Cursors own_;
  Cursors &cursors_;
  ChunkConsumer &consumer_;
  const Program *program_ = nullptr;
  Memory ownMemory_;
  Memory &memory_;
  Access *accessEnd_; ///< end of the allocated memory
  size_t eventCapacity_ = kEventCapacity, accessCapacity_ = kAccessCapacity;
  /// Of the last complete run, or of the parts of the current one that were passed on.
  size_t runEvents_ = 0, runAccesses_ = 0;
  std::vector<Run> runs_; ///< none while the group is not traced
  bool inRun_ = false;
  uint32_t nextItem_ = 0; ///< the first item that may run in this interval
  bool traced_ = true;    ///< whether the current group is traced
  std::array<uint64_t, 2> blocksExecuted_{};
  Executed untraced_;
  size_t counted_ = 0; ///< events of the buffer that are in `untraced_`
};

} // namespace aiwc::trace
