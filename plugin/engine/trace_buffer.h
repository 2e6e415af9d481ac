#pragma once

#include "plugin/engine/state.h"

#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

namespace aiwc::plugin::engine {

/// The bounded buffer that compiled code writes its trace into: what `trace::Recorder` is to the
/// interpreter, with its cursors laid open in the `State`. Hands the same chunks on, cut elsewhere.
class TraceBuffer {
public:
  /// `blockAccesses`: the most accesses that one block can make.
  TraceBuffer(State &state, trace::ChunkConsumer &consumer, const trace::Program &program,
              size_t blockAccesses);

  /// Of a group that is not `observed`, what is written is thrown away.
  void beginGroup(const trace::Group &group, bool observed);
  /// Hands on what there is, rather than have a run as long as the last one cut: analyses notice
  /// runs that are alike (Run::repeats), if they are whole.
  void beginRun(uint32_t item);
  void endRun(trace::RunEnd end);
  /// An access of the work-group itself, in a run of Run::kWorkGroup.
  void groupAccess(const trace::Access &access);
  void barrier() { flush(trace::ChunkEnd::kBarrier); }
  void endGroup();
  /// The buffer is full, at the end of a block.
  void flushFull();
  /// Blocks that groups have executed which were observed, or which were not but wrote a trace.
  uint64_t eventCount(bool observed) const { return eventCounts_[observed]; }

private:
  struct FreeMemory {
    void operator()(void *memory) const { std::free(memory); }
  };

  size_t eventsUsed() const { return static_cast<size_t>(state_.event - events_.get()); }
  size_t accessesUsed() const { return static_cast<size_t>(state_.access - accesses_.get()); }
  void flush(trace::ChunkEnd end);
  void rewind();

  State &state_;
  trace::ChunkConsumer &consumer_;
  const trace::Program &program_;
  // As it comes: to write to all of it takes longer than a small launch.
  std::unique_ptr<trace::BlockEvent, FreeMemory> events_;
  std::unique_ptr<trace::Access, FreeMemory> accesses_;
  std::vector<trace::Run> runs_;
  bool observed_ = true; ///< the current group
  std::array<uint64_t, 2> eventCounts_{};
};

} // namespace aiwc::plugin::engine
