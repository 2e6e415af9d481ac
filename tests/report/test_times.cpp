// The times that a page adds up: those of aiwc predict and aiwc split.
#include "predict/prediction.h"
#include "predict/split.h"
#include "predict/widened.h"
#include "report/fixtures.h"
#include "report/times.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

using namespace aiwc;
using namespace aiwc::literals;
using namespace aiwc::report;
using namespace aiwc::test;
using predict::DeviceProfile;
using predict::Parameter;
using profile::KernelProfile;

namespace {

const predict::FittedCostModel &model() {
  return predict::publishedModel();
}

/// `factor` times the instructions of another launch, and as many bytes from the host.
KernelProfile launch(uint64_t factor) {
  KernelProfile profile = profileNamed("k");
  profile.setCount("total_instruction_count"_metric, 100'000 * factor);
  profile.setCount("host_to_device_bytes"_metric, 1'000'000 * factor);
  profile.setCount("host_to_device_transfers"_metric, factor);
  profile.setCount("device_to_host_bytes"_metric, 0);
  profile.setCount("device_to_host_transfers"_metric, 0);
  return profile;
}

Usable usableLaunches(const std::vector<KernelProfile> &profiles) {
  Usable usable;
  for (const KernelProfile &profile : profiles) {
    usable.launches.push_back(&profile);
    usable.errorFactors.push_back(1);
  }
  return usable;
}

DeviceProfile cpu(const std::string &id) {
  DeviceProfile device = gpu(id);
  device.type = predict::DeviceType::kCpu;
  device.set(Parameter::kCores, 16, "made up");
  return device;
}

/// The numbers of `timesJson` on one device.
Json numbersOf(const Usable &usable, const DeviceProfile &device,
               const ReportedKernel &kernel = {}) {
  return timesJson(kernel, KernelTimes(usable, model()), std::span(&device, 1), model())[0];
}

} // namespace

TEST_CASE("the times of launches are the sums of those that aiwc predict has") {
  const std::vector<KernelProfile> profiles = {launch(1), launch(2), launch(7)};
  Usable usable = usableLaunches(profiles);
  for (int i = 0; i < 3; ++i) { // launches that the first profile represents
    usable.launches.push_back(&profiles[0]);
    usable.errorFactors.push_back(1.5);
  }
  for (const DeviceProfile &device : {gpu("a"), cpu("b")}) {
    CAPTURE(device.id);
    predict::Entry sum;
    predict::Interval hidden{0, 0}, exposed{0, 0};
    for (size_t i = 0; i < usable.launches.size(); ++i) {
      const predict::CostedLaunch one(*usable.launches[i], model());
      const predict::Entry without = predict::predictOne(one, device);
      const predict::Entry with = predict::predictOne(one, device, 1);
      sum.seconds += without.seconds;
      sum.transferSeconds += with.transferSeconds;
      for (size_t k = 0; k < model().parts().size(); ++k)
        sum.cost.parts[k] += without.cost.parts[k];
      const auto addWidened = [&](predict::Interval &to, const predict::Entry &entry) {
        const auto interval =
            predict::widened(*entry.interval, entry.seconds, usable.errorFactors[i]);
        to.low += interval.low;
        to.high += interval.high;
      };
      addWidened(hidden, without);
      addWidened(exposed, with);
    }
    const DeviceTimes times = KernelTimes(usable, model()).on(device);
    CHECK(times.cost.seconds == Approx(sum.seconds).epsilon(1e-12));
    CHECK(times.transferSeconds == Approx(sum.transferSeconds).epsilon(1e-12));
    CHECK(times.transferSeconds > 0);
    CHECK(times.hidden.low == Approx(hidden.low).epsilon(1e-12));
    CHECK(times.hidden.high == Approx(hidden.high).epsilon(1e-12));
    CHECK(times.exposed.low == Approx(exposed.low).epsilon(1e-12));
    CHECK(times.exposed.high == Approx(exposed.high).epsilon(1e-12));

    const Json numbers = numbersOf(usable, device);
    const size_t parts = model().parts().size();
    REQUIRE(numbers.size() == parts + 6);
    for (size_t k = 0; k < parts; ++k)
      CHECK(numbers[k].get<double>() == Approx(1e6 * sum.cost.parts[k]).margin(sum.seconds));
    for (const auto &[place, value] : {std::pair(1, hidden.low),
                                       {2, hidden.high},
                                       {3, sum.transferSeconds},
                                       {4, exposed.low},
                                       {5, exposed.high}})
      CHECK(numbers[parts + place].get<double>() == Approx(1e6 * value).epsilon(1e-5));
  }
}

TEST_CASE("times that follow from measured ones are those that aiwc predict has") {
  const std::vector<KernelProfile> profiles = {launch(1), launch(7)};
  Usable usable = usableLaunches(profiles);
  DeviceProfile changed = gpu("mine");
  changed.set(Parameter::kDramBandwidth, 400, "test");
  const std::vector<DeviceProfile> devices = {gpu("mine"), cpu("other"), gpu("third")};
  // The first launch was measured on one device, both on another.
  ReportedKernel kernel;
  kernel.launches = usable.launches;
  kernel.measuredLaunches = {{"mine", {1e-3, 0}}, {"other", {2e-4, 3e-3}}};
  std::vector<predict::Invocation> invocations;
  for (size_t i = 0; i < profiles.size(); ++i) {
    invocations.emplace_back("k", profiles[i], model());
    for (const auto &[device, seconds] : kernel.measuredLaunches)
      if (seconds[i] > 0)
        invocations[i].measured[device] = seconds[i];
  }
  std::vector<predict::Candidate> candidates;
  for (const DeviceProfile &device : devices)
    candidates.push_back({device, ""});
  candidates.push_back({changed, "dram_bandwidth=2x"});
  for (const double exposed : {0.0, 1.0}) {
    const predict::Prediction prediction =
        predict::predict(invocations, candidates, exposed, std::span(devices).first(2));
    const KernelTimes times(usable, model());
    const MeasuredKernel measured(kernel, usable, times, devices, model());
    CHECK(measured.json() == Json({{"mine", 1}, {"other", 2}}));
    for (size_t i = 0; i < candidates.size(); ++i) {
      INFO(i);
      const predict::Entry &entry = prediction.devices[i].kernels[0];
      DeviceTimes one = times.on(candidates[i].device);
      measured.condition(one, candidates[i].device, candidates[i].isModified());
      CHECK(one.cost.seconds == Approx(entry.cost.seconds));
      CHECK(one.cost.parts[0] == Approx(entry.cost.parts[0]));
      const predict::Interval &interval = exposed > 0 ? one.exposed : one.hidden;
      CHECK(interval.low == Approx(entry.interval->low));
      CHECK(interval.high == Approx(entry.interval->high));
    }
    // What is left of the correlation of two devices that were not measured.
    const auto third = measured.explained(devices[2], false);
    const auto variant = measured.explained(changed, true);
    REQUIRE(third.size() == 2);
    const auto product = [](const std::vector<double> &a, const std::vector<double> &b) {
      return a[0] * b[0] + a[1] * b[1];
    };
    const double left = (model().model().classCorrelation.same - product(third, variant)) /
                        std::sqrt((1 - product(third, third)) * (1 - product(variant, variant)));
    const predict::Entry &a = prediction.devices[2].kernels[0];
    const predict::Entry &b = prediction.devices[3].kernels[0];
    const predict::Comparison expected =
        predict::compared(a.seconds, *a.interval, b.seconds, *b.interval, left);
    if (a.rank == 1 || b.rank == 1) {
      const predict::Comparison &found = a.rank == 1 ? *b.againstBest : *a.againstBest;
      CHECK(found.probability ==
            Approx(a.rank == 1 ? 1 - expected.probability : expected.probability));
    }
  }
  usable.launches.pop_back(); // not all launches: nobody knows which were measured
  CHECK(MeasuredKernel(kernel, usable, KernelTimes(usable, model()), devices, model())
            .json()
            .empty());
}

TEST_CASE("without transfers, and where they are not known, a page has no times of them") {
  std::vector<KernelProfile> profiles = {launch(1)};
  profiles[0].setCount("host_to_device_transfers"_metric, 0);
  profiles[0].setCount("host_to_device_bytes"_metric, 0);
  CHECK(numbersOf(usableLaunches(profiles), gpu("a")).size() == model().parts().size() + 3);
  CHECK(KernelTimes(usableLaunches(profiles), model()).transfersKnown());
  profiles.push_back(launch(1));
  profiles[1].setNone("device_to_host_bytes"_metric);
  CHECK(numbersOf(usableLaunches(profiles), gpu("a")).size() == model().parts().size() + 3);
  CHECK_FALSE(KernelTimes(usableLaunches(profiles), model()).transfersKnown());
}

TEST_CASE("a device that lacks a parameter has no times, one without launches nothing to add") {
  const std::vector<KernelProfile> profiles = {launch(1)};
  DeviceProfile lacking = gpu("a");
  lacking.quantities[static_cast<size_t>(Parameter::kClock)].reset();
  CHECK(numbersOf(usableLaunches(profiles), lacking).is_null());
  ReportedKernel kernel;
  kernel.onTypes = {"gpu"};
  CHECK(numbersOf(usableLaunches(profiles), cpu("b"), kernel) == 0);
  CHECK(numbersOf(usableLaunches(profiles), gpu("b"), kernel).is_array());
}

TEST_CASE("miss ratios are of the accesses of all launches") {
  std::vector<KernelProfile> profiles = {launch(1), launch(1)};
  for (KernelProfile &profile : profiles)
    profile.reuse.lineBytes = 64;
  profiles[0].reuse.coldAccesses = 10;
  profiles[0].histograms.reuseDistances = {{1, 90}};
  profiles[1].reuse.coldAccesses = 50;
  profiles[1].histograms.reuseDistances = {{3, 50}};
  const KernelTimes times(usableLaunches(profiles), model());
  // A cache of one line misses all accesses; of two, 10 of the first launch; of four, 50 of the
  // second.
  CHECK(times.missRatios(std::array<uint64_t, 3>{64, 128, 256}) ==
        std::vector<double>{1, 0.55, 0.3});
  for (KernelProfile &profile : profiles) {
    profile.reuse.coldAccesses = 0;
    profile.histograms.reuseDistances.clear();
  }
  CHECK(KernelTimes(usableLaunches(profiles), model()).missRatios(std::array<uint64_t, 1>{64}) ==
        std::vector<double>{});
}

TEST_CASE("what-ifs are half and twice of what decides times, and what the user asks for") {
  DeviceProfile small = gpu("small");
  small.set(Parameter::kClock, predict::info(Parameter::kClock).minimum, "made up");
  const std::array devices = {gpu("a"), small};
  const auto more = [](const char *text) {
    return WhatIf{text, predict::parseChanges(text, "test")};
  };
  const std::array asked = {more("cores=2x"), more("cores=64,dram_bandwidth=3x")};
  const auto changes = changedDevices(devices, asked);
  REQUIRE(changes.size() == 6 * 2 + 1); // one that was asked for is there already
  for (const ChangedDevices &change : changes) {
    CAPTURE(change.whatIf.text);
    REQUIRE(!change.devices.empty());
    CHECK(change.devices[0].quantities[static_cast<size_t>(Parameter::kClock)]->value ==
          (change.whatIf.text == "clock=0.5x" ? 0.75
           : change.whatIf.text == "clock=2x" ? 3
                                              : 1.5));
    // Half of the least that is allowed is not.
    CHECK(change.devices.size() == (change.whatIf.text == "clock=0.5x" ? 1 : 2));
  }
  CHECK(changes[1].whatIf.text == "cores=2x");
  CHECK(changes[1].devices[0][Parameter::kCores] == 2048);
  CHECK(changes.back().devices[1][Parameter::kCores] == 64);
  CHECK(changes.back().devices[1][Parameter::kDramBandwidth] == 600);
}

TEST_CASE("a launch is divided among any of the first devices, and among all") {
  const KernelProfile profile = launch(100'000);
  std::vector<DeviceProfile> devices = {gpu("a"), cpu("b"), gpu("c")};
  const bool exposed = GENERATE(false, true);
  const predict::CostedLaunch costed(profile, model());
  const Json splits = splitsJson(profile, devices, exposed, model());
  CHECK(splits.size() == 7);
  for (const auto &[ids, some] :
       {std::pair<const char *, std::vector<DeviceProfile>>{"b", {devices[1]}},
        {"a,c", {devices[0], devices[2]}},
        {"a,b,c", devices}}) {
    CAPTURE(ids, exposed);
    const predict::Split split =
        predict::split(costed, some, {.transfers = {.exposed = exposed ? 1.0 : 0.0}});
    REQUIRE(splits[ids].size() == 2 + 2 * some.size());
    CHECK(splits[ids][0] == split.dimension);
    CHECK(splits[ids][1].get<double>() == Approx(1e6 * split.best.makespanSeconds).epsilon(1e-5));
    for (size_t i = 0; i < some.size(); ++i) {
      const predict::Share &share = split.best.shares[i];
      CHECK(splits[ids][2 + 2 * i] == share.workGroups);
      CHECK(splits[ids][3 + 2 * i].get<double>() ==
            Approx(1e6 * share.finishSeconds).epsilon(1e-5));
    }
  }
  for (const char *id : {"d", "e", "f", "g"})
    devices.push_back(gpu(id));
  const Json many = splitsJson(profile, devices, exposed, model());
  CHECK(many.size() == 31 + 2 + 1); // of five, of each other one, and of all
  CHECK(many.contains("a,b,c,d,e,f,g"));
  CHECK(splitsJson(profile, {}, exposed, model()).empty());
}

TEST_CASE("a page rounds numbers to what it needs of them") {
  CHECK(rounded(1234.56789).dump() == "1234.57");
  CHECK(rounded(1234567890).dump() == "1234570000");
  CHECK(rounded(0).dump() == "0");
  CHECK(rounded(1.0 / 3, 2).dump() == "0.33");
  CHECK(rounded(INFINITY).is_null());
}
