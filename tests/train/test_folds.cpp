#include "predict/correlated_errors.h"
#include "train/folds.h"
#include "train/made_up.h"
#include "train/one_measured.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

using namespace aiwc::train;
using namespace aiwc::test;

TEST_CASE("nothing that is tested has been trained on") {
  const TrainingSet set = madeUpTimes();
  const auto usable = withoutDoubt(set);
  const auto application = [&](size_t i) {
    return set.workloads[set.times[i].workload].application;
  };
  for (const LeaveOut leaveOut : kLeaveOuts) {
    INFO(toString(leaveOut));
    std::set<size_t> tested;
    for (const Fold &fold : foldsOf(set, usable, leaveOut)) {
      for (const size_t test : fold.test) {
        CHECK(tested.insert(test).second); // each time once
        for (const size_t training : fold.training) {
          CHECK(training != test);
          const bool both = leaveOut == LeaveOut::kApplicationAndDevice ||
                            leaveOut == LeaveOut::kApplicationAndDeviceGivenLaunch;
          if (leaveOut == LeaveOut::kApplication || both)
            CHECK(application(training) != application(test));
          if (leaveOut == LeaveOut::kDevice || both)
            CHECK(set.times[training].device != set.times[test].device);
        }
      }
    }
    // All kernels have the same size: nothing is left to train on where that is left out.
    CHECK(tested.size() == (leaveOut == LeaveOut::kSize ? 0 : set.times.size()));
  }
}

TEST_CASE("times with a doubt are tested and not trained on") {
  TrainingSet set = madeUpTimes();
  set.workloads[3].doubt = "the clock stood still";
  for (const Fold &fold : foldsOf(set, withoutDoubt(set), LeaveOut::kKernel))
    for (const size_t training : fold.training)
      CHECK(set.times[training].workload != 3);
}

TEST_CASE("the correlation of errors is that of two devices for one workload") {
  auto rows = fitRows(madeUpTimes());
  rows.resize(40);
  std::vector<size_t> usable(rows.size());
  const std::vector<double> predicted(rows.size(), 0);
  const auto correlation = [&](double common, double own) {
    for (size_t i = 0; i < rows.size(); ++i) {
      usable[i] = i;
      rows[i].workload = i / 4;
      const double sign = i / 4 % 2 == 0 ? 1 : -1; // of the workload
      rows[i].lnMicros = sign * common + (i % 2 == 0 ? own : -own);
    }
    return errorCorrelationOf(rows, usable, predicted);
  };
  CHECK(correlation(1, 0) == Approx(0.95)); // the most
  CHECK(correlation(0, 1) == 0);            // of four devices, two err one way: -1/3
  // Pairs of one workload: 4 of opposite own errors, 2 of the same.
  CHECK(correlation(1, 0.5) == Approx((6 + 0.25 * (2 - 4)) / (6 * 1.25)));
  CHECK(errorCorrelationOf(rows, {}, predicted) == 0);
}

TEST_CASE("the correlation of errors by class is that of the pairs of one class, and of two") {
  const TrainingSet set = madeUpTimes(); // a CPU and two GPUs of one vendor
  auto rows = fitRows(set);
  std::vector<size_t> usable(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    usable[i] = i;
    const double sign = rows[i].workload % 2 == 0 ? 1 : -1;
    rows[i].lnMicros = sign * (rows[i].device == 0 ? -0.5 : 1); // the CPU errs the other way
  }
  const std::vector<double> predicted(rows.size(), 0);
  const auto correlation = classCorrelationOf(set, rows, usable, predicted);
  CHECK(correlation.same == Approx(aiwc::predict::kGreatestCorrelation));
  CHECK(correlation.others == 0);
  for (FitRow &row : rows)
    if (row.device == 0)
      row.lnMicros *= -1;
  // The product 0.5 over the mean square (1 + 0.25) / 2.
  CHECK(classCorrelationOf(set, rows, usable, predicted).others == Approx(0.8));
}

