#include "automatch/automatch_model.h"
#include "common/error.h"
#include "machines.h"
#include "predict/prediction.h"
#include "predict/report.h"
#include "predict/widened.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using aiwc::automatch::AutomatchModel;
using namespace aiwc::predict;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

struct Application {
  std::vector<KernelProfile> profiles;
  AutomatchModel model = {};

  std::vector<Invocation> invocations() const {
    std::vector<Invocation> result;
    for (size_t i = 0; i < profiles.size(); ++i)
      result.push_back({"p" + std::to_string(i) + ".json", profiles[i], model});
    return result;
  }
  Prediction predictOn(const std::vector<Candidate> &devices, double exposed = 0) const {
    return predict(invocations(), devices, exposed);
  }
};

std::vector<Candidate> candidates(std::vector<DeviceProfile> devices) {
  std::vector<Candidate> result;
  for (DeviceProfile &device : devices)
    result.push_back({std::move(device), "", true});
  return result;
}

/// Two kernels, the first of them twice.
Application threeInvocations() {
  return {{kernelOf(triad()), kernelOf(factorisation()), kernelOf(triad())}};
}

} // namespace

TEST_CASE("invocations are summed by kernel and over all") {
  const Application application = threeInvocations();
  const Prediction prediction = application.predictOn(candidates(automatchDevices()));
  REQUIRE(prediction.kernels.size() == 2);
  CHECK(prediction.kernels[0].name == "triad");
  CHECK(prediction.kernels[0].invocations == 2);
  CHECK(prediction.kernels[1].invocations == 1);
  for (const DevicePrediction &device : prediction.devices) {
    const Cost one =
        CostedLaunch(application.profiles[0], application.model).cost(device.candidate.device);
    const Cost other =
        CostedLaunch(application.profiles[1], application.model).cost(device.candidate.device);
    CHECK(device.kernels[0].seconds == Approx(2 * one.seconds));
    CHECK(device.kernels[1].seconds == Approx(other.seconds));
    CHECK(device.application.seconds == Approx(2 * one.seconds + other.seconds));
    const Cost &sum = device.application.cost;
    for (size_t i = 0; i < kTermCount; ++i) {
      CHECK(sum.terms[i] == Approx(2 * one.terms[i] + other.terms[i]));
      CHECK(sum.terms[i] <= sum.terms[sum.boundBy]);
    }
  }
}

TEST_CASE("invocations of which a part was characterised are counted and said") {
  Application application = threeInvocations();
  CHECK_THAT(toTable(application.predictOn(candidates(automatchDevices()))), !Contains("sampled"));
  application.profiles[2].provenance.sampledGroups = 8;
  application.profiles[2].provenance.totalGroups = 100;
  const Prediction prediction = application.predictOn(candidates(automatchDevices()));
  CHECK(prediction.kernels[0].sampled == 1);
  CHECK(prediction.kernels[1].sampled == 0);
  CHECK_THAT(toTable(prediction),
             Contains("\nsampled: 1 of 2 launches of triad; their work was estimated from a "
                      "part of the work-groups\n"));
  CHECK_THAT(toJson(prediction), Contains("\"sampled_invocations\": 1,"));
}

TEST_CASE("devices are ranked per kernel and for the application, the best being 1") {
  const Prediction prediction = threeInvocations().predictOn(candidates(automatchDevices()));
  const auto ranks = [&](auto entryOf) {
    std::vector<size_t> result;
    for (const DevicePrediction &device : prediction.devices) {
      const Entry &entry = entryOf(device);
      result.push_back(entry.rank);
      CHECK((entry.rank == 1) == (entry.relative == 1));
      CHECK(entry.relative >= 1);
    }
    return result;
  };
  // Costs in tests/automatch/test_costs.cpp: bandwidth decides the triad, latency the
  // factorisation.
  CHECK(ranks([](const auto &d) { return d.kernels[0]; }) == std::vector<size_t>{4, 5, 3, 2, 1});
  CHECK(ranks([](const auto &d) { return d.kernels[1]; }) == std::vector<size_t>{1, 2, 5, 4, 3});
  CHECK(ranks([](const auto &d) { return d.application; }) == std::vector<size_t>{4, 5, 3, 2, 1});
  const auto &devices = prediction.devices;
  CHECK(devices[0].kernels[0].relative ==
        Approx(devices[0].kernels[0].seconds / devices[4].kernels[0].seconds));
}

