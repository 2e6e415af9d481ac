// --aiwc-sample-groups: some work-groups are characterised, all run, and what the profile says of
// the launch is what the whole of it would have said, within the errors that it states.

#include "kernels/reference.h"
#include "profile/reuse.h"
#include "profile/sampling.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::Estimate;
using aiwc::profile::KernelProfile;
using aiwc::profile::Metric;
namespace fs = std::filesystem;

namespace {

Simulation sampled(const fs::path &file, uint64_t groups, bool compiled = false) {
  SimulationOptions options;
  options.compiled = compiled;
  options.environment.emplace_back("AIWC_SAMPLE_GROUPS", std::to_string(groups));
  Simulation run = runSimulation(file, options);
  INFO(file << " " << run.errors);
  REQUIRE(run.status == 0);
  REQUIRE(run.profiles.size() == 1);
  return run;
}

fs::path varying() {
  return fs::path(AIWC_TEST_ENGINE_KERNELS) / "sampling.sim";
}

} // namespace

TEST_CASE("as many groups as there are, or more, are no sample", "[sampling]") {
  for (const char *name : {"saxpy", "matmul_local", "histogram_global", "serial_dot"}) {
    INFO(name);
    const Simulation &all = referenceRun(name);
    const uint64_t groups = referenceProfile(name).count("work_groups"_metric);
    for (const uint64_t asked : {groups, groups + 1, uint64_t{1} << 63}) {
      const Simulation run = sampled(simulationFile(name), asked);
      CHECK(run.profiles.front().json == all.profiles.front().json);
    }
  }
}

TEST_CASE("kernels compute the same where a part of their groups is characterised", "[sampling]") {
  for (const std::string &name : referenceKernels()) {
    if (referenceProfile(name).count("work_groups"_metric) < 2)
      continue;
    INFO(name);
    const Simulation run = sampled(simulationFile(name), 1);
    CHECK(run.output == referenceRun(name).output);
    const KernelProfile &profile = run.profiles.front().profile;
    CHECK(profile.complete);
    CHECK(profile.provenance.sampledGroups == 1);
    CHECK(profile.provenance.totalGroups == profile.count("work_groups"_metric));
    for (const Metric metric : {"work_items"_metric, "work_groups"_metric, "granularity"_metric,
                                "sync_points"_metric, "work_group_size"_metric})
      CHECK(profile[metric] == referenceProfile(name)[metric]);
    // One group does not tell how they differ.
    CHECK(std::isnan(profile.standardError("total_instruction_count"_metric)));
  }
}

TEST_CASE("of uniform groups a part tells everything that adds up, exactly", "[sampling]") {
  const KernelProfile &exact = referenceProfile("saxpy");
  for (const uint64_t groups : {2, 3}) {
    const Simulation run = sampled(simulationFile("saxpy"), groups);
    const KernelProfile &profile = run.profiles.front().profile;
    for (const aiwc::profile::MetricInfo &row : aiwc::profile::catalogue()) {
      INFO(row.key << " of " << groups);
      const Estimate kind = row.estimate;
      if (kind == Estimate::kTotal || kind == Estimate::kMean) {
        CHECK(profile[row.metric] == exact[row.metric]);
        // The work-items are known. Of what they do, two or three groups that are equal leave open
        // whether the others do any of it.
        const bool isKnown = kind == Estimate::kMean || row.metric == "work_items"_metric ||
                             row.metric == "work_groups"_metric;
        const double others = 1 - static_cast<double>(groups) / exact.real("work_groups"_metric);
        if (!std::isnan(exact.real(row.metric)))
          CHECK(profile.standardError(row.metric) ==
                Approx(isKnown ? 0 : others * exact.real(row.metric) / 2));
      } else if (kind == Estimate::kLowerBound) {
        CHECK(profile.count(row.metric) <= exact.count(row.metric));
      } else if (kind == Estimate::kUpperBound) {
        CHECK(profile.real(row.metric) >= exact.real(row.metric) * (1 - 1e-12));
      }
    }
    for (const Metric metric : {"asap_parallelism"_metric, "asap_fp_parallelism"_metric})
      CHECK(profile.real(metric) == Approx(exact.real(metric))); // the work of all, as deep as one
    CHECK(profile.histograms.opcodes == exact.histograms.opcodes);
    CHECK(profile.histograms.simdWidths == exact.histograms.simdWidths);
    CHECK(profile.histograms.instructionsPerThread == exact.histograms.instructionsPerThread);
    CHECK(profile.histograms.asapFpLevels == exact.histograms.asapFpLevels);
    // Every group has lines of its own.
    CHECK(profile.histograms.reuseDistances == exact.histograms.reuseDistances);
    CHECK(profile.reuse.coldAccesses == exact.reuse.coldAccesses);
  }
}

