/// Profiles of sampled work-groups: the selection of groups, the formulas of docs/metrics.md, their
/// accuracy for known populations, and the independence of the result from the distribution of
/// groups to threads.
#include "metrics/reference_comparison.h"
#include "metrics/reuse_distance/lru_stack.h"
#include "metrics/reuse_distance/reuse_order.h"
#include "metrics/sampled_groups/atomic_sharing.h"
#include "metrics/sampled_groups/launch_estimate.h"
#include "metrics/sampled_groups/line_clusters.h"
#include "metrics/sampled_groups/sampled_analyses.h"
#include "profile/level_widths.h"
#include "profile/reuse.h"
#include "profile/sampling.h"
#include "support/random_trace.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <functional>
#include <numeric>
#include <set>

using namespace aiwc;
using namespace aiwc::metrics;
using namespace aiwc::test;
using profile::Estimate;
using profile::KernelProfile;
using profile::Metric;

namespace {

using Population = std::vector<GroupCount>;

/// The sample's estimate of the population's count: the ratio estimate and its standard error.
struct Estimated {
  double total = 0, error = 0;
};

Estimated estimated(const Population &population, uint64_t sampled) {
  const GroupSample sample(population.size(), sampled);
  SampledShare share{sampled, population.size()};
  for (const GroupCount &group : population)
    share.totalItems += group.items;
  Population seen;
  uint64_t count = 0;
  for (const uint64_t id : sample.linearIds()) {
    seen.push_back(population[id]);
    count += population[id].count;
    share.items += population[id].items;
  }
  return {static_cast<double>(count) * static_cast<double>(share.totalItems) /
              static_cast<double>(share.items),
          standardErrorOfTotal(seen, share)};
}

double totalOf(const Population &population) {
  double total = 0;
  for (const GroupCount &group : population)
    total += static_cast<double>(group.count);
  return total;
}

Population populationOf(uint64_t groups, const std::function<uint64_t(uint64_t)> &count) {
  Population population;
  for (uint64_t i = 0; i < groups; ++i)
    population.push_back({count(i), 64});
  return population;
}

/// A random kernel, and an execution of at least `groups` work-groups.
struct Launch {
  Launch(uint64_t seed, uint64_t groups) : random(seed) {
    shape.groups = 40;
    shape.itemsPerGroup = 8;
    do {
      source = randomProgram(random, shape);
      execution = randomExecution(random, source, shape);
    } while (execution.groups.size() < groups);
    for (const GroupTrace &group : execution.groups)
      items += group.group.items;
  }
  const trace::Program &program() const { return source.program; }
  uint64_t groups() const { return execution.groups.size(); }

  Random random;
  TraceShape shape;
  RandomProgram source;
  Execution execution;
  uint64_t items = 0;
};

/// The groups of a sample are apart.
std::shared_ptr<ReuseOrder> orderOf(const trace::Program &program) {
  return std::make_shared<ReuseOrder>(program, ReuseOrder::Runs::kApart);
}

KernelProfile finished(SampledAnalyses &analyses, uint64_t workGroupSize) {
  KernelProfile profile;
  profile.provenance.localSize = {workGroupSize, 1, 1};
  profile.provenance.globalSize = {1U << 20, 1, 1};
  analyses.finish(profile);
  return profile;
}

} // namespace

TEST_CASE("a sample takes one group of each of as many equal strata", "[sampling]") {
  for (const auto &[groups, sampled] :
       {std::pair<uint64_t, uint64_t>{2, 1}, {10, 9}, {100, 7}, {4096, 64}, {12345, 1000}}) {
    CAPTURE(groups, sampled);
    const GroupSample sample(groups, sampled);
    REQUIRE(sample.size() == sampled);
    CHECK(sample.groups() == groups);
    std::vector<uint64_t> taken, left;
    for (uint64_t id = 0; id < groups; ++id)
      (sample.rankOf(id) ? taken : left).push_back(id);
    CHECK(!sample.rankOf(groups));
    REQUIRE(taken.size() == sampled);
    for (uint64_t i = 0; i < sampled; ++i) {
      CHECK(sample.linearIds()[i] == taken[i]);
      CHECK(sample.rankOf(taken[i]) == i);
    }
    // Where more than half are taken, the others are one of each stratum.
    const std::vector<uint64_t> &chosen = 2 * sampled <= groups ? taken : left;
    for (uint64_t i = 0; i < chosen.size(); ++i) {
      CHECK((chosen[i] + 1) * chosen.size() > i * groups);
      CHECK(chosen[i] * chosen.size() < (i + 1) * groups);
    }
  }
}

