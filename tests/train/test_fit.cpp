#include "support/files.h"
#include "train/fit.h"
#include "train/folds.h"
#include "train/made_up.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

using namespace aiwc::predict;
using namespace aiwc::train;
using namespace aiwc::test;

TEST_CASE("a fit finds the times that a model of its own form made") {
  const TrainingSet set = madeUpTimes();
  const auto rows = fitRows(set);
  const auto all = withoutDoubt(set);
  REQUIRE(all.size() == set.times.size());
  const FittedModel model = fit(set, rows, all);
  double error = 0;
  for (const FitRow &row : rows)
    error += std::abs(lnPredicted(model, set, row) - row.lnMicros);
  CHECK(error / static_cast<double>(rows.size()) < 0.1);
}

TEST_CASE(
    "times that are all twice as long, with half the bandwidth and clock, are predicted twice as "
    "long") {
  TrainingSet set = madeUpTimes();
  const auto before = fitRows(set);
  const auto all = withoutDoubt(set);
  const FittedModel model = fit(set, before, all);
  for (MeasuredTime &time : set.times)
    time.micros *= 2;
  // The coefficients of DRAM and of compute units are held to their priors.
  for (MeasuredDevice &device : set.devices)
    for (const Parameter rate : {Parameter::kDramBandwidth, Parameter::kClock})
      device.profile.set(rate, device.profile[rate] / 2, "test");
  const auto after = fitRows(set);
  const FittedModel twice = fit(set, after, all);
  double shift = 0;
  for (size_t i = 0; i < before.size(); ++i)
    shift += lnPredicted(twice, set, after[i]) - lnPredicted(model, set, before[i]);
  CHECK(std::exp(shift / static_cast<double>(before.size())) == Approx(2).epsilon(0.05));
}

TEST_CASE("a few times that are wrong by a thousand do not spoil the others") {
  TrainingSet set = madeUpTimes();
  for (size_t i = 0; i < set.times.size(); i += 20)
    set.times[i].micros *= 1000;
  const auto rows = fitRows(set);
  const FittedModel model = fit(set, rows, withoutDoubt(set));
  std::vector<double> errors;
  for (size_t i = 0; i < rows.size(); ++i)
    if (i % 20 != 0)
      errors.push_back(std::abs(lnPredicted(model, set, rows[i]) - rows[i].lnMicros));
  std::ranges::sort(errors);
  CHECK(errors[errors.size() / 2] < 0.3);
}

TEST_CASE("a time of several launches is the sum of theirs") {
  TrainingSet set = madeUpTimes();
  set.workloads[0].launches.push_back({set.workloads[1].launches[0].profile, 3});
  const auto one = fitRows(madeUpTimes());
  const auto sum = fitRows(set);
  for (size_t k = 0; k < kCoefficientCount; ++k) // rows 0 to 2 are workload 0, 3 to 5 workload 1
    CHECK(sum[0].unit[k] == Approx(one[0].unit[k] + 3 * one[3].unit[k]));
  CHECK(sum[0].launches == 4);
}

TEST_CASE("an application of many kernels counts once for the transfers that these share") {
  TrainingSet set = madeUpTimes();
  const FittedModel truth = madeUpModel();
  for (size_t i = 0; i < set.workloads.size(); ++i) {
    set.workloads[i].application = std::to_string(i % 3 < 2 ? 0 : 1 + i % 10);
    set.workloads[i].hostBytes = 1e9;
    set.workloads[i].hostTransfers = 4;
  }
  const auto unit = fitRows(set);
  std::vector<size_t> usual;
  for (size_t i = 0; i < set.times.size(); ++i) {
    const bool unlike = set.workloads[set.times[i].workload].application == "0";
    const MeasuredDevice &device = set.devices[set.times[i].device];
    const Coefficients coefficients = truth.coefficientsFor(device.profile);
    for (const Coefficient term : {Coefficient::kTransferBytes, Coefficient::kTransferCalls}) {
      const auto k = static_cast<size_t>(term);
      set.times[i].micros += (unlike ? 8 : 1) * std::exp(coefficients[k]) * unit[i].unit[k];
    }
    if (!unlike)
      usual.push_back(i);
  }
  const auto rows = fitRows(set);
  const FittedModel model = fit(set, rows, withoutDoubt(set));
  double bias = 0;
  for (const size_t i : usual)
    bias += lnPredicted(model, set, rows[i]) - rows[i].lnMicros;
  CHECK(std::abs(bias) / static_cast<double>(usual.size()) < 0.3);
}

TEST_CASE("no launch overhead is above the shortest time of its device, transfers or not") {
  TrainingSet set = madeUpTimes();
  const bool transfers = GENERATE(false, true);
  for (Workload &workload : set.workloads) {
    workload.hostBytes = transfers ? 4 : 0;
    workload.hostTransfers = transfers ? 1 : 0;
  }
  for (size_t i = 0; i < set.times.size(); ++i) // 2 us and a time that grows fast
    set.times[i].micros = 2 + static_cast<double>(i * i * i);
  const FittedModel model = fit(set, fitRows(set), withoutDoubt(set));
  for (size_t d = 0; d < set.devices.size(); ++d) {
    const auto launch = model.coefficientsFor(set.devices[d].profile,
                                              "made-up")[static_cast<size_t>(Coefficient::kLaunch)];
    CHECK(std::exp(launch) * launchMicros(set.devices[d].profile, Clock::kQueued) <
          2 * (2 + static_cast<double>(d * d * d)));
  }
}

