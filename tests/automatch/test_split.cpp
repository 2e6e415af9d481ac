// Splits by the execution-cost model, whose costs have plateaus (idle cores) and constant parts.

#include "automatch/automatch_model.h"
#include "predict/machines.h"
#include "predict/mapping.h"
#include "support/random.h"

#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::automatch;
using namespace aiwc::predict;
using namespace aiwc::test;

namespace {

const AutomatchModel kCosts;

/// In `layers` work-groups.
CostedLaunch inGroups(const Work &work, uint64_t layers) {
  auto kernel = kernelOf(work);
  kernel.provenance.workDim = 1;
  kernel.provenance.globalSize = {64 * layers, 1, 1};
  kernel.provenance.localSize = {64, 1, 1};
  kernel.setCount("host_to_device_bytes"_metric, 8192);
  kernel.setCount("host_to_device_transfers"_metric, 2);
  kernel.setCount("device_to_host_bytes"_metric, 4096);
  kernel.setCount("device_to_host_transfers"_metric, 1);
  return {kernel, kCosts};
}

/// Table I of AutoMatch with made-up launches and links.
std::vector<DeviceProfile> devices() {
  std::vector<DeviceProfile> all = automatchDevices();
  for (size_t i = 0; i < all.size(); ++i) {
    const bool isCpu = i < 2;
    all[i].type = isCpu ? DeviceType::kCpu : DeviceType::kGpu;
    all[i].set(Parameter::kLaunchOverhead, isCpu ? 2 : 8, "made up");
    if (!isCpu) {
      all[i].set(Parameter::kHostLinkBandwidth, 6, "made up");
      all[i].set(Parameter::kHostLinkLatency, 10, "made up");
    }
  }
  return all;
}

double makespanOf(const CostedLaunch &kernel, const std::vector<DeviceProfile> &devices,
                  const std::vector<uint64_t> &layers, uint64_t all, const Transfers &transfers) {
  double makespan = 0;
  for (size_t i = 0; i < devices.size(); ++i)
    if (layers[i] > 0)
      makespan = std::max(makespan,
                          finishSeconds(kernel, devices[i], transfers,
                                        static_cast<double>(layers[i]) / static_cast<double>(all)));
  return makespan;
}

double smallestOfAll(const CostedLaunch &kernel, const std::vector<DeviceProfile> &devices,
                     uint64_t all, const Transfers &transfers) {
  double smallest = std::numeric_limits<double>::infinity();
  const uint64_t third = devices.size() > 2 ? all : 0;
  for (uint64_t a = 0; a <= all; ++a)
    for (uint64_t c = 0; c <= std::min(third, all - a); ++c)
      smallest = std::min(smallest, makespanOf(kernel, devices,
                                               devices.size() > 2 ? std::vector{a, all - a - c, c}
                                                                  : std::vector{a, all - a},
                                               all, transfers));
  return smallest;
}

} // namespace

TEST_CASE("finish times do not fall with the share") {
  for (const Work &work : {triad(), factorisation(), blockedProduct()})
    for (const DeviceProfile &device : devices()) {
      double before = 0;
      for (uint64_t layers = 1; layers <= 257; ++layers) {
        const double seconds =
            finishSeconds(inGroups(work, 257), device, {}, static_cast<double>(layers) / 257);
        REQUIRE(seconds >= before);
        before = seconds;
      }
    }
}

TEST_CASE("no split of a costed kernel has a smaller makespan") {
  Random random(5);
  const std::vector<DeviceProfile> all = devices();
  for (const Work &work : {triad(), factorisation(), blockedProduct()})
    for (int round = 0; round < 12; ++round) {
      const uint64_t layers = random.between(1, 14);
      std::vector<DeviceProfile> some;
      for (size_t i = random.between(2, 3); i > 0; --i)
        some.push_back(all[random.below(all.size())]);
      const SplitOptions options{.transfers = {.exposed = static_cast<double>(round % 3) / 2,
                                               .wholeInput = round % 2 == 0}};
      const auto kernel = inGroups(work, layers);
      const Split result = split(kernel, some, options);
      CAPTURE(work.name, round, layers, some.size());
      CHECK(result.best.makespanSeconds == smallestOfAll(kernel, some, layers, options.transfers));
      CHECK(result.best.makespanSeconds <= result.even.makespanSeconds);
      CHECK(result.best.makespanSeconds <= result.singleSeconds);
    }
}

TEST_CASE("two of the same device share a costed kernel evenly") {
  for (const DeviceProfile &device : devices()) {
    const Split result = split(inGroups(blockedProduct(), 101), std::vector{device, device});
    CHECK(result.best.shares[0].workGroups == 51);
    CHECK(result.best.shares[1].workGroups == 50);
  }
}

TEST_CASE("a device that gets slower in a parameter gets no more") {
  const auto kernel = inGroups(blockedProduct(), 1000);
  const DeviceProfile device = devices()[4];
  const auto groupsOf = [&](const DeviceProfile &changed) {
    return split(kernel, std::vector{device, changed}).best.shares[1].workGroups;
  };
  const uint64_t before = groupsOf(device);
  for (Parameter parameter : {Parameter::kFp64Rate, Parameter::kCacheBandwidth,
                              Parameter::kDramBandwidth, Parameter::kHostLinkBandwidth}) {
    DeviceProfile slower = device;
    slower.set(parameter, device[parameter] / 3, "slower");
    CHECK(groupsOf(slower) <= before);
  }
  for (Parameter parameter :
       {Parameter::kCacheLatency, Parameter::kDramLatency, Parameter::kSyncCost,
        Parameter::kLaunchOverhead, Parameter::kHostLinkLatency}) {
    DeviceProfile slower = device;
    slower.set(parameter, device[parameter] * 3, "slower");
    CHECK(groupsOf(slower) <= before);
  }
}

TEST_CASE("shares follow the speed of a costed device") {
  // Only the rate of the cores counts: no memory to speak of, one level, nothing constant.
  Work work;
  work.levels = {{1 << 24, 1}};
  auto kernel = inGroups(work, 3000);
  Machine machine{.id = "slow", .fp32 = {}, .fp64 = 1, .cacheBandwidth = 1e6, .dramBandwidth = 1e6};
  DeviceProfile slow = deviceOf(machine);
  machine.fp64 = 2;
  DeviceProfile fast = deviceOf(machine);
  for (DeviceProfile *device : {&slow, &fast})
    device->set(Parameter::kLaunchOverhead, 0, "made up");
  const Split result = split(kernel, std::vector{slow, fast});
  CHECK(result.best.shares[0].workGroups == 1000);
  CHECK(result.best.shares[1].workGroups == 2000);
}
