#include "common/error.h"
#include "predict/split.h"
#include "speed_model.h"

#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::predict;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

const SpeedModel kModel;
constexpr SplitOptions kHidden{.transfers = {.exposed = 0}};
constexpr SplitOptions kExposed{.transfers = {.exposed = 1}};

std::vector<uint64_t> groups(const Plan &plan) {
  std::vector<uint64_t> groups;
  for (const Share &share : plan.shares)
    groups.push_back(share.workGroups);
  return groups;
}

} // namespace

TEST_CASE("two equal devices get the same, to one work-group") {
  const std::vector<DeviceProfile> devices = {machine("a", {}), machine("b", {})};
  CHECK(groups(split(launch({64, 1, 1}, {8, 1, 1}), devices).best) == std::vector<uint64_t>{4, 4});
  CHECK(groups(split(launch({72, 1, 1}, {8, 1, 1}), devices).best) == std::vector<uint64_t>{5, 4});
}

TEST_CASE("shares follow the speed of the devices") {
  const auto kernel = launch({6000, 1, 1}, {10, 1, 1});
  const auto slow = machine("slow", {.speed = 1});
  const auto fast = machine("fast", {.speed = 2});
  const auto fastest = machine("fastest", {.speed = 3});
  const Split two = split(kernel, std::vector{slow, fast});
  CHECK(groups(two.best) == std::vector<uint64_t>{200, 400});
  CHECK(two.best.makespanSeconds == Approx(2000)); // 2000 work-items at 1/s, 4000 at 2/s
  CHECK(two.even.makespanSeconds == Approx(3000)); // 3000 at 1/s
  CHECK(two.bestSingle == 1);
  CHECK(two.singleSeconds == Approx(3000)); // 6000 at 2/s
  const Split three = split(kernel, std::vector{fastest, slow, fast});
  CHECK(groups(three.best) == std::vector<uint64_t>{300, 100, 200});
  CHECK(three.even.shares[1].finishSeconds == Approx(2000));
}

TEST_CASE("offsets and sizes tile the NDRange in the order of the devices") {
  auto kernel = launch({60, 1, 1}, {10, 1, 1});
  kernel.globalOffset = {7, 0, 0};
  const Split result =
      split(kernel, std::vector{machine("slow", {.speed = 1}), machine("fast", {.speed = 2})});
  CHECK(result.best.shares[0].globalOffset == aiwc::profile::Size3{7, 0, 0});
  CHECK(result.best.shares[0].globalSize == aiwc::profile::Size3{20, 1, 1});
  CHECK(result.best.shares[1].globalOffset == aiwc::profile::Size3{27, 0, 0});
  CHECK(result.best.shares[1].globalSize == aiwc::profile::Size3{40, 1, 1});
}

TEST_CASE("a last work-group that is smaller belongs to the last share as it is") {
  const Split result =
      split(launch({35, 1, 1}, {10, 1, 1}), std::vector{machine("a", {}), machine("b", {})});
  CHECK(result.workGroups == 4);
  CHECK(groups(result.best) == std::vector<uint64_t>{2, 2});
  CHECK(result.best.shares[1].globalOffset[0] == 20);
  CHECK(result.best.shares[1].globalSize[0] == 15);
}

TEST_CASE("a device that does not pay for itself gets nothing") {
  // Alone, `near` needs 60 s. Any share of `far` lasts longer than that.
  const auto kernel = launch({60, 1, 1}, {10, 1, 1});
  const auto near = machine("near", {.speed = 1});
  const auto far = machine("far", {.speed = 1000, .launchSeconds = 61});
  const Split result = split(kernel, std::vector{far, near}, kHidden);
  CHECK(groups(result.best) == std::vector<uint64_t>{0, 6});
  CHECK(result.best.shares[0].finishSeconds == 0);
  CHECK(result.best.shares[0].globalSize == aiwc::profile::Size3{});
  CHECK(result.best.shares[1].globalOffset[0] == 0);
  CHECK(result.best.makespanSeconds == Approx(60));
  CHECK(result.even.makespanSeconds == Approx(61 + 0.03));
  // With 41 s it pays from 41.03 s on: near does four groups, far two in 41.02 s.
  const auto nearer = machine("nearer", {.speed = 1000, .launchSeconds = 41});
  const Split paid = split(kernel, std::vector{nearer, near}, kHidden);
  CHECK(groups(paid.best) == std::vector<uint64_t>{2, 4});
  CHECK(paid.best.makespanSeconds == Approx(41.02));
  // The same where it is the synchronisation that costs.
  const auto waiting = machine("waiting", {.speed = 1000, .syncSeconds = 61});
  CHECK(groups(split(kernel, std::vector{waiting, near}, kHidden).best) ==
        std::vector<uint64_t>{0, 6});
}

TEST_CASE("a device receives and returns its share of the bytes, in as many transfers") {
  // 10 work-groups in 100 s at 1/s; 400 bytes in and 100 out at 10 bytes/s are 50 s, 2 latencies 6
  // s.
  const auto kernel = launch({100, 1, 1}, {10, 1, 1}, 400, 100);
  const auto device = machine("device", {.speed = 1, .linkSeconds = 3, .bytesPerSecond = 10});
  CHECK(finishSeconds(kernel, device, {.exposed = 0}, 1) == Approx(100));
  CHECK(finishSeconds(kernel, device, {.exposed = 1}, 1) == Approx(156));
  CHECK(finishSeconds(kernel, device, {.exposed = 0.5}, 1) == Approx(128));
  CHECK(finishSeconds(kernel, device, {.exposed = 1}, 0.5) == Approx(50 + 6 + 25));
  // 400 bytes in whatever the share, 50 out.
  CHECK(finishSeconds(kernel, device, {.exposed = 1, .wholeInput = true}, 0.5) ==
        Approx(50 + 6 + 45));

  // Without the link, 5 each. With it, h + 10 n seconds on the host against 6 + 15 n: 6 and 4.
  const auto host = machine("host", {.speed = 1, .bytesPerSecond = 1e12});
  CHECK(groups(split(kernel, std::vector{host, device}, kHidden).best) ==
        std::vector<uint64_t>{5, 5});
  const Split result = split(kernel, std::vector{host, device}, kExposed);
  CHECK(groups(result.best) == std::vector<uint64_t>{6, 4});
  CHECK(result.best.makespanSeconds == Approx(66));
}

