/// The parts of the definition that the hand-worked costs do not reach.
#include "automatch/automatch_model.h"
#include "common/error.h"
#include "predict/costed_launch.h"
#include "predict/machines.h"

#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::automatch;
using namespace aiwc::predict;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;
using aiwc::profile::Metric;
using Catch::Matchers::Contains;

namespace {

/// Both rates, and nothing but compute: 100 operations in 2 levels on 10 cores take 10 steps.
Machine plain() {
  return {"plain", 10, 2.0, 0.5, 1, 64, 1e6, 0, 1e6, 0, 0, 1};
}

Work twoLevels() {
  Work work;
  work.levels = {{50, 2}};
  work.doublePrecision = false;
  return work;
}

Cost costOf(const KernelProfile &kernel, const Machine &machine) {
  return CostedLaunch(kernel, AutomatchModel()).cost(deviceOf(machine));
}

double computeNs(const Cost &cost) {
  return cost.terms[0] * 1e9;
}

double cacheNs(const Cost &cost) {
  return cost.terms[1] * 1e9;
}

std::string refusalOf(const KernelProfile &kernel, const DeviceProfile &device) {
  try {
    (void)CostedLaunch(kernel, AutomatchModel()).cost(device);
    return "";
  } catch (const aiwc::Error &error) {
    return error.what();
  }
}

} // namespace

TEST_CASE("each precision is costed at its own rate, a mix at their harmonic mean") {
  KernelProfile kernel = kernelOf(twoLevels());
  // D / pi0 + steps / pi0 = 2 / pi0 + 10 / pi0.
  CHECK(computeNs(costOf(kernel, plain())) == Approx(12 / 2.0));
  kernel.setCount("fp_ops_f64"_metric, 100);
  CHECK(computeNs(costOf(kernel, plain())) == Approx(12 / 0.5));
  // A quarter in double precision: 0.25 / 0.5 + 0.75 / 2 = 0.875 ns per operation.
  kernel.setCount("fp_ops_f64"_metric, 25);
  CHECK(computeNs(costOf(kernel, plain())) == Approx(12 * 0.875));
}

TEST_CASE("single precision falls back on the double rate, double precision on nothing") {
  Machine doubleOnly = plain();
  doubleOnly.fp32 = {};
  CHECK(computeNs(costOf(kernelOf(twoLevels()), doubleOnly)) == Approx(12 / 0.5));

  Machine singleOnly = plain();
  singleOnly.fp64 = {};
  Work work = twoLevels();
  CHECK(computeNs(costOf(kernelOf(work), singleOnly)) == Approx(12 / 2.0));
  work.doublePrecision = true;
  const DeviceProfile device = deviceOf(singleOnly);
  CHECK(CostedLaunch(kernelOf(work), AutomatchModel()).missing(device).parameters ==
        std::vector{Parameter::kFp64Rate});
  CHECK_THAT(refusalOf(kernelOf(work), device),
             Contains("device plain") && Contains("fp64_rate_gflops"));
}

TEST_CASE("factors are those of the smallest measured width that holds the device's lanes") {
  Work work = twoLevels();
  work.lanes = {0.8, 0.4, 0.2, 0.1};
  work.coalescing = {0.5, 0.25, 0.125};
  work.localBytes = 1000;
  const KernelProfile kernel = kernelOf(work);
  // D / pi0 + steps / (pi0 f_v) = 2 / 2 + 10 / (2 f_v), and 1000 bytes over the coalescing factor
  // at 10 bytes a ns.
  const auto check = [&](double lanes, double utilization, double coalescing) {
    INFO(lanes << " lanes");
    Machine machine = plain();
    machine.lanes = lanes;
    machine.cacheBandwidth = 10;
    const Cost cost = costOf(kernel, machine);
    CHECK(computeNs(cost) == Approx(1 + 5 / utilization));
    CHECK(cacheNs(cost) == Approx(100 / coalescing));
  };
  check(1, 1, 1);
  check(2, 0.8, 0.5);
  check(8, 0.8, 0.5);
  check(9, 0.4, 0.5);
  check(16, 0.4, 0.5);
  check(32, 0.2, 0.25);
  check(33, 0.1, 0.125);
  check(128, 0.1, 0.125);
}

