#include "plugin/engine/trace_buffer.h"

#include "trace/recorder.h"

namespace aiwc::plugin::engine {

using namespace trace;

TraceBuffer::TraceBuffer(State &state, ChunkConsumer &consumer, const Program &program,
                         size_t blockAccesses)
    : state_(state), consumer_(consumer), program_(program), events_(Recorder::kEventCapacity),
      accesses_(Recorder::kAccessCapacity + blockAccesses + 1) {
  rewind();
  state_.accessBegin = accesses_.data();
  state_.accessLimit = accesses_.data() + Recorder::kAccessCapacity;
  state_.eventLimit = events_.data() + events_.size();
}

void TraceBuffer::rewind() {
  state_.access = accesses_.data();
  state_.event = events_.data();
  runs_.clear();
}

void TraceBuffer::beginGroup(const Group &group, bool observed) {
  rewind();
  observed_ = observed;
  if (observed_)
    consumer_.beginGroup(program_, group);
}

void TraceBuffer::beginRun(uint32_t item) {
  if (!runs_.empty()) {
    const Run &last = runs_.back();
    if (eventsUsed() + (last.eventEnd - last.eventBegin) >= events_.size() ||
        accessesUsed() + (last.accessEnd - last.accessBegin) >= Recorder::kAccessCapacity)
      flush(ChunkEnd::kFull);
  }
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
    consumer_.consume(Chunk{program_, std::span(events_).first(eventsUsed()),
                            std::span(accesses_).first(accessesUsed()), runs_, end});
  rewind();
}

void TraceBuffer::flushFull() {
  const uint32_t item = runs_.back().item;
  endRun(RunEnd::kContinues);
  flush(ChunkEnd::kFull);
  beginRun(item);
}

} // namespace aiwc::plugin::engine
