// What times of one device change in a model, and what they leave.
#include "support/files.h"
#include "train/fit.h"
#include "train/made_up.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::predict;
using namespace aiwc::train;
using namespace aiwc::test;

namespace {

constexpr auto kLaunch = static_cast<size_t>(Coefficient::kLaunch);

/// madeUpModel with a published deviation of "gpu-a", and of a device that nothing measures.
FittedModel published() {
  FittedModel model = madeUpModel();
  for (auto &row : model.classes) // no memory is faster than its data sheet
    row.values[static_cast<size_t>(Coefficient::kDram)] = 0.1;
  Coefficients deviation{};
  for (size_t k = 0; k < kCoefficientCount; ++k)
    deviation[k] = 0.1 * static_cast<double>(k % 4);
  model.devices = {{"gpu-a", "published", deviation, 50}, {"other", "published", deviation, 50}};
  return model;
}

/// The times of one of madeUpTimes' devices, as `model` predicts them, times `factor`.
TrainingSet timesOf(size_t device, const FittedModel &model, double factor) {
  TrainingSet set = madeUpTimes();
  std::erase_if(set.times, [&](const MeasuredTime &time) { return time.device != device; });
  set.devices = {{set.devices[device].profile, std::string(kOwnMeasurements)}};
  for (MeasuredTime &time : set.times) {
    time.device = 0;
    time.micros =
        factor * estimate(model, demandOf(*set.workloads[time.workload].launches[0].profile),
                          set.devices[0].profile)
                     .micros;
  }
  return set;
}

/// The objective as fit.h gives it, of deviations from the class of the only device of `set`.
double objective(const FittedModel &model, const TrainingSet &set, const Coefficients &deviation) {
  const DeviceProfile &device = set.devices[0].profile;
  const Coefficients ofClass = model.classCoefficients(device);
  const Coefficients before = model.publishedDeviation(device.id, Clock::kQueued);
  double sum = 0;
  double shortest = std::numeric_limits<double>::infinity();
  for (const MeasuredTime &time : set.times) {
    CoefficientTimes times = byCoefficient(
        unitTimes(demandOf(*set.workloads[time.workload].launches[0].profile), device, true));
    for (size_t k = 0; k < kCoefficientCount; ++k)
      times[k] *= std::exp(ofClass[k] + deviation[k]);
    if (isGpu(device))
      overlapUnits(times);
    const double micros = std::accumulate(times.begin(), times.end(), 0.0);
    const double residual = std::log(micros / time.micros);
    sum += 2 * (std::sqrt(1 + residual * residual) - 1);
    shortest = std::min(shortest, time.micros);
  }
  const double lnUnit = std::log(launchMicros(device, Clock::kQueued));
  const double known = ofClass[kLaunch] + before[kLaunch] + lnUnit;
  double anchor = std::log(shortest);
  bool anchored = true;
  if (hasMeasuredLaunchOverhead(device))
    anchor = std::min(anchor, std::log(device[Parameter::kLaunchOverhead]));
  else
    anchored = anchor <= known; // else longer than launches are known to be: only a limit
  for (size_t k = 0; k < kCoefficientCount; ++k) {
    const bool transfers = k == static_cast<size_t>(Coefficient::kTransferBytes) ||
                           k == static_cast<size_t>(Coefficient::kTransferCalls);
    const double weight = k == kLaunch && anchored ? 0.15 : k == kLaunch || transfers ? 0.5 : 1.0;
    sum += std::pow(FitOptions().deviceWeight * weight * (deviation[k] - before[k]), 2);
  }
  const double above = ofClass[kLaunch] + deviation[kLaunch] + lnUnit - anchor;
  return sum + std::pow(2 * (anchored ? above : std::max(0.0, above)), 2);
}

const DeviceDeviation &measuredRow(const FittedModel &model, const std::string &device) {
  const auto row = std::ranges::find_if(model.devices, [&](const DeviceDeviation &candidate) {
    return candidate.device == device && candidate.dataSet == kOwnMeasurements;
  });
  REQUIRE(row != model.devices.end());
  return *row;
}

} // namespace

TEST_CASE("an update changes the deviation of its device, and nothing else") {
  const FittedModel before = published();
  const FittedModel after = update(before, timesOf(0, before, 3));
  REQUIRE(after.devices.size() == 3);
  for (size_t i = 0; i < before.classes.size(); ++i)
    CHECK(after.classes[i].values == before.classes[i].values);
  for (size_t i = 0; i < before.devices.size(); ++i)
    CHECK(after.devices[i].values == before.devices[i].values);
  CHECK(measuredRow(after, "cpu").times == 60);
  CHECK(after.applications == before.applications);
  CHECK_FALSE(before.knows("cpu"));
  CHECK(after.knows("cpu"));
  const DeviceProfile gpu = madeUpGpu("gpu-a");
  CHECK(after.coefficientsFor(gpu) == before.coefficientsFor(gpu));
}

TEST_CASE("a device that takes three times as long is predicted to") {
  const FittedModel before = published();
  for (const size_t device : {size_t{0}, size_t{1}}) { // one that is new, one that was published
    const TrainingSet set = timesOf(device, before, 3);
    const FittedModel after = update(before, set);
    double error = 0;
    for (const FitRow &row : fitRows(set))
      error += std::abs(lnPredicted(after, set, row) - row.lnMicros) / 60;
    CHECK(error < 0.25); // before: ln 3
  }
}