TEST_CASE("strata are sampled each for itself", "[sampling]") {
  GroupSample::Stratum even{{}, 10}, odd{{}, 3};
  for (uint64_t id = 0; id < 40; ++id)
    (id % 2 == 0 ? even : odd).groups.push_back(id);
  const GroupSample sample({40, 1, 1}, {even, odd});
  CHECK(sample.groups() == 40);
  CHECK(sample.size() == 13);
  uint64_t counts[2] = {0, 0};
  for (const uint64_t id : sample.linearIds()) {
    CHECK(sample.placeOf(id)->stratum == id % 2);
    ++counts[id % 2];
  }
  CHECK(counts[0] == 10);
  CHECK(counts[1] == 3);
}

TEST_CASE("corners are the groups at both ends of every dimension", "[sampling]") {
  CHECK(cornersOf({1, 1, 1}) == std::vector<uint64_t>{0});
  CHECK(cornersOf({10, 1, 1}) == std::vector<uint64_t>{0, 9});
  CHECK(cornersOf({4, 3, 1}) == std::vector<uint64_t>{0, 3, 8, 11});
  CHECK(cornersOf({2, 2, 2}).size() == 8);
  CHECK(sampleOf({100, 1, 1}, 100) == nullptr);
  CHECK(sampleOf({100, 1, 1}, 0) == nullptr);
  const auto sample = sampleOf({100, 1, 1}, 4);
  CHECK(sample->size() == 4);
  CHECK(sample->strata() == 1);
}

TEST_CASE("a group is at an edge if it is the first or the last in a dimension", "[sampling]") {
  const auto inside = [](const GroupCounts &groups) {
    uint64_t count = 0;
    for (uint64_t id = 0; id < groups[0] * groups[1] * groups[2]; ++id)
      count += isAtEdge(id, groups) ? 0 : 1;
    return count;
  };
  CHECK(inside({1, 1, 1}) == 1);
  CHECK(inside({10, 1, 1}) == 8);
  CHECK(inside({5, 4, 1}) == 3 * 2);
  CHECK(inside({5, 1, 4}) == 3 * 2);
  CHECK(inside({5, 4, 6}) == 3 * 2 * 4);
  CHECK(inside({5, 2, 6}) == 0);
  CHECK(isAtEdge(5, {5, 4, 1}));       // (0, 1)
  CHECK_FALSE(isAtEdge(6, {5, 4, 1})); // (1, 1)
  CHECK(isAtEdge(9, {5, 4, 1}));       // (4, 1)
}

TEST_CASE("a sample does not keep to a column of the NDRange", "[sampling]") {
  // Strata as long as a row, the usual case: the middle of each would be the same column.
  const GroupSample sample(64 * 64, 64);
  std::set<uint64_t> columns, eighths;
  for (const uint64_t id : sample.linearIds()) {
    columns.insert(id % 64);
    eighths.insert(id % 64 / 8);
  }
  CHECK(columns.size() >= 48);
  CHECK(eighths.size() == 8);
}

TEST_CASE("the standard error of a total is its definition", "[sampling]") {
  // Counts 3, 5, 4 of 2, 4, 2 work-items, 3 of 12 groups with 8 of 40: ratio 12 / 8, residuals 0,
  // -1, 1; differences -1 and 2.
  const Population groups = {{3, 2}, {5, 4}, {4, 2}};
  const SampledShare share{3, 12, 8, 40};
  const double expected = 40.0 / 8 * std::sqrt((1 - 3.0 / 12) * 3 / (2 * 2) * (1 + 4));
  CHECK(standardErrorOfTotal(groups, share) == Approx(expected));
  CHECK(std::isnan(standardErrorOfTotal(Population{{3, 2}}, share)));
}

TEST_CASE("the standard error of a mean is its definition", "[sampling]") {
  // Mean 4, squared deviations 4 + 0 + 4 of three parts; one without a value.
  const std::vector<double> parts = {2, 4, NAN, 6};
  const SampledShare share{3, 4, 1, 1};
  CHECK(standardErrorOfMean(parts, share) == Approx(std::sqrt(0.25 * 8 / (3 * 2))));
  CHECK(standardErrorOfMean(std::vector<double>{0.1, 0.1, 0.1}, share) == 0);
  CHECK(std::isnan(standardErrorOfMean(std::vector<double>{1, NAN}, share)));
}

TEST_CASE("work that is the same for each work-item is known exactly", "[sampling]") {
  Population population = populationOf(1001, [](uint64_t) { return 64 * 17; });
  population.back() = {17 * 3, 3}; // a remainder group
  for (const uint64_t sampled : {2, 3, 10, 64, 999, 1000}) {
    const Estimated estimate = estimated(population, sampled);
    CHECK(estimate.total == Approx(totalOf(population)).epsilon(1e-12));
    CHECK(estimate.error == 0);
  }
}