TEST_CASE("equal devices share a rank, and the next one is behind all of them") {
  std::vector<DeviceProfile> devices = automatchDevices();
  devices = {devices[1], devices[4], devices[4]};
  const Prediction prediction = threeInvocations().predictOn(candidates(devices));
  CHECK(prediction.devices[0].kernels[0].rank == 3);
  CHECK(prediction.devices[1].kernels[0].rank == 1);
  CHECK(prediction.devices[2].kernels[0].rank == 1);
}

TEST_CASE("rounding orders no devices: of equal times, the first id is the best") {
  const DeviceProfile known = automatchDevices()[4];
  const auto named = [&](const std::string &id, double factor) {
    DeviceProfile device = known;
    device.id = id;
    device.set(Parameter::kDramBandwidth, known[Parameter::kDramBandwidth] * factor, "made up");
    return device;
  };
  const Prediction prediction = threeInvocations().predictOn(
      candidates({named("c", 1 + 1e-12), named("b", 1 - 0.5 * kEqualTimes), named("a", 0.9)}));
  const std::vector<RankedEntry> ranks = ranked(prediction, 0);
  const auto idOf = [&](size_t i) { return ranks[i].device->candidate.device.id; };
  CHECK((idOf(0) == "b" && idOf(1) == "c" && idOf(2) == "a"));
  CHECK((ranks[0].entry->rank == 1 && ranks[1].entry->rank == 1 && ranks[2].entry->rank == 3));
  CHECK(ranks[0].entry->seconds > ranks[1].entry->seconds);
}

TEST_CASE("energy is TDP while the device works and idle power while it waits") {
  DeviceProfile device = automatchDevices()[4];
  const auto entryOf = [&](double exposed) {
    Application application = threeInvocations();
    application.profiles.resize(1);
    application.profiles[0].setCount("host_to_device_bytes"_metric, 1'000'000);
    application.profiles[0].setCount("host_to_device_transfers"_metric, 1);
    return application.predictOn(candidates({device}), exposed).devices[0].kernels[0];
  };
  CHECK_FALSE(entryOf(0).energyJoules);
  device.set(Parameter::kTdp, 235, "test");
  const double seconds = entryOf(0).seconds;
  CHECK(*entryOf(0).energyJoules == Approx(235 * seconds)); // for want of the idle power
  device.set(Parameter::kIdlePower, 25, "test");
  const double waiting = (1.45 + 6.5) * 1e-6; // latency and synchronisation of the triad
  CHECK(*entryOf(0).energyJoules == Approx(235 * (seconds - waiting) + 25 * waiting));
  device.set(Parameter::kHostLinkBandwidth, 10, "test");
  device.set(Parameter::kHostLinkLatency, 0, "test");
  CHECK(*entryOf(1).energyJoules == Approx(*entryOf(0).energyJoules + 25 * 1e6 / 10e9));
}

TEST_CASE("transfers take a latency each and their bytes, times what is exposed of them") {
  DeviceProfile device = automatchDevices()[2];
  device.set(Parameter::kHostLinkBandwidth, 8, "test");
  device.set(Parameter::kHostLinkLatency, 15, "test");
  Application application = threeInvocations();
  application.profiles[0].setCount("host_to_device_bytes"_metric, 16'777'216);
  application.profiles[0].setCount("host_to_device_transfers"_metric, 2);
  application.profiles[2].setCount("device_to_host_bytes"_metric, 8'388'608);
  application.profiles[2].setCount("device_to_host_transfers"_metric, 1);
  // 3 * 15 us and 25165824 / 8 ns.
  const double all = 45e-6 + 25165824 / 8e9;
  for (const double exposed : {0.0, 0.25, 1.0}) {
    const auto devices = application.predictOn(candidates({device}), exposed).devices;
    CHECK(devices[0].kernels[0].transferSeconds == Approx(exposed * all).margin(1e-15));
    CHECK(devices[0].kernels[1].transferSeconds == 0);
    CHECK(devices[0].application.seconds ==
          Approx(devices[0].application.cost.seconds + exposed * all));
  }
  CHECK(application.predictOn(candidates({device}), 1).devices[0].application.boundBy() ==
        Entry::kTransfers);
  CHECK(application.predictOn(candidates({device}), 0).devices[0].application.boundBy() ==
        static_cast<size_t>(Term::kDram));
}

