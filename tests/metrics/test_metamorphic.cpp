/// Metamorphic tests: a random trace is changed in a way whose effect on the metrics is known.
#include "profile/reuse.h"
#include "reference_comparison.h"
#include "support/random_trace.h"

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

Metric skippedLsb(uint32_t k) {
  return kVectorMetric<"local_memory_address_entropy">.of(k);
}

/// Whether the values are equal; reals may differ as much as a different order of summation allows.
void requireSame(const KernelProfile &a, const KernelProfile &b, Metric metric) {
  INFO(profile::info(metric).key);
  REQUIRE(a[metric].index() == b[metric].index());
  if (a[metric].index() != 0)
    REQUIRE(a.real(metric) == Approx(b.real(metric)).epsilon(1e-12));
}

} // namespace

TEST_CASE("executing every work-group twice doubles counts and keeps shares", "[metamorphic]") {
  const std::vector<Metric> doubled = {"total_instruction_count"_metric,
                                       "machine_instruction_count"_metric,
                                       "fp_add"_metric,
                                       "fp_mul"_metric,
                                       "fp_div"_metric,
                                       "fp_special"_metric,
                                       "fp_div_f64"_metric,
                                       "fp_special_instructions"_metric,
                                       "fp_special_instructions_f64"_metric,
                                       "fp_ops"_metric,
                                       "fp_ops_f16"_metric,
                                       "fp_ops_f32"_metric,
                                       "fp_ops_f64"_metric,
                                       "int_ops"_metric,
                                       "int_ops_64"_metric,
                                       "int_mul"_metric,
                                       "int_mul_64"_metric,
                                       "joined_accesses"_metric,
                                       "chained_loads"_metric,
                                       "load_rounds"_metric,
                                       "int_div_uniform"_metric,
                                       "fp_conversions"_metric,
                                       "matrix_ops"_metric,
                                       "matrix_ops_f16"_metric,
                                       "matrix_ops_tf32"_metric,
                                       "matrix_ops_i8"_metric,
                                       "matrix_ops_f64"_metric,
                                       "work_items"_metric,
                                       "work_groups"_metric,
                                       "barriers_hit"_metric,
                                       "simd_operand_sum"_metric,
                                       "total_reads"_metric,
                                       "total_writes"_metric,
                                       "private_accesses"_metric,
                                       "bytes_read_global"_metric,
                                       "bytes_read_local"_metric,
                                       "bytes_read_constant"_metric,
                                       "bytes_written_global"_metric,
                                       "bytes_written_local"_metric,
                                       "bytes_written_constant"_metric,
                                       "asap_fp_parallelism"_metric,
                                       "asap_parallelism"_metric};
  const std::vector<Metric> halved = {"granularity"_metric, "reread_ratio"_metric,
                                      "rewrite_ratio"_metric};
  std::map<Metric, double> factor;
  for (const Metric metric : tracedMetrics())
    factor[metric] = 1;
  for (const Metric metric : doubled)
    factor[metric] = 2;
  for (const Metric metric : halved)
    factor[metric] = 0.5;
  factor.erase("atomic_line_contention_max"_metric);
  factor.erase("atomic_contention_max"_metric); // doubles in global memory alone
  factor.erase("sync_points"_metric);           // sequential code executed twice is an NDRange

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
    REQUIRE(twice.count("atomic_contention_max"_metric) >=
            once.count("atomic_contention_max"_metric));
    REQUIRE(twice.count("atomic_contention_max"_metric) <=
            2 * once.count("atomic_contention_max"_metric));
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
      {"unique_reads"_metric, "unique_writes"_metric},
      {"total_reads"_metric, "total_writes"_metric},
      {"reread_ratio"_metric, "rewrite_ratio"_metric},
      {"bytes_read_global"_metric, "bytes_written_global"_metric},
      {"bytes_read_local"_metric, "bytes_written_local"_metric},
      {"bytes_read_constant"_metric, "bytes_written_constant"_metric}};
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
    for (const Metric metric :
         {"memory_footprint"_metric, "memory_footprint_90"_metric, "footprint_bytes"_metric,
          "private_accesses"_metric, "global_memory_address_entropy"_metric, skippedLsb(1),
          skippedLsb(10)})
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
    REQUIRE(real(skippedLsb(1)) <= real("global_memory_address_entropy"_metric) + 1e-12);
    for (int k = 2; k <= 10; ++k)
      REQUIRE(real(skippedLsb(k)) <= real(skippedLsb(k - 1)) + 1e-12);
    REQUIRE(count("memory_footprint_90"_metric) <= count("memory_footprint"_metric));
    REQUIRE(count("memory_footprint"_metric) <=
            count("unique_reads"_metric) + count("unique_writes"_metric));
    REQUIRE(count("unique_reads"_metric) <= count("total_reads"_metric));
    if (count("memory_footprint"_metric) > 0)
      REQUIRE(real("global_memory_address_entropy"_metric) <=
              std::log2(static_cast<double>(count("memory_footprint"_metric))) + 1e-12);

    for (const Metric entropy : {"yokota_branch_entropy"_metric, "linear_branch_entropy"_metric}) {
      REQUIRE(real(entropy) >= 0);
      REQUIRE(real(entropy) <= 1);
    }
    REQUIRE(count("unique_branches_90"_metric) <= count("unique_branches"_metric));
    REQUIRE(count("fp_ops"_metric) ==
            count("fp_ops_f16"_metric) + count("fp_ops_f32"_metric) + count("fp_ops_f64"_metric));
    REQUIRE(real("instruction_mix_factor"_metric) >= 0.5);
    REQUIRE(real("instruction_mix_factor"_metric) <= 1);

    // Every floating-point operation stands at one level, and every level has one. A multiply-add
    // is two operations and one instruction.
    uint64_t levels = 0, operations = 0;
    for (const auto &[width, times] : p.histograms.asapFpLevels) {
      REQUIRE(width > 0);
      levels += times;
      operations += width * times;
    }
    REQUIRE(levels == count("asap_fp_depth"_metric));
    REQUIRE(operations == count("fp_ops"_metric));
    REQUIRE(count("asap_fp_depth"_metric) <= 2 * count("asap_depth"_metric));
    REQUIRE(count("asap_depth"_metric) <= count("total_instruction_count"_metric));
    // Wider lane groups have more lanes that wait; skipping a bit joins addresses.
    const auto falls = [&](const profile::MetricVector &metrics, double most) {
      for (size_t i = 1; i < metrics.size(); ++i) {
        const Metric narrower = metrics[i - 1];
        const Metric wider = metrics[i];
        REQUIRE(p[wider].index() == p[narrower].index());
        if (p[wider].index() != 0) {
          REQUIRE(real(wider) <= real(narrower) + 1e-12);
          REQUIRE(real(wider) >= 0);
          REQUIRE(real(narrower) <= most + 1e-12);
        }
      }
    };
    falls(kVectorMetric<"lane_utilization">, 1);
    falls(kVectorMetric<"lane_utilization_fp">, 1);
    // These groups have up to 10 work-items, whatever they say they were launched with.
    falls(kVectorMetric<"parallel_spatial_locality">, std::log2(10) / std::log2(kSize));
    for (const Metric metric :
         {"coalescing_16"_metric, "coalescing_32"_metric, "coalescing_64"_metric})
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
    REQUIRE(segments == count("barriers_hit"_metric) + count("work_items"_metric));
    REQUIRE(inSegments + count("barriers_hit"_metric) == count("total_instruction_count"_metric));
    if (count("work_items"_metric) > 0) {
      REQUIRE(real("itb_min"_metric) <= real("itb_median"_metric));
      REQUIRE(real("itb_median"_metric) <= real("itb_max"_metric));
      REQUIRE(real("ipt_min"_metric) <= real("ipt_median"_metric));
      REQUIRE(real("itb_max"_metric) <= real("ipt_max"_metric));
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
        sum += cacheMisses(p, row, 64 * lines);
      return sum;
    };
    // Below 64 lines and at the begin of a bin: eight of them for each doubling.
    for (const uint64_t lines : {0, 1, 2, 3, 8, 31, 63, 64, 72, 120, 128, 144, 1024, 1 << 20})
      REQUIRE(missesOfRows(lines) == profile::cacheMisses(p, 64 * lines));
    for (const uint64_t lines : {65, 71, 100, 130, 250}) {
      REQUIRE(missesOfRows(lines) >= profile::cacheMisses(p, 64 * lines));
      REQUIRE(missesOfRows(lines) <= profile::cacheMisses(p, 64 * lines) + rows.size());
    }
    for (size_t i = 0; i < idleLanes.size(); ++i) {
      uint64_t done = 0, idle = 0;
      for (const profile::LineRow &row : rows) {
        done += row.instructions;
        idle += row.*idleLanes[i];
      }
      REQUIRE(done == p.count("total_instruction_count"_metric));
      const Metric metric = kVectorMetric<"lane_utilization">[i];
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
