#include "plugin/engine/trace_buffer.h"

#include "trace/recorder.h"

#include <new>
#include <type_traits>

namespace aiwc::plugin::engine {

using namespace trace;

namespace {

/// Objects that nobody has written to.
template <typename T> T *allocate(size_t count) {
  static_assert(std::is_aggregate_v<T> && std::is_trivially_copyable_v<T>);
  void *const memory = std::malloc(count * sizeof(T));
  if (!memory)
    throw std::bad_alloc();
  return static_cast<T *>(memory);
}

} // namespace

TraceBuffer::TraceBuffer(State &state, ChunkConsumer &consumer, const Program &program,
                         size_t blockAccesses)
    : state_(state), consumer_(consumer), program_(program),
      events_(allocate<BlockEvent>(Recorder::kEventCapacity)),
      accesses_(allocate<Access>(Recorder::kAccessCapacity + blockAccesses + 1)) {
  rewind();
  state_.accessBegin = accesses_.get();
  state_.accessLimit = accesses_.get() + Recorder::kAccessCapacity;
  state_.eventLimit = events_.get() + Recorder::kEventCapacity;
}

void TraceBuffer::rewind() {
  state_.access = accesses_.get();
  state_.event = events_.get();
  runs_.clear();
}

void TraceBuffer::beginGroup(const Group &group, bool observed) {
  rewind();
  observed_ = observed;
  if (observed_)
    consumer_.beginGroup(program_, group);
}

void TraceBuffer::beginRun(uint32_t item) {
  if (!runs_.empty() && Recorder::wouldCut(runs_.back(), eventsUsed(), accessesUsed()))
    flush(ChunkEnd::kFull);
  Run run;
  run.item = item;
  run.eventBegin = static_cast<uint32_t>(eventsUsed());
  run.accessBegin = static_cast<uint32_t>(accessesUsed());
  runs_.push_back(run);
}

void TraceBuffer::endRun(RunEnd end) {
  Run &run = runs_.back();
  run.end = end;
  run.eventEnd = static_cast<uint32_t>(eventsUsed());
  run.accessEnd = static_cast<uint32_t>(accessesUsed());
}

void TraceBuffer::groupAccess(const Access &access) {
  *state_.access++ = access;
  if (state_.access >= state_.accessLimit)
    flushFull();
}

void TraceBuffer::endGroup() {
  flush(ChunkEnd::kGroupEnd);
  if (observed_)
    consumer_.endGroup();
}

void TraceBuffer::flush(ChunkEnd end) {
  eventCounts_[observed_] += eventsUsed();
  if (observed_)
    consumer_.consume(Chunk{program_, std::span(events_.get(), eventsUsed()),
                            std::span(accesses_.get(), accessesUsed()), runs_, end});
  rewind();
}

void TraceBuffer::flushFull() {
  const uint32_t item = runs_.back().item;
  endRun(RunEnd::kContinues);
  flush(ChunkEnd::kFull);
  beginRun(item);
}

} // namespace aiwc::plugin::engine
