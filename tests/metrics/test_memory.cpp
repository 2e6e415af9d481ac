/// The bytes that analyses hold: those of a sample of work-groups, which are many, share what they
/// need while a group runs.
#include "metrics/reference_comparison.h"
#include "metrics/reuse_distance/reuse_order.h"
#include "metrics/sampled_groups/sampled_analyses.h"
#include "support/plain_trace.h"
#include "support/program_builder.h"

#include <malloc.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

namespace {

std::atomic<size_t> held = 0; ///< bytes

} // namespace

void *operator new(size_t size) {
  void *memory = std::malloc(size ? size : 1);
  if (!memory)
    throw std::bad_alloc();
  held += malloc_usable_size(memory);
  return memory;
}
void operator delete(void *memory) noexcept {
  held -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void *memory, size_t) noexcept {
  operator delete(memory);
}

namespace {

using namespace aiwc;
using namespace aiwc::metrics;
using namespace aiwc::test;
using trace::AddressSpace;
using trace::BlockEnd;
using trace::BlockId;

constexpr uint32_t kItems = 64;
constexpr uint32_t kLoads = 1000; ///< of a work-item, each at an address of its own

/// A loop with a load and a branch, over block 1 or not.
trace::Program loop() {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block(
      {builder.op("load", {.memory = trace::MemoryKind::kLoad, .space = AddressSpace::kGlobal}),
       builder.op("br")},
      BlockEnd::kBranch, {BlockId{0}, BlockId{1}});
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{0}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  return builder.build();
}

/// Each work-item takes a way of its own, the same in each group.
GroupTrace group(uint64_t linearId) {
  Random random(7);
  GroupTrace trace{{linearId, kItems}, {{}}};
  for (uint32_t item = 0; item < kItems; ++item) {
    Stretch stretch{item, trace::RunEnd::kFinished, {}, {}};
    for (uint32_t k = 0; k < kLoads; ++k) {
      trace::Access access;
      access.address = (uint64_t{1} << 48) + 4 * random.below(4096);
      access.size = 4;
      access.space = static_cast<uint32_t>(AddressSpace::kGlobal) & 3;
      stretch.steps.push_back({BlockId{0}, 2, true, {access}});
      if (random.below(2) == 0)
        stretch.steps.push_back({BlockId{1}, 1, true, {}});
    }
    trace.intervals[0].stretches.push_back(stretch);
  }
  return trace;
}

/// The bytes that the analyses of a sample hold after each of its groups.
std::vector<size_t> bytesHeld(const trace::Program &program, uint64_t groups) {
  const auto sample = std::make_shared<const GroupSample>(1000, groups);
  std::vector<std::shared_ptr<ReuseOrder>> orders{
      std::make_shared<ReuseOrder>(program, ReuseOrder::Runs::kApart)};
  const size_t before = held;
  SampledAnalyses analyses(program, {}, orders, sample);
  trace::Recorder recorder(analyses);
  std::vector<size_t> bytes;
  for (const uint64_t id : sample->linearIds()) {
    play(program, group(id), recorder);
    bytes.push_back(held - before);
  }
  return bytes;
}

} // namespace

TEST_CASE("the parts of a sample share what a group needs while it runs", "[sampling]") {
  const trace::Program program = loop();
  const std::vector<size_t> bytes = bytesHeld(program, SampledAnalyses::kParts);
  REQUIRE(bytes.size() == SampledAnalyses::kParts);
  // Of the accesses of a group alone, coalescing keeps 16 bytes each. What is left of a group, such
  // as how often each of 2^17 histories of the branch occurred, is 8 bytes for each history.
  const size_t whileOneRuns = size_t{16} * kItems * kLoads;
  const size_t tables = size_t{8} << 17;
  CHECK(bytes.front() > whileOneRuns);
  CHECK(bytes.back() - bytes.front() < (SampledAnalyses::kParts - 1) * (tables + whileOneRuns / 4));
}
