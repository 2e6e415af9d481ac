/// Atomics on one address of traces whose values follow from the definitions with pen and paper.
#include "metrics/hand_trace.h"

#include <catch2/catch.hpp>
#include <functional>
#include <vector>

using namespace aiwc;
using namespace aiwc::test;
using trace::Access;
using trace::AddressSpace;
using trace::MemoryKind;
using trace::Program;

namespace {

constexpr auto kGlobal = AddressSpace::kGlobal;
constexpr auto kLocal = AddressSpace::kLocal;

} // namespace

TEST_CASE("atomics of all groups meet on global memory, of one group on local", "[atomics]") {
  const Program program = loadingProgram(MemoryKind::kAtomic);
  const auto increment = [](AddressSpace space, uint64_t offset) {
    std::vector<Access> accesses = {read(space, 1, offset), write(space, 1, offset)};
    accesses[0].atomic = accesses[1].atomic = 1;
    return accesses;
  };
  const auto contention = [&](AddressSpace space, uint64_t (*offset)(uint64_t)) {
    HandTrace trace(program);
    for (uint64_t group = 0; group < 3; ++group) {
      trace.group(4);
      for (uint32_t item = 0; item < 4; ++item)
        trace.item(item).block(0, increment(space, offset(4 * group + item)), 2);
    }
    const auto profile = measure(trace, 4);
    return std::pair(profile.count("atomic_contention_max"_metric),
                     profile.count("atomic_line_contention_max"_metric));
  };
  using Both = std::pair<uint64_t, uint64_t>;
  const auto one = [](uint64_t) { return uint64_t{8}; };
  const auto halves = [](uint64_t item) { return 4 * (item % 2); };
  const auto own = [](uint64_t item) { return 4 * item; };
  const auto ofLines = [](uint64_t item) { return item < 5 ? 4 * item : 128 + 4 * item; };
  REQUIRE(contention(kGlobal, one) == Both(24, 24));
  REQUIRE(contention(kGlobal, halves) == Both(12, 24));
  REQUIRE(contention(kGlobal, own) == Both(2, 24));
  REQUIRE(contention(kGlobal, ofLines) == Both(2, 14));
  REQUIRE(contention(kLocal, one) == Both(8, 8));
  REQUIRE(contention(kLocal, halves) == Both(4, 4));
}

TEST_CASE("32 neighbours take one turn where a compiler makes one atomic of theirs", "[atomics]") {
  Program program = loadingProgram(MemoryKind::kAtomic);
  program.operations[0].joinsLanes = true;
  const auto turns = [&](const std::function<uint64_t(uint32_t)> &times, AddressSpace space,
                         bool barrier = false) {
    std::vector<Access> accesses = {read(space, 1, 0), write(space, 1, 0)};
    accesses[0].atomic = accesses[1].atomic = 1;
    HandTrace trace(program);
    for (int group = 0; group < 2; ++group) {
      trace.group(80);
      for (uint32_t item = 0; item < 80; ++item) {
        trace.item(item).block(0, accesses, times(item));
        if (barrier)
          trace.blocks({1});
      }
      if (!barrier)
        continue;
      trace.barrier();
      for (uint32_t item = 0; item < 80; ++item)
        trace.item(item).blocks({2}).block(0, accesses, times(item));
    }
    return measure(trace, 80).count("atomic_line_contention_max"_metric);
  };
  CHECK(turns([](uint32_t) { return 1; }, kGlobal) == 2 * 3);
  CHECK(turns([](uint32_t) { return 1; }, kLocal) == 3);
  CHECK(turns([](uint32_t item) { return item == 70 ? 5 : 1; }, kLocal) == 1 + 1 + 5);
  CHECK(turns([](uint32_t item) { return item < 32 ? 0 : item % 2; }, kLocal) == 2);
  CHECK(turns([](uint32_t) { return 1; }, kLocal, true) == 2 * 3);
}

TEST_CASE("a compare-exchange that fails contends, too; a plain access does not", "[atomics]") {
  const Program program = loadingProgram(MemoryKind::kAtomic);
  Access failed = read(kGlobal, 1, 0);
  failed.atomic = 1;
  HandTrace trace(program);
  trace.group(1).item(0).block(0, {failed}, 3).block(0, {write(kGlobal, 1, 0)}, 5);
  REQUIRE(measure(trace).count("atomic_contention_max"_metric) == 3);
  HandTrace plain(program);
  plain.group(1).item(0).block(0, {read(kGlobal, 1, 0), write(kGlobal, 1, 0)}, 5);
  REQUIRE(measure(plain)["atomic_contention_max"_metric].index() == 0);
}
