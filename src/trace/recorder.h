#pragma once

#include "trace/chunk.h"

#include <cstddef>
#include <vector>

namespace aiwc::trace {

/// Writes the trace of one work-group after another into a bounded buffer and hands it on in
/// chunks. One per thread of an engine; it shares nothing, so it needs no lock.
///
/// Calls come in this order: beginGroup, then per stretch of a work-item beginRun, (access*,
/// blockExecuted)* or groupAccess*, endRun; barrier after the runs that reached it; endGroup.
class Recorder {
public:
  /// A chunk is handed on at the first block end at which it holds this many events or accesses,
  /// and before a run that would make it so if it were as long as the last: analyses notice runs
  /// that are alike (Run::repeats), if they are whole.
  /// Together about 200 KiB: what stays in a second-level cache while the analyses read it.
  static constexpr size_t kEventCapacity = 8192;
  static constexpr size_t kAccessCapacity = 8192;

  explicit Recorder(ChunkConsumer &consumer);

  /// Whether a run as long as `last` would be cut, were it to begin behind so many events and
  /// accesses of a chunk.
  static bool wouldCut(const Run &last, size_t events, size_t accesses) {
    return events + (last.eventEnd - last.eventBegin) >= kEventCapacity ||
           accesses + (last.accessEnd - last.accessBegin) >= kAccessCapacity;
  }

  void beginGroup(const Program &program, const Group &group);
  /// `item`: local linear id of the work-item that executes from now on, or Run::kWorkGroup.
  void beginRun(uint32_t item);
  void access(const Access &access) { accesses_.push_back(access); }
  /// An access of the work-group itself, in a run of Run::kWorkGroup; no block will end behind it.
  void groupAccess(const Access &access) {
    accesses_.push_back(access);
    if (accesses_.size() >= kAccessCapacity) [[unlikely]]
      flushFull();
  }
  void blockExecuted(BlockId block) {
    events_.push_back({block, static_cast<uint32_t>(accesses_.size())});
    if (events_.size() >= kEventCapacity || accesses_.size() >= kAccessCapacity) [[unlikely]]
      flushFull();
  }
  void endRun(RunEnd end) { closeRun(end); }
  /// Ends a run in the middle of `block`, of which `operations` were executed.
  void abortRun(BlockId block, uint32_t operations);
  void barrier();
  void endGroup();

  /// The accesses recorded since the last block end: those of the block being executed. For an
  /// engine that learns only later what block that is.
  std::span<Access> pendingAccesses();
  bool inRun() const { return inRun_; }

private:
  void closeRun(RunEnd end);
  void openRun(uint32_t item);
  void flush(ChunkEnd end);
  void flushFull();

  ChunkConsumer &consumer_;
  const Program *program_ = nullptr;
  std::vector<BlockEvent> events_;
  std::vector<Access> accesses_;
  std::vector<Run> runs_;
  bool inRun_ = false;
};

} // namespace aiwc::trace