TEST_CASE("totals are within a few of their standard errors", "[sampling]") {
  Random random(7);
  std::vector<uint64_t> noise;
  for (int i = 0; i < 4096; ++i)
    noise.push_back(random.below(1000));
  const std::vector<std::pair<const char *, std::function<uint64_t(uint64_t)>>> kinds = {
      {"a triangle", [](uint64_t i) { return 100 + 3 * i; }},
      {"noise", [&](uint64_t i) { return noise[i]; }},
      {"two columns of 64", [](uint64_t i) { return i % 64 == 0 || i % 64 == 63 ? 900 : 100; }},
      {"a triangle in every row", [](uint64_t i) { return 50 + i % 64 * 10; }},
      {"odd and even", [](uint64_t i) { return i % 2 ? 1000 : 1; }},
      {"a heavy half", [](uint64_t i) { return i < 2048 ? 1 : 5000; }},
  };
  for (const auto &[name, count] : kinds) {
    const Population population = populationOf(4096, count);
    const double exact = totalOf(population);
    uint64_t within2 = 0, within4 = 0, runs = 0;
    // Of fewer, too many samples have none of the groups in two columns.
    for (uint64_t sampled = 64; sampled <= 1024; sampled += 7, ++runs) {
      const Estimated estimate = estimated(population, sampled);
      const double off = std::abs(estimate.total - exact);
      within2 += off <= 2 * estimate.error;
      within4 += off <= 4 * estimate.error;
      CHECK(estimate.error < 0.8 * exact); // it says something
    }
    INFO(name << ": " << within2 << " and " << within4 << " of " << runs);
    CHECK(static_cast<double>(within2) >= 0.9 * static_cast<double>(runs));
    CHECK(static_cast<double>(within4) >= 0.97 * static_cast<double>(runs));
  }
}

TEST_CASE("a sample is analysed as a launch of its groups alone, whoever sees which",
          "[sampling]") {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    Launch launch(seed, 12);
    const trace::Program &program = launch.program();
    const Execution &execution = launch.execution;
    const uint64_t size = launch.shape.itemsPerGroup;
    const auto sample = std::make_shared<const GroupSample>(launch.groups(), 2 + seed);

    Execution alone;
    for (const GroupTrace &group : execution.groups)
      if (const auto rank = sample->rankOf(group.group.linearId)) {
        alone.groups.push_back(group);
        alone.groups.back().group.linearId = *rank;
      }
    KernelProfile expected = analyse(program, alone, size);
    std::vector<KernelProfile> ofEach;
    std::vector<StratumReuse> ofGroups; // reuse within groups only
    for (const GroupTrace &group : alone.groups) {
      ofEach.push_back(analyse(program, {{group}}, size));
      ofGroups.push_back({ofEach.back()});
    }
    addReuse(expected, ofGroups);

    KernelProfile one;
    for (const size_t threads : {1, 3}) {
      const auto order = orderOf(program);
      std::deque<SampledAnalyses> analyses;
      for (size_t i = 0; i < threads; ++i)
        analyses.emplace_back(program, AnalysisOptions{}, std::vector{order}, sample);
      for (const GroupTrace &group : execution.groups)
        if (sample->rankOf(group.group.linearId)) {
          trace::Recorder recorder(analyses[launch.random.below(threads)]);
          play(program, group, recorder);
        }
      for (size_t i = 1; i < threads; ++i)
        analyses[0].merge(analyses[i]);
      KernelProfile profile = finished(analyses[0], size);
      CHECK(differentBits(expected, profile) == "");

      analyses[0].estimate(profile, {launch.items}, {});
      if (threads == 1)
        one = profile;
      CHECK(differentBits(one, profile) == "");
      for (const profile::MetricInfo &row : profile::catalogue()) {
        INFO(row.key);
        const double error = profile.standardError(row.metric);
        const double same = one.standardError(row.metric);
        CHECK((error == same || (std::isnan(error) && std::isnan(same))));
        // An error where there may be one, and nowhere else.
        const Estimate kind = row.estimate;
        const bool may = kind == Estimate::kTotal || kind == Estimate::kMean;
        CHECK((std::isnan(error) || may));
        if (kind == Estimate::kTotal)
          CHECK(!std::isnan(error));
        // Ten groups at most: each is a part of its own.
        if (kind != Estimate::kMean || std::isnan(profile.real(row.metric)))
          continue;
        std::vector<double> values;
        for (const KernelProfile &each : ofEach)
          values.push_back(each.real(row.metric));
        const double ofMean = standardErrorOfMean(values, {sample->size(), launch.groups()});
        if (!std::isnan(error))
          CHECK(error == Approx(ofMean).margin(1e-12));
        if (row.metric == "itb_median"_metric || row.metric == "lane_utilization_32"_metric)
          CHECK(std::isnan(error) == std::isnan(ofMean));
      }
    }
  }
}

