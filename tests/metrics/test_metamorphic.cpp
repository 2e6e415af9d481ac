/// What must happen to the metrics when a trace is changed in a way whose effect is known, whatever
/// the trace was.
#include "profile/reuse.h"
#include "support/random_trace.h"
#include "twins.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

using namespace aiwc;
using namespace aiwc::test;
using profile::KernelProfile;
using profile::Metric;

namespace {

constexpr uint64_t kSize = 8;
constexpr uint64_t kSeeds = 150;

struct Sample {
  RandomProgram source;
  Execution execution;
};

Sample sampleOf(uint64_t seed) {
  Random random(seed);
  const TraceShape shape = randomShape(random);
  Sample sample{randomProgram(random, shape), {}};
  sample.execution = randomExecution(random, sample.source, shape);
  return sample;
}

KernelProfile analyse(const Sample &sample) {
  return test::analyse(sample.source.program, sample.execution, kSize);
}

/// Calls `change` with every access of the execution.
template <typename Change> void forEachAccess(Execution &execution, Change change) {
  for (GroupTrace &group : execution.groups)
    for (Interval &interval : group.intervals)
      for (Stretch &stretch : interval.stretches) {
        for (trace::Access &access : stretch.groupAccesses)
          change(access);
        for (Step &step : stretch.steps)
          for (trace::Access &access : step.accesses)
            change(access);
      }
}

Metric skippedLsb(int k) {
  return static_cast<Metric>(static_cast<int>(Metric::kLocalMemoryAddressEntropy1) + k - 1);
}

/// Equal, or close enough for reals whose sums ran in another order.
void requireSame(const KernelProfile &a, const KernelProfile &b, Metric metric) {
  INFO(profile::info(metric).key);
  REQUIRE(a[metric].index() == b[metric].index());
  if (a[metric].index() != 0)
    REQUIRE(a.real(metric) == Approx(b.real(metric)).epsilon(1e-12));
}

} // namespace

TEST_CASE("executing every work-group twice doubles counts and keeps shares", "[metamorphic]") {
  const std::vector<Metric> doubled = {Metric::kTotalInstructionCount,
                                       Metric::kFpAdd,
                                       Metric::kFpMul,
                                       Metric::kFpDiv,
                                       Metric::kFpSpecial,
                                       Metric::kFpOps,
                                       Metric::kFpOpsF16,
                                       Metric::kFpOpsF32,
                                       Metric::kFpOpsF64,
                                       Metric::kIntOps,
                                       Metric::kWorkItems,
                                       Metric::kWorkGroups,
                                       Metric::kBarriersHit,
                                       Metric::kSimdOperandSum,
                                       Metric::kTotalReads,
                                       Metric::kTotalWrites,
                                       Metric::kPrivateAccesses,
                                       Metric::kBytesReadGlobal,
                                       Metric::kBytesReadLocal,
                                       Metric::kBytesReadConstant,
                                       Metric::kBytesWrittenGlobal,
                                       Metric::kBytesWrittenLocal,
                                       Metric::kBytesWrittenConstant,
                                       Metric::kAsapFpParallelism,
                                       Metric::kAsapParallelism};
  const std::vector<Metric> halved = {Metric::kGranularity, Metric::kRereadRatio,
                                      Metric::kRewriteRatio};
  std::map<Metric, double> factor;
  for (const Metric metric : tracedMetrics())
    factor[metric] = 1;
  for (const Metric metric : doubled)
    factor[metric] = 2;
  for (const Metric metric : halved)
    factor[metric] = 0.5;
  factor.erase(Metric::kAtomicContentionMax); // doubles in global memory alone
  factor.erase(Metric::kSyncPoints);          // sequential code executed twice is an NDRange

  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    CAPTURE(seed);
    Sample sample = sampleOf(seed);
    const KernelProfile once = analyse(sample);
    const std::vector<GroupTrace> groups = sample.execution.groups;
    for (const GroupTrace &group : groups)
      sample.execution.groups.push_back(group);
    const KernelProfile twice = analyse(sample);
    for (const auto &[metric, times] : factor) {
      INFO(profile::info(metric).key);
      REQUIRE(once[metric].index() == twice[metric].index());
      if (once[metric].index() != 0)
        REQUIRE(twice.real(metric) == Approx(times * once.real(metric)).epsilon(1e-12));
    }
    REQUIRE(twice.count(Metric::kAtomicContentionMax) >= once.count(Metric::kAtomicContentionMax));
    REQUIRE(twice.count(Metric::kAtomicContentionMax) <=
            2 * once.count(Metric::kAtomicContentionMax));
    // Every histogram of occurrences doubles, either in how many there are of a kind ...
    for (auto &[length, items] : twice.histograms.instructionsPerThread)
      REQUIRE(items % 2 == 0);
    // ... or in how often the same thing occurred.
    REQUIRE(twice.histograms.addressAccesses.size() == once.histograms.addressAccesses.size());
    for (size_t i = 0; i < once.histograms.addressAccesses.size(); ++i) {
      const auto [accesses, addresses] = once.histograms.addressAccesses[i];
      REQUIRE(twice.histograms.addressAccesses[i] == std::pair{2 * accesses, addresses});
    }
  }
}

