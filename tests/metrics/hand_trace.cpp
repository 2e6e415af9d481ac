#include "hand_trace.h"

#include "reference_comparison.h"

#include <catch2/catch.hpp>

namespace aiwc::test {

using namespace trace;

HandTrace &HandTrace::group(uint32_t items) {
  execution_.groups.push_back({Group{execution_.groups.size(), items}, {Interval{}}});
  return *this;
}

HandTrace &HandTrace::item(uint32_t item) {
  execution_.groups.back().intervals.back().stretches.push_back({item, RunEnd::kFinished, {}, {}});
  return *this;
}

HandTrace &HandTrace::block(uint32_t block, const std::vector<Access> &accesses, uint64_t times) {
  const Block &of = program_.block(BlockId{block});
  Stretch &stretch = current();
  stretch.steps.insert(stretch.steps.end(), times,
                       Step{BlockId{block}, of.opCount, true, accesses});
  stretch.end = of.end == BlockEnd::kBarrier ? RunEnd::kBarrier : RunEnd::kFinished;
  return *this;
}

HandTrace &HandTrace::blocks(const std::vector<uint32_t> &blocks) {
  for (const uint32_t id : blocks)
    block(id);
  return *this;
}

HandTrace &HandTrace::groupCopies(const std::vector<Access> &accesses) {
  item(Run::kWorkGroup);
  current().groupAccesses = accesses;
  return *this;
}

HandTrace &HandTrace::barrier() {
  execution_.groups.back().intervals.emplace_back();
  return *this;
}

HandTrace &HandTrace::abort(uint32_t block, uint32_t operations,
                            const std::vector<Access> &accesses) {
  current().steps.push_back({BlockId{block}, operations, false, accesses});
  current().end = RunEnd::kAborted;
  return *this;
}

Access read(AddressSpace space, uint64_t buffer, uint64_t offset, uint32_t size) {
  Access access;
  access.address = buffer << 48 | offset;
  access.size = size;
  access.space = static_cast<uint32_t>(space) & 3;
  return access;
}

Access write(AddressSpace space, uint64_t buffer, uint64_t offset, uint32_t size) {
  Access access = read(space, buffer, offset, size);
  access.write = 1;
  return access;
}

profile::KernelProfile measure(const HandTrace &trace, uint64_t workGroupSize) {
  const profile::KernelProfile profile = analyse(trace.program(), trace.execution(), workGroupSize);
  REQUIRE(differences(bruteForce(trace.program(), trace.execution(), workGroupSize), profile) ==
          "");
  return profile;
}

profile::KernelProfile measureOnce(ProgramBuilder &builder,
                                   const std::vector<Operation> &operations) {
  builder.function("kernel");
  builder.block(operations, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(1).item(0).block(0);
  return measure(trace);
}

Program loadingProgram(MemoryKind kind) {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block(
      {builder.op("load", {.memory = kind, .space = AddressSpace::kGlobal}), builder.op("br")},
      BlockEnd::kBranch, {BlockId{0}, BlockId{1}});
  builder.block({builder.op("call")}, BlockEnd::kBarrier);
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{0}});
  return builder.build();
}

profile::KernelProfile loadOnce(uint32_t items, const std::function<uint64_t(uint64_t)> &offset,
                                uint32_t size) {
  const Program program = loadingProgram();
  HandTrace trace(program);
  trace.group(items);
  for (uint32_t item = 0; item < items; ++item)
    trace.item(item).block(0, {read(AddressSpace::kGlobal, 1, offset(item), size)});
  return measure(trace, items);
}

} // namespace aiwc::test