TEST_CASE("groups of strata represent as many as their strata have", "[sampling]") {
  // The sample has each group of the first stratum, and of the second one of two that are the same;
  // so the estimate is the launch, but for what depends on the order of groups, and bounds.
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    Launch launch(seed, 6);
    const trace::Program &program = launch.program();
    const uint64_t size = launch.shape.itemsPerGroup;
    GroupSample::Stratum single, twice;
    Execution whole;
    const auto add = [&](const GroupTrace &group, GroupSample::Stratum &to) {
      to.groups.push_back(whole.groups.size());
      whole.groups.push_back(group);
      whole.groups.back().group.linearId = to.groups.back();
    };
    uint64_t items = 0;
    for (size_t i = 0; i < launch.groups(); ++i) {
      const GroupTrace &group = launch.execution.groups[i];
      add(group, i % 3 == 0 ? single : twice);
      items += group.group.items * (i % 3 == 0 ? 1 : 2);
      if (i % 3 != 0)
        add(group, twice);
    }
    single.sampled = single.groups.size();
    twice.sampled = twice.groups.size() / 2;
    const auto sample = std::make_shared<const GroupSample>(GroupCounts{whole.groups.size(), 1, 1},
                                                            std::vector{single, twice});
    // Which of two equal groups is taken does not matter, but one of each pair has to be.
    bool isOneOfEach = true;
    for (size_t i = 0; i + 1 < twice.groups.size(); i += 2)
      isOneOfEach = isOneOfEach && sample->rankOf(twice.groups[i]).has_value() !=
                                       sample->rankOf(twice.groups[i + 1]).has_value();
    REQUIRE(isOneOfEach);
    const KernelProfile exact = analyse(program, whole, size);
    std::vector<std::shared_ptr<ReuseOrder>> orders = {orderOf(program), orderOf(program)};
    SampledAnalyses analyses(program, {}, orders, sample);
    trace::Recorder recorder(analyses);
    for (const GroupTrace &group : whole.groups)
      if (sample->rankOf(group.group.linearId))
        play(program, group, recorder);
    KernelProfile profile = finished(analyses, size);
    analyses.estimate(profile, {items}, {});
    for (const profile::MetricInfo &row : profile::catalogue()) {
      INFO(row.key);
      if (row.estimate == Estimate::kTotal) {
        CHECK(profile[row.metric] == exact[row.metric]);
      } else if (row.estimate == Estimate::kMean && !std::isnan(exact.real(row.metric))) {
        CHECK(profile.real(row.metric) == Approx(exact.real(row.metric)).epsilon(1e-3));
      }
    }
    CHECK(profile.histograms.opcodes == exact.histograms.opcodes);
    CHECK(profile.histograms.instructionsPerThread == exact.histograms.instructionsPerThread);
    CHECK(profile.histograms.instructionsToBarrier == exact.histograms.instructionsToBarrier);
    CHECK(profile.histograms.asapFpLevels == exact.histograms.asapFpLevels);
    CHECK(profile::lineAccesses(profile) == profile::lineAccesses(exact));
  }
}

TEST_CASE("what adds up in a profile adds up in one of sampled groups", "[sampling]") {
  const Launch launch(3, 12);
  const trace::Program &program = launch.program();
  const uint64_t items = launch.items;
  const uint64_t groups = launch.groups();
  const auto sample = std::make_shared<const GroupSample>(groups, (groups + 1) / 2);
  SampledAnalyses analyses(program, {}, {orderOf(program)}, sample);
  trace::Recorder recorder(analyses);
  for (const GroupTrace &group : launch.execution.groups)
    if (sample->rankOf(group.group.linearId))
      play(program, group, recorder);
  KernelProfile profile = finished(analyses, launch.shape.itemsPerGroup);
  const KernelProfile before = profile;
  analyses.estimate(profile, {items}, {});

  CHECK(profile.count("work_items"_metric) == items);
  CHECK(profile.count("work_groups"_metric) == groups);
  CHECK(profile.real("granularity"_metric) == 1.0 / static_cast<double>(items));
  const auto sum = [&](std::initializer_list<Metric> metrics) {
    return std::accumulate(
        metrics.begin(), metrics.end(), uint64_t{0},
        [&](uint64_t all, Metric metric) { return all + profile.count(metric); });
  };
  const uint64_t operations = profile.count("fp_ops"_metric);
  CHECK(operations ==
        sum({"fp_add"_metric, "fp_mul"_metric, "fp_div"_metric, "fp_special"_metric}));
  CHECK(operations == sum({"fp_ops_f16"_metric, "fp_ops_f32"_metric, "fp_ops_f64"_metric}));
  const auto levels = profile::sumsOf(profile.histograms.asapFpLevels);
  REQUIRE(levels);
  CHECK(levels->operations == operations);
  CHECK(levels->levels == profile.count("asap_fp_depth"_metric));
  CHECK(profile.count("asap_fp_depth"_metric) == before.count("asap_fp_depth"_metric));
  const auto counts = [](const profile::Histogram &histogram) {
    uint64_t all = 0;
    for (const auto &[value, count] : histogram)
      all += count;
    return all;
  };
  const uint64_t instructions = profile.count("total_instruction_count"_metric);
  uint64_t ofOpcodes = 0, ofLines = 0;
  for (const auto &[opcode, count] : profile.histograms.opcodes)
    ofOpcodes += count;
  for (const profile::LineRow &row : profile.histograms.lines)
    ofLines += row.instructions;
  CHECK(ofOpcodes == instructions);
  CHECK(ofLines == instructions);
  CHECK(counts(profile.histograms.simdWidths) == instructions);
  CHECK(counts(profile.histograms.instructionsPerThread) == items);
  // Bounds and what is of the sample stay.
  for (const profile::MetricInfo &row : profile::catalogue()) {
    INFO(row.key);
    const Estimate kind = row.estimate;
    const bool hasWorkOfLaunch =
        row.metric == "asap_fp_parallelism"_metric || row.metric == "asap_parallelism"_metric;
    if (kind == Estimate::kLowerBound || (kind == Estimate::kSample && !hasWorkOfLaunch))
      CHECK(profile[row.metric] == before[row.metric]);
  }
  // The work of the launch over the depth of the sample
  CHECK(profile.real("asap_fp_parallelism"_metric) ==
        Approx(static_cast<double>(operations) / profile.real("asap_fp_depth"_metric)));
  CHECK(profile.real("asap_parallelism"_metric) ==
        Approx(before.real("asap_parallelism"_metric) * static_cast<double>(instructions) /
               before.real("total_instruction_count"_metric)));
}

