/// Compares the implementation with its brute-force reference on random traces, for any split into
/// chunks and any distribution of work-groups to threads.
#include "reference_comparison.h"
#include "support/cases.h"
#include "support/random_trace.h"

#include <catch2/catch.hpp>
#include <deque>
#include <set>

using namespace aiwc;
using namespace aiwc::test;
using profile::KernelProfile;
using profile::Metric;

namespace {

struct Sample {
  explicit Sample(uint64_t seed) : random(seed), shape(randomShape(random)) { make(); }
  Sample(uint64_t seed, const TraceShape &fixed) : random(seed), shape(fixed) { make(); }

  const trace::Program &program() const { return source.program; }

  Random random;
  TraceShape shape;
  RandomProgram source;
  Execution execution;

private:
  void make() {
    source = randomProgram(random, shape);
    execution = randomExecution(random, source, shape);
  }
};

/// Plays the groups in random order to `sets` AnalysisSets, with random chunk boundaries, and
/// merges the sets in random order.
KernelProfile dealt(Sample &sample, uint64_t sets, uint64_t meanChunk) {
  std::deque<metrics::AnalysisSet> analyses;
  std::vector<CuttingRecorder> recorders;
  for (uint64_t i = 0; i < sets; ++i)
    analyses.emplace_back(sample.program());
  for (metrics::AnalysisSet &analysis : analyses)
    recorders.emplace_back(analysis, sample.random, meanChunk);
  std::vector<const GroupTrace *> order;
  for (const GroupTrace &group : sample.execution.groups)
    order.push_back(&group);
  sample.random.shuffle(order);
  for (const GroupTrace *group : order)
    play(sample.program(), *group, recorders[sample.random.below(sets)]);

  // Any two of them, until one is left.
  std::vector<metrics::AnalysisSet *> left;
  for (metrics::AnalysisSet &analysis : analyses)
    left.push_back(&analysis);
  while (left.size() > 1) {
    sample.random.shuffle(left);
    left[left.size() - 2]->merge(*left.back());
    left.pop_back();
  }
  return finish(*left.front(), sample.shape.itemsPerGroup);
}

void requireReferenceAgrees(Sample &sample) {
  const uint64_t size = sample.shape.itemsPerGroup;
  const KernelProfile fast = analyse(sample.program(), sample.execution, size);
  REQUIRE(differences(bruteForce(sample.program(), sample.execution, size), fast) == "");
  for (const uint64_t sets : {1, 2, 4})
    REQUIRE(differentBits(fast, dealt(sample, sets, sample.random.between(1, 40))) == "");
}

} // namespace

TEST_CASE("small random traces: the implementation equals its brute-force reference", "[random]") {
  for (uint64_t seed = 1; seed <= cases(5000); ++seed) {
    CAPTURE(seed);
    Sample sample(seed);
    requireReferenceAgrees(sample);
  }
}

TEST_CASE("large random traces: the implementation equals its brute-force reference", "[random]") {
  TraceShape shape;
  shape.groups = 24;
  shape.itemsPerGroup = 64;
  shape.stepsPerItem = 150;
  shape.blocksPerFunction = 10;
  const auto barriers = GENERATE(Barriers::kNone, Barriers::kConvergent, Barriers::kDivergent);
  shape.barriers = barriers;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed, static_cast<int>(barriers));
    shape.abortedGroups = seed == 4;
    shape.echoes = seed % 2 == 0 ? 90 : 0;
    Sample sample(seed, shape);
    requireReferenceAgrees(sample);
  }
}

TEST_CASE("sequential random traces: loops and what they carry", "[random]") {
  TraceShape shape;
  shape.groups = 1;
  shape.itemsPerGroup = 1;
  uint64_t carried = 0, free = 0, withSyncPoints = 0;
  for (uint64_t seed = 1; seed <= cases(1500); ++seed) {
    CAPTURE(seed);
    shape.stepsPerItem = 20 + seed % 200;
    shape.blocksPerFunction = 4 + static_cast<uint32_t>(seed % 9);
    shape.abortedGroups = seed % 4 == 0;
    shape.barriers = seed % 3 == 0 ? Barriers::kConvergent : Barriers::kNone;
    Sample sample(seed, shape);
    requireReferenceAgrees(sample);
    const KernelProfile profile = analyse(sample.program(), sample.execution, 1);
    for (const profile::LoopRow &row : profile.histograms.loops)
      ++(row.carriesDependence.value() ? carried : free);
    withSyncPoints += profile.count("sync_points"_metric) > 1;
  }
  CHECK(carried > cases(50));
  CHECK(free > cases(100));
  CHECK(withSyncPoints > cases(20) / 2); // in few cases, there is at least one
}

TEST_CASE("random traces reach everything that a trace can tell", "[random]") {
  // Without this, the tests above might agree about nothing.
  std::map<Metric, uint64_t> positive, withValue;
  uint64_t aborted = 0, abortedInBlock = 0, groupAccesses = 0, idleGroups = 0, remainders = 0;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    const Sample sample(seed);
    const BruteForce reference =
        bruteForce(sample.program(), sample.execution, sample.shape.itemsPerGroup);
    for (const auto &[metric, value] : reference.values) {
      withValue[metric] += value.index() != 0;
      positive[metric] += profile::toDouble(value) > 0;
    }
    for (const GroupTrace &group : sample.execution.groups) {
      idleGroups += group.intervals[0].stretches.empty();
      remainders += group.group.items < sample.execution.groups[0].group.items;
      for (const Interval &interval : group.intervals)
        for (const Stretch &stretch : interval.stretches) {
          aborted += stretch.end == trace::RunEnd::kAborted;
          abortedInBlock += !stretch.steps.empty() && !stretch.steps.back().complete;
          groupAccesses += stretch.groupAccesses.size();
        }
    }
  }
  // Neighbours do alike in test_random_lanes.cpp.
  const std::set<Metric> rare = {"bytes_written_constant"_metric,
                                 "uniform_accesses"_metric,
                                 "consecutive_accesses"_metric,
                                 "joined_accesses"_metric,
                                 "chained_loads"_metric,
                                 "fp_div_f64"_metric,
                                 "fp_special_instructions_f64"_metric};
  for (const Metric metric : tracedMetrics()) {
    CAPTURE(profile::info(metric).key);
    const bool ofAtomics =
        metric == "atomic_contention_max"_metric || metric == "atomic_line_contention_max"_metric;
    CHECK(withValue[metric] > (ofAtomics ? 50 : 100));
    CHECK(positive[metric] > (rare.contains(metric) ? 15 : 50));
  }
  CHECK(aborted > 50);
  CHECK(abortedInBlock > 30);
  CHECK(groupAccesses > 300);
  CHECK(idleGroups > 5);
  CHECK(remainders > 50);
}
