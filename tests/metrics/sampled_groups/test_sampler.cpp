/// Which work-groups of a long launch are characterised.
#include "metrics/sampled_groups/sampler.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

using namespace aiwc::literals;
using namespace aiwc::metrics;
using aiwc::profile::KernelProfile;
using aiwc::trace::Executed;

namespace {

const SampleGoal kGoal = {.relativeError = 0.01, .instructions = 1000, .groups = 16};

/// The instructions of a group. Groups with as many are alike.
using Work = std::function<uint64_t(uint64_t)>;

/// The work-groups after which a launch starts again, in which a group executes `work(i)`
/// instructions; 0: it does not.
uint64_t abandonedAfter(uint64_t groups, const Work &work) {
  Sampler sampler(kGoal, {groups, 1, 1}, true);
  uint64_t instructions = 0;
  for (uint64_t done = 1; done <= groups; ++done) {
    instructions += work(done - 1);
    if (sampler.afterGroup(instructions) == Next::kAgain) {
      CHECK(sampler.sample()->size() == 6); // the first, the last, and four others
      return done;
    }
  }
  CHECK(sampler.sample() == nullptr);
  return 0;
}

Executed executed(uint64_t work) {
  return {work, 31 * work};
}

/// Runs all groups under the present sample, each with one work-item; returns what the sample tells
/// of the work-items.
SampleResult runAll(Sampler &sampler, uint64_t groups, const Work &work, double error,
                    bool othersRun = true) {
  SampleResult result{error, UINT64_MAX, 0};
  const auto sample = sampler.sample();
  for (uint64_t group = 0; group < groups; ++group)
    if (const bool isSampled = sample->rankOf(group).has_value(); isSampled || othersRun) {
      sampler.add(group, executed(work(group)), work(group), work(group));
      if (isSampled) {
        result.leastOfItem = std::min(result.leastOfItem, work(group));
        result.mostOfItem = std::max(result.mostOfItem, work(group));
      }
    }
  return result;
}

uint64_t sumOf(const std::vector<uint64_t> &counts) {
  return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

KernelProfile profileWith(double instructionsError) {
  KernelProfile profile;
  profile.setCount("total_instruction_count"_metric, 1000);
  profile.setStandardError("total_instruction_count"_metric, instructionsError);
  return profile;
}

} // namespace

TEST_CASE("where there is little time, the first sample executes little, too") {
  const auto sampledOf = [](uint64_t mostInstructions) {
    Sampler sampler({.instructions = 0, .mostInstructions = mostInstructions, .isBrief = true},
                    {16, 16, 1}, false);
    REQUIRE(sampler.afterGroup(1000) == Next::kAgain);
    const auto groups = sampler.sample()->linearIds();
    CHECK(groups.front() == 0);                           // has run before
    CHECK(sampler.sample()->recorded() == groups.size()); // without neighbours
    return groups.size();
  };
  CHECK(sampledOf(8000) == 8); // the corners, and four others
  CHECK(sampledOf(7999) == 7); // the first, and six others
  CHECK(sampledOf(4000) == 4);
  CHECK(sampledOf(100) == 3);
}

TEST_CASE("A launch is sampled if its groups so far tell that it is long", "[sampling]") {
  CHECK(abandonedAfter(100, [](uint64_t) { return 10; }) == 0); // exactly the limit
  CHECK(abandonedAfter(100, [](uint64_t) { return 11; }) == 1);
  // The fourth group is long: seen after the fourth, for which 40 of 400 stand.
  CHECK(abandonedAfter(100, [](uint64_t i) { return i == 3 ? 100 : 1; }) == 4);
  // Nothing is chosen any more after half of the groups.
  CHECK(abandonedAfter(100, [](uint64_t i) { return i < 50 ? 1 : 1000000; }) == 0);
  // Too few groups to gain anything.
  CHECK(abandonedAfter(16, [](uint64_t) { return 1000000; }) == 1);
  CHECK(abandonedAfter(15, [](uint64_t) { return 1000000; }) == 0);
  CHECK(abandonedAfter(1, [](uint64_t) { return 1000000; }) == 0);
}

TEST_CASE("After many launches, shorter ones are sampled, with more groups at first",
          "[sampling]") {
  SampleGoal goal;
  goal.instructions = 20000;
  CHECK(goalAfter(goal, 20000 / kManyOf - 1).instructions == 20000);
  CHECK(goalAfter(goal, 20000 / kManyOf - 1).groupsAtFirst == 4);
  CHECK_FALSE(goalAfter(goal, 20000 / kManyOf - 1).edgesApart);
  CHECK_FALSE(goalAfter(goal, 20000 / kManyOf - 1).allIfFar);
  CHECK(goalAfter(goal, 20000 / kManyOf).instructions == 20000 / kShorterOfMany);
  CHECK(goalAfter(goal, 20000 / kManyOf).groupsAtFirst == kAtFirstOfMany);
  CHECK(goalAfter(goal, 20000 / kManyOf).edgesApart);
  CHECK(goalAfter(goal, 20000 / kManyOf).allIfFar);
  CHECK(goalAfter(goal, 20000 / kManyOf).groups == goal.groups);
}

TEST_CASE("A sample may have groups at the edges apart from the others", "[sampling]") {
  SampleGoal goal = kGoal;
  goal.groupsAtFirst = 8;
  goal.edgesApart = true;
  const Work same = [](uint64_t) { return 100; };
  const auto first = [&](const GroupCounts &groups) {
    Sampler sampler(goal, groups, true);
    sampler.afterGroup(100);
    return sampler;
  };
  // 10 x 20: 4 corners, 52 others at edges, 144 inside.
  const GroupCounts plane = {10, 20, 1};
  Sampler alike = first(plane);
  REQUIRE(alike.sample());
  CHECK(alike.sample()->size() == 4 + 4 + 8);
  REQUIRE(alike.sample()->strata() == 3);
  CHECK(alike.sample()->groupsOf(1) == 52);
  CHECK(alike.sample()->sampledOf(1) == 4);
  CHECK(alike.sample()->sampledOf(2) == 8);
  CHECK(alike.afterLaunch(runAll(alike, 200, same, 0.005)) == Next::kDone);
  CHECK(alike.instructions() == std::vector<uint64_t>{400, 5200, 14400});

  // A sample of more groups has more at the edges, too.
  Sampler uncertain = first(plane);
  CHECK(uncertain.afterLaunch(runAll(uncertain, 200, same, 0.0051)) == Next::kAgain);
  REQUIRE(uncertain.sample()->strata() == 3);
  CHECK(uncertain.sample()->sampledOf(0) == 4);
  CHECK(uncertain.sample()->sampledOf(1) == 6);
  CHECK(uncertain.sample()->sampledOf(2) == 12);

  // All at edges execute more: not alike.
  Sampler differing = first(plane);
  const Work more = [&](uint64_t i) { return isAtEdge(i, plane) ? 101 : 100; };
  CHECK(differing.afterLaunch(runAll(differing, 200, more, 0)) == Next::kAgain);
  CHECK(differing.afterLaunch(runAll(differing, 200, more, 0)) == Next::kDone);
  CHECK(sumOf(differing.instructions()) == 56 * 101 + 144 * 100);

  // A row has no edges but its ends, and two rows nothing inside.
  CHECK(first({100, 1, 1}).sample()->size() == 2 + 8);
  CHECK(first({50, 2, 1}).sample()->size() == 4 + 4);
  // At most a quarter of the groups inside.
  CHECK(first({20, 1, 1}).sample()->size() == 2 + 5);
  // More than half of the groups save too little.
  CHECK(first({4, 4, 1}).sample() == nullptr);
}

TEST_CASE("All groups may be characterised if lines are shared far away", "[sampling]") {
  const Work same = [](uint64_t) { return 100; };
  for (const bool allIfFar : {false, true})
    for (const LineSharing sharing :
         {LineSharing::kKnown, LineSharing::kUncertain, LineSharing::kFar}) {
      SampleGoal goal = kGoal;
      goal.allIfFar = allIfFar;
      Sampler sampler(goal, {400, 1, 1}, true);
      sampler.afterGroup(100);
      REQUIRE(sampler.sample());
      SampleResult result = runAll(sampler, 400, same, 0);
      result.lineSharing = sharing;
      CHECK((sampler.afterLaunch(result) == Next::kAgain) == (sharing != LineSharing::kKnown));
      const bool needsAll = allIfFar && sharing == LineSharing::kFar;
      CHECK((sampler.sample() == nullptr) == needsAll);
      CHECK(sampler.needsAllGroups() == needsAll);
    }
}

TEST_CASE("Few groups suffice if all prove alike", "[sampling]") {
  const auto first = [](uint64_t groups) {
    Sampler sampler(kGoal, {groups, 1, 1}, true);
    REQUIRE(sampler.afterGroup(100) == Next::kAgain);
    return sampler;
  };
  const Work same = [](uint64_t) { return 100; };
  Sampler alike = first(1000);
  CHECK(alike.afterLaunch(runAll(alike, 1000, same, 0.005)) == Next::kDone);
  CHECK(alike.sample()->size() == 6);
  CHECK(alike.instructions() == std::vector<uint64_t>{200, 99800});

  // An error above half of the goal, or cache lines that some groups share.
  Sampler uncertain = first(1000);
  CHECK(uncertain.afterLaunch(runAll(uncertain, 1000, same, 0.0051)) == Next::kAgain);
  CHECK(uncertain.sample()->size() == kGoal.groups);
  Sampler sharing = first(1000);
  SampleResult shared = runAll(sharing, 1000, same, 0);
  shared.lineSharing = LineSharing::kUncertain;
  CHECK(sharing.afterLaunch(shared) == Next::kAgain);
  CHECK(sharing.sample()->size() == kGoal.groups);
  CHECK(sharing.afterLaunch({0.01, 100, 100, LineSharing::kUncertain}) == Next::kDone);

  // One group differs, which is not in the first sample.
  Sampler one = first(1000);
  const Work heavy = [](uint64_t i) { return i == 777 ? 100000 : 100; };
  CHECK(one.afterLaunch(runAll(one, 1000, heavy, 0)) == Next::kAgain);
  REQUIRE(one.sample()->rankOf(777));
  CHECK(one.afterLaunch(runAll(one, 1000, heavy, 0)) == Next::kDone);
  CHECK(sumOf(one.instructions()) == 999 * 100 + 100000);
  // A light one is no less of interest: it has the work-item that does least.
  Sampler less = first(1000);
  const Work light = [](uint64_t i) { return i == 777 ? 1 : 100; };
  CHECK(less.afterLaunch(runAll(less, 1000, light, 0)) == Next::kAgain);
  CHECK(less.sample()->rankOf(777));
}

TEST_CASE("Groups that do not run are unknown, and those before the sample stay in it",
          "[sampling]") {
  Sampler sampler(kGoal, {1000, 1, 1}, false);
  REQUIRE(sampler.afterGroup(1) == Next::kMore);
  REQUIRE(sampler.afterGroup(2) == Next::kMore);
  REQUIRE(sampler.afterGroup(3) == Next::kMore);
  REQUIRE(sampler.afterGroup(100) == Next::kAgain);
  CHECK(sampler.sample()->size() == 4 + 1 + 4);
  for (const uint64_t group : {0, 1, 2, 3, 999})
    CHECK(sampler.sample()->placeOf(group)->stratum == 0);
  const Work same = [](uint64_t i) { return i == 3 ? 97 : 1; };
  Sampler differing = sampler;
  CHECK(sampler.afterLaunch(runAll(sampler, 1000, same, 0, false)) == Next::kDone);
  CHECK(sampler.instructions().empty());
  const Work other = [](uint64_t i) { return i; };
  CHECK(differing.afterLaunch(runAll(differing, 1000, other, 0, false)) == Next::kAgain);
  CHECK(differing.sample()->size() == kGoal.groups);
  CHECK(differing.sample()->strata() == 2);
}

TEST_CASE("A sample grows until its error is small, or all groups are characterised",
          "[sampling]") {
  constexpr uint64_t kGroups = 100000;
  const Work same = [](uint64_t) { return 100; };
  Sampler sampler(kGoal, {kGroups, 1, 1}, true);
  REQUIRE(sampler.afterGroup(1000) == Next::kAgain);
  CHECK(sampler.afterGroup(1000) == Next::kMore); // once only
  REQUIRE(sampler.afterLaunch(runAll(sampler, kGroups, same, 0.05)) == Next::kAgain);
  CHECK(sampler.sample()->size() == 16); // two of them certain
  // 25 times as many others, and a tenth more.
  REQUIRE(sampler.afterLaunch(runAll(sampler, kGroups, same, 0.05)) == Next::kAgain);
  CHECK(sampler.sample()->size() == 2 + 385);
  REQUIRE(sampler.afterLaunch(runAll(sampler, kGroups, same, 0.0101)) ==
          Next::kAgain); // at least twice as many
  CHECK(sampler.sample()->size() == 2 + 770);
  CHECK(sampler.afterLaunch(runAll(sampler, kGroups, same, 0.01)) == Next::kDone);
  Sampler most = sampler;
  REQUIRE(sampler.afterLaunch({0.2, 100, 100}) == Next::kAgain); // 338 800 groups
  CHECK(sampler.sample() == nullptr);
  CHECK(sampler.afterLaunch({0.2, 100, 100}) == Next::kDone); // all are characterised
  REQUIRE(most.afterLaunch({NAN, 100, 100}) == Next::kAgain);
  CHECK(most.sample() == nullptr);
}

TEST_CASE("A sample does not grow beyond the instructions that it may execute", "[sampling]") {
  constexpr uint64_t kGroups = 100000;
  const Work same = [](uint64_t) { return 100; };
  const auto second = [&](uint64_t mostInstructions) {
    SampleGoal goal = kGoal;
    goal.mostInstructions = mostInstructions;
    Sampler sampler(goal, {kGroups, 1, 1}, true);
    REQUIRE(sampler.afterGroup(1000) == Next::kAgain);
    REQUIRE(sampler.afterLaunch(runAll(sampler, kGroups, same, 0.05)) == Next::kAgain);
    return sampler;
  };
  // Two certain groups and 385 others are wanted: as many as may be, if they are twice as many.
  Sampler some = second(10200);
  CHECK(some.sample()->size() == 16);
  REQUIRE(some.afterLaunch(runAll(some, kGroups, same, 0.05)) == Next::kAgain);
  CHECK(some.sample()->size() == 102);
  CHECK(some.afterLaunch(runAll(some, kGroups, same, 0.02)) == Next::kDone);
  Sampler unknown = second(10200);
  REQUIRE(unknown.afterLaunch(runAll(unknown, kGroups, same, NAN)) == Next::kAgain);
  CHECK(unknown.sample()->size() == 102);
  Sampler few = second(2900); // 27 others are not twice as many as 14
  CHECK(few.afterLaunch(runAll(few, kGroups, same, 0.05)) == Next::kDone);
  // What is wanted is made if it is affordable, though it is less than twice as much.
  Sampler enough = second(38700);
  REQUIRE(enough.afterLaunch(runAll(enough, kGroups, same, 0.05)) == Next::kAgain);
  CHECK(enough.sample()->size() == 387);
  // A group that is heavier than all the sample is characterised whatever it costs.
  const Work heavy = [](uint64_t i) { return i == 777 ? 100000 : 100; };
  Sampler extreme = second(2900);
  REQUIRE(extreme.afterLaunch(runAll(extreme, kGroups, heavy, 0.05)) == Next::kAgain);
  CHECK(extreme.sample()->rankOf(777));
  // The second sample is smaller than the goal's if that is all it may execute.
  CHECK(second(1000).sample()->size() == 10);
  CHECK(second(1).sample()->size() == 6);
}

TEST_CASE("Strata have groups that execute the same, or about as much", "[sampling]") {
  const auto censusOf = [](uint64_t groups, const Work &work) {
    GroupCensus census(groups);
    for (uint64_t group = 0; group < groups; ++group)
      census.add(group, executed(work(group)), work(group), work(group));
    REQUIRE(census.isComplete());
    return census;
  };
  const auto total = [](const std::vector<GroupSample::Stratum> &strata) {
    size_t groups = 0;
    for (const GroupSample::Stratum &stratum : strata) {
      CHECK(std::ranges::is_sorted(stratum.groups));
      CHECK(stratum.sampled >= 1);
      CHECK(stratum.sampled <= stratum.groups.size());
      groups += stratum.groups.size();
    }
    return groups;
  };
  // Two kinds, besides two certain groups. Every tenth executes ten times as much: half of all.
  const GroupCensus tenth = censusOf(1000, [](uint64_t i) { return i % 10 == 5 ? 900 : 100; });
  const auto two = strataOf(tenth, {0, 999}, 40, 4);
  REQUIRE(two.size() == 3);
  CHECK(total(two) == 1000);
  CHECK(two[0].groups == std::vector<uint64_t>{0, 999});
  for (const GroupSample::Stratum &stratum : two)
    for (const uint64_t group : stratum.groups)
      CHECK(tenth[group] == tenth[stratum.groups.front()]);
  CHECK(two[1].sampled + two[2].sampled >= 38);
  CHECK(std::max(two[1].sampled, two[2].sampled) <= 21);
  // A group with more than a fortieth of all, and those that are heavy without it.
  const GroupCensus power = censusOf(1000, [](uint64_t i) { return 1000000 / (i + 1); });
  const auto heavy = strataOf(power, {}, 40, 4);
  CHECK(total(heavy) == 1000);
  CHECK(heavy[0].sampled == heavy[0].groups.size());
  CHECK(heavy[0].groups.size() >= 5);
  uint64_t rest = 0;
  for (size_t i = 1; i < heavy.size(); ++i) {
    for (const uint64_t group : heavy[i].groups)
      rest += power[group].instructions;
    CHECK(power[heavy[i].groups.front()].instructions <
          2 * power[heavy[i].groups.back()].instructions);
  }
  CHECK(power[heavy[0].groups.back()].instructions * 40 > rest);
  CHECK(power[heavy[0].groups.back() + 1].instructions * 40 <= rest);
  CHECK(power.most().group == 0);
  CHECK(power.least().group == 999);
  // A half is not more than a half. Without more than a half, the others are more than a half of
  // the rest, one after another.
  const GroupCensus half = censusOf(3, [](uint64_t i) { return std::array{50, 30, 20}.at(i); });
  for (const GroupSample::Stratum &stratum : strataOf(half, {}, 2, 1))
    CHECK(stratum.groups.size() == 1);
  const GroupCensus more = censusOf(3, [](uint64_t i) { return std::array{51, 30, 20}.at(i); });
  CHECK(strataOf(more, {}, 2, 1)[0].groups == std::vector<uint64_t>{0, 1, 2});
}

TEST_CASE("The error of a profile is the largest of the metrics that matter", "[sampling]") {
  KernelProfile profile = profileWith(20);
  CHECK(largestRelativeError(profile) == Approx(0.02));
  // 5 % of the instructions are 50.
  profile.setCount("fp_ops"_metric, 10);
  profile.setStandardError("fp_ops"_metric, 0.5);
  CHECK(largestRelativeError(profile) == Approx(0.02));
  profile.setStandardError("fp_ops"_metric, 5);
  CHECK(largestRelativeError(profile) == Approx(0.1));
  // 5 % of the bytes are 50.5.
  for (const auto &[metric, bytes] : {std::pair<Metric, uint64_t>{"bytes_read_global"_metric, 1000},
                                      {"bytes_read_local"_metric, 10},
                                      {"bytes_written_global"_metric, 0},
                                      {"bytes_written_local"_metric, 0}}) {
    profile.setCount(metric, bytes);
    profile.setStandardError(metric, 0);
  }
  profile.setStandardError("bytes_read_local"_metric, 10);
  CHECK(largestRelativeError(profile) == Approx(10 / 50.5));
  profile.setReal("coalescing_32"_metric, 0.5);
  profile.setStandardError("coalescing_32"_metric, 0.1);
  CHECK(largestRelativeError(profile) == Approx(0.2));
  // An error that is not known, of a metric that has a value.
  profile.setCount("total_reads"_metric, 7);
  CHECK(std::isnan(largestRelativeError(profile)));
}
