#include "train/folds.h"
#include "train/made_up.h"

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
          if (leaveOut == LeaveOut::kApplication || leaveOut == LeaveOut::kApplicationAndDevice)
            CHECK(application(training) != application(test));
          if (leaveOut == LeaveOut::kDevice || leaveOut == LeaveOut::kApplicationAndDevice)
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

TEST_CASE("the spread is the 10 % and 90 % quantile of measured over predicted") {
  const TrainingSet set = madeUpTimes();
  auto rows = fitRows(set);
  std::vector<double> predicted(rows.size());
  std::vector<size_t> usable(101);
  for (size_t i = 0; i < usable.size(); ++i) {
    usable[i] = i;
    predicted[i] = 0;
    rows[i].lnMicros = (static_cast<double>(i) - 50) / 50; // -1, -0.98, ... 1
  }
  const auto spread = spreadOf(rows, usable, predicted);
  CHECK(spread.low == Approx(-0.8));
  CHECK(spread.high == Approx(0.8));
}