TEST_CASE("a cluster has a group and those before it in x, y and z", "[sampling]") {
  const auto clusterOf = [](const GroupCounts &counts, uint64_t group) {
    GroupSample::Stratum rest = oneStratum(counts, 0);
    std::erase(rest.groups, group);
    rest.sampled = rest.groups.size();
    const GroupSample sample(counts, {{{group}, 1}, rest});
    for (const GroupSample::Cluster &cluster : sample.clusters())
      if (cluster.group == group)
        return cluster.before;
    return std::vector<uint64_t>{group};
  };
  using Groups = std::vector<uint64_t>;
  CHECK(clusterOf({100, 1, 1}, 0) == Groups{});
  CHECK(clusterOf({100, 1, 1}, 50) == Groups{49});
  CHECK(clusterOf({10, 10, 1}, 55) == Groups{54, 46, 45, 44});
  CHECK(clusterOf({10, 10, 1}, 9) == Groups{8, 0});
  CHECK(clusterOf({1, 100, 1}, 50) == Groups{49, 48});
  CHECK(clusterOf({5, 5, 5}, 62) == Groups{61, 58, 57, 56, 37});

  const GroupSample one(1000, 1);
  uint64_t recorded = 0;
  for (uint64_t id = 0; id < 1000; ++id)
    recorded += one.isRecorded(id);
  CHECK(recorded == 1);
  CHECK(one.recorded() == 1);

  // All edges have their share.
  const GroupSample sample({10, 5, 1}, {oneStratum({10, 5, 1}, 4)});
  std::map<unsigned, double> groups, clusters;
  for (const GroupSample::Cluster &cluster : sample.clusters()) {
    CHECK(cluster.stratum == 0);
    groups[cluster.edges] = cluster.groups;
    ++clusters[cluster.edges];
    CHECK(sample.isRecorded(cluster.group));
    for (const uint64_t id : cluster.before)
      CHECK(sample.isRecorded(id));
  }
  uint64_t ofSample = 0;
  for (uint64_t id = 0; id < 50; ++id)
    ofSample += sample.isRecorded(id);
  CHECK(sample.recorded() == ofSample);
  CHECK(sample.recorded() > sample.size());
  CHECK(groups == std::map<unsigned, double>{{0, 36}, {1, 4}, {2, 9}, {3, 1}});
  CHECK(clusters == std::map<unsigned, double>{{0, 8}, {1, 4}, {2, 5}, {3, 1}});

  // Without neighbours, each sampled group is a cluster by itself.
  const auto corners = cornersOf({10, 5, 1});
  GroupSample::Stratum others{{}, 4};
  for (uint64_t id = 0; id < 50; ++id)
    if (!std::ranges::binary_search(corners, id))
      others.groups.push_back(id);
  const GroupSample alone({10, 5, 1}, {{corners, 4}, others}, false);
  CHECK(alone.recorded() == 8);
  REQUIRE(alone.clusters().size() == 8);
  for (const GroupSample::Cluster &cluster : alone.clusters()) {
    CHECK(cluster.before.empty());
    CHECK(cluster.groups == (cluster.stratum == 0 ? 4 : 46));
    CHECK(alone.placeOf(cluster.group)->stratum == cluster.stratum);
  }
}

