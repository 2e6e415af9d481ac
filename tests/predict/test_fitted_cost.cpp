/// The fitted model behind CostModel: costs are the model's estimates, transfers cross
/// the device's link, and what it says of itself (parts, intervals, missing parameters) holds.
#include "machines.h"
#include "predict/device_library.h"
#include "predict/fitted/fitted_cost_model.h"
#include "predict/fitted/variant_odds.h"
#include "predict/prediction.h"
#include "predict/split.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

using namespace aiwc::literals;
using namespace aiwc::predict;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

const DeviceLibrary &library() {
  static const DeviceLibrary all({AIWC_TEST_DEVICES});
  return all;
}

/// With transfers and everything else that a term needs.
aiwc::profile::KernelProfile kernel() {
  auto profile = kernelOf(factorisation());
  profile.setCount("host_to_device_bytes"_metric, 1'000'000);
  profile.setCount("host_to_device_transfers"_metric, 2);
  profile.setCount("device_to_host_bytes"_metric, 500'000);
  profile.setCount("device_to_host_transfers"_metric, 1);
  profile.setCount("fp_special"_metric, 300);
  profile.setCount("barriers_hit"_metric, 640);
  profile.setCount("work_items"_metric, 4096);
  profile.setCount("work_groups"_metric, 64);
  return profile;
}

} // namespace

TEST_CASE("the published model is devices/models/published.json") {
  std::ifstream file(AIWC_TEST_MODEL);
  std::ostringstream text;
  text << file.rdbuf();
  CHECK(toJson(publishedModel().model()) == text.str());
}

TEST_CASE("a cost is the fitted model's estimate in seconds, part by part") {
  const FittedCostModel &model = publishedModel();
  const CostedLaunch launch(kernel(), model);
  size_t compared = 0;
  for (const DeviceProfile &device : library().devices()) {
    if (!launch.missing(device).empty())
      continue;
    const Cost cost = launch.cost(device);
    const TimeEstimate estimated =
        estimate(model.model(), demandOf(kernel()), device, false, {}, kUsualClock);
    CHECK(cost.seconds == Approx(estimated.micros * 1e-6));
    CHECK(std::accumulate(cost.parts.begin(), cost.parts.end(), 0.0) == Approx(cost.seconds));
    CHECK(std::accumulate(cost.terms.begin(), cost.terms.end(), 0.0) == Approx(cost.seconds));
    for (size_t k = 0; k < model.parts().size(); ++k) {
      CHECK(model.parts()[k].key == timeTerms()[k].key);
      CHECK(cost.parts[k] == Approx(estimated.terms[k] * 1e-6).margin(1e-15));
      CHECK(cost.parts[k] <= cost.parts[cost.boundBy]);
    }
    const Interval ends = *model.interval(device, cost);
    CHECK(ends.low < cost.seconds);
    CHECK(ends.high > cost.seconds);
    // Transfers are off as what is neither launch nor memory.
    const ErrorFactors &errorFactors = model.model().errorFactorsFor(device);
    CHECK(model.interval(device, cost, 1)->high - ends.high ==
          Approx(std::exp(errorFactors[static_cast<size_t>(ErrorPart::kOther)].high)));
    ++compared;
  }
  CHECK(compared > 20);
}

TEST_CASE(
    "the bytes of transfers cross a link, or are the model's term; calls are its other term") {
  const FittedCostModel &model = publishedModel();
  const CostedLaunch launch(kernel(), model);
  constexpr double kBytes = 1'500'000;
  size_t linked = 0, fitted = 0;
  for (const DeviceProfile &device : library().devices()) {
    if (!launch.missing(device).empty())
      continue;
    INFO(device.id);
    const TimeEstimate with =
        estimate(model.model(), demandOf(kernel()), device, true, {}, kUsualClock);
    const double calls = with.terms[static_cast<size_t>(TimeTerm::kTransferCalls)];
    double bytes = with.terms[static_cast<size_t>(TimeTerm::kTransferBytes)];
    // The model was fitted to transfers of three devices, of which two have a link.
    const bool isFitted = device.id == "gtx970" || device.id == "tahiti-hd7970";
    const auto reached = reachedGbPerS(device, HostMemory::kPageable);
    if (reached && !isFitted)
      bytes = kBytes / (*reached * 1e3);
    ++(reached && !isFitted ? linked : fitted);
    const double transfers = (calls + bytes) * 1e-6;
    CHECK(launch.transferSeconds(device) == Approx(transfers));
    CHECK(predictOne(launch, device, 0.5).seconds ==
          Approx(launch.cost(device).seconds + transfers / 2));
  }
  CHECK(linked > 20);
  CHECK(fitted > 20);
  CHECK(model.transferSeconds({}, library()["gtx1080"]) == 0);
}

