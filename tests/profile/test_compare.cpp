#include "profile/compare.h"
#include "random_profile.h"

#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;

TEST_CASE("a profile does not differ from itself") {
  for (uint64_t seed = 0; seed < 100; ++seed)
    CHECK(compare(randomProfile(seed), randomProfile(seed)).same());
}

TEST_CASE("metrics that differ come with their relative change, the largest first") {
  KernelProfile before;
  KernelProfile after;
  const auto set = [&](Metric metric, uint64_t a, uint64_t b) {
    before.setCount(metric, a);
    after.setCount(metric, b);
  };
  set("fp_add"_metric, 100, 110);             // +10 %
  set("fp_mul"_metric, 100, 40);              // -60 %
  set("fp_div"_metric, 7, 7);                 // the same
  set("work_items"_metric, 100, 150);         // +50 %
  set("total_reads"_metric, 0, 3);            // from nothing: no percentage
  before.setReal("reread_ratio"_metric, 0.5); // to no value

  const Comparison comparison = compare(before, after);
  std::vector<Metric> order;
  for (const MetricChange &change : comparison.metrics)
    order.push_back(change.metric);
  CHECK(order == std::vector{"total_reads"_metric, "reread_ratio"_metric, "fp_mul"_metric,
                             "work_items"_metric, "fp_add"_metric});
  CHECK_FALSE(comparison.metrics[0].relative);
  CHECK_FALSE(comparison.metrics[1].relative);
  CHECK(*comparison.metrics[2].relative == Approx(-0.6));
  CHECK(*comparison.metrics[3].relative == Approx(0.5));
  CHECK(*comparison.metrics[4].relative == Approx(0.1));
  CHECK(comparison.fields.empty());
}

TEST_CASE("counts that differ by one differ, however large they are") {
  KernelProfile before;
  KernelProfile after;
  before.setCount("total_reads"_metric, (uint64_t{1} << 63) + 1);
  after.setCount("total_reads"_metric, uint64_t{1} << 63);
  const Comparison comparison = compare(before, after);
  REQUIRE(comparison.metrics.size() == 1);
  CHECK(*comparison.metrics[0].relative < 0);
}

TEST_CASE("what the profiles are of is compared field by field") {
  KernelProfile before = randomProfile(5);
  KernelProfile after = before;
  before.complete = true;
  after.complete = false;
  after.simulatorErrors = before.simulatorErrors + 1;
  before.provenance.buildOptions = "";
  after.provenance.buildOptions = "-DN=4";
  before.provenance.globalSize = {64, 1, 1};
  after.provenance.globalSize = {128, 1, 1};
  const Comparison comparison = compare(before, after);
  REQUIRE(comparison.fields.size() == 4);
  CHECK(comparison.fields[0].key == "complete");
  CHECK(comparison.fields[0].before == "true");
  CHECK(comparison.fields[0].after == "false");
  CHECK(comparison.fields[1].key == "simulator_errors");
  CHECK(comparison.fields[2].key == "global_size");
  CHECK(comparison.fields[2].before == "[64, 1, 1]");
  CHECK(comparison.fields[3].key == "build_options");
  CHECK(comparison.fields[3].after == "-DN=4");
  CHECK(comparison.metrics.empty());
}

TEST_CASE("histograms that differ are named") {
  KernelProfile before;
  KernelProfile after;
  after.histograms.simdWidths = {{1, 2}};
  after.histograms.opcodes = {{"load", 1}};
  after.histograms.loops.emplace_back();
  after.histograms.lines.emplace_back();
  CHECK(compare(before, after).histograms ==
        std::vector<std::string_view>{"opcodes", "simd_widths", "loops", "lines"});
  after = before;
  after.accesses.emplace().emplace_back();
  CHECK(compare(before, after).histograms.empty()); // `before` is of an older version
  before.accesses.emplace();
  CHECK(compare(before, after).histograms == std::vector<std::string_view>{"accesses"});
}
