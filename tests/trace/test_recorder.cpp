/// The recorder loses nothing and reorders nothing, wherever its buffer happens to be full.
#include "support/collector.h"
#include "support/program_builder.h"
#include "support/random_trace.h"
#include "trace/recorder.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;
using namespace aiwc::trace;

namespace {

Program oneBlockProgram() {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("load", {.memory = MemoryKind::kLoad, .space = AddressSpace::kGlobal}),
                 builder.op("br")},
                BlockEnd::kJump, {BlockId{0}});
  return builder.build();
}

constexpr BlockId kBlock{0};

Access accessAt(uint64_t address) {
  Access access;
  access.address = address;
  access.size = 4;
  access.space = 1;
  return access;
}

/// One work-item that executes the block so many times with so many accesses each.
GroupTrace longTrace(size_t blocks, size_t accessesPerBlock) {
  Stretch stretch{0, RunEnd::kFinished, {}, {}};
  uint64_t address = 0;
  for (size_t b = 0; b < blocks; ++b) {
    Step step{kBlock, 2, true, {}};
    for (size_t a = 0; a < accessesPerBlock; ++a)
      step.accesses.push_back(accessAt(address++));
    stretch.steps.push_back(step);
  }
  return {Group{0, 1}, {Interval{{stretch}}}};
}

Collector recorded(const Program &program, const Execution &execution) {
  Collector collector;
  Recorder recorder(collector);
  for (const GroupTrace &group : execution.groups)
    play(program, group, recorder);
  return collector;
}

void requireUnchanged(const Program &program, const Execution &execution) {
  REQUIRE(text(recorded(program, execution).execution) == text(execution));
}

} // namespace

TEST_CASE("random traces arrive as they were recorded", "[recorder]") {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const TraceShape shape = randomShape(random);
    const RandomProgram program = randomProgram(random, shape);
    requireUnchanged(program.program, randomExecution(random, program, shape));
  }
}

TEST_CASE("random traces cut anywhere arrive as they were recorded", "[recorder]") {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const TraceShape shape = randomShape(random);
    const RandomProgram program = randomProgram(random, shape);
    const Execution execution = randomExecution(random, program, shape);
    Collector collector;
    CuttingRecorder recorder(collector, random, random.between(1, 5));
    for (const GroupTrace &group : execution.groups)
      play(program.program, group, recorder);
    REQUIRE(text(collector.execution) == text(execution));
  }
}

TEST_CASE("traces of all lengths around the buffer's capacity", "[recorder]") {
  const Program program = oneBlockProgram();
  const size_t accessesPerBlock = GENERATE(0, 1, 2, 3, 7);
  const size_t perChunk =
      accessesPerBlock < 2 ? Recorder::kEventCapacity
                           : (Recorder::kAccessCapacity + accessesPerBlock - 1) / accessesPerBlock;
  for (const size_t chunks : {1, 2, 3})
    for (const int offset : {-1, 0, 1}) {
      const size_t blocks = chunks * perChunk + static_cast<size_t>(offset + 1) - 1;
      CAPTURE(accessesPerBlock, blocks);
      Execution execution;
      execution.groups.push_back(longTrace(blocks, accessesPerBlock));
      const Collector collector = recorded(program, execution);
      REQUIRE(text(collector.execution) == text(execution));
      // A full buffer is handed on at once; what is left comes with the group's end.
      const size_t full = blocks / perChunk;
      REQUIRE(collector.chunks.size() == full + 1);
      for (size_t i = 0; i < full; ++i) {
        REQUIRE(collector.chunks[i].end == ChunkEnd::kFull);
        REQUIRE(collector.chunks[i].events == perChunk);
      }
      REQUIRE(collector.chunks.back().events == blocks % perChunk);
    }
}

TEST_CASE("a block is never split, however many accesses it makes", "[recorder]") {
  const Program program = oneBlockProgram();
  const size_t accesses = 3 * Recorder::kAccessCapacity;
  Execution execution;
  execution.groups.push_back(longTrace(3, accesses));
  const Collector collector = recorded(program, execution);
  REQUIRE(text(collector.execution) == text(execution));
  REQUIRE(collector.chunks.size() == 4);
  for (size_t i = 0; i < 3; ++i) {
    REQUIRE(collector.chunks[i].events == 1);
    REQUIRE(collector.chunks[i].accesses == accesses);
  }
}

