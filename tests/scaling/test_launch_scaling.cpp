// Profiles scaled to other launches: what has to hold whatever was characterised.

#include "automatch/automatch_model.h"
#include "common/error.h"
#include "profile/json.h"
#include "profile/relations.h"
#include "profile/reuse.h"
#include "scaling/launch_scaling.h"
#include "scaling/scaled_histograms.h"
#include "support/plausible.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <string>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::scaling;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

constexpr std::array kFpParts = {"fp_add"_metric, "fp_mul"_metric, "fp_div"_metric,
                                 "fp_special"_metric};
constexpr std::array kFpBits = {"fp_ops_f16"_metric, "fp_ops_f32"_metric, "fp_ops_f64"_metric};

void setLaunch(KernelProfile &profile, uint64_t items, uint64_t local) {
  profile.provenance.workDim = 1;
  profile.provenance.globalSize = {items, 1, 1};
  profile.provenance.localSize = {local, 1, 1};
  profile.setCount("work_items"_metric, items);
  profile.setCount("work_group_size"_metric, local);
  profile.setCount("work_groups"_metric, (items + local - 1) / local);
}

/// Random, but with the sums that any profile has.
KernelProfile consistentProfile(uint64_t seed, uint64_t items, uint64_t local = 8) {
  Random random(seed + 77);
  KernelProfile profile = plausibleProfile(seed);
  profile.provenance.kernel = "k";
  setLaunch(profile, items, local);
  for (const MetricInfo &row : catalogue()) // none is missing
    if (std::holds_alternative<std::monostate>(profile[row.metric])) {
      if (row.type == MetricType::kCount)
        profile.setCount(row.metric, 5);
      else
        profile.setReal(row.metric, 0.5);
    } else if (row.range == Range::kFraction) {
      profile.setReal(row.metric, 1 - profile.real(row.metric) * 0x1p-20);
    }
  const LevelSums sums = sumsOf(profile.histograms.asapFpLevels).value();
  profile.setCount("asap_fp_depth"_metric, sums.levels);
  profile.setCount("fp_ops"_metric, sums.operations);
  const auto split = [&](const auto &parts) {
    uint64_t left = sums.operations;
    for (const Metric part : parts) {
      const uint64_t some = part == parts.back() ? left : random.below(left + 1);
      profile.setCount(part, some);
      left -= some;
    }
  };
  split(kFpParts);
  split(kFpBits);
  profile.setCount("int_ops"_metric, 1);
  profile.setCount("sync_points"_metric, 1);
  profile.setReal("asap_parallelism"_metric, 4);
  profile.setReal("instruction_mix_factor"_metric, 0.75);
  profile.setCount("itb_max"_metric, 1000 + profile.count("itb_min"_metric));
  profile.setCount("ipt_max"_metric, 1000 + profile.count("ipt_min"_metric));
  profile.reuse = {64, profile.reuse.coldAccesses};
  return profile;
}

LaunchKey launch(uint64_t items, uint64_t local, const std::string &kernel = "k") {
  return {kernel, 1, {items, 1, 1}, {local, 1, 1}};
}

ScaledProfile scaledOne(const KernelProfile &from, const LaunchKey &to) {
  const std::vector<KernelProfile> known = {from};
  return scaledTo(to, known).value();
}

uint64_t sum(const KernelProfile &profile, const auto &metrics) {
  uint64_t total = 0;
  for (const Metric metric : metrics)
    total += profile.count(metric);
  return total;
}

std::string messageOf(const LaunchKey &wanted, const std::vector<KernelProfile> &known) {
  try {
    scaledTo(wanted, known);
    return "";
  } catch (const aiwc::Error &error) {
    return error.what();
  }
}

/// Work-items that are all alike: every count is so many for each of them.
KernelProfile alike(uint64_t items, uint64_t local = 8) {
  KernelProfile profile = smallProfile("k", "xxh3-128:0", items);
  setLaunch(profile, items, local);
  profile.setCount("fp_add"_metric, 2 * items);
  profile.setCount("fp_ops_f32"_metric, 2 * items);
  profile.setCount("asap_fp_depth"_metric, 2);
  profile.setCount("total_reads"_metric, 3 * items);
  profile.setCount("ipt_max"_metric, 10);
  profile.setReal("global_memory_address_entropy"_metric,
                  std::log2(3.0 * static_cast<double>(items)));
  profile.setReal("lane_utilization_32"_metric, 0.75);
  profile.histograms.reuseDistances = {{1, items}, {64, 2 * items}};
  profile.reuse = {64, items / 8};
  return profile;
}

} // namespace