TEST_CASE("launch overheads are as much above the shortest times as the model says, on average") {
  const TrainingSet set = madeUpTimes();
  const FittedModel model = fit(set, fitRows(set), withoutDoubt(set));
  double above = 0;
  for (size_t d = 0; d < set.devices.size(); ++d) {
    double shortest = std::numeric_limits<double>::infinity();
    for (const MeasuredTime &time : set.times)
      if (time.device == d)
        shortest = std::min(shortest, time.micros);
    above += model.coefficientsFor(set.devices[d].profile,
                                   "made-up")[static_cast<size_t>(Coefficient::kLaunch)] +
             std::log(launchMicros(set.devices[d].profile, Clock::kQueued) / shortest);
  }
  CHECK(model.launchAboveShortest == Approx(above / static_cast<double>(set.devices.size())));
}

TEST_CASE("a device that was never measured has its class's coefficients") {
  FittedModel model = madeUpModel();
  model.launchAboveShortest = 0.25;
  model.classes[1].values[static_cast<size_t>(Coefficient::kDram)] =
      0.1; // no faster than its sheet
  CHECK(model.coefficientsFor(madeUpGpu("new")) == model.classes[1].values);
  SECTION("and the launch overhead that follows from its own, where that was measured") {
    DeviceProfile device = madeUpGpu("new");
    device.set(Parameter::kLaunchOverhead, 50, "docs/devices.md, rule launch");
    CHECK(model.coefficientsFor(device) == model.classes[1].values);
    device.set(Parameter::kLaunchOverhead, 50, std::string(kShortestLaunchSource));
    Coefficients expected = model.classes[1].values;
    expected[static_cast<size_t>(Coefficient::kLaunch)] = std::log(50.0 / (10 + 50)) + 0.25;
    CHECK(model.coefficientsFor(device) == expected);
  }
  SECTION("no memory is faster than its data sheet, and a measured one is as fast as measured") {
    constexpr auto kDram = static_cast<size_t>(Coefficient::kDram);
    DeviceProfile device = madeUpGpu("new");
    CHECK(model.coefficientsFor(device)[kDram] > 0);
    model.classes[1].values[kDram] = -0.5;
    CHECK(model.coefficientsFor(device)[kDram] == 0);
    model.classes[1].values[kDram] = 0.5;
    device.set(Parameter::kDramBandwidth, 100, "measured: reads of 1 GiB");
    CHECK(model.coefficientsFor(device)[kDram] == 0);
  }
  SECTION("the launches of published times count where they contain the same of it") {
    Coefficients deviation{};
    deviation.fill(0.5);
    model.devices = {{"new", "published", deviation, 9}};
    constexpr auto kLaunch = static_cast<size_t>(Coefficient::kLaunch);
    const DeviceProfile device = madeUpGpu("new");
    const Coefficients &ofClass = model.classes[1].values;
    CHECK(model.coefficientsFor(device)[kLaunch] == ofClass[kLaunch] + 0.5);
    CHECK(model.coefficientsFor(device, {}, Clock::kKernel)[kLaunch] == ofClass[kLaunch]);
    CHECK(model.coefficientsFor(device, "published")[kLaunch] == ofClass[kLaunch] + 0.5);
    CHECK(model.coefficientsFor(device)[1] == ofClass[1] + 0.5);
    // What other data sets tell of the device holds for a data set that has no times of it.
    CHECK(model.coefficientsFor(device, "another") == model.coefficientsFor(device));
  }
  SECTION("and of a class that was never measured, the mean of the classes of its kind") {
    CHECK(model.coefficientsFor(madeUpGpu("new", "Intel")) == model.classes[1].values);
  }
}

TEST_CASE("an estimate is the sum of its terms, and names the largest") {
  const auto profile = profileOf({.coldLines = 1 << 24});
  const TimeEstimate found = estimate(madeUpModel(), demandOf(profile), madeUpGpu());
  double sum = 0;
  for (const double term : found.terms)
    sum += term;
  CHECK(found.micros == Approx(sum));
  CHECK(found.boundBy == TimeTerm::kDram);
}

TEST_CASE("training needs two applications and two devices") {
  TrainingSet set = madeUpTimes();
  std::erase_if(set.times, [](const MeasuredTime &time) { return time.device != 0; });
  CHECK(errorOf([&] { train(set); }) ==
        "training: times of one device: expected two or more, to tell how well the model does on "
        "another one");
  for (Workload &workload : set.workloads)
    workload.application = "one";
  CHECK(errorOf([&] { train(set); }) ==
        "training: times of 1 application: expected two or more, to tell how well the model does "
        "on another one");
}