TEST_CASE("one measured device moves what is predicted of the others") {
  using aiwc::predict::kHalfInterval;
  TrainingSet set = madeUpTimes();
  set.times.resize(6); // of two workloads, each on a CPU and two GPUs
  const double end = kHalfInterval * 0.5;
  const auto errorOf = [](size_t device) { return device == 0 ? 1 : 0.4; };
  std::vector<LeftOutPrediction> predicted(set.times.size());
  for (size_t i = 0; i < predicted.size(); ++i)
    predicted[i] = {
        std::log(set.times[i].micros) - errorOf(set.times[i].device), {-end, end}, 0.3, {0.6, 0.2}};
  predicted[5].lnMicros = std::nan("");
  const OneMeasured one = oneMeasured(set, predicted);
  // Of the first workload six ordered pairs, of the second two, of the CPU and a GPU.
  REQUIRE(one.set.times.size() == 8);
  CHECK(one.set.workloads.size() == 5);
  const double repeat = aiwc::predict::kRepeatedTime / kHalfInterval;
  const double known = 0.25 / (0.25 + repeat * repeat);
  const std::vector<std::pair<size_t, size_t>> pairs = {{0, 1}, {0, 2}, {1, 0}, {1, 2},
                                                        {2, 0}, {2, 1}, {0, 1}, {1, 0}};
  for (size_t i = 0; i < pairs.size(); ++i) {
    INFO(i);
    const auto [measured, other] = pairs[i];
    CHECK(one.set.times[i].device == other);
    CHECK(set.times[one.time[i]].micros == one.set.times[i].micros);
    const double before = std::log(one.set.times[i].micros) - errorOf(other);
    const double correlation = measured == 0 || other == 0 ? 0.2 : 0.6;
    CHECK(one.sameClass[i] == (correlation == 0.6));
    CHECK(one.unconditioned[i].lnMicros == Approx(before));
    CHECK(one.scaled[i].lnMicros == Approx(before + errorOf(measured)));
    CHECK(one.conditioned[i].lnMicros == Approx(before + correlation * known * errorOf(measured)));
    CHECK(one.conditioned[i].errorFactor.high ==
          Approx(end * std::sqrt(1 - correlation * correlation * known)));
    CHECK(*one.conditioned[i].withMeasured == Approx(correlation * std::sqrt(known)));
  }
}

TEST_CASE("the error factors are the 10 % and 90 % quantiles of measured over predicted, by part") {
  const TrainingSet set = madeUpTimes();
  std::vector<FitRow> rows(303); // of one application, so that each time counts the same
  std::vector<aiwc::predict::PartTimes> predicted(rows.size(), {1, 0, 0});
  std::vector<size_t> usable(rows.size());
  for (size_t i = 0; i < usable.size(); ++i) {
    usable[i] = i;
    // A third of the times is launch, memory or other things alone; the launch is off by up to e,
    // memory by up to 1.5, the rest not at all.
    const size_t part = i % 3;
    predicted[i] = {};
    predicted[i][part] = 7;
    const double error = (static_cast<double>(i / 3) - 50) / 50; // -1, -0.98, ... 1
    const double most = part == 0 ? 1 : part == 1 ? std::log(1.5) : 0;
    rows[i].lnMicros = std::log(7) + most * error;
  }
  const auto errorFactors = errorFactorsOf(set, rows, usable, predicted);
  CHECK(errorFactors[0].low == Approx(-0.8));
  CHECK(errorFactors[0].high == Approx(0.8));
  CHECK(errorFactors[1].low == Approx(-0.8 * std::log(1.5)));
  CHECK(errorFactors[1].high == Approx(0.8 * std::log(1.5)));
  CHECK(errorFactors[2].low == Approx(-0.05)); // at least what a repeated measurement may differ by
  CHECK(errorFactors[2].high == Approx(0.05));
}

TEST_CASE("folds that are joined leave out what each of them does") {
  const TrainingSet set = madeUpTimes();
  const auto usable = withoutDoubt(set);
  const auto folds = foldsOf(set, usable, LeaveOut::kApplication);
  REQUIRE(folds.size() > 2);
  CHECK(joined(folds, folds.size()).size() == folds.size());
  const auto two = joined(folds, 2);
  REQUIRE(two.size() == 2);
  size_t tested = 0;
  for (const Fold &fold : two) {
    tested += fold.test.size();
    for (const size_t training : fold.training)
      for (const size_t test : fold.test)
        REQUIRE(set.workloads[set.times[training].workload].application !=
                set.workloads[set.times[test].workload].application);
  }
  CHECK(tested == set.times.size());
}