TEST_CASE("of groups that differ, sums are within their stated errors", "[sampling]") {
  const Simulation all = runSimulation(varying());
  REQUIRE(all.profiles.size() == 1);
  const KernelProfile &exact = all.profiles.front().profile;
  int within = 0, compared = 0;
  for (const uint64_t groups : {8, 12, 24, 48, 95}) {
    const Simulation run = sampled(varying(), groups);
    CHECK(run.output == all.output);
    const KernelProfile &profile = run.profiles.front().profile;
    for (const aiwc::profile::MetricInfo &row : aiwc::profile::catalogue()) {
      INFO(row.key << " of " << groups << ": " << profile.real(row.metric) << " +- "
                   << profile.standardError(row.metric) << ", exactly " << exact.real(row.metric));
      const Estimate kind = row.estimate;
      if (kind == Estimate::kTotal) {
        const double off = std::abs(profile.real(row.metric) - exact.real(row.metric));
        within += off <= 2 * profile.standardError(row.metric) + 0.5; // rounding
        ++compared;
        CHECK(off <= 5 * profile.standardError(row.metric) + 0.5);
      } else if (kind == Estimate::kLowerBound) {
        CHECK((std::isnan(exact.real(row.metric)) ||
               profile.real(row.metric) <= exact.real(row.metric)));
      } else if (kind == Estimate::kUpperBound) {
        CHECK((std::isnan(exact.real(row.metric)) ||
               profile.real(row.metric) >= exact.real(row.metric)));
      }
    }
    // They say something of what most groups do.
    CHECK(profile.standardError("fp_ops"_metric) <= 0.2 * exact.real("fp_ops"_metric));
    CHECK(profile.count("ipt_min"_metric) >= exact.count("ipt_min"_metric));
    // The input is shared by all groups: first accesses are not those of the sample, scaled.
    CHECK(profile.reuse.coldAccesses <= 2 * exact.reuse.coldAccesses);
    const double accesses = static_cast<double>(aiwc::profile::lineAccesses(exact));
    CHECK(static_cast<double>(aiwc::profile::lineAccesses(profile)) ==
          Approx(accesses).epsilon(0.3));
  }
  CHECK(within >= 0.85 * compared);
}

TEST_CASE("a sampled launch that the simulator gives up is not complete", "[sampling]") {
  const fs::path folder = fs::path(AIWC_TEST_ENGINE_KERNELS);
  SimulationOptions options;
  options.environment.emplace_back("AIWC_SAMPLE_GROUPS", "1");
  const Simulation all = runSimulation(folder / "faults_diverging.sim");
  const Simulation run = runSimulation(folder / "faults_diverging.sim", options);
  REQUIRE(all.profiles.size() == 1);
  REQUIRE(run.profiles.size() == 1);
  CHECK(run.profiles.front().profile.complete == all.profiles.front().profile.complete);
  CHECK(run.profiles.front().profile.reason == all.profiles.front().profile.reason);
  CHECK(run.status == all.status);
  CHECK(run.output == all.output);
}
