#pragma once

#include "plugin/engine/state.h"

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

  void beginGroup(const trace::Group &group);
  void beginRun(uint32_t item);
  void endRun(trace::RunEnd end);
  /// An access of the work-group itself, in a run of Run::kWorkGroup.
  void groupAccess(const trace::Access &access);
  void barrier() { flush(trace::ChunkEnd::kBarrier); }
  void endGroup();
  /// The buffer is full, at the end of a block.
  void flushFull();
  /// Blocks executed, of all that was handed on.
  uint64_t eventCount() const { return eventCount_; }

private:
  struct FreeMemory {
    void operator()(void *memory) const { std::free(memory); }
  };

  void flush(trace::ChunkEnd end);
  void rewind();

  State &state_;
  trace::ChunkConsumer &consumer_;
  const trace::Program &program_;
  // As it comes: to write to all of it takes longer than a small launch.
  std::unique_ptr<trace::BlockEvent, FreeMemory> events_;
  std::unique_ptr<trace::Access, FreeMemory> accesses_;
  std::vector<trace::Run> runs_;
  uint64_t eventCount_ = 0;
};

} // namespace aiwc::plugin::engine
