// What a page has of launches: sums are exact, and the size is bounded.
#include "predict/machines.h"
#include "report/launch_groups.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

using namespace aiwc::literals;
using namespace aiwc::report;
using aiwc::predict::LaunchDemand;
using aiwc::profile::KernelProfile;

namespace {

/// A launch with `factor` times the instructions of another, and as many first accesses.
KernelProfile launch(uint64_t factor) {
  KernelProfile profile = aiwc::test::kernelOf(aiwc::test::triad());
  profile.setCount("total_instruction_count"_metric, 1000 * factor);
  profile.setReal("lane_utilization_32"_metric, 1.0 / static_cast<double>(1 + factor % 3));
  profile.reuse.coldAccesses = 10 * factor;
  profile.histograms.reuseDistances = {{factor % 5, 7}, {64, factor}};
  return profile;
}

std::vector<const KernelProfile *> pointers(const std::vector<KernelProfile> &profiles) {
  std::vector<const KernelProfile *> all;
  for (const KernelProfile &profile : profiles)
    all.push_back(&profile);
  return all;
}

double instructionsOf(const LaunchGroups &grouped) {
  double sum = 0;
  for (const LaunchGroup &group : grouped.groups)
    sum += static_cast<double>(group.launches) * group.demand.instructions;
  return sum;
}

/// Lanes' instructions of groups of 32: what a device with such groups issues.
double issuedOf(const LaunchGroups &grouped) {
  double sum = 0;
  for (const LaunchGroup &group : grouped.groups)
    sum += static_cast<double>(group.launches) * group.demand.instructions /
           group.demand.laneUtilization[2];
  return sum;
}

uint64_t accessesOf(const LaunchGroups &grouped) {
  uint64_t sum = 0;
  for (const MissCurve &curve : grouped.curves) {
    uint64_t one = curve.coldAccesses;
    for (const auto &[distance, accesses] : curve.distances)
      one += accesses;
    sum += curve.launches * one;
  }
  return sum;
}

} // namespace

TEST_CASE("equal launches are one group and one curve, however many they are") {
  const std::vector<KernelProfile> launches(1000, launch(3));
  const LaunchGroups grouped = groupedLaunches(pointers(launches));
  REQUIRE(grouped.groups.size() == 1);
  REQUIRE(grouped.curves.size() == 1);
  CHECK(grouped.groups[0].launches == 1000);
  CHECK(grouped.curves[0].launches == 1000);
  CHECK(grouped.curves[0].coldAccesses == 30);
  CHECK_FALSE(grouped.pooled);
}

TEST_CASE("launches that differ keep their sums, and pools are bounded") {
  const auto count = GENERATE(2, 4, 5, 32, 33, 500);
  CAPTURE(count);
  std::vector<KernelProfile> launches;
  double instructions = 0;
  double issued = 0;
  uint64_t accesses = 0;
  for (int i = 1; i <= count; ++i) {
    const auto factor = static_cast<uint64_t>(i);
    launches.push_back(launch(factor));
    instructions += 1000.0 * i;
    issued += 1000.0 * i * (1 + i % 3);
    accesses += 10 * factor + 7 + factor;
  }
  const LaunchGroups grouped = groupedLaunches(pointers(launches));
  CHECK(grouped.groups.size() == std::min<size_t>(launches.size(), kMostGroups));
  CHECK(grouped.pooled == (launches.size() > kMostGroups));
  CHECK(grouped.curves.size() == (launches.size() <= kMostCurves ? launches.size() : 1));
  CHECK(instructionsOf(grouped) == Approx(instructions).epsilon(1e-12));
  CHECK(issuedOf(grouped) == Approx(issued).epsilon(1e-12));
  CHECK(accessesOf(grouped) == accesses);
}

TEST_CASE("the order of the launches does not matter") {
  std::vector<KernelProfile> launches;
  for (uint64_t i = 1; i <= 70; ++i)
    launches.push_back(launch(i * 37 % 71));
  const LaunchGroups forward = groupedLaunches(pointers(launches));
  std::ranges::reverse(launches);
  const LaunchGroups backward = groupedLaunches(pointers(launches));
  CHECK(forward.curves == backward.curves);
  REQUIRE(forward.groups.size() == backward.groups.size());
  for (size_t i = 0; i < forward.groups.size(); ++i) {
    CHECK(forward.groups[i].launches == backward.groups[i].launches);
    for (const DemandField &field : demandFields())
      CHECK(forward.groups[i].demand.*field.member == backward.groups[i].demand.*field.member);
  }
}

TEST_CASE("curves of different cache lines are not added") {
  std::vector<KernelProfile> launches;
  for (uint64_t i = 1; i <= 10; ++i) {
    launches.push_back(launch(i));
    launches.back().reuse.lineBytes = i % 2 == 0 ? 64 : 128;
  }
  const LaunchGroups grouped = groupedLaunches(pointers(launches));
  REQUIRE(grouped.curves.size() == 2);
  CHECK(grouped.curves[0].lineBytes == 64);
  CHECK(grouped.curves[0].coldAccesses == 10 * (2 + 4 + 6 + 8 + 10));
  CHECK(grouped.curves[1].lineBytes == 128);
  CHECK(grouped.curves[1].coldAccesses == 10 * (1 + 3 + 5 + 7 + 9));
}
