// Profiles of sampled work-groups: what they say of themselves, in JSON, to people and beside
// others.
#include "profile/csv.h"
#include "profile/json.h"
#include "profile/sampling.h"
#include "random_profile.h"
#include "views/compare.h"
#include "views/summary.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::views;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Json = nlohmann::ordered_json;

namespace {

/// 64 of 4096 groups; one metric of each kind.
KernelProfile sampledProfile() {
  KernelProfile profile;
  profile.provenance.kernel = "k";
  profile.provenance.workDim = 1;
  profile.provenance.globalSize = {65536, 1, 1};
  profile.provenance.localSize = {16, 1, 1};
  profile.provenance.sampledGroups = 64;
  profile.provenance.totalGroups = 4096;
  profile.setCount("work_items"_metric, 65536);
  profile.setCount("total_instruction_count"_metric, 2000);
  profile.setStandardError("total_instruction_count"_metric, 10);
  profile.setCount("barriers_hit"_metric, 0);
  profile.setStandardError("barriers_hit"_metric, 0);
  profile.setReal("freedom_to_reorder"_metric, 4); // its error is not known
  profile.setCount("memory_footprint"_metric, 77);
  profile.setCount("ipt_min"_metric, 5);
  profile.setReal("ipt_median"_metric, 10);
  profile.setStandardError("ipt_median"_metric, 0.25);
  profile.setCount("ipt_max"_metric, 20);
  profile.setReal("global_memory_address_entropy"_metric, 3);
  return profile;
}

Json errors() {
  return Json::parse(toJson(sampledProfile()))["errors"];
}

std::string refusalAfter(const std::function<void(Json &)> &change) {
  Json json = Json::parse(toJson(sampledProfile()));
  change(json);
  return errorOf([&] { fromJson(json.dump(), "p.json"); });
}

} // namespace

TEST_CASE("a sampled profile tells the error of each metric that is not exact") {
  const Json expected = {{"total_instruction_count", 10.0},
                         {"freedom_to_reorder", nullptr},
                         {"barriers_hit", 0.0},
                         {"ipt_min", "upper_bound"},
                         {"ipt_median", 0.25},
                         {"ipt_max", "lower_bound"},
                         {"memory_footprint", "lower_bound"},
                         {"global_memory_address_entropy", "sample"}};
  CHECK(errors() == expected);
  const Json json = Json::parse(toJson(sampledProfile()));
  CHECK(json["provenance"]["sampled_groups"] == 64);
  CHECK(json["provenance"]["total_groups"] == 4096);
}

TEST_CASE("a profile of all work-groups says nothing of samples") {
  KernelProfile profile = sampledProfile();
  profile.provenance.sampledGroups = profile.provenance.totalGroups = 0;
  const std::string text = toJson(profile);
  CHECK_THAT(text, !Contains("sampled") && !Contains("\"errors\"") && !Contains("total_groups"));
  CHECK_THAT(toText(profile), !Contains("SAMPLED") && !Contains("+-") && !Contains("at least"));
}

TEST_CASE("the CSV of a sampled profile has the estimates, and how many groups they are from") {
  CHECK_THAT(wideCsvRow("p.json", sampledProfile()), Contains(",64,4096,"));
  KernelProfile all = sampledProfile();
  all.provenance.sampledGroups = all.provenance.totalGroups = 0;
  std::string row = wideCsvRow("p.json", sampledProfile());
  row.replace(row.find(",64,4096,"), 9, ",0,0,");
  CHECK(row == wideCsvRow("p.json", all));
}

