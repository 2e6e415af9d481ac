/// Parallel spatial locality of traces whose values follow from the definitions with pen and paper.
#include "metrics/hand_trace.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::test;
using profile::KernelProfile;
using trace::AddressSpace;
using trace::Program;

namespace {

constexpr auto kGlobal = AddressSpace::kGlobal;
constexpr auto kLocal = AddressSpace::kLocal;

double psl(const KernelProfile &profile, uint32_t skipped) {
  return profile.real(kVectorMetric<"parallel_spatial_locality">.of(skipped));
}

} // namespace

TEST_CASE("PSL of unit stride falls by a bit per skipped bit from the third on", "[psl]") {
  for (const int bits : {1, 4, 8}) {
    const KernelProfile profile = loadOnce(1u << bits, [](uint64_t i) { return 4 * i; });
    for (int skipped = 0; skipped <= 10; ++skipped)
      REQUIRE(psl(profile, static_cast<uint32_t>(skipped)) ==
              Approx(std::max(0.0, bits - std::max(0.0, skipped - 2.0)) / bits));
  }
}

TEST_CASE("PSL of work-items that read the same is 0, of far ones 1", "[psl]") {
  for (uint32_t skipped = 0; skipped <= 10; ++skipped) {
    REQUIRE(psl(loadOnce(64, [](uint64_t) { return 8; }), skipped) == 0);
    REQUIRE(psl(loadOnce(64, [](uint64_t i) { return 4096 * i; }), skipped) == 1);
    REQUIRE(psl(loadOnce(1, [](uint64_t) { return 8; }), skipped) == 0);
  }
}

TEST_CASE("PSL pairs the k-th accesses, whatever the instruction, until the barrier", "[psl]") {
  const Program program = loadingProgram();
  HandTrace trace(program);
  trace.group(2);
  trace.item(0).block(0, {read(kGlobal, 1, 0)}).block(0, {read(kGlobal, 1, 4096)}).block(1);
  trace.item(1).block(0, {read(kGlobal, 1, 0)}).block(1);
  trace.barrier();
  trace.item(0).block(2).block(0, {read(kGlobal, 1, 0)});
  trace.item(1).block(2).block(0, {read(kLocal, 1, 0)});
  // Two agree, one is alone, two differ in the address space: 2 of 5 participants have 1 bit each.
  REQUIRE(psl(measure(trace, 2), 0) == Approx(2.0 / 5));
}
