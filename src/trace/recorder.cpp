#include "trace/recorder.h"

#include <algorithm>
#include <cassert>
#include <new>
#include <type_traits>

namespace aiwc::trace {

namespace {

/// Resizes the memory at `old` to `count` objects, like realloc: keeps the content, may move it.
template <typename T> T *allocate(size_t count, T *old = nullptr) {
  static_assert(std::is_aggregate_v<T> && std::is_trivially_copyable_v<T>);
  void *const memory = std::realloc(old, count * sizeof(T));
  if (!memory)
    throw std::bad_alloc();
  return static_cast<T *>(memory);
}

/// The capacity for runs of this length.
size_t capacityFor(size_t length, size_t usual, size_t most) {
  return Recorder::kFewRuns * length <= usual ? usual : std::min(most, Recorder::kRuns * length);
}

} // namespace

Recorder::Recorder(ChunkConsumer &consumer, Cursors &cursors, size_t blockAccesses, Memory &memory)
    : cursors_(cursors), consumer_(consumer), memory_(memory) {
  if (!memory_.events_)
    memory_.events_.reset(allocate<BlockEvent>(kMostEvents));
  if (const size_t count = kMostAccesses + blockAccesses + 1; memory_.accessCount_ < count) {
    memory_.accesses_.reset(); // what it holds is not worth moving
    memory_.accessCount_ = 0;
    memory_.accesses_.reset(allocate<Access>(count));
    memory_.accessCount_ = count;
  }
  accessEnd_ = accesses() + memory_.accessCount_;
  setLimits();
  rewind();
}

void Recorder::beginGroup(const Program &program, const Group &group, bool traced) {
  assert(!inRun_ && runs_.empty());
  program_ = &program;
  traced_ = traced;
  nextItem_ = 0;
  if (traced_)
    consumer_.beginGroup(program, group);
}

void Recorder::beginTracedRun(uint32_t item) {
  assert(program_ && !inRun_);
  setCapacities();
  if (item < nextItem_)
    flush(ChunkEnd::kMeeting);
  if (item != Run::kWorkGroup)
    nextItem_ = item + 1;
  if (!runs_.empty() && (eventsUsed() + runEvents_ >= eventCapacity_ ||
                         accessesUsed() + runAccesses_ >= accessCapacity_))
    flush(ChunkEnd::kFull);
  runEvents_ = runAccesses_ = 0;
  openRun(item);
}

/// Makes room for runs as long as the last one.
void Recorder::setCapacities() {
  eventCapacity_ = capacityFor(runEvents_, kEventCapacity, kMostEvents);
  accessCapacity_ = capacityFor(runAccesses_, kAccessCapacity, kMostAccesses);
  setLimits();
}

void Recorder::setLimits() {
  cursors_.accessBegin = accesses();
  cursors_.accessLimit = accesses() + accessCapacity_;
  cursors_.eventLimit = events() + eventCapacity_;
}

void Recorder::openRun(uint32_t item) {
  Run &run = runs_.emplace_back();
  run.item = item;
  run.eventBegin = static_cast<uint32_t>(eventsUsed());
  run.accessBegin = static_cast<uint32_t>(accessesUsed());
}

void Recorder::closeRun(RunEnd end) {
  assert(inRun_);
  Run &run = runs_.back();
  run.end = end;
  run.eventEnd = static_cast<uint32_t>(eventsUsed());
  run.accessEnd = static_cast<uint32_t>(accessesUsed());
  runEvents_ += run.eventEnd - run.eventBegin;
  runAccesses_ += run.accessEnd - run.accessBegin;
}

void Recorder::abortRun(BlockId block, uint32_t operations) {
  endRun(RunEnd::kAborted);
  if (!traced_)
    return;
  runs_.back().partialBlock = block;
  runs_.back().partialOps = operations;
}

void Recorder::barrier() {
  assert(!inRun_);
  flush(ChunkEnd::kBarrier);
  nextItem_ = 0;
}

void Recorder::endGroup() {
  assert(!inRun_);
  flush(ChunkEnd::kGroupEnd);
  if (traced_)
    consumer_.endGroup();
  program_ = nullptr;
}

std::span<Access> Recorder::pendingAccesses() {
  assert(inRun_);
  const Run run = traced_ ? runs_.back() : Run();
  const uint32_t begin =
      eventsUsed() > run.eventBegin ? cursors_.event[-1].accessEnd : run.accessBegin;
  return {cursors_.accessBegin + begin, cursors_.access};
}

void Recorder::flush(ChunkEnd end) {
  blocksExecuted_[traced_] += eventsUsed();
  if (!traced_)
    count();
  else
    consumer_.consume(Chunk{*program_, std::span(events(), eventsUsed()),
                            std::span(cursors_.accessBegin, accessesUsed()), runs_, end});
  rewind();
}

void Recorder::flushFull() {
  if (!traced_)
    return flush(ChunkEnd::kFull);
  const uint32_t item = runs_.back().item;
  closeRun(RunEnd::kContinues);
  flush(ChunkEnd::kFull);
  openRun(item);
}

void Recorder::rewind() {
  cursors_.access = accesses();
  cursors_.event = events();
  runs_.clear();
  counted_ = 0;
}

/// Counts the blocks of a group that is not traced.
void Recorder::count() {
  for (; counted_ < eventsUsed(); ++counted_)
    untraced_.add(*program_, events()[counted_].block);
}

/// Enlarges the buffer, because all accesses of a block must be in the same chunk.
void Recorder::grow() {
  const size_t used = accessesUsed();
  Access *const moved = allocate(2 * used, accesses());
  static_cast<void>(memory_.accesses_.release()); // it is at `moved` now
  memory_.accesses_.reset(moved);
  memory_.accessCount_ = 2 * used;
  accessEnd_ = moved + 2 * used;
  cursors_.access = moved + used;
  setLimits();
}

} // namespace aiwc::trace