TEST_CASE("what a sampled profile says of its errors is refused where it makes no sense") {
  CHECK_THAT(refusalAfter([](Json &json) { json["provenance"].erase("total_groups"); }),
             Contains("provenance.total_groups is missing"));
  CHECK_THAT(refusalAfter([](Json &json) { json["provenance"]["sampled_groups"] = 4096; }),
             Contains("provenance.sampled_groups is 4096: expected fewer than total_groups, 4096"));
  CHECK_THAT(
      refusalAfter([](Json &json) {
        json["provenance"].erase("total_groups");
        json["provenance"].erase("sampled_groups");
      }),
      Contains(
          "errors without provenance.sampled_groups or extrapolated_from: expected one of them"));
  CHECK_THAT(refusalAfter([](Json &json) { json["errors"]["ipt_min"] = "some"; }),
             Contains("errors.ipt_min is") &&
                 Contains("expected a standard error, null, lower_bound, upper_bound or sample"));
  CHECK_THAT(refusalAfter([](Json &json) { json["errors"]["ipt_median"] = -1; }),
             Contains("errors.ipt_median is"));
  CHECK_THAT(refusalAfter([](Json &json) { json["errors"]["heat"] = 1; }), Contains("errors.heat"));
  CHECK(refusalAfter([](Json &json) { json.erase("errors"); }).empty());
}

TEST_CASE("the summary of a sampled profile has a column of errors") {
  const std::string text = toText(sampledProfile());
  CHECK_THAT(text, Contains("\n  SAMPLED: 64 of 4096 work-groups. Sums are scaled"));
  const auto row = [&](const std::string &name) {
    const size_t begin = text.find("  " + name);
    REQUIRE(begin != std::string::npos);
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  CHECK_THAT(row("Total Instruction Count"),
             Contains(" 2,000 instructions ") && Catch::EndsWith(" +- 0.5 %"));
  CHECK(row("Total Instruction Count").find("+-") == row("Freedom to Reorder").find("+-"));
  CHECK_THAT(row("Total Barriers Hit"), Catch::EndsWith(" +- 0"));
  CHECK_THAT(row("Freedom to Reorder"), Catch::EndsWith(" +- ?"));
  CHECK_THAT(row("Total Memory Footprint"), Catch::EndsWith(" at least"));
  CHECK_THAT(row("Instructions Per Thread"), Catch::EndsWith(" at most / +- 2.5 % / at least"));
  CHECK_THAT(row("Global Memory Address Entropy"), Catch::EndsWith(" of the sample"));
  CHECK_THAT(row("Work-items"), Catch::EndsWith("65,536 work-items"));
}

TEST_CASE("a comparison says which of the two is sampled, and how well they are known") {
  KernelProfile all = sampledProfile();
  all.provenance.sampledGroups = all.provenance.totalGroups = 0;
  Comparison comparison = compare(all, sampledProfile());
  REQUIRE(comparison.fields.size() == 1);
  CHECK(comparison.fields[0].key == "sampled_groups");
  CHECK(comparison.fields[0].before == "all");
  CHECK(comparison.fields[0].after == "64 of 4096");
  KernelProfile other = sampledProfile();
  other.setStandardError("ipt_median"_metric, 0.5);
  comparison = compare(sampledProfile(), other);
  REQUIRE(comparison.fields.size() == 1);
  CHECK(comparison.fields[0].key == "errors.ipt_median");
  CHECK(comparison.fields[0].after == "+- 5 %");
}

TEST_CASE("every metric with a value has a place in the errors of a sample, or is exact") {
  KernelProfile profile = sampledProfile();
  for (const MetricInfo &row : catalogue())
    if (row.type == MetricType::kCount)
      profile.setCount(row.metric, 1);
    else
      profile.setReal(row.metric, 1);
  const Json all = Json::parse(toJson(profile))["errors"];
  for (const MetricInfo &row : catalogue()) {
    INFO(row.key);
    const Estimate estimate = row.estimate;
    CHECK(all.contains(row.key) == (estimate != Estimate::kExact));
    if (!errorWord(estimate).empty()) {
      CHECK(all[std::string(row.key)] == errorWord(estimate));
      CHECK(isErrorWord(errorWord(estimate)));
    }
    // What is a sum is a count.
    if (estimate == Estimate::kTotal)
      CHECK(row.type == MetricType::kCount);
  }
}
