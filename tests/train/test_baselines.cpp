// Baselines on times made up in the tests: each by its definition.
#include "automatch/automatch_model.h"
#include "predict/costed_launch.h"
#include "train/baselines.h"
#include "train/features.h"
#include "train/made_up.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using namespace aiwc::train;
using namespace aiwc::test;

namespace {

/// One kernel per number of work-items, at `micros` on the CPU and `gpuMicros` on the GPU.
struct Times {
  void add(uint64_t workItems, double micros, double gpuMicros) {
    MadeUpKernel kernel;
    kernel.workGroups = workItems;
    kernel.workGroupSize = 1;
    auto profile = std::make_unique<aiwc::profile::KernelProfile>(profileOf(kernel));
    const size_t workload = set.workloads.size();
    const std::string name = std::to_string(workload);
    set.workloads.push_back({"d", "s", "application-" + name, "tiny", "k", {}, 0, 0, ""});
    set.workloads.back().launches = {{profile.get(), 1}};
    set.profiles.emplace(name, std::move(profile));
    set.times.push_back({workload, 0, micros});
    set.times.push_back({workload, 1, gpuMicros});
  }
  /// Tests the times of the last workload and trains on the others.
  Fold lastLeftOut() const {
    Fold fold;
    for (size_t i = 0; i < set.times.size(); ++i)
      (i + 2 < set.times.size() ? fold.training : fold.test).push_back(i);
    return fold;
  }
  TrainingSet set = [] {
    TrainingSet made;
    made.devices = {{madeUpCpu(), "d"}, {madeUpGpu(), "d"}};
    return made;
  }();
};

} // namespace

TEST_CASE("the features of a workload are means over its launches") {
  Times times;
  times.add(64, 1, 1);
  times.add(128, 1, 1);
  Workload both = times.set.workloads[0];
  both.launches = {{times.set.workloads[0].launches[0].profile, 3},
                   {times.set.workloads[1].launches[0].profile, 1}};
  both.hostBytes = 4096;
  both.hostTransfers = 2;
  times.set.workloads.push_back(both);
  const auto features = featuresOf(times.set);
  const auto keys = publishedFeatures();
  const auto at = static_cast<size_t>(std::ranges::find(keys, "work_items"_metric) - keys.begin());
  REQUIRE(at < keys.size());
  CHECK(features[0][at] == 64);
  CHECK(features[1][at] == 128);
  CHECK(features[2][at] == Approx((3 * 64 + 128) / 4.0));
  REQUIRE(features[2].size() == keys.size() + 3);
  CHECK(features[2][keys.size()] == 4); // launches
  CHECK(features[2][keys.size() + 1] == 4096);
  CHECK(features[2][keys.size() + 2] == 2);
  CHECK(std::ranges::none_of(features[2], [](double v) { return std::isnan(v); }));
}

TEST_CASE("nearest neighbours are three, weighted by 1 / distance in logarithms of the features") {
  Times times;
  // All features that differ are proportional to the work-items. 2^20 - 1 is far away.
  const std::vector<uint64_t> items = {(1 << 6) - 1, (1 << 8) - 1, (1 << 9) - 1, (1 << 20) - 1};
  const std::vector<double> micros = {10, 20, 40, 1e6};
  for (size_t i = 0; i < items.size(); ++i)
    times.add(items[i], micros[i], 2 * micros[i]);
  const BaselinePredictor predictor(Baseline::kNearest, times.set);

  SECTION("a workload with the features of another takes its time") {
    times.add(items[1], 1, 1);
    const auto predicted =
        BaselinePredictor(Baseline::kNearest, times.set).lnPredicted(times.lastLeftOut());
    CHECK(std::exp(predicted[0]) == Approx(20).epsilon(1e-3));
    CHECK(std::exp(predicted[1]) == Approx(40).epsilon(1e-3));
  }
  SECTION("by hand") {
    times.add((1 << 7) - 1, 1, 1);
    const auto predicted =
        BaselinePredictor(Baseline::kNearest, times.set).lnPredicted(times.lastLeftOut());
    // The same sum over the same features, with the weights of the definition.
    const auto features = featuresOf(times.set);
    std::vector<double> distances;
    for (size_t w = 0; w < items.size(); ++w) {
      double squares = 0;
      for (size_t f = 0; f < features[0].size(); ++f) {
        double mean = 0;
        double square = 0;
        for (size_t v = 0; v < items.size(); ++v) {
          mean += std::log(1 + features[v][f]) / 4;
          square += std::pow(std::log(1 + features[v][f]), 2) / 4;
        }
        const double variance = square - mean * mean;
        if (variance > 1e-9)
          squares += std::pow(std::log((1 + features[w][f]) / (1 + features[4][f])), 2) / variance;
      }
      distances.push_back(std::sqrt(squares));
    }
    CHECK(distances[3] > distances[2]);
    double sum = 0;
    double weights = 0;
    for (size_t w = 0; w < 3; ++w) {
      sum += std::log(micros[w]) / distances[w];
      weights += 1 / distances[w];
    }
    CHECK(predicted[0] == Approx(sum / weights));
    CHECK(predicted[1] == Approx(sum / weights + std::log(2)));
  }
  SECTION("nothing is said of a device without times") {
    times.add(500, 1, 1);
    Fold fold = times.lastLeftOut();
    std::erase_if(fold.training, [&](size_t i) { return times.set.times[i].device == 1; });
    const auto predicted = BaselinePredictor(Baseline::kNearest, times.set).lnPredicted(fold);
    CHECK(std::isfinite(predicted[0]));
    CHECK(std::isnan(predicted[1]));
  }
}

