/// How many work-groups of a long launch are characterised.
#include "metrics/sampled_groups/sample_choice.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using namespace aiwc::metrics;
using aiwc::profile::KernelProfile;

namespace {

const SampleGoal kGoal = {.relativeError = 0.01, .instructions = 1000, .groups = 8};

/// The work-groups after which a launch starts again, in which a group executes `work(i)`
/// instructions; 0: it does not.
template <typename Work> uint64_t abandonedAfter(uint64_t groups, Work work) {
  SampleChoice choice(kGoal, groups);
  uint64_t instructions = 0;
  for (uint64_t done = 1; done <= groups; ++done) {
    instructions += work(done - 1);
    if (choice.startsAgainAfter(done, instructions)) {
      CHECK(choice.sampled() == kGoal.groups);
      return done;
    }
  }
  CHECK(choice.sampled() == 0);
  return 0;
}

KernelProfile profileWith(double instructionsError) {
  KernelProfile profile;
  profile.setCount("total_instruction_count"_metric, 1000);
  profile.setStandardError("total_instruction_count"_metric, instructionsError);
  return profile;
}

} // namespace

TEST_CASE("A launch is sampled if its groups so far tell that it is long", "[sampling]") {
  CHECK(abandonedAfter(100, [](uint64_t) { return 10; }) == 0); // exactly the limit
  CHECK(abandonedAfter(100, [](uint64_t) { return 11; }) == 1);
  // The fourth group is long: seen after the fourth, for which 40 of 400 stand.
  CHECK(abandonedAfter(100, [](uint64_t i) { return i == 3 ? 100 : 1; }) == 4);
  // Nothing is chosen any more after half of the groups.
  CHECK(abandonedAfter(100, [](uint64_t i) { return i < 50 ? 1 : 1000000; }) == 0);
  // Half of the groups would be in the sample, or more.
  CHECK(abandonedAfter(16, [](uint64_t) { return 1000000; }) == 1);
  CHECK(abandonedAfter(15, [](uint64_t) { return 1000000; }) == 0);
  CHECK(abandonedAfter(1, [](uint64_t) { return 1000000; }) == 0);
}

TEST_CASE("A sample grows until its error is small, or all groups are characterised",
          "[sampling]") {
  SampleChoice choice(kGoal, 100000);
  REQUIRE(choice.startsAgainAfter(1, 1000));
  CHECK_FALSE(choice.startsAgainAfter(1, 1000)); // once only
  REQUIRE(choice.startsAgainWith(0.05));         // 25 times as many groups, and a tenth more
  CHECK(choice.sampled() == 220);
  REQUIRE(choice.startsAgainWith(0.0101)); // at least twice as many
  CHECK(choice.sampled() == 440);
  CHECK_FALSE(choice.startsAgainWith(0.01));
  CHECK(choice.sampled() == 440);
  REQUIRE(choice.startsAgainWith(0.2)); // 193 600 groups
  CHECK(choice.sampled() == 0);
  CHECK_FALSE(choice.startsAgainWith(0.2)); // all are characterised

  SampleChoice unknown(kGoal, 100000);
  REQUIRE(unknown.startsAgainAfter(1, 1000));
  REQUIRE(unknown.startsAgainWith(NAN));
  CHECK(unknown.sampled() == 0);
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
  profile.setReal("coalescing_32"_metric, 0.5);
  profile.setStandardError("coalescing_32"_metric, 0.1);
  CHECK(largestRelativeError(profile) == Approx(0.2));
  // An error that is not known, of a metric that has a value.
  profile.setCount("total_reads"_metric, 7);
  CHECK(std::isnan(largestRelativeError(profile)));
}