TEST_CASE("the interval of a time with transfers begins with those of pinned memory") {
  const FittedCostModel &model = publishedModel();
  const CostedLaunch launch(kernel(), model);
  for (const char *id : {"rtx4090", "i9-13900k"}) {
    INFO(id);
    const DeviceProfile &device = library()[id];
    const Cost cost = launch.cost(device);
    const double pageable = launch.transferSeconds(device);
    const double pinned = launch.transferSeconds(device, 1, false, HostMemory::kPinned);
    CHECK((pinned < pageable) == (device.type == DeviceType::kGpu));
    const Interval interval = *predictOne(launch, device, 0.5).interval;
    CHECK(interval.low == model.interval(device, cost, pinned / 2)->low);
    CHECK(interval.high == model.interval(device, cost, pageable / 2)->high);
  }
}

TEST_CASE("what a change gains is off by what its parts of the time are off by") {
  const FittedCostModel &model = publishedModel();
  const DeviceProfile device = library()["gtx1080"];
  const ErrorFactors &errors = model.model().errorFactorsFor(device);
  const auto cost = [](double memory, double compute) {
    Cost cost;
    cost.parts[static_cast<size_t>(TimeTerm::kDram)] = memory;
    cost.parts[static_cast<size_t>(TimeTerm::kInstructions)] = compute;
    cost.seconds = memory + compute;
    return cost;
  };
  // Half of what only memory takes is half of it, however long it takes.
  const Interval same = model.ratioInterval(device, cost(4, 0), cost(2, 0));
  CHECK(same.low == Approx(2));
  CHECK(same.high == Approx(2));
  // Three of memory beside one of instructions, and one of memory left: (3 m + c) / (m + c).
  const auto ratio = [](double m, double c) { return std::log((3 * m + c) / (m + c) / 2); };
  // The instructions of each launch have an error of their own, too.
  const double own = std::exp(kHalfInterval * kVariantError);
  const auto apart = [](double before, double after) {
    return std::log((3 + before) / (1 + after) / 2);
  };
  const auto together = [](double a, double b, double c, double d) {
    return std::hypot(std::hypot(a, b), std::hypot(c, d));
  };
  const double above =
      together(ratio(std::exp(errors[1].high), 1), ratio(1, std::exp(errors[2].low)), apart(own, 1),
               apart(1, 1 / own));
  const double below =
      together(ratio(std::exp(errors[1].low), 1), ratio(1, std::exp(errors[2].high)),
               apart(1 / own, 1), apart(1, own));
  const Interval mixed = model.ratioInterval(device, cost(3, 1), cost(1, 1));
  CHECK(mixed.low == Approx(2 * std::exp(-below)));
  CHECK(mixed.high == Approx(2 * std::exp(above)));
  // What hardly changes shares that error: ln (4 / 3.9) of ln 2.
  const double share = std::log(4 / 3.9) / std::log(2);
  const double ownShare = kHalfInterval * kVariantError * share;
  const Interval small = model.ratioInterval(device, cost(0, 4), cost(0, 3.9));
  CHECK(small.low == Approx(4 / 3.9 * std::exp(-ownShare * std::sqrt(2))));
  CHECK(small.high == Approx(4 / 3.9 * std::exp(ownShare * std::sqrt(2))));
  // A change that costs time is no less certain than its reverse.
  const Interval reverse = model.ratioInterval(device, cost(1, 1), cost(3, 1));
  CHECK(reverse.low == Approx(1 / mixed.high));
  CHECK(reverse.high == Approx(1 / mixed.low));
}