TEST_CASE("the order of work-groups changes no bit", "[metamorphic]") {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    CAPTURE(seed);
    Sample sample = sampleOf(seed);
    const KernelProfile before = analyse(sample);
    Random(seed).shuffle(sample.execution.groups);
    REQUIRE(differentBits(before, analyse(sample)) == "");
  }
}

TEST_CASE("renaming buffers changes nothing", "[metamorphic]") {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    CAPTURE(seed);
    Sample sample = sampleOf(seed);
    const KernelProfile before = analyse(sample);
    // Multiplication by an odd number permutes the 16-bit buffer numbers.
    forEachAccess(sample.execution, [](trace::Access &access) {
      const auto number = static_cast<uint16_t>(access.address >> 48);
      const uint64_t offset = access.address << 16 >> 16;
      access.address = uint64_t{static_cast<uint16_t>(number * 40503u)} << 48 | offset;
    });
    const KernelProfile after = analyse(sample);
    for (const Metric metric : tracedMetrics())
      requireSame(before, after, metric);
  }
}

TEST_CASE("moving every buffer by 1024 bytes changes nothing", "[metamorphic]") {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    CAPTURE(seed);
    Sample sample = sampleOf(seed);
    const KernelProfile before = analyse(sample);
    forEachAccess(sample.execution, [](trace::Access &access) { access.address += 1024; });
    const KernelProfile after = analyse(sample);
    for (const Metric metric : tracedMetrics())
      requireSame(before, after, metric);
  }
}

TEST_CASE("reads and writes are told apart and counted alike", "[metamorphic]") {
  const std::vector<std::pair<Metric, Metric>> swapped = {
      {Metric::kUniqueReads, Metric::kUniqueWrites},
      {Metric::kTotalReads, Metric::kTotalWrites},
      {Metric::kRereadRatio, Metric::kRewriteRatio},
      {Metric::kBytesReadGlobal, Metric::kBytesWrittenGlobal},
      {Metric::kBytesReadLocal, Metric::kBytesWrittenLocal},
      {Metric::kBytesReadConstant, Metric::kBytesWrittenConstant}};
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    CAPTURE(seed);
    Sample sample = sampleOf(seed);
    const KernelProfile before = analyse(sample);
    forEachAccess(sample.execution, [](trace::Access &access) { access.write = !access.write; });
    const KernelProfile after = analyse(sample);
    for (const auto &[reading, writing] : swapped) {
      REQUIRE(before[reading] == after[writing]);
      REQUIRE(before[writing] == after[reading]);
    }
    for (const Metric metric : {Metric::kMemoryFootprint, Metric::kMemoryFootprint90,
                                Metric::kFootprintBytes, Metric::kPrivateAccesses,
                                Metric::kGlobalMemoryAddressEntropy, skippedLsb(1), skippedLsb(10)})
      requireSame(before, after, metric);
  }
}