TEST_CASE("chunks of many work-items stay within the capacity", "[recorder]") {
  const Program program = oneBlockProgram();
  Execution execution;
  execution.groups.push_back({Group{0, 2000}, {Interval{}}});
  for (uint32_t item = 0; item < 2000; ++item) {
    execution.groups[0].intervals[0].stretches.push_back(
        longTrace(1 + item % 97, item % 4).intervals[0].stretches[0]);
    execution.groups[0].intervals[0].stretches.back().item = item;
  }
  const Collector collector = recorded(program, execution);
  REQUIRE(text(collector.execution) == text(execution));
  REQUIRE(collector.chunks.size() > 3);
  for (const Collector::Seen &chunk : collector.chunks) {
    REQUIRE(chunk.events <= Recorder::kEventCapacity);
    REQUIRE(chunk.accesses < Recorder::kAccessCapacity + 3);
  }
}

TEST_CASE("long runs share a chunk, so that analyses can compare them", "[recorder]") {
  const Program program = oneBlockProgram();
  const size_t accessesPerBlock = GENERATE(size_t{0}, size_t{3});
  const size_t length = GENERATE(Recorder::kEventCapacity / 7, Recorder::kEventCapacity);
  const size_t most = std::min(Recorder::kMostEvents,
                               Recorder::kMostAccesses / std::max(accessesPerBlock, size_t{1}));
  CAPTURE(length, accessesPerBlock);
  Execution execution;
  execution.groups.push_back({Group{0, 9}, {Interval{}}});
  for (uint32_t item = 0; item < 9; ++item) {
    execution.groups[0].intervals[0].stretches.push_back(
        longTrace(length, accessesPerBlock).intervals[0].stretches[0]);
    execution.groups[0].intervals[0].stretches.back().item = item;
  }
  const Collector collector = recorded(program, execution);
  REQUIRE(text(collector.execution) == text(execution));
  size_t inOneChunk = 0;
  for (const Collector::Seen &chunk : collector.chunks) {
    REQUIRE(chunk.events <= Recorder::kMostEvents);
    REQUIRE(chunk.accesses < Recorder::kMostAccesses + 3);
    inOneChunk = std::max(inOneChunk, chunk.runs);
  }
  REQUIRE(inOneChunk >= std::min<size_t>(8, most / length));
}

TEST_CASE("the work-group's accesses are cut at the capacity, without blocks", "[recorder]") {
  const Program program = oneBlockProgram();
  const size_t count = 2 * Recorder::kAccessCapacity + 5;
  Stretch copy{Run::kWorkGroup, RunEnd::kBarrier, {}, {}};
  for (uint64_t i = 0; i < count; ++i)
    copy.groupAccesses.push_back(accessAt(i));
  Execution execution;
  execution.groups.push_back({Group{3, 1}, {Interval{{copy}}, Interval{}}});
  const Collector collector = recorded(program, execution);
  REQUIRE(text(collector.execution) == text(execution));
  REQUIRE(collector.chunks.size() == 4); // two full ones, the barrier, the group's end
  REQUIRE(collector.chunks[0].accesses == Recorder::kAccessCapacity);
  REQUIRE(collector.chunks[2].end == ChunkEnd::kBarrier);
  REQUIRE(collector.chunks[2].accesses == 5);
}

TEST_CASE("a barrier and the end of a group hand on what there is, and nothing twice",
          "[recorder]") {
  const Program program = oneBlockProgram();
  Collector collector;
  Recorder recorder(collector);
  recorder.beginGroup(program, Group{7, 2});
  recorder.beginRun(0);
  recorder.access(accessAt(0));
  recorder.blockExecuted(kBlock);
  recorder.endRun(RunEnd::kBarrier);
  REQUIRE(collector.chunks.empty());
  recorder.barrier();
  REQUIRE(collector.chunks.size() == 1);
  REQUIRE(collector.chunks[0].end == ChunkEnd::kBarrier);
  REQUIRE(collector.chunks[0].events == 1);
  recorder.endGroup();
  REQUIRE(collector.chunks.size() == 2);
  REQUIRE(collector.chunks[1].end == ChunkEnd::kGroupEnd);
  REQUIRE(collector.chunks[1].events == 0);
  REQUIRE(collector.chunks[1].runs == 0);
  REQUIRE(collector.execution.groups.at(0).group.linearId == 7);
}