TEST_CASE("a roofline is a launch and the longest of three times by the data sheet") {
  using aiwc::predict::Parameter;
  Times times;
  times.add(1024, 1, 1);
  auto &profile = *times.set.profiles.begin()->second;
  aiwc::predict::DeviceProfile &gpu = times.set.devices[1].profile; // 512 cores, 100 GB/s
  gpu.set(Parameter::kFp64Rate, 0.5, "test");
  gpu.set(Parameter::kLaunchOverhead, 4, "test");
  gpu.set(Parameter::kCacheCapacity, 1024, "test"); // 16 lines
  profile.reuse.coldAccesses = 500'000;             // 32 MB: 320 us
  profile.histograms.reuseDistances = {{1, 1'000'000}};
  profile.setCount("fp_ops"_metric, 1'024'000);
  const BaselinePredictor predictor(Baseline::kRoofline, times.set);
  const double queued = aiwc::predict::launchMicros(gpu, aiwc::predict::Clock::kQueued);
  const auto micros = [&] { return std::exp(predictor.lnPredicted({{1}, {}})[0]); };
  CHECK(micros() == Approx(queued + 320));
  profile.setCount("fp_ops"_metric, 1'024'000'000); // 1024 a nanosecond
  CHECK(micros() == Approx(queued + 1000));
  profile.setCount("fp_ops_f64"_metric, 512'000'000); // 256 a nanosecond
  CHECK(micros() == Approx(queued + 2000));
  times.set.workloads[0].launches[0].launches = 3;
  times.set.workloads[0].hostBytes = 8e9; // a second at 8 GB/s
  times.set.workloads[0].hostTransfers = 5;
  CHECK(micros() == Approx(3 * (queued + 2000) + 1e6 + 50));
  times.set.workloads[0].clock = aiwc::predict::Clock::kKernel;
  CHECK(micros() ==
        Approx(3 * (aiwc::predict::launchMicros(gpu, aiwc::predict::Clock::kKernel) + 2000) + 1e6 +
               50));
  gpu.quantities[static_cast<size_t>(Parameter::kFp32Rate)].reset();
  CHECK(std::isnan(predictor.lnPredicted({{1}, {}})[0]));
}

TEST_CASE("AutoMatch's equations need no training, and add launches and transfers") {
  Times times;
  times.add(1024, 1, 1);
  using aiwc::predict::Parameter;
  for (auto &device : times.set.devices) {
    device.profile.set(Parameter::kFp32Rate, 32, "test");
    device.profile.set(Parameter::kCacheLatency, 0.01, "test");
    device.profile.set(Parameter::kDramLatency, 0.1, "test");
    device.profile.set(Parameter::kSyncCost, 1, "test");
  }
  auto &profile = *times.set.profiles.begin()->second;
  profile.setCount("fp_ops"_metric, 0);
  profile.setCount("int_ops"_metric, 1000);
  profile.setCount("asap_depth"_metric, 10);
  profile.setReal("asap_parallelism"_metric, 5);
  profile.setCount("sync_points"_metric, 1);
  profile.setCount("bytes_written_constant"_metric, 0);
  const BaselinePredictor predictor(Baseline::kAutomatch, times.set);
  const Fold fold{{0, 1}, {}};
  const auto one = predictor.lnPredicted(fold);
  const aiwc::automatch::AutomatchModel model;
  const aiwc::predict::CostedLaunch launch(profile, model);
  for (size_t d = 0; d < 2; ++d)
    CHECK(std::exp(one[d]) == Approx(1e6 * launch.cost(times.set.devices[d].profile).seconds));
  times.set.workloads[0].launches[0].launches = 3;
  times.set.workloads[0].hostBytes = 8e9;   // a second at the GPU's 8 GB/s
  times.set.workloads[0].hostTransfers = 5; // of 10 us each
  const auto three = predictor.lnPredicted(fold);
  CHECK(std::exp(three[0]) == Approx(3 * std::exp(one[0]))); // a CPU shares the host's memory
  CHECK(std::exp(three[1]) == Approx(3 * std::exp(one[1]) + 1e6 + 50));
  times.set.devices[1].profile.quantities[static_cast<size_t>(Parameter::kSyncCost)].reset();
  const auto missing = predictor.lnPredicted(fold);
  CHECK(missing[0] == three[0]);
  CHECK(std::isnan(missing[1]));
}

TEST_CASE("a forest follows a response that depends on one feature and the device") {
  Times times;
  for (uint64_t i = 0; i < 60; ++i) // two plateaus
    times.add(1 + i, i < 30 ? 10 : 1000, i < 30 ? 5 : 500);
  times.add(15, 1, 1);
  const Fold fold = times.lastLeftOut();
  try {
    const BaselinePredictor predictor(Baseline::kForest, times.set);
    const auto predicted = predictor.lnPredicted(fold);
    CHECK(std::exp(predicted[0]) == Approx(10).epsilon(0.1));
    CHECK(std::exp(predicted[1]) == Approx(5).epsilon(0.1));
    CHECK(predictor.lnPredicted(fold) == predicted); // the same trees
    Fold oneDevice = fold;
    std::erase_if(oneDevice.training, [&](size_t i) { return times.set.times[i].device == 1; });
    CHECK(std::isnan(predictor.lnPredicted(oneDevice)[1]));
  } catch (const aiwc::Error &error) { // a build without OpenCV says so
    CHECK_THAT(error.what(), Catch::Matchers::Contains("no OpenCV"));
  }
}