namespace {

using GroupLines = std::vector<uint64_t>;

/// Has the clusters see the groups of a launch that are recorded: `lines` are those that a group,
/// by its linear id, accesses.
LineClusters clustersOf(const std::shared_ptr<const GroupSample> &sample,
                        const std::function<GroupLines(uint64_t)> &lines) {
  const trace::Program program;
  LineClusters clusters(64, sample);
  for (uint64_t group = 0; group < sample->groups(); ++group) {
    if (!sample->isRecorded(group))
      continue;
    std::vector<trace::Access> accesses;
    for (const uint64_t line : lines(group))
      accesses.push_back({.address = 64 * line,
                          .size = 4,
                          .space = static_cast<uint32_t>(trace::AddressSpace::kGlobal)});
    clusters.beginGroup(group);
    clusters.consume({program, {}, accesses, {}});
    clusters.endGroup();
  }
  return clusters;
}

/// Misses of a cache of so many lines.
uint64_t missesOf(const profile::KernelProfile &profile, uint64_t cacheLines) {
  uint64_t misses = profile.reuse.coldAccesses;
  for (const auto &[distance, accesses] : profile.histograms.reuseDistances)
    if (distance >= cacheLines)
      misses += accesses;
  return misses;
}

/// The reuse of a launch whose groups access each of their lines once.
struct OnceEach {
  OnceEach(const GroupCounts &counts, uint64_t sampled, uint64_t memoryLines,
           const std::function<GroupLines(uint64_t)> &lines) {
    const auto sample = sampleOf(counts, sampled);
    const LineClusters clusters = clustersOf(sample, lines);
    std::map<uint64_t, uint64_t> distances;
    LruStack stack;
    StratumReuse reuse;
    for (uint64_t group = 0; group < sample->groups(); ++group)
      for (const uint64_t line : lines(group)) {
        if (const uint64_t distance = stack.access(line); distance == LruStack::kCold)
          ++exact.reuse.coldAccesses;
        else
          ++distances[distance];
        reuse.profile.reuse.coldAccesses += sample->rankOf(group).has_value();
      }
    exact.histograms.reuseDistances.assign(distances.begin(), distances.end());
    const std::vector<MemoryRange> memory = {{0, 64 * memoryLines}};
    reuse.share = {sampled, sample->groups(), sampled, sample->groups()};
    reuse.lines = clusters.lines(0, memory);
    const LaunchLines launch{
        sample->groups(), sample->groupsOfRow(), sample->groupsOfPlane(), {memoryLines}};
    far = shareOfFarLines({{reuse}}, launch);
    scaleReuse(estimate, {reuse}, launch);
  }
  /// How far off the estimated misses are, relative to the exact ones.
  double errorAt(uint64_t cacheLines) const {
    return static_cast<double>(missesOf(estimate, cacheLines)) /
               static_cast<double>(missesOf(exact, cacheLines)) -
           1;
  }

  KernelProfile exact, estimate;
  double far = 0; ///< shareOfFarLines
};

uint64_t accessesOf(const KernelProfile &profile) {
  return missesOf(profile, 0);
}

} // namespace

TEST_CASE("clusters tell which lines the groups before have accessed", "[sampling]") {
  // Of 5 groups in a row: group 0, which has none before it, and the four others, which are alike.
  const auto sample = std::make_shared<const GroupSample>(5, 2);
  const LineClusters clusters = clustersOf(sample, [](uint64_t group) {
    return group == 0 ? GroupLines{1, 2, 7} : GroupLines{2, 3 + group, 8, 100 + group};
  });
  const auto lines = clusters.lines(0, std::vector<MemoryRange>{{0, 8 * 64}, {8 * 64 + 60, 4}});
  // Of group 0, all lines are fresh; of the next, all but line 2; of others, all but 2 and 8.
  CHECK(lines.accessed == Approx((3 + 4 * 4) / 5.0));
  CHECK(lines.fresh == Approx((3 + 3 + 3 * 2) / 5.0));
  REQUIRE(lines.gaps.size() == 1);
  CHECK(lines.gaps.at(1) == Approx((1 + 3 * 2) / 5.0));
  REQUIRE(lines.ranges.size() == 3);
  CHECK(lines.ranges[0].accessed == Approx((3 + 4 * 2) / 5.0));
  for (const double fresh : lines.ranges[0].fresh)
    CHECK(fresh == Approx((3 + 4) / 5.0));
  CHECK(lines.ranges[1].fresh[2] == Approx(1 / 5.0)); // line 8, at its end
  CHECK(lines.ranges[2].fresh[2] == Approx(4 / 5.0)); // in no range
}