TEST_CASE("Work-items that go on from a meeting begin an interval") {
  const Program program = oneBlockProgram();
  Collector collector;
  Recorder recorder(collector);
  recorder.beginGroup(program, Group{0, 3});
  const auto run = [&](uint32_t item, RunEnd end) {
    recorder.beginRun(item);
    recorder.access(accessAt(item));
    recorder.blockExecuted(kBlock);
    recorder.endRun(end);
  };
  for (uint32_t item = 0; item < 3; ++item)
    run(item, RunEnd::kMeeting);
  run(1, RunEnd::kFinished); // not behind item 2
  run(2, RunEnd::kBarrier);
  run(0, RunEnd::kBarrier);
  recorder.barrier();
  run(0, RunEnd::kFinished); // the first that may run
  recorder.endGroup();
  REQUIRE(collector.chunks.size() == 4);
  const ChunkEnd ends[] = {ChunkEnd::kMeeting, ChunkEnd::kMeeting, ChunkEnd::kBarrier,
                           ChunkEnd::kGroupEnd};
  const size_t runs[] = {3, 2, 1, 1};
  for (size_t i = 0; i < 4; ++i) {
    CHECK(collector.chunks[i].end == ends[i]);
    CHECK(collector.chunks[i].runs == runs[i]);
  }
}

TEST_CASE("an aborted run keeps the block it was in and that block's accesses", "[recorder]") {
  const Program program = oneBlockProgram();
  Collector collector;
  Recorder recorder(collector);
  recorder.beginGroup(program, Group{0, 1});
  recorder.beginRun(0);
  recorder.access(accessAt(4));
  recorder.blockExecuted(kBlock);
  recorder.access(accessAt(8));
  recorder.abortRun(kBlock, 1);
  recorder.endGroup();
  const std::vector<Step> &steps = collector.execution.groups[0].intervals[0].stretches[0].steps;
  REQUIRE(steps.size() == 2);
  REQUIRE(steps[0].accesses.at(0).address == 4);
  REQUIRE_FALSE(steps[1].complete);
  REQUIRE(steps[1].operations == 1);
  REQUIRE(steps[1].accesses.at(0).address == 8);
}

TEST_CASE("a run can be given up before anything, behind a full buffer, between blocks",
          "[recorder]") {
  const Program program = oneBlockProgram();
  const size_t blocks = GENERATE(size_t{0}, size_t{1}, Recorder::kEventCapacity);
  Execution execution;
  execution.groups.push_back(longTrace(blocks, 1));
  execution.groups[0].intervals[0].stretches[0].end = RunEnd::kAborted;
  requireUnchanged(program, execution);
  execution.groups[0].intervals[0].stretches[0].steps.push_back({kBlock, 1, false, {accessAt(99)}});
  requireUnchanged(program, execution);
}

TEST_CASE("pending accesses are those of the block being executed", "[recorder]") {
  const Program program = oneBlockProgram();
  Collector collector;
  Recorder recorder(collector);
  recorder.beginGroup(program, Group{0, 2});
  recorder.beginRun(0);
  REQUIRE(recorder.inRun());
  REQUIRE(recorder.pendingAccesses().empty());
  recorder.access(accessAt(1));
  recorder.access(accessAt(2));
  REQUIRE(recorder.pendingAccesses().size() == 2);
  recorder.blockExecuted(kBlock);
  REQUIRE(recorder.pendingAccesses().empty());
  recorder.endRun(RunEnd::kFinished);
  REQUIRE_FALSE(recorder.inRun());
  // Neither those of the block before nor those of the work-item before.
  recorder.beginRun(1);
  recorder.access(accessAt(3));
  REQUIRE(recorder.pendingAccesses().size() == 1);
  REQUIRE(recorder.pendingAccesses()[0].address == 3);
  // An engine may say only now which operation it was.
  recorder.pendingAccesses()[0].opOffset = 1;
  // Nor, behind a full buffer, those that were handed on.
  for (size_t i = 0; i < Recorder::kEventCapacity; ++i)
    recorder.blockExecuted(kBlock);
  recorder.access(accessAt(4));
  REQUIRE(recorder.pendingAccesses().back().address == 4);
  recorder.blockExecuted(kBlock);
  recorder.endRun(RunEnd::kFinished);
  recorder.endGroup();
  const auto &stretches = collector.execution.groups[0].intervals[0].stretches;
  REQUIRE(stretches.at(1).steps.at(0).accesses.at(0).opOffset == 1);
}

TEST_CASE("a recorder goes from group to group", "[recorder]") {
  const Program program = oneBlockProgram();
  Execution execution;
  for (uint64_t id : {5, 0, 3}) {
    execution.groups.push_back(longTrace(id * 1000, 2));
    execution.groups.back().group.linearId = id;
  }
  requireUnchanged(program, execution);
}