TEST_CASE("what bounds what, in every trace", "[metamorphic]") {
  for (uint64_t seed = 1; seed <= 4 * kSeeds; ++seed) {
    CAPTURE(seed);
    const KernelProfile p = analyse(sampleOf(seed));
    const auto count = [&](Metric metric) { return p.count(metric); };
    const auto real = [&](Metric metric) { return p.real(metric); };

    // Skipping a bit joins addresses, and joining cannot raise the entropy.
    REQUIRE(real(skippedLsb(1)) <= real(Metric::kGlobalMemoryAddressEntropy) + 1e-12);
    for (int k = 2; k <= 10; ++k)
      REQUIRE(real(skippedLsb(k)) <= real(skippedLsb(k - 1)) + 1e-12);
    REQUIRE(count(Metric::kMemoryFootprint90) <= count(Metric::kMemoryFootprint));
    REQUIRE(count(Metric::kMemoryFootprint) <=
            count(Metric::kUniqueReads) + count(Metric::kUniqueWrites));
    REQUIRE(count(Metric::kUniqueReads) <= count(Metric::kTotalReads));
    if (count(Metric::kMemoryFootprint) > 0)
      REQUIRE(real(Metric::kGlobalMemoryAddressEntropy) <=
              std::log2(static_cast<double>(count(Metric::kMemoryFootprint))) + 1e-12);

    for (const Metric entropy : {Metric::kYokotaBranchEntropy, Metric::kLinearBranchEntropy}) {
      REQUIRE(real(entropy) >= 0);
      REQUIRE(real(entropy) <= 1);
    }
    REQUIRE(count(Metric::kUniqueBranches90) <= count(Metric::kUniqueBranches));
    REQUIRE(count(Metric::kFpOps) ==
            count(Metric::kFpOpsF16) + count(Metric::kFpOpsF32) + count(Metric::kFpOpsF64));
    REQUIRE(real(Metric::kInstructionMixFactor) >= 0.5);
    REQUIRE(real(Metric::kInstructionMixFactor) <= 1);

    // Every floating-point operation stands at one level, and every level has one. A multiply-add
    // is two operations and one instruction.
    uint64_t levels = 0, operations = 0;
    for (const auto &[width, times] : p.histograms.asapFpLevels) {
      REQUIRE(width > 0);
      levels += times;
      operations += width * times;
    }
    REQUIRE(levels == count(Metric::kAsapFpDepth));
    REQUIRE(operations == count(Metric::kFpOps));
    REQUIRE(count(Metric::kAsapFpDepth) <= 2 * count(Metric::kAsapDepth));
    REQUIRE(count(Metric::kAsapDepth) <= count(Metric::kTotalInstructionCount));
    // Wider lane groups have more lanes that wait; skipping a bit joins addresses.
    const auto falls = [&](Metric first, size_t count, double most) {
      for (size_t i = 1; i < count; ++i) {
        const auto narrower = static_cast<Metric>(static_cast<size_t>(first) + i - 1);
        const auto wider = static_cast<Metric>(static_cast<size_t>(first) + i);
        REQUIRE(p[wider].index() == p[narrower].index());
        if (p[wider].index() != 0) {
          REQUIRE(real(wider) <= real(narrower) + 1e-12);
          REQUIRE(real(wider) >= 0);
          REQUIRE(real(narrower) <= most + 1e-12);
        }
      }
    };
    falls(Metric::kLaneUtilization8, 4, 1);
    falls(Metric::kLaneUtilizationFp8, 4, 1);
    // These groups have up to 10 work-items, whatever they say they were launched with.
    falls(Metric::kParallelSpatialLocality0, 11, std::log2(10) / std::log2(kSize));
    for (const Metric metric :
         {Metric::kCoalescing16, Metric::kCoalescing32, Metric::kCoalescing64})
      if (p[metric].index() != 0) {
        REQUIRE(real(metric) > 0);
        REQUIRE(real(metric) <= 1);
      }

    // Every barrier, and the end of every work-item, closes one segment; barrier calls are the
    // only instructions in none.
    uint64_t segments = 0, inSegments = 0;
    for (const auto &[length, times] : p.histograms.instructionsToBarrier) {
      segments += times;
      inSegments += length * times;
    }
    REQUIRE(segments == count(Metric::kBarriersHit) + count(Metric::kWorkItems));
    REQUIRE(inSegments + count(Metric::kBarriersHit) == count(Metric::kTotalInstructionCount));
    if (count(Metric::kWorkItems) > 0) {
      REQUIRE(real(Metric::kItbMin) <= real(Metric::kItbMedian));
      REQUIRE(real(Metric::kItbMedian) <= real(Metric::kItbMax));
      REQUIRE(real(Metric::kIptMin) <= real(Metric::kIptMedian));
      REQUIRE(real(Metric::kItbMax) <= real(Metric::kIptMax));
    }
  }
}

TEST_CASE("what source lines miss and leave idle is what the whole misses and leaves idle",
          "[metamorphic]") {
  const std::array<uint64_t profile::LineRow::*, 4> idleLanes = {
      &profile::LineRow::idleLanes8, &profile::LineRow::idleLanes16, &profile::LineRow::idleLanes32,
      &profile::LineRow::idleLanes64};
  uint64_t several = 0, far = 0;
  for (uint64_t seed = 1; seed <= 4 * kSeeds; ++seed) {
    CAPTURE(seed);
    const KernelProfile p = analyse(sampleOf(seed));
    const std::vector<profile::LineRow> &rows = p.histograms.lines;
    const auto missesOfRows = [&](uint64_t lines) {
      uint64_t sum = 0;
      for (const profile::LineRow &row : rows)
        sum += slowAccesses(p, row, 64 * lines);
      return sum;
    };
    // Below 64 lines and at the begin of a bin: eight of them for each doubling.
    for (const uint64_t lines : {0, 1, 2, 3, 8, 31, 63, 64, 72, 120, 128, 144, 1024, 1 << 20})
      REQUIRE(missesOfRows(lines) == profile::slowAccesses(p, 64 * lines));
    for (const uint64_t lines : {65, 71, 100, 130, 250}) {
      REQUIRE(missesOfRows(lines) >= profile::slowAccesses(p, 64 * lines));
      REQUIRE(missesOfRows(lines) <= profile::slowAccesses(p, 64 * lines) + rows.size());
    }
    for (size_t i = 0; i < idleLanes.size(); ++i) {
      uint64_t done = 0, idle = 0;
      for (const profile::LineRow &row : rows) {
        done += row.instructions;
        idle += row.*idleLanes[i];
      }
      REQUIRE(done == p.count(Metric::kTotalInstructionCount));
      const auto metric = static_cast<Metric>(static_cast<size_t>(Metric::kLaneUtilization8) + i);
      if (done > 0)
        REQUIRE(p.real(metric) == static_cast<double>(done) / static_cast<double>(done + idle));
    }
    several += static_cast<uint64_t>(std::ranges::count_if(
                   rows, [](const auto &row) { return !row.reuseDistances.empty(); })) > 1;
    far += !p.histograms.reuseDistances.empty() && p.histograms.reuseDistances.back().first >= 4;
  }
  CHECK(several > 100); // else this said nothing
  CHECK(far > 100);
}