TEST_CASE("a launch that was characterised is the answer, as it is") {
  const std::vector<KernelProfile> known = {consistentProfile(1, 64), consistentProfile(2, 128)};
  for (const KernelProfile &profile : known) {
    const ScaledProfile found = scaledTo(launchOf(profile.provenance), known).value();
    CHECK(found.exact());
    CHECK_FALSE(found.accuracy);
    CHECK(toJson(found.profile) == toJson(profile));
    CHECK(found.from == std::vector<LaunchKey>{launchOf(profile.provenance)});
    CHECK(found.origin("fp_ops"_metric) == Origin::kMeasured);
  }
  const ScaledProfile some = scaledTo(launch(64, 8), std::vector{alike(64)}).value();
  for (const MetricInfo &row : catalogue()) {
    INFO(row.key);
    CHECK(some.origin(row.metric) ==
          (std::isnan(some.profile.real(row.metric)) ? Origin::kUnknown : Origin::kMeasured));
  }
}

TEST_CASE("as many work-items in another shape change nothing but the launch") {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    KernelProfile profile = consistentProfile(seed, 1);
    profile.provenance.workDim = 2;
    profile.provenance.globalSize = {64, 32, 1};
    profile.provenance.localSize = {8, 8, 1};
    profile.setCount("work_items"_metric, 2048);
    profile.setCount("work_groups"_metric, 32);
    profile.setCount("work_group_size"_metric, 64);
    const ScaledProfile made = scaledOne(profile, {"k", 2, {32, 64, 1}, {8, 8, 1}});
    CHECK_FALSE(made.exact());
    CHECK(made.profile.provenance.scaledFrom == "64x32/8x8");
    CHECK(made.workItemRatio == 1);
    CHECK(made.profile.histograms.asapFpLevels == profile.histograms.asapFpLevels);
    CHECK(made.profile.histograms.reuseDistances == profile.histograms.reuseDistances);
    CHECK(made.profile.reuse.coldAccesses == profile.reuse.coldAccesses);
    for (const MetricInfo &row : catalogue())
      if (row.scaling != Scaling::kDerived && row.scaling != Scaling::kUnknown &&
          row.type == MetricType::kCount) {
        INFO(row.key);
        CHECK(made.profile[row.metric] == profile[row.metric]);
      }
  }
}