TEST_CASE("a kernel without lane accesses has nothing to coalesce") {
  Work work = twoLevels();
  work.localBytes = 1000;
  KernelProfile kernel = kernelOf(work);
  for (const Metric metric :
       {"coalescing_16"_metric, "coalescing_32"_metric, "coalescing_64"_metric})
    kernel.setNone(metric);
  Machine machine = plain();
  machine.lanes = 32;
  machine.cacheBandwidth = 10;
  CHECK(cacheNs(costOf(kernel, machine)) == Approx(100));
}

TEST_CASE("work that is not floating point is costed on all operations, levels even") {
  Work work;
  work.intOps = 300;
  work.depth = 20;
  work.nodes = 1000; // 50 a level
  work.accesses = 250;
  work.lanes = {0.8, 0.8, 0.5, 0.5};
  Machine machine = plain();
  machine.lanes = 32;
  machine.cacheLatency = 0.1;
  machine.dramLatency = 0.3;
  const Cost cost = costOf(kernelOf(work), machine);
  // 20 / 2 + 20 levels * (50 / 10) / (2 * 0.5 * 0.5), the last factor since there are no fused
  // operations, of which pi0 counts two each.
  CHECK(computeNs(cost) == Approx(20 / 2.0 + 100 / 0.5));
  // A quarter of the operations access memory: 5 of the 20 levels, 0.4 us each.
  CHECK(cost.terms[static_cast<size_t>(Term::kLatency)] == Approx(5 * 0.4e-6));

  work.nodes = 60; // 3 a level, fewer than there are cores
  CHECK(computeNs(costOf(kernelOf(work), machine)) == Approx(20 / 2.0 + 20 / 0.5));
}

TEST_CASE("one floating-point operation for a hundred integer ones is floating-point work") {
  Work work = twoLevels(); // 100 operations
  work.intOps = 10000;
  CHECK(isFloatingPoint(kernelOf(work)));
  work.intOps = 10001;
  CHECK_FALSE(isFloatingPoint(kernelOf(work)));
  work.levels = {};
  work.intOps = 0;
  CHECK_FALSE(isFloatingPoint(kernelOf(work)));
}

TEST_CASE("a kernel that does nothing costs its synchronisation") {
  Work work;
  work.depth = work.nodes = 0; // asap_parallelism has no value
  KernelProfile kernel = kernelOf(work);
  for (const Metric metric : {"lane_utilization_8"_metric, "lane_utilization_32"_metric})
    kernel.setNone(metric);
  Machine machine = plain();
  machine.lanes = 32;
  machine.sync = 3;
  const Cost cost = costOf(kernel, machine);
  CHECK(cost.seconds == Approx(3e-6));
  CHECK(cost.boundBy == static_cast<size_t>(Term::kLaunch));
}

TEST_CASE("a share scales what grows with the work-groups, and nothing else") {
  const DeviceProfile device = automatchDevices()[2]; // 448 cores
  const KernelProfile kernel = kernelOf(factorisation());
  const AutomatchModel model;
  const Cost whole = CostedLaunch(kernel, model).cost(device);
  const Cost half = CostedLaunch(kernel, model).cost(device, 0.5);
  const auto term = [](const Cost &cost, Term which) {
    return cost.terms[static_cast<size_t>(which)];
  };
  CHECK(CostedLaunch(kernel, model).cost(device, 1).terms == whole.terms);
  for (const Term same : {Term::kLatency, Term::kLaunch})
    CHECK(term(half, same) == term(whole, same));
  for (const Term scaled : {Term::kCache, Term::kDram})
    CHECK(term(half, scaled) == Approx(term(whole, scaled) / 2));
  // Levels of 1 and 64 took a step and still do; the ten of 5000 are now of 2500.
  CHECK(term(half, Term::kCompute) * 1e9 ==
        Approx(160 / 0.9 + (150 + 25000 / 448.0) / (0.9 * 0.5 * 0.75)));
  // Down to a share of which every level fits the cores.
  CHECK(term(CostedLaunch(kernel, model).cost(device, 0.01), Term::kCompute) * 1e9 ==
        Approx(160 / 0.9 + 160 / (0.9 * 0.5 * 0.75)));
  for (const double bad : {0.0, -0.5, 1.5, std::nan("")})
    CHECK_THROWS_WITH(CostedLaunch(kernel, model).cost(device, bad),
                      Contains("kernel factorisation: a share of"));
}