TEST_CASE("a CPU without a host link has the data where they are, another device has to say") {
  const auto kernel = launch({100, 1, 1}, {10, 1, 1}, 400, 100);
  DeviceProfile device = machine("device", {.speed = 1});
  device.quantities[static_cast<size_t>(Parameter::kHostLinkBandwidth)].reset();
  device.quantities[static_cast<size_t>(Parameter::kHostLinkLatency)].reset();
  CHECK_THROWS_WITH(finishSeconds(kernel, device, {.exposed = 1}, 1), Contains("host_latency_us"));
  CHECK(finishSeconds(kernel, device, {.exposed = 0}, 1) == Approx(100));
  device.type = DeviceType::kCpu;
  CHECK(finishSeconds(kernel, device, {.exposed = 1}, 1) == Approx(100));
}

TEST_CASE("the NDRange is cut along its slowest dimension that has enough work-groups") {
  const std::vector<DeviceProfile> devices = {machine("a", {}), machine("b", {.speed = 2})};
  SECTION("in three equal parts: 1 : 2 without a rest, in whichever dimension") {
    const Split result = split(launch({30, 60, 90}, {1, 2, 3}), devices);
    CHECK(result.dimension == 2);
    CHECK(result.layers == 30);
    CHECK(result.workGroups == 27000);
    CHECK(result.best.shares[0].workGroups == 9000);
    CHECK(result.best.shares[1].globalOffset == aiwc::profile::Size3{0, 0, 30});
    CHECK(result.best.shares[1].globalSize == aiwc::profile::Size3{30, 60, 60});
  }
  SECTION("two layers along y would be shared equally or not at all") {
    const Split result = split(launch({300, 2, 1}, {1, 1, 1}), devices);
    CHECK(result.dimension == 0);
    CHECK(result.best.makespanSeconds == Approx(200));
    CHECK(result.best.shares[0].globalSize == aiwc::profile::Size3{100, 2, 1});
    const Split along = split(launch({300, 2, 1}, {1, 1, 1}), devices, {.dimension = size_t{1}});
    CHECK(along.best.makespanSeconds == Approx(300)); // one layer each, or both for b
    CHECK(along.layers == 2);
  }
  SECTION("a hundredth more time is no reason to cut rows") {
    // 200 layers of 300 along y: 67 and 133, 20100 s instead of 20000.
    CHECK(split(launch({300, 200, 1}, {1, 1, 1}), devices).dimension == 1);
    // 20 layers: 7 and 13, 2100 s instead of 2000.
    CHECK(split(launch({300, 20, 1}, {1, 1, 1}), devices).dimension == 0);
  }
  SECTION("the dimension that was asked for must exist") {
    CHECK_THROWS_WITH(split(launch({300, 1, 1}, {1, 1, 1}), devices, {.dimension = size_t{1}}),
                      Contains("provenance.work_dim is 1"));
  }
}

TEST_CASE("one work-group goes to the fastest device") {
  const Split result = split(launch({10, 1, 1}, {10, 1, 1}),
                             std::vector{machine("a", {}), machine("b", {.speed = 2})});
  CHECK(groups(result.best) == std::vector<uint64_t>{0, 1});
  CHECK(groups(result.even) == std::vector<uint64_t>{1, 0});
  CHECK(result.best.makespanSeconds == result.singleSeconds);
}

TEST_CASE("what cannot be split is refused, by field") {
  const std::vector<DeviceProfile> devices = {machine("a", {}), machine("b", {})};
  CHECK_THROWS_WITH(split(launch({0, 1, 1}, {1, 1, 1}), devices),
                    Contains("provenance.global_size"));
  CHECK_THROWS_WITH(split(launch({8, 1, 1}, {0, 1, 1}), devices),
                    Contains("provenance.local_size"));
  const uint64_t many = uint64_t{1} << 40;
  CHECK_THROWS_WITH(split(launch({many, many, 1}, {1, 1, 1}), devices),
                    Contains("2^64 work-groups"));
  const auto kernel = launch({8, 1, 1}, {1, 1, 1});
  for (double ratio : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_WITH(split(kernel, devices, {.transfers = {.exposed = ratio}}),
                      Contains("transfer ratio"));
  CHECK_THROWS_AS(split(kernel, {}), aiwc::Error);
  std::vector<DeviceProfile> lacking = devices;
  lacking[1].quantities[static_cast<size_t>(Parameter::kLaunchOverhead)].reset();
  CHECK_THROWS_WITH(split(kernel, lacking), Contains("device b: no launch_overhead_us"));
  auto silent = profileOf({8, 1, 1}, {1, 1, 1});
  silent.setNone("host_to_device_bytes"_metric);
  const auto untold = CostedLaunch(silent, kModel);
  CHECK_THROWS_WITH(split(untold, devices, kExposed), Contains("metrics.host_to_device_bytes"));
  CHECK_NOTHROW(split(untold, devices, kHidden));
}