TEST_CASE("of many lines a part tells", "[sampling]") {
  const auto sample = std::make_shared<const GroupSample>(6, 2);
  // 100000 lines each, of which 30000 are those of the group before.
  const LineClusters clusters = clustersOf(sample, [](uint64_t group) {
    GroupLines lines(100'000);
    std::iota(lines.begin(), lines.end(), 70'000 * group);
    return lines;
  });
  const auto lines = clusters.lines(0, {});
  CHECK(lines.accessed == Approx(100'000).epsilon(0.02));
  CHECK(lines.fresh == Approx((5 * 70'000 + 100'000) / 6.0).epsilon(0.02));
}

TEST_CASE("lines that neighbours share miss as often in a sample as in the launch", "[sampling]") {
  constexpr uint64_t kWidth = 32, kHeight = 24;
  // A stencil on tiles of one line by four rows: a group also accesses the lines around its tile.
  const auto stencil = [&](uint64_t group) {
    GroupLines lines;
    const uint64_t x = group % kWidth, y = group / kWidth;
    for (uint64_t row = 4 * y; row < 4 * y + 6; ++row)
      for (uint64_t column = x; column < x + 3; ++column)
        lines.push_back(row * (kWidth + 2) + column);
    return lines;
  };
  // A matrix product: a row of a, a column of b, an element of c.
  const auto product = [&](uint64_t group) {
    GroupLines lines;
    for (uint64_t k = 0; k < 16; ++k) {
      lines.push_back(group / kWidth * 16 + k);
      lines.push_back(1'000 + group % kWidth * 16 + k);
    }
    lines.push_back(2'000 + group);
    return lines;
  };
  const auto stream = [](uint64_t group) { return GroupLines{2 * group, 2 * group + 1}; };
  const auto table = [](uint64_t group) { return GroupLines{0, 1, 2, 3, 10 + group}; };
  for (const uint64_t sampled : {24, 64, 700}) {
    CAPTURE(sampled);
    const GroupCounts counts = {kWidth, kHeight, 1};
    for (const auto &[name, lines] :
         {std::pair<const char *, std::function<GroupLines(uint64_t)>>{"stencil", stencil},
          {"product", product},
          {"stream", stream},
          {"table", table}}) {
      INFO(name);
      const OnceEach launch(counts, sampled, 4'000, lines);
      CHECK(launch.far == 0);
      // Nothing is lost.
      CHECK(static_cast<double>(accessesOf(launch.estimate)) ==
            Approx(static_cast<double>(accessesOf(launch.exact))).epsilon(0.01));
      for (const uint64_t cacheLines : {40, 150, 300, 2'000}) {
        CAPTURE(cacheLines);
        CHECK(std::abs(launch.errorAt(cacheLines)) < 0.08);
      }
    }
  }
}

TEST_CASE("first accesses that do not fit in a double are all kept", "[sampling]") {
  StratumReuse reuse;
  reuse.profile.reuse.coldAccesses = (uint64_t{1} << 62) + 1;
  reuse.share = {1, 3, 1, 3};
  reuse.lines.ranges = {{4, {3, 3, 3}}};
  reuse.lines.accessed = 4;
  KernelProfile fresh, shared;
  scaleReuse(fresh, {reuse}, {3, 3, 3});
  CHECK(fresh.reuse.coldAccesses == 3 * reuse.profile.reuse.coldAccesses);
  reuse.lines.gaps[1] = 1;
  scaleReuse(shared, {reuse}, {3, 3, 3});
  CHECK(missesOf(shared, 0) == 3 * reuse.profile.reuse.coldAccesses);
  CHECK(static_cast<double>(shared.reuse.coldAccesses) == Approx(0.75 * 3 * 0x1p62));
}

TEST_CASE("a line that a group before has accessed is as far away as what is fresh in between",
          "[sampling]") {
  // Rows of 8 groups, planes of 32. A group accesses 10 lines, of which 4 are not its
  // predecessor's, 3 not of the row before either, 2 of no group before.
  StratumReuse reuse;
  reuse.profile.reuse.coldAccesses = 100;
  reuse.share = {10, 1000, 10, 1000};
  reuse.lines.ranges = {{10, {4, 3, 2}}};
  reuse.lines.accessed = 10;
  struct Case {
    uint64_t gap, lines; ///< other lines that as many groups access
  };
  for (const Case &is : {Case{1, 9}, Case{2, 13}, Case{8, 9 + 7 * 4}, Case{9, 9 + 7 * 4 + 3},
                         Case{32, 9 + 7 * 4 + 24 * 3}, Case{33, 9 + 7 * 4 + 24 * 3 + 2},
                         Case{132, 9 + 7 * 4 + 24 * 3 + 100 * 2}}) {
    INFO(is.gap);
    reuse.lines.gaps = {{is.gap, 8}};
    KernelProfile profile;
    scaleReuse(profile, {reuse}, {1000, 8, 32});
    CHECK(profile.reuse.coldAccesses == 2000);
    CHECK(profile.histograms.reuseDistances ==
          profile::Histogram{{profile::reuseBin(is.lines), 8000}});
  }
  // Not further than the launch has lines: 2000 in all.
  reuse.lines.gaps = {{100'000, 8}};
  KernelProfile profile;
  scaleReuse(profile, {reuse}, {1'000'000, 8, 32});
  CHECK(profile.histograms.reuseDistances == profile::Histogram{{profile::reuseBin(1999), 8000}});
}

TEST_CASE("lines that are shared anywhere are as many as there is memory", "[sampling]") {
  // 1024 groups with 16 lines anywhere in 500.
  const auto gather = [](uint64_t group) {
    Random random(group);
    std::set<uint64_t> lines;
    while (lines.size() < 16)
      lines.insert(random.below(500));
    return GroupLines(lines.begin(), lines.end());
  };
  const OnceEach launch({1024, 1, 1}, 64, 500, gather);
  CHECK(launch.far > 0.5);
  CHECK(launch.estimate.reuse.coldAccesses == 500);
  CHECK(accessesOf(launch.estimate) == 1024 * 16);
  CHECK(std::abs(launch.errorAt(16)) < 0.05);
  CHECK(std::abs(launch.errorAt(1'000)) < 0.01);
}

TEST_CASE("atomics on an address that many groups share grow with the groups", "[sampling]") {
  trace::Program program;
  program.operations.push_back({.memory = trace::MemoryKind::kAtomic});
  program.blocks.push_back({.firstOp = trace::OpId{0}, .opCount = 1});
  // Two strata, 8 of 80 groups and 2 of 2; each group has so many atomics on these addresses.
  using Atomics = std::map<uint64_t, uint64_t>;
  const std::vector<SampledShare> shares = {{8, 80, 800, 8'000}, {2, 2, 200, 200}};
  const auto most = [&](const std::function<Atomics(uint64_t)> &of, unsigned bits = 0) {
    std::vector<AtomicSharing> threads(3, AtomicSharing(program, 2, bits));
    for (uint64_t group = 0; group < 10; ++group) {
      std::vector<trace::Access> accesses;
      for (const auto &[address, count] : of(group))
        for (uint64_t i = 0; i < count; ++i)
          for (const uint32_t write : {0U, 1U}) // a read-modify-write
            accesses.push_back({.address = address,
                                .size = 4,
                                .space = static_cast<uint32_t>(trace::AddressSpace::kGlobal),
                                .write = write,
                                .atomic = 1});
      AtomicSharing &thread = threads[group % threads.size()];
      thread.beginGroup(group < 8 ? 0 : 1);
      const auto end = static_cast<uint32_t>(accesses.size());
      const trace::BlockEvent event{trace::BlockId{0}, end};
      const trace::Run run{.eventEnd = 1, .accessEnd = end};
      thread.consume({program, {&event, 1}, accesses, {&run, 1}, trace::ChunkEnd::kGroupEnd});
    }
    threads[0].merge(threads[1]);
    threads[0].merge(threads[2]);
    return threads[0].most(shares);
  };
  // Three items of a group, whose compiler makes one atomic of theirs.
  const auto ofNeighbours = [&](bool joins, unsigned bits) {
    program.operations[0].joinsLanes = joins;
    AtomicSharing sharing(program, 1, bits);
    std::vector<trace::Access> accesses;
    std::vector<trace::BlockEvent> events;
    std::vector<trace::Run> runs;
    for (uint32_t item = 0; item < 3; ++item) {
      accesses.push_back({.address = 64, .size = 4, .space = 1, .atomic = 1});
      accesses.push_back({.address = 64, .size = 4, .space = 1, .write = 1, .atomic = 1});
      events.push_back({trace::BlockId{0}, 2 * item + 2});
      runs.push_back({.item = item,
                      .eventBegin = item,
                      .eventEnd = item + 1,
                      .accessBegin = 2 * item,
                      .accessEnd = 2 * item + 2});
    }
    for (int group = 0; group < 2; ++group) {
      sharing.beginGroup(0);
      sharing.consume({program, events, accesses, runs, trace::ChunkEnd::kGroupEnd});
    }
    program.operations[0].joinsLanes = false;
    return sharing.most(std::vector<SampledShare>{{2, 20, 200, 2'000}});
  };
  CHECK(ofNeighbours(false, 7) == 20 * 3);
  CHECK(ofNeighbours(true, 7) == 20);
  CHECK(ofNeighbours(true, 0) == 20 * 3); // those on an address are counted alike
  CHECK(most([](uint64_t) { return Atomics{}; }) == 0);
  CHECK(most([](uint64_t) { return Atomics{{64, 1}}; }) == 80 + 2);
  CHECK(most([](uint64_t) { return Atomics{{64, 1}, {127, 2}, {128, 1}}; }, 7) == 3 * (80 + 2));
  CHECK(most([](uint64_t group) { return Atomics{{64 * group, 7}}; }) == 7);      // own addresses
  CHECK(most([](uint64_t group) { return Atomics{{group % 4 * 64, 3}}; }) == 63); // 20 + 1 groups
  CHECK(most([](uint64_t group) { return Atomics{{group == 9 ? 0 : 64, 100}}; }) == 8'100);
  CHECK(most([](uint64_t group) { return group == 3 ? Atomics{{64, 9}} : Atomics{}; }) == 9);
}
