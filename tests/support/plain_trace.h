/// The trace of a kernel invocation as nested lists, without chunks, indices into buffers and
/// limits. Tests compute metrics on it from their definitions, and play it to the code under test.
#pragma once

#include "random.h"
#include "trace/chunk.h"
#include "trace/recorder.h"

#include <cstdint>
#include <vector>

namespace aiwc::test {

/// A block that a work-item entered.
struct Step {
  trace::BlockId block = trace::BlockId::kNone;
  uint32_t operations = 0; ///< number executed, from the block's first
  bool complete = true;    ///< false for the block in which the group was abandoned
  std::vector<trace::Access> accesses;
};

/// The trace of one work-item (or of the work-group: Run::kWorkGroup) in one barrier interval.
struct Stretch {
  uint32_t item = 0;
  trace::RunEnd end = trace::RunEnd::kFinished;
  std::vector<Step> steps;
  std::vector<trace::Access> groupAccesses; ///< only for Run::kWorkGroup, which has no steps
};

/// The part of a work-group's trace between two barriers, or its begin or end.
struct Interval {
  std::vector<Stretch> stretches;
};

struct GroupTrace {
  trace::Group group;
  std::vector<Interval> intervals;
};

struct Execution {
  std::vector<GroupTrace> groups;
};

/// Plays the trace of one work-group to `recorder`, which has the functions of Recorder.
template <typename RecorderLike>
void play(const trace::Program &program, const GroupTrace &trace, RecorderLike &recorder) {
  recorder.beginGroup(program, trace.group);
  for (size_t i = 0; i < trace.intervals.size(); ++i) {
    if (i > 0)
      recorder.barrier();
    for (const Stretch &stretch : trace.intervals[i].stretches) {
      recorder.beginRun(stretch.item);
      for (const trace::Access &access : stretch.groupAccesses)
        recorder.groupAccess(access);
      for (const Step &step : stretch.steps) {
        for (const trace::Access &access : step.accesses)
          recorder.access(access);
        if (step.complete)
          recorder.blockExecuted(step.block);
      }
      if (stretch.end != trace::RunEnd::kAborted)
        recorder.endRun(stretch.end);
      else if (stretch.steps.empty() || stretch.steps.back().complete)
        recorder.abortRun(trace::BlockId::kNone, 0); // abandoned between two blocks
      else
        recorder.abortRun(stretch.steps.back().block, stretch.steps.back().operations);
    }
  }
  recorder.endGroup();
}

/// A recorder that ends chunks at random places: wherever Recorder might end one, and after only a
/// few events. So even small traces test chunk boundaries everywhere.
class CuttingRecorder {
public:
  /// On average, a chunk ends after `meanLength` blocks or accesses of the work-group.
  CuttingRecorder(trace::ChunkConsumer &consumer, Random &random, uint64_t meanLength)
      : consumer_(consumer), random_(random), meanLength_(meanLength) {}

  void beginGroup(const trace::Program &program, const trace::Group &group);
  void beginRun(uint32_t item);
  void access(const trace::Access &access) { accesses_.push_back(access); }
  void groupAccess(const trace::Access &access);
  void blockExecuted(trace::BlockId block);
  void endRun(trace::RunEnd end);
  void abortRun(trace::BlockId block, uint32_t operations);
  void barrier() { handOn(trace::ChunkEnd::kBarrier); }
  void endGroup();

private:
  void cutPerhaps();
  void handOn(trace::ChunkEnd end);

  trace::ChunkConsumer &consumer_;
  Random &random_;
  uint64_t meanLength_;
  const trace::Program *program_ = nullptr;
  std::vector<trace::BlockEvent> events_;
  std::vector<trace::Access> accesses_;
  std::vector<trace::Run> runs_;
};

} // namespace aiwc::test