TEST_CASE("the interval of a time follows from the errors of times that it shares nothing with") {
  // Two applications are off by up to e, the third by up to 1.1: its own times say nothing of it.
  const TrainingSet set = madeUpTimes();
  auto rows = fitRows(set);
  const auto usable = withoutDoubt(set);
  const auto folds = foldsOf(set, usable, LeaveOut::kApplication);
  REQUIRE(folds.size() == 3);
  const std::vector<aiwc::predict::PartTimes> predicted(rows.size(), {0, 0, 7});
  for (size_t f = 0; f < folds.size(); ++f)
    for (size_t k = 0; k < folds[f].test.size(); ++k)
      rows[folds[f].test[k]].lnMicros =
          std::log(7) + (f == 2 ? std::log(1.1) : 1) *
                            (2.0 * static_cast<double>(k) / (folds[f].test.size() - 1) - 1);
  const auto result = withIntervals(set, rows, folds, predicted);
  CHECK(result[folds[2].test[0]].lnMicros == Approx(std::log(7)));
  CHECK(result[folds[2].test[0]].errorFactor.high == Approx(0.8).margin(0.05));
  CHECK(result[folds[2].test[0]].errorFactor.low == Approx(-0.8).margin(0.05));
  // Of the other two, half of what is known is good to 1.1.
  CHECK(result[folds[0].test[0]].errorFactor.high == Approx(0.6).margin(0.05));
}

TEST_CASE("the interval of two times is the sum of theirs") {
  using aiwc::predict::intervalOf;
  const aiwc::predict::ErrorFactors errorFactors = {{{-1, 1}, {-0.1, 0.2}, {-0.5, 2}}};
  const auto one = intervalOf({1, 2, 3}, errorFactors);
  const auto other = intervalOf({5, 0, 1}, errorFactors);
  const auto both = intervalOf({6, 2, 4}, errorFactors);
  CHECK(one.low == Approx(std::exp(-1) + 2 * std::exp(-0.1) + 3 * std::exp(-0.5)));
  CHECK(both.low == Approx(one.low + other.low));
  CHECK(both.high == Approx(one.high + other.high));
}

TEST_CASE("the shortest launch of a device that is left out is that of another application") {
  TrainingSet set = madeUpTimes();
  const auto predictions = [&](LeaveOut leaveOut) {
    return lnOf(leaveOneOut(set, fitRows(set), withoutDoubt(set), leaveOut));
  };
  // On one device, every launch takes a second, but for those of one application.
  const std::string fast = set.workloads[set.times[0].workload].application;
  const size_t device = set.times[0].device;
  for (MeasuredTime &time : set.times)
    if (time.device == device && set.workloads[time.workload].application != fast)
      time.micros = 1e6;
  const auto unknown = predictions(LeaveOut::kApplicationAndDevice);
  const auto known = predictions(LeaveOut::kApplicationAndDeviceGivenLaunch);
  for (size_t i = 0; i < known.size(); ++i) {
    if (set.times[i].device != device)
      continue;
    CHECK(unknown[i] < std::log(0.5e6));
    const bool ofFast = set.workloads[set.times[i].workload].application == fast;
    CHECK((known[i] > std::log(0.5e6)) == ofFast);
  }
}

TEST_CASE("the shortest launch of a CPU tells those of one work-group and of several") {
  const TrainingSet set = madeUpTimes();
  const auto model = madeUpModel();
  const double usual =
      aiwc::predict::launchMicros(set.devices[0].profile, aiwc::predict::Clock::kQueued);
  size_t ofSeveral = 0;
  for (const FitRow &row : fitRows(set)) {
    if (row.device != 0)
      continue;
    const bool several =
        aiwc::predict::demandOf(*set.workloads[row.workload].launches[0].profile).workGroups > 1;
    ofSeveral += several ? 1 : 0;
    CHECK(predictedParts(model, set, row, std::log(3))[0] ==
          Approx(3 * std::exp(model.launchAboveShortest) * (usual + (several ? 10 : 0))));
  }
  CHECK(ofSeveral > 40);
  CHECK(ofSeveral < 60);
}

TEST_CASE("what is not known of a device widens its interval") {
  aiwc::predict::FittedModel model = madeUpModel();
  model.knownDevice[0] = {-1, 1};
  model.unknownDevice[0] = {-3, 3};
  model.unknownDeviceMeasuredLaunch[0] = {-2, 2};
  aiwc::predict::DeviceProfile device = madeUpGpu("new");
  using aiwc::predict::Parameter;
  device.quantities[static_cast<size_t>(Parameter::kLaunchOverhead)].reset();
  CHECK(model.errorFactorsFor(device)[0].high == 3);
  device.set(Parameter::kLaunchOverhead, 5, "clpeak: from enqueueing to start");
  CHECK(model.errorFactorsFor(device)[0].high == 3); // this is not the shortest launch
  device.set(Parameter::kLaunchOverhead, 5,
             std::string(aiwc::predict::kShortestLaunchSource) + ", 5 us");
  CHECK(model.errorFactorsFor(device)[0].high == 2);
  model.devices.push_back({"new", "made-up", {}, 10});
  CHECK(model.errorFactorsFor(device)[0].high == 1);
}