TEST_CASE("a profile that cannot be costed is refused by field") {
  const DeviceProfile device = deviceOf(plain());
  const auto refusal = [&](auto change) {
    KernelProfile kernel = kernelOf(factorisation());
    change(kernel);
    const std::string message = refusalOf(kernel, device);
    // The same without a device, but for the name in front.
    CHECK(message == "kernel factorisation: " + AutomatchModel().whyNot(kernel));
    return message;
  };
  CHECK_THAT(refusal([](KernelProfile &k) { k.complete = false, k.reason = "aborted"; }),
             Contains("complete is false (aborted): expected a profile of a whole invocation"));
  CHECK_THAT(refusal([](KernelProfile &k) { k.reuse.lineBytes = 0; }),
             Contains("reuse.line_bytes is 0"));
  CHECK_THAT(refusal([](KernelProfile &k) { k.setNone("asap_fp_depth"_metric); }),
             Contains("metrics.asap_fp_depth has no value: expected 1 or more"));
  CHECK_THAT(refusal([](KernelProfile &k) { k.setReal("lane_utilization_fp_32"_metric, 0); }),
             Contains("metrics.lane_utilization_fp_32 is 0: expected"));
  CHECK_THAT(refusal([](KernelProfile &k) { k.setReal("lane_utilization_fp_8"_metric, 1.5); }),
             Contains("metrics.lane_utilization_fp_8 is 1.5: expected"));
  CHECK_THAT(refusal([](KernelProfile &k) { k.setReal("instruction_mix_factor"_metric, 0); }),
             Contains("metrics.instruction_mix_factor is 0: expected 0.5 to 1"));
  CHECK_THAT(refusal([](KernelProfile &k) { k.setReal("coalescing_32"_metric, 0); }),
             Contains("metrics.coalescing_32 is 0: expected"));
  CHECK_THAT(refusal([](KernelProfile &k) { k.setCount("sync_points"_metric, 0); }),
             Contains("metrics.sync_points is 0: expected 1 or more"));
  CHECK_THAT(refusal([](KernelProfile &k) { k.setNone("bytes_read_global"_metric); }),
             Contains("metrics.bytes_read_global has no value"));
  CHECK_THAT(refusal([](KernelProfile &k) { k.setCount("fp_ops_f64"_metric, 60000); }),
             Contains("metrics.fp_ops_f64 is 60000: expected 0 to 53300"));
  CHECK_THAT(refusal([](KernelProfile &k) { k.histograms.asapFpLevels.pop_back(); }),
             Contains("histograms.asap_fp_levels has 3300 operations: expected 53300, the value of "
                      "metrics.fp_ops"));
  CHECK_THAT(refusal([](KernelProfile &k) { k.setCount("asap_fp_depth"_metric, 161); }),
             Contains("histograms.asap_fp_levels has 160 levels: expected 161"));
}

TEST_CASE("a device that cannot be costed on is refused by parameter") {
  const KernelProfile kernel = kernelOf(triad());
  const AutomatchModel model;
  for (const ParameterInfo &row : parameters()) {
    INFO(row.key);
    DeviceProfile device = automatchDevices()[0];
    if (!device.has(row.parameter))
      continue;
    device.quantities[static_cast<size_t>(row.parameter)].reset();
    // L is the profile's line.
    if (row.parameter == Parameter::kCacheLine) {
      CHECK(CostedLaunch(kernel, model).missing(device).empty());
      CHECK(refusalOf(kernel, device).empty());
      continue;
    }
    CHECK(CostedLaunch(kernel, model).missing(device).parameters == std::vector{row.parameter});
    CHECK_THAT(refusalOf(kernel, device),
               Contains("device arc1") && Contains(std::string(row.key)));
  }
  CHECK(CostedLaunch(kernel, model).missing(automatchDevices()[0]).empty());
  for (const Parameter parameter : {Parameter::kCores, Parameter::kFp64Rate,
                                    Parameter::kCacheBandwidth, Parameter::kDramBandwidth}) {
    DeviceProfile device = automatchDevices()[0];
    for (const double bad : {0.0, -1.0, std::nan("")}) {
      device.set(parameter, bad, "test");
      CHECK_THAT(refusalOf(kernel, device), Contains(std::string(info(parameter).key) + " is "));
    }
  }
}
