// The relations that every profile fulfils: the numbers at their bounds are read, one more is not.

#include "profile/json.h"
#include "profile/relations.h"
#include "random_profile.h"
#include "support/cases.h"

#include <catch2/catch.hpp>
#include <functional>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

constexpr uint64_t kMost = UINT64_MAX;

/// 10 work-groups of 8x2 work-items, the last of each row not full; 640 bytes in 10 lines.
KernelProfile consistent() {
  KernelProfile profile;
  profile.provenance.kernel = "k";
  profile.provenance.workDim = 2;
  profile.provenance.globalSize = {36, 4, 7};
  profile.provenance.localSize = {8, 2, 9};
  profile.setCount("work_items"_metric, 36 * 4);
  profile.setCount("work_groups"_metric, 5 * 2);
  profile.setCount("work_group_size"_metric, 16);
  profile.setReal("coalescing_32"_metric, 1);
  profile.setCount("bytes_read_global"_metric, 600);
  profile.setCount("bytes_written_global"_metric, 30);
  profile.setCount("bytes_read_constant"_metric, 10);
  profile.setCount("bytes_written_constant"_metric, 0);
  profile.reuse = {64, 6};
  profile.histograms.reuseDistances = {{0, 3}, {64, 1}};
  return profile;
}

/// The message for that profile after `change`, without its place; empty if it is read.
std::string refusal(const std::function<void(KernelProfile &)> &change) {
  KernelProfile profile = consistent();
  change(profile);
  const std::string message = errorOf([&] { fromJson(toJson(profile), "p.json"); });
  if (message.empty())
    return "";
  REQUIRE_THAT(message, StartsWith("p.json:"));
  REQUIRE(message.find('\n') == std::string::npos);
  return message.substr(message.find(": ") + 2);
}

} // namespace

TEST_CASE("a profile whose numbers fit is read") {
  CHECK(refusal([](KernelProfile &) {}) == "");
  CHECK(refusal([](KernelProfile &p) { p.reuse.coldAccesses += 640 - 10; }) == "");
  CHECK(refusal([](KernelProfile &p) {
          p.complete = false;
          p.setCount("work_items"_metric, 3);
          p.setCount("work_groups"_metric, 1);
        }) == "");
  for (uint64_t seed = 0; seed < cases(500); ++seed) {
    INFO(seed);
    CHECK(!contradictionIn(randomProfile(seed)));
  }
}

TEST_CASE("a fraction beyond 1 is refused") {
  CHECK(refusal([](KernelProfile &p) { p.setReal("coalescing_32"_metric, 1.5); }) ==
        "metrics.coalescing_32 is 1.5: expected a fraction from 0 to 1");
}

TEST_CASE("a sum that does not fit 64 bits is refused, not wrapped") {
  // Modulo 2^64 these are 2 levels of 4096 operations and none.
  const auto levels = [](Histogram histogram) {
    return refusal([&](KernelProfile &p) { p.histograms.asapFpLevels = std::move(histogram); });
  };
  const std::string wrong =
      "histograms.asap_fp_levels adds up to 2^64 or more: expected less than 2^64";
  CHECK(levels({{4096, 2}, {uint64_t{1} << 63, 2}}) == wrong);
  CHECK(levels({{1, kMost}, {2, 1}}) == wrong);
  CHECK(levels({{1, kMost}}) == "");
  CHECK(levels({{kMost, 1}}) == "");
  CHECK(refusal([](KernelProfile &p) {
          p.histograms.opcodes = {{"add", kMost}, {"load", 1}};
        }) == "histograms.opcodes adds up to 2^64 or more: expected less than 2^64");
  CHECK(refusal([](KernelProfile &p) {
          p.histograms.lines = {{.line = 1, .bytes = kMost}, {.line = 2, .bytes = 1}};
        }) == "bytes of histograms.lines add up to 2^64 or more: expected less than 2^64");
  CHECK(refusal([](KernelProfile &p) {
          p.accesses = {AccessRow{.accesses = kMost, .bytes = 1},
                        AccessRow{.accesses = 1, .bytes = 1}};
        }) == "accesses of accesses add up to 2^64 or more: expected less than 2^64");
}

TEST_CASE("cold accesses that no bytes need are refused") {
  const auto cold = [](uint64_t accesses) {
    return refusal([&](KernelProfile &p) { p.reuse.coldAccesses = accesses; });
  };
  CHECK_THAT(cold(kMost), StartsWith("reuse_distances and cold accesses add up to 2^64 or more"));
  const std::string end = " accesses of lines of 64 bytes: expected as many as 640 bytes in global "
                          "and constant memory need, one byte to a whole line each";
  CHECK(cold(637) == "reuse_distances and cold accesses add up to 641" + end);
  CHECK(cold(5) == "reuse_distances and cold accesses add up to 9" + end);
  CHECK(refusal([](KernelProfile &p) {
          p.reuse.coldAccesses = 5;
          p.provenance.scaledFrom = "8x2/8x2";
        }) == "");
  CHECK(refusal([](KernelProfile &p) { p.reuse = {0, 5}; }) == ""); // not measured
}

TEST_CASE("a distance that no bin begins with is refused") {
  CHECK_THAT(refusal([](KernelProfile &p) {
               p.histograms.reuseDistances = {{0, 3}, {65, 1}};
             }),
             Contains("has the distance 65: expected the lowest distance of a bin, such as 64"));
  CHECK_THAT(refusal([](KernelProfile &p) {
               p.histograms.lines = {{.line = 9, .reuseDistances = {{kMost, 1}}}};
             }),
             StartsWith("reuse_distances of line 9 has the distance 18446744073709551615"));
}

TEST_CASE("an NDRange that does not match the work-items is refused") {
  const std::string of = " for the NDRange 36x4 in work-groups of 8x2";
  const auto count = [](Metric metric, uint64_t value, bool complete = true) {
    return refusal([&](KernelProfile &p) {
      p.complete = complete;
      p.setCount(metric, value);
    });
  };
  CHECK(count("work_items"_metric, 143) == "metrics.work_items is 143: expected 144" + of);
  CHECK(count("work_groups"_metric, 11) == "metrics.work_groups is 11: expected 10" + of);
  CHECK(count("work_group_size"_metric, 8) == "metrics.work_group_size is 8: expected 16" + of);
  CHECK(count("work_items"_metric, 145, false) ==
        "metrics.work_items is 145: expected at most 144" + of);
  CHECK_THAT(refusal([](KernelProfile &p) {
               p.provenance.globalSize = {uint64_t{1} << 32U, uint64_t{1} << 32U, 1};
             }),
             Contains("expected an NDRange of less than 2^64 work-items"));
  CHECK(refusal([](KernelProfile &p) {
          p.provenance.totalGroups = 11;
          p.provenance.sampledGroups = 1;
        }) == "provenance.total_groups is 11: expected 10, the work-groups of the NDRange");
}