TEST_CASE("odds of variants: of two, the closed form of their own errors") {
  const FittedCostModel &model = publishedModel();
  const DeviceProfile device = library()["gtx1080"];
  const auto cost = [](double memory, double compute) {
    Cost cost;
    cost.parts[static_cast<size_t>(TimeTerm::kDram)] = memory;
    cost.parts[static_cast<size_t>(TimeTerm::kInstructions)] = compute;
    cost.seconds = memory + compute;
    return cost;
  };
  CHECK(variantOddsOf(model, device, {}).empty());
  // One alone is the fastest, and so are all that take the same.
  for (const VariantOdds &same :
       variantOddsOf(model, device, std::vector{cost(1, 2), cost(1, 2), cost(1, 2)})) {
    CHECK(same.nearBest == 1);
    CHECK(same.fasterThanFirst == 0.5);
  }
  // The errors of the parts are those of both, so that only their own remain, of 0.4 each: ln of
  // the ratio is normal around ln 1.5. Of 4000 drawn shares, two standard deviations are below
  // 0.016.
  const auto below = [](double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; };
  const double deviation = std::hypot(0.4, 0.4);
  const auto two = variantOddsOf(model, device, std::vector{cost(0, 3), cost(0, 2)});
  CHECK(two[1].fasterThanFirst == 0.5);
  CHECK(two[0].fasterThanFirst == Approx(below(-std::log(1.5) / deviation)).margin(0.02));
  CHECK(two[0].nearBest == Approx(below(-std::log(1.5 / 1.1) / deviation)).margin(0.02));
  CHECK(two[1].nearBest == Approx(below(std::log(1.5 * 1.1) / deviation)).margin(0.02));
  // Other parts are off by other errors, which makes the order less sure.
  const auto mixed = variantOddsOf(model, device, std::vector{cost(0, 3), cost(2, 0)});
  CHECK(mixed[0].fasterThanFirst > two[0].fasterThanFirst + 0.02);
  // Equal arguments, equal odds.
  CHECK(variantOddsOf(model, device, std::vector{cost(0, 3), cost(0, 2)})[0].nearBest ==
        two[0].nearBest);
}

TEST_CASE("a share of the work-groups never takes longer, and pays the whole launch") {
  const FittedCostModel &model = publishedModel();
  const CostedLaunch launch(kernel(), model);
  for (const char *id : {"gtx1080", "i7-6700k", "knl", "fiji-furyx"}) {
    const DeviceProfile &device = library()[id];
    const Cost whole = launch.cost(device);
    double before = 0;
    for (const double share : {0.01, 0.1, 0.5, 0.9, 1.0}) {
      const Cost cost = launch.cost(device, share);
      CHECK(cost.seconds >= before);
      CHECK(cost.parts[0] == whole.parts[0]);
      CHECK(finishSeconds(launch, device, {}, share) == cost.seconds); // one launch, not two
      before = cost.seconds;
    }
    for (const double wrong : {0.0, -0.5, 1.5, std::nan("")})
      CHECK_THROWS_WITH(launch.cost(device, wrong), Contains("above 0 and at most 1"));
  }
}

TEST_CASE("a device that lacks what the model needs is named with it") {
  const FittedCostModel &model = publishedModel();
  const CostedLaunch launch(kernel(), model);
  for (const Parameter parameter : kTimeTermParameters) {
    DeviceProfile device = library()["gtx1080"];
    device.quantities[static_cast<size_t>(parameter)].reset();
    CHECK(launch.missing(device).parameters == std::vector{parameter});
    CHECK_THROWS_AS(launch.cost(device), MissingParameter);
  }
  DeviceProfile unmeasured = library()["gtx1080"];
  unmeasured.id = "unmeasured";
  for (const Parameter parameter : {Parameter::kLaunchOverhead, Parameter::kHostLinkBandwidth,
                                    Parameter::kHostLinkLatency, Parameter::kSyncCost})
    unmeasured.quantities[static_cast<size_t>(parameter)].reset();
  CHECK(launch.missing(unmeasured).empty());
  CHECK_FALSE(model.knows(unmeasured));
  CHECK(model.knows(library()["gtx1080"]));
  // It has its class's launch overhead.
  CHECK(launch.cost(unmeasured).parts[0] > 1e-6);
}

TEST_CASE("a device without double precision is left out where a kernel needs it") {
  DeviceProfile device = library()["gtx1080"];
  device.quantities[static_cast<size_t>(Parameter::kFp64Rate)].reset();
  auto profile = kernel();
  for (const bool doubles : {true, false}) {
    profile.setCount("fp_ops_f64"_metric, doubles ? 1 : 0);
    const CostedLaunch launch(profile, publishedModel());
    if (doubles) {
      CHECK(launch.missing(device).parameters == std::vector{Parameter::kFp64Rate});
      CHECK_THROWS_AS(launch.cost(device), MissingParameter);
    } else {
      CHECK(launch.missing(device).empty());
      CHECK_NOTHROW(launch.cost(device));
    }
  }
}