TEST_CASE("a device without a parameter is ruled out by its name, unless it was asked for") {
  std::vector<DeviceProfile> devices = automatchDevices();
  for (const Parameter parameter : {Parameter::kDramBandwidth, Parameter::kSyncCost})
    devices[4].quantities[static_cast<size_t>(parameter)].reset();
  std::vector<Candidate> asked = candidates(devices);
  const Prediction prediction = threeInvocations().predictOn(asked);
  const DevicePrediction &out = prediction.devices[4];
  CHECK(out.ruledOut());
  CHECK(out.missing.parameters == std::vector{Parameter::kDramBandwidth, Parameter::kSyncCost});
  CHECK(prediction.devices[3].kernels[0].rank == 1); // it has no rank

  asked[4].mayBeOut = false;
  CHECK_THROWS_WITH(threeInvocations().predictOn(asked),
                    StartsWith("device arc5: no dram_bandwidth_gb_per_s, which"));
}

TEST_CASE("a device needs a host link only where something crosses it in sight") {
  Application application = threeInvocations();
  const std::vector<Candidate> gpu = candidates({automatchDevices()[4]});
  CHECK_FALSE(application.predictOn(gpu, 1).devices[0].ruledOut()); // nothing crosses
  application.profiles[0].setCount("host_to_device_bytes"_metric, 4);
  application.profiles[0].setCount("host_to_device_transfers"_metric, 1);
  CHECK_FALSE(application.predictOn(gpu, 0).devices[0].ruledOut());
  CHECK(application.predictOn(gpu, 0.5).devices[0].missing.parameters ==
        std::vector{Parameter::kHostLinkBandwidth, Parameter::kHostLinkLatency});
}

TEST_CASE("bad profiles are refused by file and field") {
  Application application = threeInvocations();
  application.profiles[1].complete = false;
  application.profiles[1].reason = "aborted";
  CHECK_THROWS_WITH(application.predictOn(candidates(automatchDevices())),
                    "p1.json: complete is false (aborted): expected a profile of a whole "
                    "invocation");
  application = threeInvocations();
  application.profiles[2].setNone("device_to_host_bytes"_metric);
  CHECK_NOTHROW(application.predictOn(candidates(automatchDevices())));
  CHECK_THROWS_WITH(application.predictOn(candidates(automatchDevices()), 0.5),
                    StartsWith("p2.json: metrics.device_to_host_bytes has no value: expected"));
}

TEST_CASE("questions without an answer are refused") {
  const auto devices = candidates(automatchDevices());
  CHECK_THROWS_WITH(Application{}.predictOn(devices), Contains("no kernel invocations"));
  CHECK_THROWS_WITH(threeInvocations().predictOn({}), Contains("no devices"));
  for (const double bad : {-0.1, 1.1, std::nan("")})
    CHECK_THROWS_WITH(threeInvocations().predictOn(devices, bad), Contains("expected 0 to 1"));
}

