// Kinds of groups by the steps of their addresses, of traces written by hand.
#include "metrics/sampled_groups/step_census.h"

#include <catch2/catch.hpp>
#include <functional>
#include <set>
#include <vector>

using namespace aiwc;
using aiwc::metrics::StepCensus;

namespace {

/// A block with two loads, both of which are executed by each of the 8 work-items of a group.
trace::Program twoLoads() {
  trace::Program program;
  for (int i = 0; i < 2; ++i) {
    trace::Operation load;
    load.memory = trace::MemoryKind::kLoad;
    load.space = trace::AddressSpace::kGlobal;
    program.operations.push_back(load);
  }
  trace::Block block;
  block.function = trace::FunctionId{0};
  block.firstOp = trace::OpId{0};
  block.opCount = 2;
  program.blocks.push_back(block);
  program.functions.push_back({"k", trace::BlockId{0}, {}});
  program.opcodeNames = {"load"};
  program.finalize();
  return program;
}

constexpr uint32_t kItems = 8;
/// The address of a load (0 or 1) of a work-item of a group.
using Addresses = std::function<uint64_t(uint64_t group, uint32_t item, uint32_t load)>;

/// `cut`: each work-item is in a chunk of its own.
void read(StepCensus &census, const trace::Program &program, uint64_t groups,
          const Addresses &addresses, bool cut = false) {
  StepCensus::Reader reader(census);
  for (uint64_t group = 0; group < groups; ++group) {
    reader.beginGroup(program, {group, kItems});
    std::vector<trace::BlockEvent> events;
    std::vector<trace::Access> accesses;
    std::vector<trace::Run> runs;
    const auto give = [&] {
      reader.consume({program, events, accesses, runs, trace::ChunkEnd::kFull});
      events.clear();
      accesses.clear();
      runs.clear();
    };
    for (uint32_t item = 0; item < kItems; ++item) {
      trace::Run run;
      run.item = item;
      run.end = trace::RunEnd::kFinished;
      run.eventBegin = static_cast<uint32_t>(events.size());
      run.accessBegin = static_cast<uint32_t>(accesses.size());
      for (uint32_t load = 0; load < 2; ++load) {
        trace::Access access;
        access.address = addresses(group, item, load);
        access.size = 4;
        access.opOffset = load & 1;
        accesses.push_back(access);
      }
      events.push_back({trace::BlockId{0}, static_cast<uint32_t>(accesses.size())});
      run.eventEnd = static_cast<uint32_t>(events.size());
      run.accessEnd = static_cast<uint32_t>(accesses.size());
      runs.push_back(run);
      if (cut)
        give();
    }
    give();
    reader.endGroup();
  }
}

size_t kindsOf(const StepCensus &census) {
  const std::vector<uint64_t> kinds = census.kinds();
  return std::set<uint64_t>(kinds.begin(), kinds.end()).size();
}

} // namespace

TEST_CASE("Groups that step alike are of one kind, wherever they are", "[sampling]") {
  const trace::Program program = twoLoads();
  for (const bool cut : {false, true}) {
    StepCensus census({true, true}, 100);
    read(
        census, program, 100,
        [](uint64_t group, uint32_t item, uint32_t load) {
          return 1000 * load + group * group * 64 + uint64_t{item} * 4;
        },
        cut);
    CHECK(census.isComplete());
    CHECK(kindsOf(census) == 1);
    CHECK(census.kinds().size() == 100);
  }
}

TEST_CASE(
    "A group with other steps is of another kind, in each of the work-items that are looked at",
    "[sampling]") {
  const trace::Program program = twoLoads();
  for (const uint32_t at : {0U, 1U, 4U, 5U, 6U, 7U}) {
    INFO(at);
    StepCensus census({false, true}, 100);
    read(census, program, 100, [&](uint64_t group, uint32_t item, uint32_t load) {
      return uint64_t{item} * 4 + (group == 37 && item == at && load == 1 ? 256 : 0);
    });
    CHECK(kindsOf(census) == 2);
    const std::vector<uint64_t> kinds = census.kinds();
    CHECK(kinds[37] != kinds[36]);
    CHECK(kinds[38] == kinds[36]);
  }
  // What is not looked at makes no kinds.
  StepCensus census({false, true}, 100);
  read(census, program, 100, [&](uint64_t group, uint32_t item, uint32_t load) {
    return uint64_t{item} * 4 * (load == 0 ? group : 1);
  });
  CHECK(kindsOf(census) == 1);
}

TEST_CASE("An operation of more than 8 kinds of groups is left out", "[sampling]") {
  const trace::Program program = twoLoads();
  for (const uint64_t kinds : {8, 9}) {
    StepCensus census({true, true}, 100);
    read(census, program, 100, [&](uint64_t group, uint32_t item, uint32_t load) {
      return uint64_t{item} * 4 * (load == 0 ? 1 + group % kinds : group == 5 ? 2 : 1);
    });
    CHECK(census.isComplete() == (kinds == 8));
    CHECK_FALSE(census.isUseless());
    // Of the first load 8 kinds, and that of group 5; or the two of the second load.
    CHECK(kindsOf(census) == (kinds == 8 ? 9 : 2));
  }
  StepCensus census({true, false}, 100);
  read(census, program, 100,
       [](uint64_t group, uint32_t item, uint32_t) { return uint64_t{item} * 4 * group; });
  CHECK(census.isUseless());
  CHECK(census.kinds().empty());
}
