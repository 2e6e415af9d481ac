/// What a kernel invocation did, as a plain list: no chunks, no indices into buffers, nothing
/// bounded. Tests compute on it what a definition says, and play it to what is under test.
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
  uint32_t operations = 0; ///< executed, from the block's first on
  bool complete = true;    ///< all of them; false for the block in which the group was given up
  std::vector<trace::Access> accesses;
};

/// What one work-item (or, as Run::kWorkGroup, the work-group) did in one barrier interval.
struct Stretch {
  uint32_t item = 0;
  trace::RunEnd end = trace::RunEnd::kFinished;
  std::vector<Step> steps;
  std::vector<trace::Access> groupAccesses; ///< of Run::kWorkGroup, which has no steps
};

/// From the begin of a work-group, or a barrier, to the next barrier or the end.
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

/// Tells `recorder`, which has Recorder's functions, everything that one work-group did.
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
        recorder.abortRun(trace::BlockId::kNone, 0); // given up between two blocks
      else
        recorder.abortRun(stretch.steps.back().block, stretch.steps.back().operations);
    }
  }
  recorder.endGroup();
}

/// A recorder whose buffer is "full" at random: it hands on chunks of a few events, cut wherever
/// Recorder might cut, so that small traces meet chunk boundaries everywhere.
class CuttingRecorder {
public:
  /// A chunk ends behind one in `meanLength` blocks or accesses of the work-group.
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