TEST_CASE(
    "measured times stand beside the predicted ones of the same launches, on devices as they are") {
  const Application application = threeInvocations();
  std::vector<Invocation> invocations = application.invocations();
  invocations[0].measured = {{"arc1", 3.0}};
  invocations[1].measured = {{"arc1", 5.0}, {"arc2", 7.0}};
  std::vector<DeviceProfile> devices = automatchDevices();
  devices = {devices[0], devices[0], devices[1], devices[2]};
  std::vector<Candidate> all = candidates(devices);
  all[1].whatIf = "cores=8";
  const auto predicted = predict(invocations, all).devices;
  const auto seconds = [&](size_t device, size_t launch) {
    return predictOne(invocations[launch].launch, all[device].device).seconds;
  };
  REQUIRE(predicted[0].application.measured);
  CHECK(predicted[0].application.measured->launches == 2);
  CHECK(predicted[0].application.measured->seconds == 8);
  CHECK(predicted[0].application.measured->predicted == Approx(seconds(0, 0) + seconds(0, 1)));
  CHECK(predicted[0].application.measured->ratio() == Approx(8 / (seconds(0, 0) + seconds(0, 1))));
  CHECK(predicted[0].kernels[0].measured->launches == 1);
  CHECK(predicted[0].kernels[0].measured->seconds == 3);
  CHECK_FALSE(predicted[1].application.measured); // another device, with the id of this one
  CHECK(predicted[2].application.measured->seconds == 7);
  CHECK_FALSE(predicted[2].kernels[0].measured);
  CHECK_FALSE(predicted[3].application.measured);
}

TEST_CASE(
    "of two times with intervals, one is smaller with the probability that their errors leave") {
  // An 80 % interval is 1.2816 standard deviations of the logarithm to either side.
  const auto interval = [](double seconds, double deviation) {
    return Interval{seconds * std::exp(-1.2816 * deviation),
                    seconds * std::exp(1.2816 * deviation)};
  };
  struct Case {
    double ratio, deviation, other, correlation, both; ///< `both`: deviation of the ratio
  };
  for (const Case &is : {Case{std::exp(0.5), 0.3, 0.4, 0, 0.5},
                         Case{std::exp(-0.5), 0.3, 0.4, 0, 0.5}, Case{1, 0.3, 0.4, 0, 0.5},
                         Case{2, 0.3, 0.4, 0.5, std::sqrt(0.13)}, Case{2, 0, 0.4, 0.5, 0.4}}) {
    const Comparison found = compared(6 * is.ratio, interval(6 * is.ratio, is.deviation), 6,
                                      interval(6, is.other), is.correlation);
    CHECK(found.probability ==
          Approx(std::erfc(std::log(is.ratio) / is.both / std::sqrt(2.0)) / 2));
    CHECK(found.ratio.low == Approx(is.ratio * std::exp(-1.2816 * is.both)));
    CHECK(found.ratio.high == Approx(is.ratio * std::exp(1.2816 * is.both)));
  }
  // One standard deviation below and above.
  CHECK(compared(6 * std::exp(0.5), interval(6 * std::exp(0.5), 0.3), 6, interval(6, 0.4), 0)
            .probability == Approx(0.1586553));
  // Times that are surely off alike: the smaller one is.
  CHECK(compared(2, {2, 2}, 3, {3, 3}, 0).probability == 1);
  CHECK(compared(3, {3, 3}, 2, {2, 2}, 0).probability == 0);
  CHECK(compared(3, {3, 3}, 3, {3, 3}, 0).probability == 0.5);
  CHECK(compared(3, {3, 3}, 2, {2, 2}, 0).ratio.low == 1.5);
  CHECK(compared(3, {3, 3}, 2, {2, 2}, 0).ratio.high == 1.5);
}

TEST_CASE("the interval of an estimate is as much wider as independent errors make it") {
  const double e = std::exp(1.0);
  const Interval wider = widened({6 / e, 6 * e * e}, 6, e); // sqrt(1 + 1) and sqrt(4 + 1)
  CHECK(wider.low == Approx(6 * std::exp(-std::sqrt(2.0))));
  CHECK(wider.high == Approx(6 * std::exp(std::sqrt(5.0))));
  for (const double spread : {1.0, 0.5, std::nan("")}) {
    CHECK(widened({2, 9}, 6, spread).low == 2);
    CHECK(widened({2, 9}, 6, spread).high == 9);
  }
  CHECK(widened({2, 9}, 0, 3).low == 2);
}
