/// Profiles of sampled work-groups: the selection of groups, the formulas of docs/metrics.md, their
/// accuracy for known populations, and the independence of the result from the distribution of
/// groups to threads.
#include "metrics/reuse_distance/reuse_order.h"
#include "metrics/sampled_groups/launch_estimate.h"
#include "metrics/sampled_groups/line_sharing.h"
#include "metrics/sampled_groups/sampled_analyses.h"
#include "metrics/twins.h"
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

TEST_CASE("groups that are certain are in the sample, and the others are spread over the rest",
          "[sampling]") {
  const std::vector<uint64_t> certain = {0, 1, 7, 99};
  for (const uint64_t others : {1, 5, 48, 60, 95}) {
    CAPTURE(others);
    const GroupSample sample(100, certain, others);
    REQUIRE(sample.strata() == 2);
    CHECK(sample.size() == certain.size() + others);
    CHECK(sample.groupsOf(0) == certain.size());
    CHECK(sample.groupsOf(1) == 96);
    std::vector<uint64_t> found, rest;
    for (uint64_t id = 0; id < 100; ++id) {
      const auto place = sample.placeOf(id);
      if (!place)
        continue;
      CHECK(sample.linearIds()[place->rank] == id);
      std::vector<uint64_t> &of = place->stratum == 0 ? found : rest;
      CHECK(place->rankInStratum == of.size());
      of.push_back(id);
    }
    CHECK(found == certain);
    // The same numbers as of a launch of the other groups alone.
    const GroupSample alone(96, others);
    std::vector<uint64_t> left;
    for (uint64_t id = 0; id < 100; ++id)
      if (std::ranges::find(certain, id) == certain.end())
        left.push_back(id);
    for (size_t i = 0; i < rest.size(); ++i)
      CHECK(rest[i] == left[alone.linearIds()[i]]);
  }
}

TEST_CASE("strata are sampled each for itself", "[sampling]") {
  GroupSample::Stratum even{{}, 10}, odd{{}, 3};
  for (uint64_t id = 0; id < 40; ++id)
    (id % 2 == 0 ? even : odd).groups.push_back(id);
  const GroupSample sample({even, odd});
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
    const KernelProfile expected = analyse(program, alone, size);

    KernelProfile one;
    for (const size_t threads : {1, 3}) {
      const auto order = std::make_shared<ReuseOrder>(program);
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
      }
    }
  }
}

TEST_CASE("groups of strata stand for as many as their strata have", "[sampling]") {
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
    const auto sample = std::make_shared<const GroupSample>(std::vector{single, twice});
    // Which of two equal groups is taken does not matter, but one of each pair has to be.
    bool isOneOfEach = true;
    for (size_t i = 0; i + 1 < twice.groups.size(); i += 2)
      isOneOfEach = isOneOfEach && sample->rankOf(twice.groups[i]).has_value() !=
                                       sample->rankOf(twice.groups[i + 1]).has_value();
    REQUIRE(isOneOfEach);
    const KernelProfile exact = analyse(program, whole, size);
    std::vector<std::shared_ptr<ReuseOrder>> orders = {std::make_shared<ReuseOrder>(program),
                                                       std::make_shared<ReuseOrder>(program)};
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
  SampledAnalyses analyses(program, {}, {std::make_shared<ReuseOrder>(program)}, sample);
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
    if (kind == Estimate::kLowerBound || kind == Estimate::kSample)
      CHECK(profile[row.metric] == before[row.metric]);
  }
}

namespace {

using GroupLines = std::vector<uint64_t>;

/// The sharing of lines of 64 bytes: of each group of the sample the lines that it accesses.
LineSharing sharingOf(const std::vector<GroupLines> &groups) {
  const trace::Program program;
  LineSharing sharing(64);
  for (size_t rank = 0; rank < groups.size(); ++rank) {
    std::vector<trace::Access> accesses;
    for (const uint64_t line : groups[rank])
      accesses.push_back({.address = 64 * line,
                          .size = 4,
                          .space = static_cast<uint32_t>(trace::AddressSpace::kGlobal)});
    sharing.beginGroup(rank);
    sharing.consume({program, {}, accesses, {}});
  }
  return sharing;
}

} // namespace

TEST_CASE("lines of one group are multiplied, as far as there is memory", "[sampling]") {
  // 2 of 10 groups with 5 lines each, of their own, in a buffer of 20 lines.
  const LineSharing sharing = sharingOf({{0, 1, 2, 3, 4}, {10, 11, 12, 13, 14}});
  const SampledShare share = {2, 10, 2, 10};
  const auto unlimited = sharing.lines(share, {});
  CHECK(unlimited.all == 10);
  CHECK(unlimited.added == 40);
  CHECK(unlimited.ofGroup == 5);
  CHECK(unlimited.gaps.empty());
  for (const std::vector<MemoryRange> &memory :
       {std::vector<MemoryRange>{{0, 20 * 64}},
        {{0, 20 * 64 - 60}},                  // a part of the last line
        {{640000, 64}, {4, 20 * 64 - 64}}}) { // and of the first
    const auto limited = sharing.lines(share, memory);
    CHECK(limited.all == 10);
    CHECK(limited.added == 10);
    // 10 groups access 5 of 20 lines: each line has 2.5 users, 4 groups apart.
    CHECK(limited.gaps == profile::Histogram{{4, 30}});
  }
  CHECK(sharing.lines(share, {{0, 10 * 64}}).added == 40 - 15); // the others are elsewhere
}

TEST_CASE("lines of several groups stay, and tell how far apart their users are", "[sampling]") {
  // 4 of 12 groups. Line 1: all; line 2: the first and the last; line 3: two neighbours.
  const LineSharing sharing = sharingOf({{1, 2}, {1}, {1, 3}, {1, 2, 3}});
  const auto lines = sharing.lines({4, 12, 4, 12}, {{0, 1 << 20}});
  CHECK(lines.all == 3);
  CHECK(lines.added == 0);
  CHECK(lines.ofGroup == 2);
  CHECK(lines.gaps == profile::Histogram{{1, 4}, {3, 2}});
}

TEST_CASE("first accesses that are reuse lie as far back as the groups in between reach",
          "[sampling]") {
  KernelProfile profile;
  profile.reuse.coldAccesses = 10;
  profile.histograms.reuseDistances = {{0, 50}};
  // 20 of the 30 first accesses are reuse. Groups use half of the lines: one, 5; two, 7.5;
  // three, 8.75.
  scaleReuse(profile, {2, 6, 2, 6},
             {.all = 10, .added = 0, .ofGroup = 5, .gaps = {{1, 2}, {2, 1}, {3, 1}}});
  CHECK(profile.reuse.coldAccesses == 10);
  CHECK(profile.histograms.reuseDistances == profile::Histogram{{0, 150}, {4, 10}, {6, 5}, {7, 5}});
}

TEST_CASE("first accesses of lines grow as far as groups have lines of their own", "[sampling]") {
  // Of 10 lines in 2 of 6 groups, 4 are touched by both.
  KernelProfile profile;
  profile.reuse.coldAccesses = 10;
  profile.histograms.reuseDistances = {{0, 50}, {3, 4}};
  scaleReuse(profile, {2, 6, 2, 6}, {.all = 10, .added = 12});
  // 6 lines stand for 18, 4 for themselves; scaled reuse is 162, and of the 30 - 22 others nobody
  // knows more than that the line was among the 22.
  CHECK(profile.reuse.coldAccesses == 22);
  CHECK(profile.histograms.reuseDistances == profile::Histogram{{0, 150}, {3, 12}, {21, 8}});
}
