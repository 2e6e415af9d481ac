#include "plain_trace.h"

namespace aiwc::test {

using namespace trace;

void CuttingRecorder::beginGroup(const Program &program, const Group &group) {
  program_ = &program;
  consumer_.beginGroup(program, group);
}

void CuttingRecorder::beginRun(uint32_t item) {
  Run run;
  run.item = item;
  run.eventBegin = static_cast<uint32_t>(events_.size());
  run.accessBegin = static_cast<uint32_t>(accesses_.size());
  runs_.push_back(run);
}

void CuttingRecorder::groupAccess(const Access &access) {
  accesses_.push_back(access);
  cutPerhaps();
}

void CuttingRecorder::blockExecuted(BlockId block) {
  events_.push_back({block, static_cast<uint32_t>(accesses_.size())});
  cutPerhaps();
}

void CuttingRecorder::endRun(RunEnd end) {
  Run &run = runs_.back();
  run.end = end;
  run.eventEnd = static_cast<uint32_t>(events_.size());
  run.accessEnd = static_cast<uint32_t>(accesses_.size());
}

void CuttingRecorder::abortRun(BlockId block, uint32_t operations) {
  endRun(RunEnd::kAborted);
  runs_.back().partialBlock = block;
  runs_.back().partialOps = operations;
}

void CuttingRecorder::endGroup() {
  handOn(ChunkEnd::kGroupEnd);
  consumer_.endGroup();
}

void CuttingRecorder::cutPerhaps() {
  if (!random_.oneIn(meanLength_))
    return;
  const uint32_t item = runs_.back().item;
  endRun(RunEnd::kContinues);
  handOn(ChunkEnd::kFull);
  beginRun(item);
}

void CuttingRecorder::handOn(ChunkEnd end) {
  consumer_.consume(Chunk{*program_, events_, accesses_, runs_, end});
  events_.clear();
  accesses_.clear();
  runs_.clear();
}

} // namespace aiwc::test