TEST_CASE("what a profile lacks is said in the field's name") {
  auto profile = kernel();
  profile.setNone("ipt_max"_metric);
  CHECK_THAT(publishedModel().whyNot(profile), Contains("metrics.ipt_max has no value"));
  CHECK_THROWS_WITH(CostedLaunch(profile, publishedModel()),
                    Contains("kernel factorisation: metrics.ipt_max has no value"));
}

TEST_CASE("a feature is outside the training range from ten times the range on") {
  TrainingRanges seen;
  auto profile = kernel();
  include(demandOf(profile), seen);
  CHECK(featuresOutsideTraining(demandOf(profile), seen).empty());
  profile.setCount("work_items"_metric, 4096 * 10);
  profile.setCount("work_groups"_metric, 64 * 10);
  profile.setCount("barriers_hit"_metric, 6400);
  CHECK(featuresOutsideTraining(demandOf(profile), seen).empty());
  profile.setCount("work_items"_metric, 4096 * 11);
  profile.setCount("work_groups"_metric, 64 * 11);
  profile.setCount("barriers_hit"_metric, 7040);
  CHECK(featuresOutsideTraining(demandOf(profile), seen) ==
        std::vector<std::string>{"4.51e+04 work-items (at most 4.1e+03 in training)"});
  include(demandOf(profile), seen);
  CHECK(featuresOutsideTraining(demandOf(profile), seen).empty());
  profile.setCount("work_items"_metric, 64);
  profile.setCount("work_groups"_metric, 1);
  profile.setCount("barriers_hit"_metric, 10);
  CHECK(featuresOutsideTraining(demandOf(profile), seen) ==
        std::vector<std::string>{"64 work-items (at least 4.1e+03 in training)"});
  CHECK(featuresOutsideTraining(demandOf(profile), {}).empty()); // a model that does not say
}

