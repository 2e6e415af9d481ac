#include "trace/recorder.h"

#include <cassert>

namespace aiwc::trace {

Recorder::Recorder(ChunkConsumer &consumer) : consumer_(consumer) {
  events_.reserve(kEventCapacity);
  accesses_.reserve(kAccessCapacity + 64);
}

void Recorder::beginGroup(const Program &program, const Group &group) {
  assert(!inRun_ && runs_.empty());
  program_ = &program;
  consumer_.beginGroup(program, group);
}

void Recorder::beginRun(uint32_t item) {
  assert(program_ && !inRun_);
  if (!runs_.empty() && wouldCut(runs_.back(), events_.size(), accesses_.size()))
    flush(ChunkEnd::kFull);
  openRun(item);
}

void Recorder::openRun(uint32_t item) {
  Run run;
  run.item = item;
  run.eventBegin = static_cast<uint32_t>(events_.size());
  run.accessBegin = static_cast<uint32_t>(accesses_.size());
  runs_.push_back(run);
  inRun_ = true;
}

void Recorder::closeRun(RunEnd end) {
  assert(inRun_);
  Run &run = runs_.back();
  run.end = end;
  run.eventEnd = static_cast<uint32_t>(events_.size());
  run.accessEnd = static_cast<uint32_t>(accesses_.size());
  inRun_ = false;
}

void Recorder::abortRun(BlockId block, uint32_t operations) {
  closeRun(RunEnd::kAborted);
  runs_.back().partialBlock = block;
  runs_.back().partialOps = operations;
}

void Recorder::barrier() {
  assert(!inRun_);
  flush(ChunkEnd::kBarrier);
}

void Recorder::endGroup() {
  assert(!inRun_);
  flush(ChunkEnd::kGroupEnd);
  consumer_.endGroup();
  program_ = nullptr;
}

std::span<Access> Recorder::pendingAccesses() {
  assert(inRun_);
  const Run &run = runs_.back();
  const uint32_t begin =
      events_.size() > run.eventBegin ? events_.back().accessEnd : run.accessBegin;
  return std::span(accesses_).subspan(begin);
}

void Recorder::flush(ChunkEnd end) {
  consumer_.consume(Chunk{*program_, events_, accesses_, runs_, end});
  events_.clear();
  accesses_.clear();
  runs_.clear();
}

void Recorder::flushFull() {
  const uint32_t item = runs_.back().item;
  closeRun(RunEnd::kContinues);
  flush(ChunkEnd::kFull);
  openRun(item);
}

} // namespace aiwc::trace
