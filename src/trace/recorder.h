#pragma once

#include "trace/chunk.h"

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

namespace aiwc::trace {

/// Where a recorder's buffer is written next, apart from it: machine code writes there itself.
/// Between blocks of a run, and only then, it may be handed on, which moves all of them.
struct Cursors {
  Access *access = nullptr;
  BlockEvent *event = nullptr;
  Access *accessBegin = nullptr;
  Access *accessLimit = nullptr;    ///< at or beyond it after a block, the buffer is handed on
  BlockEvent *eventLimit = nullptr; ///< the same
};

/// Writes the trace of one work-group after another into a bounded buffer and hands it on in
/// chunks. One per thread of an engine; it shares nothing, so it needs no lock.
///
/// Calls come in this order: beginGroup, then per stretch of a work-item beginRun, (access*,
/// blockExecuted)* or groupAccess*, endRun; barrier after the runs that reached it; endGroup.
/// Compiled code writes accesses and blocks through the cursors, and calls flushFull.
class Recorder {
public:
  /// A chunk is handed on at the first block end at which it holds this many events or accesses,
  /// and before a run that would make it so if it were as long as the last: analyses notice runs
  /// that are alike (Run::repeats), if they are whole.
  /// Together about 200 KiB: what stays in a second-level cache while the analyses read it.
  static constexpr size_t kEventCapacity = 8192;
  static constexpr size_t kAccessCapacity = 8192;

  explicit Recorder(ChunkConsumer &consumer) : Recorder(consumer, own_, 64) {}
  /// `cursors` outlive the recorder. `blockAccesses`: the most accesses of one block for which
  /// there is room; `access` makes more where it is needed.
  Recorder(ChunkConsumer &consumer, Cursors &cursors, size_t blockAccesses);
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;

  /// Of a group that is not `observed`, what is written is thrown away.
  void beginGroup(const Program &program, const Group &group, bool observed = true);
  /// `item`: local linear id of the work-item that executes from now on, or Run::kWorkGroup.
  void beginRun(uint32_t item);
  void access(const Access &access) {
    if (cursors_.access == accessEnd_) [[unlikely]]
      grow();
    *cursors_.access++ = access;
  }
  /// An access of the work-group itself, in a run of Run::kWorkGroup; no block will end behind it.
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
  void endRun(RunEnd end) { closeRun(end); }
  /// Ends a run in the middle of `block`, of which `operations` were executed.
  void abortRun(BlockId block, uint32_t operations);
  void barrier();
  void endGroup();
  /// Hands on what there is, in the middle of a run, after a block.
  void flushFull();

  /// The accesses recorded since the last block end: those of the block being executed. For an
  /// engine that learns only later what block that is.
  std::span<Access> pendingAccesses();
  bool inRun() const { return inRun_; }
  /// Blocks executed by the groups that are over and were observed, or were not.
  uint64_t blocksExecuted(bool observed) const { return blocksExecuted_[observed]; }

private:
  struct FreeMemory {
    void operator()(void *memory) const { std::free(memory); }
  };

  size_t eventsUsed() const { return static_cast<size_t>(cursors_.event - events_.get()); }
  size_t accessesUsed() const {
    return static_cast<size_t>(cursors_.access - cursors_.accessBegin);
  }
  void closeRun(RunEnd end);
  void openRun(uint32_t item);
  void flush(ChunkEnd end);
  void rewind();
  void grow();

  Cursors own_;
  Cursors &cursors_;
  ChunkConsumer &consumer_;
  const Program *program_ = nullptr;
  // As they come: to write to all of them takes longer than a small launch.
  std::unique_ptr<BlockEvent, FreeMemory> events_;
  std::unique_ptr<Access, FreeMemory> accesses_;
  Access *accessEnd_; ///< of the memory
  std::vector<Run> runs_;
  bool inRun_ = false;
  bool observed_ = true; ///< the current group
  std::array<uint64_t, 2> blocksExecuted_{};
};

} // namespace aiwc::trace