TEST_CASE("whatever was characterised, the sums that a cost rests on hold") {
  const aiwc::automatch::AutomatchModel model;
  size_t beyond = 0; // what 64 bits can count: rightly refused
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    std::vector<KernelProfile> known = {consistentProfile(seed, random.between(1, 5000))};
    if (random.oneIn(2))
      known.push_back(consistentProfile(seed + 1000, random.between(1, 500'000)));
    REQUIRE(model.whyNot(known.front()).empty());
    const LaunchKey wanted = launch(random.between(1, 1'000'000), 8);
    if (messageOf(wanted, known).find("would be above 2^64 - 1") != std::string::npos) {
      ++beyond;
      continue;
    }
    const auto made = scaledTo(wanted, known);
    REQUIRE(made);
    const KernelProfile &profile = made->profile;
    INFO(seed);
    CHECK(model.whyNot(profile).empty());
    const LevelSums sums = sumsOf(profile.histograms.asapFpLevels).value();
    CHECK(sums.operations == profile.count("fp_ops"_metric));
    CHECK(sums.levels == profile.count("asap_fp_depth"_metric));
    CHECK(sum(profile, kFpParts) == sums.operations);
    CHECK(sum(profile, kFpBits) == sums.operations);
    uint64_t before = 0;
    for (const auto &[lowest, accesses] : profile.histograms.reuseDistances) {
      CHECK(accesses > 0);
      CHECK(reuseBin(lowest) == lowest);
      CHECK((lowest > before || before == 0));
      before = lowest;
    }
    CHECK(profile.count("work_items"_metric) == wanted.globalSize[0]);
    CHECK(profile.count("ipt_min"_metric) <= profile.count("ipt_max"_metric));
    CHECK(profile.count("load_imbalance"_metric) ==
          profile.count("ipt_max"_metric) - profile.count("ipt_min"_metric));
    for (const MetricInfo &row : catalogue())
      if (row.range == Range::kFraction) {
        INFO(row.key);
        CHECK(!(profile.real(row.metric) < 0));
        CHECK(!(profile.real(row.metric) > 1));
      }
    CHECK(profile.provenance.scaledFrom.find('/') != std::string::npos);
  }
  CHECK(beyond < 150);
}

TEST_CASE("what work-items do that are all alike is so many times as much") {
  const KernelProfile wanted = alike(4096);
  for (const bool two : {false, true}) {
    std::vector<KernelProfile> known = {alike(1024)};
    if (two)
      known.push_back(alike(256));
    const ScaledProfile made = scaledTo(launch(4096, 8), known).value();
    CHECK(made.from.size() == known.size());
    CHECK(made.workItemRatio == 4);
    for (const MetricInfo &row : catalogue()) {
      INFO(row.key);
      const double value = wanted.real(row.metric);
      if (!std::isnan(value))
        CHECK(made.profile.real(row.metric) == Approx(value));
    }
    CHECK(made.profile.histograms.asapFpLevels == wanted.histograms.asapFpLevels);
    CHECK(made.profile.histograms.reuseDistances == wanted.histograms.reuseDistances);
    CHECK(made.profile.reuse.coldAccesses == wanted.reuse.coldAccesses);
    CHECK(made.origin("total_reads"_metric) == (two ? Origin::kFitted : Origin::kScaled));
    CHECK(made.origin("ipt_max"_metric) == (two ? Origin::kFitted : Origin::kKept));
    CHECK(made.origin("work_items"_metric) == Origin::kLaunch);
    CHECK(made.origin("asap_fp_parallelism"_metric) == Origin::kUnknown); // had no value
  }
}

TEST_CASE("a power of the work-items is found from two launches, and bounded") {
  const auto growing = [](uint64_t items, uint64_t reads) {
    KernelProfile profile = alike(items);
    profile.setCount("total_reads"_metric, reads);
    return profile;
  };
  std::vector<KernelProfile> known = {growing(64, 100), growing(256, 800)}; // e = 3/2
  CHECK(scaledTo(launch(1024, 8), known)->profile.count("total_reads"_metric) == 6400);
  CHECK(scaledTo(launch(128, 8), known)->profile.count("total_reads"_metric) == 283); // 100 2^1.5
  CHECK(scaledTo(launch(32, 8), known)->profile.count("total_reads"_metric) == 35);
  known[1].setCount("total_reads"_metric, 100 << 8U); // e = 4, kept at 2
  CHECK(scaledTo(launch(512, 8), known)->profile.count("total_reads"_metric) == 100 << 10U);
  known[1].setCount("total_reads"_metric, 0); // nothing to fit: the class
  CHECK(scaledTo(launch(96, 8), known)->profile.count("total_reads"_metric) == 150);
}

TEST_CASE("the nearest launches are taken: local size first, then work-items") {
  std::vector<KernelProfile> known = {alike(64), alike(1024), alike(100, 4), alike(90),
                                      alike(4096)};
  const auto from = [&](uint64_t items, uint64_t local) {
    std::string text;
    const ScaledProfile made = scaledTo(launch(items, local), known).value();
    for (const LaunchKey &from : made.from)
      text += sizeText(from.globalSize, 1) + "/" + sizeText(from.localSize, 1) + " ";
    return text;
  };
  CHECK(from(70, 8) == "64/8 1024/8 "); // 90 is less than 1.5 times 64
  CHECK(from(2000, 8) == "1024/8 4096/8 ");
  CHECK(from(101, 8) == "90/8 1024/8 ");
  CHECK(from(101, 4) == "100/4 ");
  CHECK(from(101, 16) == "100/4 "); // no such size at all
  known = {alike(64)};
  const ScaledProfile other = scaledTo(launch(128, 16), known).value();
  CHECK(other.otherLocalSize);
  CHECK(other.accuracy->cases == scalingAccuracy(2, 1, true).cases);
  CHECK(other.origin("lane_utilization_32"_metric) == Origin::kAssumed);
  CHECK(other.origin("total_reads"_metric) == Origin::kScaled);
  CHECK(other.profile.count("work_groups"_metric) == 8);
  const ScaledProfile any = scaledTo({"k", 1, {128, 1, 1}, {}}, known).value();
  CHECK_FALSE(any.otherLocalSize);
  CHECK(any.profile.provenance.localSize == Size3{8, 1, 1});
  CHECK(scaledTo({"k", 1, {64, 1, 1}, {}}, known)->exact());
  CHECK_FALSE(scaledTo({"k", 2, {8, 8, 1}, {8, 1, 1}}, known));     // no launch in two dimensions
  CHECK(scaledTo({"k", 2, {64, 1, 1}, {8, 1, 1}}, known)->exact()); // which this is none in
}

TEST_CASE("a second launch is one of 1.5 times the work-items or more") {
  for (uint64_t items : {64, 100, 1024, 3 << 20}) {
    CAPTURE(items);
    const auto launchesFor = [&](uint64_t other) {
      return scaledTo(launch(8 * items, 8), std::vector{alike(items), alike(other)})->from.size();
    };
    CHECK(launchesFor(items / 2 * 3) == 2);
    CHECK(launchesFor(items / 2 * 3 - 1) == 1);
  }
}

TEST_CASE("of launches with as many work-items, the one of the nearest shape is taken") {
  const auto shaped = [](uint64_t x, uint64_t y) {
    KernelProfile profile = alike(2048);
    profile.provenance.workDim = 2;
    profile.provenance.globalSize = {x, y, 1};
    profile.provenance.localSize = {8, 8, 1};
    return profile;
  };
  const std::vector<KernelProfile> known = {shaped(8, 256), shaped(32, 64), shaped(256, 8)};
  const auto made = scaledTo({"k", 2, {64, 32, 1}, {8, 8, 1}}, known);
  CHECK(made->from.front().globalSize == Size3{32, 64, 1});
  CHECK_FALSE(scaledTo(launch(2048, 8), known)); // in one dimension
}

TEST_CASE("a launch that was cut off is no base, and no measurement of another one") {
  KernelProfile cut = alike(128);
  cut.provenance.invocation = 5;
  KernelProfile whole = alike(64);
  whole.provenance.invocation = 7;
  CHECK(scaledTo(launch(128, 8), std::vector{cut, whole})->profile.provenance.invocation == 5);
  cut.complete = false;
  CHECK_FALSE(scaledTo(launch(128, 8), std::vector{cut}));
  const auto made = scaledTo(launch(128, 8), std::vector{cut, whole});
  CHECK(made->from == std::vector{launchOf(whole.provenance)});
  CHECK(made->profile.provenance.invocation == 0);
}

TEST_CASE("what a profile says against itself is scaled as it is, not mended") {
  KernelProfile odd = alike(64);
  odd.setCount("asap_fp_depth"_metric, 77);
  odd.setCount("fp_ops"_metric, 300);
  odd.setCount("fp_div"_metric, 11);
  const KernelProfile made = scaledOne(odd, launch(128, 8)).profile;
  CHECK(made.count("asap_fp_depth"_metric) == 77);
  CHECK(made.count("fp_ops"_metric) == 600);
  CHECK(made.count("fp_div"_metric) == 22);
  CHECK(made.count("fp_add"_metric) == 2 * 2 * 64);
  odd = alike(64);
  odd.setCount("ipt_min"_metric, 30); // above the most, 10
  odd.setCount("load_imbalance"_metric, 0);
  CHECK(scaledOne(odd, launch(128, 8)).profile.count("load_imbalance"_metric) == 0);
}

TEST_CASE("what a profile has no value of has none when it is scaled, in groups of any size") {
  for (const uint64_t local : {8, 16}) {
    const KernelProfile from = alike(64);
    const ScaledProfile made = scaledOne(from, launch(128, local));
    size_t missing = 0;
    for (const MetricInfo &row : catalogue())
      if (row.scaling != Scaling::kLaunch && row.scaling != Scaling::kDerived &&
          std::holds_alternative<std::monostate>(from[row.metric])) {
        INFO(row.key);
        ++missing;
        CHECK(made.origin(row.metric) == Origin::kUnknown);
        CHECK(std::holds_alternative<std::monostate>(made.profile[row.metric]));
      }
    CHECK(missing > 0);
  }
}

TEST_CASE("an entropy that falls is not scaled below none") {
  KernelProfile flat = alike(1024);
  flat.setReal("global_memory_address_entropy"_metric, 1.5);
  CHECK(scaledOne(flat, launch(512, 8)).profile.real("global_memory_address_entropy"_metric) ==
        0.5);
  CHECK(scaledOne(flat, launch(8, 8)).profile.real("global_memory_address_entropy"_metric) == 0);
}

TEST_CASE("a work-group that is not full counts as one") {
  CHECK(scaledOne(alike(64), launch(100, 8)).profile.count("work_groups"_metric) == 13);
  CHECK(scaledOne(alike(64), launch(104, 8)).profile.count("work_groups"_metric) == 13);
}

TEST_CASE("a law is exact where its exponent is whole, and has no count from 2^64 on") {
  for (uint64_t nearest = 3; nearest < 200; nearest += 7)
    for (uint64_t second = 2 * nearest + 1; second < 2000; second += 97) {
      const ScalingLaw law(1'000'003, nearest, second);
      CAPTURE(nearest, second);
      const auto value = [](uint64_t items) { return static_cast<double>(items) * 1e9; };
      CHECK(law.exponent(value(nearest), value(second), 0) == 1);
    }
  const ScalingLaw law(uint64_t{1} << 16U, 1, std::nullopt);
  CHECK_FALSE(law.count(uint64_t{1} << 32U, 2));
  CHECK(law.count(uint64_t{1} << 31U, 2) == uint64_t{1} << 63U);
  CHECK_FALSE(law.count(uint64_t{1} << 48U, 1));
}

TEST_CASE("launches that cannot be are refused in one line") {
  const std::vector<KernelProfile> known = {alike(64)};
  CHECK(messageOf(launch(0, 8), known) ==
        "kernel k: global size is 0: expected at least one work-item");
  CHECK(messageOf(launch(uint64_t{1} << 63U, 8), known) ==
        "kernel k: global size is 9223372036854775808: expected fewer than 2^63 work-items");
  CHECK_THAT(messageOf({"k", 3, {~0ULL, ~0ULL, ~0ULL}, {8, 1, 1}}, known),
             Contains("expected fewer than 2^63 work-items"));
  CHECK(messageOf(launch(uint64_t{1} << 62U, 8), known) ==
        "kernel k: total_instruction_count would be above 2^64 - 1 for "
        "4611686018427387904 work-items: expected fewer");
  CHECK_THAT(messageOf({"k", 2, {8, 8, 1}, {8, 0, 1}}, known), Contains("local size is 8x0"));
  CHECK_THAT(messageOf({"k", 4, {8, 8, 1}, {8, 8, 1}}, known), Contains("work_dim is 4"));
  KernelProfile absurd = alike(64);
  absurd.histograms.asapFpLevels = {{~0ULL, 2}};
  CHECK_FALSE(scaledTo(launch(128, 8), std::vector{absurd}));
  absurd = alike(64);
  absurd.provenance.globalSize = {0, 1, 1};
  CHECK_FALSE(scaledTo(launch(128, 8), std::vector{absurd}));
}

TEST_CASE("shares of a scaled profile are at most 1") {
  SECTION("though the profile that it is scaled from contradicts itself") {
    KernelProfile hostile = alike(64);
    hostile.setCount("unique_reads"_metric, 10 * hostile.count("total_reads"_metric));
    hostile.setReal("reread_ratio"_metric, 0.5);
    hostile.setCount("total_writes"_metric, 3);
    hostile.setCount("unique_writes"_metric, 7);
    hostile.setReal("rewrite_ratio"_metric, 0.5);
    const KernelProfile made = scaledOne(hostile, launch(1024, 8)).profile;
    CHECK(made.real("reread_ratio"_metric) == 1);
    CHECK(made.real("rewrite_ratio"_metric) == 1);
    CHECK(!contradictionIn(made, false));
  }
  SECTION("though accesses of lines would exceed what a count can be") {
    KernelProfile hostile = alike(64);
    hostile.histograms.reuseDistances = {{1, uint64_t{1} << 60U}};
    hostile.reuse.coldAccesses = uint64_t{1} << 60U;
    CHECK(messageOf(launch(512, 8), {hostile}) ==
          "kernel k: accesses of cache lines would be above 2^64 - 1 for 512 work-items: expected "
          "fewer");
    const KernelProfile made = scaledOne(hostile, launch(448, 8)).profile;
    CHECK(hitRatio(made, 0) == 0.0);
    CHECK(hitRatio(made, uint64_t{1} << 20U) == 0.5);
    hostile.reuse.coldAccesses -= 1;
    hostile.histograms.reuseDistances = {{1, (uint64_t{1} << 60U) - 1}};
    CHECK(messageOf(launch(512, 8), {hostile}).empty()); // 2^64 - 16
  }
}

TEST_CASE("histograms that count nothing are scaled to nothing") {
  KernelProfile idle = alike(64);
  idle.histograms.asapFpLevels = {{5, 0}, {9, 0}};
  idle.histograms.reuseDistances = {{0, 0}, {8, 0}};
  for (const auto &known : {std::vector{idle}, {idle, alike(256)}, {alike(256), idle}}) {
    const ScaledProfile made = scaledTo(launch(128, 8), known).value();
    CHECK(made.from.front() == launchOf(known[0].provenance));
    CHECK(made.profile.count("total_instruction_count"_metric) ==
          2 * alike(64).count("total_instruction_count"_metric));
  }
}

TEST_CASE("levels keep their number and operations, whatever they are scaled to") {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Histogram levels = randomLevels(random, random.between(1, 200), 20);
    LevelSums to{random.between(1, 1 << 20U), 0};
    to.operations = to.levels + random.below(uint64_t{1} << random.between(1, 40));
    const Histogram made = scaledLevels(levels, to);
    const LevelSums sums = sumsOf(made).value();
    CHECK(sums.levels == to.levels);
    CHECK(sums.operations == to.operations);
    CHECK(made.front().first > 0);
  }
  const Histogram levels = {{3, 2}, {7, 1}};
  CHECK(scaledLevels(levels, {3, 13}) == levels);
  CHECK(scaledLevels(levels, {3, 65}) == Histogram{{15, 2}, {35, 1}});
  CHECK(scaledLevels(levels, {6, 26}) == Histogram{{3, 4}, {7, 2}});
}

TEST_CASE("distances move share by share, and stay below the lines there are") {
  const Histogram at1 = {{0, 10}, {8, 10}};
  const Histogram at4 = {{0, 40}, {35, 40}}; // 8 + 1 lines become 35 + 1 = 4 (8 + 1)
  const ScalingLaw law(16, 1, 4);
  CHECK(scaledDistances(at1, at4, law, 160, 1000) == Histogram{{0, 80}, {reuseBin(143), 80}});
  CHECK(scaledDistances(at1, at4, law, 160, 50) == Histogram{{0, 80}, {49, 80}});
  CHECK(scaledDistances(at1, {}, ScalingLaw(16, 1, std::nullopt), 160, 1000) ==
        Histogram{{0, 80}, {8, 80}});
  CHECK(scaledDistances({{8, 10}}, {}, ScalingLaw(1, 4, std::nullopt), 5, 4) == Histogram{{3, 5}});
  CHECK(scaledDistances({{8, 10}}, {}, ScalingLaw(1, 4, std::nullopt), 5, 0) == Histogram{{0, 5}});
  // Twice the work-items, twice the 8 + 1 lines: 17 + 1. One access is enough for a law.
  CHECK(scaledDistances({{8, 10}}, {{35, 40}}, ScalingLaw(2, 1, 4), 20, 1000) ==
        Histogram{{17, 20}});
  CHECK(scaledDistances({{8, 10}}, {{35, 1}}, ScalingLaw(2, 1, 4), 20, 1000) ==
        Histogram{{17, 20}});
}

TEST_CASE("distances never come nearer by a fit, and as many accesses as there are move") {
  const Histogram at1 = {{0, 10}, {40, 10}};
  const Histogram at4 = {{0, 40}, {8, 40}}; // they fell
  CHECK(scaledDistances(at1, at4, ScalingLaw(16, 1, 4), 160, 1000) == Histogram{{0, 80}, {40, 80}});
  // Bins that end at the same share go on together: each is followed by its own successor.
  const Histogram three1 = {{0, 1}, {3, 1}, {7, 1}};
  const Histogram three4 = {{0, 4}, {15, 4}, {31, 4}};
  CHECK(scaledDistances(three1, three4, ScalingLaw(16, 1, 4), 48, 1000) ==
        Histogram{{0, 16}, {reuseBin(63), 16}, {reuseBin(127), 16}});
  CHECK_FALSE(sumOf({{0, ~uint64_t{0}}, {1, 1}}));
  CHECK(sumOf({{0, ~uint64_t{0} - 1}, {1, 1}}) == ~uint64_t{0});
}

TEST_CASE("how well it does is told for any distance, the same up as down") {
  for (const size_t launches : {1U, 2U})
    for (const double ratio : {0.01, 0.3, 1.0, 1.5, 4.0, 20.0, 1e9}) {
      const ScalingAccuracy accuracy = scalingAccuracy(ratio, launches);
      CHECK(accuracy.typicalFactor >= 1);
      CHECK(accuracy.mostFactor >= accuracy.typicalFactor);
      CHECK(accuracy.cases > 0);
      CHECK(scalingAccuracy(1 / ratio, launches).mostFactor == accuracy.mostFactor);
    }
}

TEST_CASE(
    "parts of the operations that grow by other powers are divided anew, in their proportions") {
  // From 64 to 256 work-items, additions grow from 64 to 256, multiplications stay 64, operations
  // grow by 2.5.
  const auto grown = [](uint64_t items, uint64_t adds) {
    KernelProfile profile = alike(items);
    profile.setCount("fp_ops"_metric, adds + 64);
    profile.setCount("fp_add"_metric, adds);
    profile.setCount("fp_mul"_metric, 64);
    profile.setCount("fp_ops_f32"_metric, adds);
    profile.setCount("fp_ops_f64"_metric, 64);
    profile.histograms.asapFpLevels = {{(adds + 64) / 2, 2}};
    return profile;
  };
  std::vector<KernelProfile> known = {grown(64, 64), grown(256, 256)};
  // 128 x 2.5^2 operations; 1024 additions and 64 multiplications make 1088.
  const KernelProfile made = scaledTo(launch(1024, 8), known)->profile;
  CHECK(made.count("fp_ops"_metric) == 800);
  CHECK(made.count("fp_add"_metric) == 753); // 800 x 1024 / 1088
  CHECK(made.count("fp_mul"_metric) == 47);
  CHECK(made.count("fp_ops_f32"_metric) == 753);
  CHECK(made.count("fp_ops_f64"_metric) == 47);
  CHECK(std::holds_alternative<std::monostate>(made["fp_div"_metric]));
  CHECK(made.histograms.asapFpLevels == Histogram{{400, 2}});
  // Parts that are not the operations of the nearest launch are scaled for themselves.
  for (KernelProfile &profile : known) {
    profile.setCount("fp_mul"_metric, 63);
    profile.setCount("fp_ops_f64"_metric, 65);
  }
  const KernelProfile odd = scaledTo(launch(1024, 8), known)->profile;
  CHECK(odd.count("fp_add"_metric) == 1024);
  CHECK(odd.count("fp_mul"_metric) == 63);
  CHECK(odd.count("fp_ops_f32"_metric) == 1024);
  CHECK(odd.count("fp_ops_f64"_metric) == 65);
}

TEST_CASE("parts keep the sum that they are rounded from") {
  KernelProfile three = alike(3, 1);
  three.setCount("fp_ops"_metric, 3);
  three.setCount("asap_fp_depth"_metric, 1);
  three.histograms.asapFpLevels = {{3, 1}};
  for (const Metric part : {"fp_add"_metric, "fp_mul"_metric, "fp_div"_metric})
    three.setCount(part, 1);
  three.setNone("fp_ops_f32"_metric);
  const KernelProfile made = scaledOne(three, launch(4, 1)).profile;
  // 4/3 of an operation each; the running sums 1.33, 2.67 and 4 are rounded.
  CHECK(made.count("fp_add"_metric) == 1);
  CHECK(made.count("fp_mul"_metric) == 2);
  CHECK(made.count("fp_div"_metric) == 1);
}

TEST_CASE("derived metrics are their formulas of the scaled counts") {
  KernelProfile from = alike(64);
  const std::array<std::pair<Metric, uint64_t>, 11> counts = {{
      {"fp_add"_metric, 96},
      {"fp_mul"_metric, 32},
      {"total_instruction_count"_metric, 640},
      {"simd_operand_sum"_metric, 1280},
      {"barriers_hit"_metric, 128},
      {"total_reads"_metric, 200},
      {"unique_reads"_metric, 50},
      {"total_writes"_metric, 80},
      {"unique_writes"_metric, 10},
      {"ipt_min"_metric, 7},
      {"asap_depth"_metric, 20},
  }};
  for (const auto &[metric, count] : counts)
    from.setCount(metric, count);
  for (const Metric metric :
       {"instruction_mix_factor"_metric, "granularity"_metric, "barriers_per_instruction"_metric,
        "instructions_per_operand"_metric, "simd_width_mean"_metric, "asap_fp_parallelism"_metric,
        "unique_read_write_ratio"_metric, "reread_ratio"_metric, "rewrite_ratio"_metric})
    from.setReal(metric, 0.5);
  from.setCount("load_imbalance"_metric, 3);
  from.setReal("asap_parallelism"_metric, 32); // 640 nodes
  const ScaledProfile made = scaledOne(from, launch(128, 8));
  const std::array<std::pair<Metric, double>, 11> expected = {{
      {"instruction_mix_factor"_metric, (192 + 64) / (2 * 192.0)},
      {"granularity"_metric, 1 / 128.0},
      {"barriers_per_instruction"_metric, (256 + 128) / 1280.0},
      {"instructions_per_operand"_metric, 1280 / 2560.0},
      {"simd_width_mean"_metric, 2560 / 1280.0},
      {"asap_fp_parallelism"_metric, 256 / 2.0},
      {"asap_parallelism"_metric, 1280 / 20.0},
      {"unique_read_write_ratio"_metric, 100 / 20.0},
      {"reread_ratio"_metric, 100 / 400.0},
      {"rewrite_ratio"_metric, 20 / 160.0},
      {"load_imbalance"_metric, 10 - 7},
  }};
  for (const auto &[metric, value] : expected) {
    INFO(info(metric).key);
    CHECK(made.profile.real(metric) == Approx(value));
    CHECK(made.origin(metric) == Origin::kDerived);
  }
  for (const Metric metric : {"fp_add"_metric, "fp_mul"_metric}) // nothing to mix
    from.setCount(metric, 0);
  CHECK(scaledOne(from, launch(128, 8)).origin("instruction_mix_factor"_metric) == Origin::kKept);
}

TEST_CASE("what is ordered by definition stays so where powers cross") {
  // From 64 to 256 work-items, the shortest grows by 4, the longest not at all.
  const auto growing = [](uint64_t items, uint64_t least) {
    KernelProfile profile = alike(items);
    profile.setCount("ipt_min"_metric, least);
    profile.setReal("ipt_median"_metric, static_cast<double>(least));
    profile.setCount("load_imbalance"_metric, 10 - least);
    return profile;
  };
  const std::vector<KernelProfile> known = {growing(64, 2), growing(256, 8)};
  const KernelProfile made = scaledTo(launch(1024, 8), known)->profile;
  CHECK(made.count("ipt_max"_metric) == 10);
  CHECK(made.count("ipt_min"_metric) == 10); // of 32
  CHECK(made.real("ipt_median"_metric) == 10);
  CHECK(made.count("load_imbalance"_metric) == 0);
  const KernelProfile before = scaledTo(launch(128, 8), known)->profile;
  CHECK(before.count("ipt_min"_metric) == 4);
  CHECK(before.count("load_imbalance"_metric) == 6);
}

TEST_CASE("the accuracy is that of launches which are as far away, up or down") {
  const std::array<std::array<double, 2>, 3> alikes = {{{1.5, 2}, {2.01, 8}, {8.01, 1e9}}};
  for (const size_t launches : {1U, 2U})
    for (size_t i = 0; i < alikes.size(); ++i) {
      const auto &[near, far] = alikes[i];
      CAPTURE(launches, far);
      CHECK(scalingAccuracy(near, launches).cases == scalingAccuracy(far, launches).cases);
      CHECK(scalingAccuracy(near, launches).cases == scalingAccuracy(1 / near, launches).cases);
      CHECK(scalingAccuracy(far, launches).cases == scalingAccuracy(1 / far, launches).cases);
      if (i > 0)
        CHECK(scalingAccuracy(near, launches).cases !=
              scalingAccuracy(alikes[i - 1][1], launches).cases);
    }
  CHECK(scalingAccuracy(4, 0).cases == scalingAccuracy(4, 1).cases);
  CHECK(scalingAccuracy(4, 3).cases == scalingAccuracy(4, 2).cases);
  CHECK(scalingAccuracy(4, 1).cases != scalingAccuracy(4, 2).cases);
}

TEST_CASE("a share between two launches is on the line over the logarithm of their work-items") {
  const auto with = [](uint64_t items, double lanes, double entropy) {
    KernelProfile profile = alike(items);
    profile.setReal("lane_utilization_32"_metric, lanes);
    profile.setReal("global_memory_address_entropy"_metric, entropy);
    return profile;
  };
  const std::vector<KernelProfile> known = {with(64, 0.5, 4), with(1024, 0.9, 10)};
  struct Case {
    uint64_t items;
    double lanes, entropy; ///< entropy grows by 1.5 for each doubling
  };
  for (const Case &is : {Case{128, 0.6, 5.5}, Case{256, 0.7, 7}, Case{512, 0.8, 8.5},
                         Case{32, 0.5, 2.5}, Case{4096, 0.9, 13}}) {
    INFO(is.items);
    const KernelProfile made = scaledTo(launch(is.items, 8), known)->profile;
    CHECK(made.real("lane_utilization_32"_metric) == Approx(is.lanes));
    CHECK(made.real("global_memory_address_entropy"_metric) == Approx(is.entropy));
  }
}