TEST_CASE("a device that is better in one figure is never slower, whether it is known or not") {
  struct Better {
    Parameter parameter;
    double factor;
  };
  constexpr std::array kBetter = {
      Better{Parameter::kCores, 2},           Better{Parameter::kClock, 2},
      Better{Parameter::kFp64Rate, 2},        Better{Parameter::kCacheBandwidth, 2},
      Better{Parameter::kDramBandwidth, 2},   Better{Parameter::kCacheCapacity, 2},
      Better{Parameter::kLaunchOverhead, 0.5}};
  auto uneven = kernel(); // of a few large groups, with double precision
  uneven.setCount("work_groups"_metric, 3);
  uneven.setCount("fp_ops_f64"_metric, 100'000);
  const FittedCostModel &model = publishedModel();
  size_t compared = 0;
  for (const auto &profile : {kernel(), kernelOf(triad()), uneven}) {
    const CostedLaunch launch(profile, model);
    for (const DeviceProfile &device : library().devices())
      for (const auto &[parameter, factor] : kBetter) {
        if (!launch.missing(device).empty() || !device.has(parameter))
          continue;
        DeviceProfile better = device;
        better.set(parameter, factor * device[parameter], "better");
        if (classOf(better) != classOf(device))
          continue; // a Xeon Phi at twice its clock is another device
        INFO(device.id << ", " << info(parameter).key);
        CHECK(launch.cost(better).seconds <= launch.cost(device).seconds * (1 + 1e-12));
        ++compared;
      }
  }
  CHECK(compared > 1000);
}

TEST_CASE("no time, and no low end of an interval, is below operations over the peak rate") {
  constexpr double kOperations = 1e12;          // by vectors of 16, in few instructions
  FittedModel model = publishedModel().model(); // as if the compute units were ten times as fast
  for (ClassCoefficients &row : model.classes)
    row.values[static_cast<size_t>(Coefficient::kCompute)] -= std::log(10);
  const FittedCostModel tooFast("too fast", model);
  size_t bound = 0;
  for (const bool isDouble : {false, true}) {
    auto profile = kernel();
    profile.setCount("fp_ops"_metric, static_cast<uint64_t>(kOperations));
    profile.setCount("fp_ops_f64"_metric, isDouble ? static_cast<uint64_t>(kOperations) : 0);
    const CostedLaunch launch(profile, publishedModel());
    const CostedLaunch faster(profile, tooFast);
    const Parameter rate = isDouble ? Parameter::kFp64Rate : Parameter::kFp32Rate;
    for (const DeviceProfile &device : library().devices()) {
      if (!launch.missing(device).empty() || !device.has(rate))
        continue;
      INFO(device.id);
      const double least = kOperations / (device[Parameter::kCores] * device[rate] * 1e9);
      for (const CostedLaunch *of : {&launch, &faster}) {
        const Cost cost = of->cost(device);
        CHECK(cost.seconds >= least);
        CHECK(cost.seconds == Approx(std::accumulate(cost.parts.begin(), cost.parts.end(), 0.0)));
        CHECK(of->model().interval(device, cost)->low >= least * (1 - 1e-12));
        bound += cost.seconds < 1.1 * least ? 1 : 0;
      }
    }
  }
  CHECK(bound > 100); // so the peak decides in most of them
}

TEST_CASE("plain multiply-adds and streams reach half of a data sheet or more") {
  constexpr double kItems = 1 << 22;
  LaunchDemand demand;
  demand.workItems = kItems;
  demand.workGroups = kItems / 256;
  demand.workGroupSize = 256;
  demand.jointAccesses = 1;
  demand.lineBytes = 64;
  LaunchDemand multiplyAdds = demand; // eight chains of 128 per work-item, in a loop
  multiplyAdds.instructions = 1447 * kItems;
  multiplyAdds.itemInstructions = 1447;
  multiplyAdds.groupInstructions = 256 * multiplyAdds.itemInstructions;
  multiplyAdds.singleOperations = 2056 * kItems;
  multiplyAdds.integerOperations = 75 * kItems;
  LaunchDemand triad = demand; // of vectors of four floats
  triad.instructions = 10 * kItems;
  triad.itemInstructions = 10;
  triad.groupInstructions = 256 * triad.itemInstructions;
  triad.accesses = 3 * kItems;
  triad.globalBytes = 48 * kItems;
  triad.singleOperations = 8 * kItems;
  aiwc::profile::KernelProfile lines;
  lines.reuse = {64, static_cast<uint64_t>(triad.globalBytes / triad.lineBytes)};
  triad.cacheMisses = aiwc::profile::CacheMisses(lines);

  FittedModel model = publishedModel().model();
  model.devices.clear(); // none is known: all have the coefficients of their classes
  const FittedCostModel classes("classes", model, Clock::kKernel);
  size_t compared = 0;
  for (const DeviceProfile &device : library().devices()) {
    const bool isCommon = classOf(device) == DeviceClass::kCpu ||
                          (isGpu(device) && classOf(device) != DeviceClass::kMobileGpu);
    if (!isCommon || !device.has(Parameter::kFp32Rate))
      continue;
    INFO(device.id);
    const double computed =
        peakMicros(multiplyAdds, device) * 1e-6 / classes.cost(multiplyAdds, device).seconds;
    // No kernel that computes was ever timed on a GPU of the other vendors.
    CHECK(computed > (classOf(device) == DeviceClass::kOther ? 0.4 : 0.5));
    CHECK(computed < 1);
    // Of two sockets, OpenCL's kernels reach as much as one has.
    const double least = isGpu(device) ? 0.65 : device.name.starts_with("2 x ") ? 0.3 : 0.5;
    const double streamed = triad.globalBytes / (device[Parameter::kDramBandwidth] * 1e9) /
                            classes.cost(triad, device).seconds;
    CHECK(streamed > least);
    CHECK(streamed < 1);
    ++compared;
  }
  CHECK(compared > 100);
}

TEST_CASE("a larger share of a launch never takes less time") {
  const CostedLaunch launch(kernel(), publishedModel());
  for (const DeviceProfile &device : library().devices()) {
    if (!launch.missing(device).empty())
      continue;
    double before = 0;
    for (const double share : {0.01, 0.1, 0.5, 0.9, 1.0}) {
      const double seconds = launch.cost(device, share).seconds;
      INFO(device.id << ", " << share);
      CHECK(seconds >= before);
      before = seconds;
    }
  }
}