TEST_CASE("an update is the least of the documented objective, whatever one deviation changes by") {
  const FittedModel model = published();
  for (const auto &[device, factor, overhead] : {std::tuple(size_t{0}, 3.0, 0.0),
                                                 {0, 0.01, 0.0},
                                                 {0, 3.0, 2.0},
                                                 {1, 3.0, 0.0},
                                                 {1, 0.01, 0.0}}) {
    TrainingSet set = timesOf(device, model, factor);
    if (overhead > 0)
      set.devices[0].profile.set(Parameter::kLaunchOverhead, overhead,
                                 "measured: the shortest launch of the test");
    const FittedModel updated = update(model, set);
    const Coefficients found = measuredRow(updated, set.devices[0].profile.id).values;
    const double least = objective(model, set, found);
    for (size_t k = 0; k < kCoefficientCount; ++k)
      for (const double step : {-0.1, 0.1}) {
        Coefficients other = found;
        other[k] += step;
        INFO("device " << device << ", factor " << factor << ", overhead " << overhead << ", "
                       << timeTerms()[k].key << " " << step);
        CHECK(objective(model, set, other) > least);
      }
  }
}

TEST_CASE("a launch overhead is no longer than the shortest launch, and than a measured overhead") {
  const FittedModel model = published();
  const auto launchOf = [&](double factor, double overhead) {
    TrainingSet set = timesOf(0, model, factor);
    if (overhead > 0)
      set.devices[0].profile.set(Parameter::kLaunchOverhead, overhead,
                                 "measured: the shortest launch of the test");
    double shortest = std::numeric_limits<double>::infinity();
    for (const MeasuredTime &time : set.times)
      shortest = std::min(shortest, time.micros);
    const DeviceProfile &device = set.devices[0].profile;
    const double found = std::exp(update(model, set).coefficientsFor(device)[kLaunch]) *
                         launchMicros(device, Clock::kQueued);
    return std::pair(found, shortest);
  };
  const auto [ofShort, shortest] = launchOf(0.01, 0);
  CHECK(ofShort < 1.3 * shortest);
  const auto [ofMeasured, longest] = launchOf(100, 2);
  CHECK(ofMeasured == Approx(2).epsilon(0.3));
  CHECK(longest > 20);
}

TEST_CASE("a measured overhead is that of one work-group, whatever launches were timed") {
  const FittedModel model = published();
  TrainingSet set = timesOf(0, model, 100);
  std::erase_if(set.times, [&](const MeasuredTime &time) {
    return demandOf(*set.workloads[time.workload].launches[0].profile).workGroups == 1;
  });
  DeviceProfile &cpu = set.devices[0].profile;
  REQUIRE_FALSE(isGpu(cpu));
  cpu.set(Parameter::kLaunchOverhead, 2, "measured: the shortest launch of the test");
  const double found = std::exp(update(model, set).coefficientsFor(cpu)[kLaunch]);
  CHECK(found * launchMicros(cpu, Clock::kQueued) == Approx(2).epsilon(0.1));
}

TEST_CASE("times that are those predicted leave a published deviation as it is") {
  const FittedModel model = published();
  TrainingSet set = timesOf(1, model, 1);
  for (MeasuredTime &time : set.times) // what a launch takes in the model
    time.shortestLaunchMicros = std::exp(model.coefficientsFor(madeUpGpu("gpu-a"))[kLaunch]) *
                                launchMicros(madeUpGpu("gpu-a"), Clock::kQueued);
  const FittedModel updated = update(model, set);
  const Coefficients &found = measuredRow(updated, "gpu-a").values;
  for (size_t k = 0; k < kCoefficientCount; ++k)
    CHECK(found[k] == Approx(k == kLaunch ? 0 : model.devices[0].values[k]).margin(1e-3));
}

TEST_CASE("an update replaces the one before it, and gives the same file every time") {
  const FittedModel model = published();
  const FittedModel once = update(model, timesOf(1, model, 3));
  CHECK(toJson(once) == toJson(update(model, timesOf(1, model, 3))));
  CHECK(toJson(update(once, timesOf(1, model, 3))) == toJson(once));
  const FittedModel other = update(update(model, timesOf(1, model, 9)), timesOf(1, model, 3));
  CHECK(toJson(other) == toJson(once));
}

TEST_CASE("own measurements of a device count instead of published ones") {
  FittedModel model = published();
  const DeviceProfile device = madeUpGpu("gpu-a");
  const Coefficients ofClass = model.classCoefficients(device);
  Coefficients own{};
  own[2] = 0.7;
  model.devices.push_back({"gpu-a", std::string(kOwnMeasurements), own, 9});
  CHECK(model.coefficientsFor(device)[2] == ofClass[2] + 0.7);
  CHECK(model.coefficientsFor(device)[1] == ofClass[1]);
  CHECK(model.coefficientsFor(device, "published")[1] == ofClass[1] + model.devices[0].values[1]);
  CHECK(model.publishedDeviation("gpu-a", Clock::kQueued) == model.devices[0].values);
}

TEST_CASE("an update without times is refused") {
  CHECK(errorOf([] { update(madeUpModel(), {}); }) == "training: no times: expected at least one");
}
