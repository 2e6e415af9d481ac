/// The parts of the definition that the hand-worked costs do not reach.
#include "common/error.h"
#include "machines.h"
#include "predict/execution_cost.h"

#include <catch2/catch.hpp>

using namespace aiwc::literals;
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

Cost costOf(const KernelProfile &kernel, const Machine &machine,
            Precision precision = Precision::kAsProfiled) {
  return ExecutionCostModel(precision).cost(kernel, deviceOf(machine));
}

double computeNs(const Cost &cost) {
  return cost.terms[0] * 1e9;
}

std::string refusalOf(const KernelProfile &kernel, const DeviceProfile &device) {
  try {
    (void)ExecutionCostModel().cost(kernel, device);
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
  CHECK(costOf(kernel, plain()).coreGflops == Approx(1 / 0.875));
  CHECK(computeNs(costOf(kernel, plain())) == Approx(12 * 0.875));
  CHECK(computeNs(costOf(kernel, plain(), Precision::kSingle)) == Approx(12 / 2.0));
  CHECK(computeNs(costOf(kernel, plain(), Precision::kDouble)) == Approx(12 / 0.5));
}

TEST_CASE("single precision falls back on the double rate, double precision on nothing") {
  Machine doubleOnly = plain();
  doubleOnly.fp32 = {};
  const Cost cost = costOf(kernelOf(twoLevels()), doubleOnly);
  CHECK(cost.doubleRateForSingle);
  CHECK(computeNs(cost) == Approx(12 / 0.5));
  CHECK_FALSE(costOf(kernelOf(twoLevels()), plain()).doubleRateForSingle);

  Machine singleOnly = plain();
  singleOnly.fp64 = {};
  Work work = twoLevels();
  CHECK_FALSE(costOf(kernelOf(work), singleOnly).doubleRateForSingle);
  work.doublePrecision = true;
  const DeviceProfile device = deviceOf(singleOnly);
  CHECK(ExecutionCostModel().lacking(kernelOf(work), device) == std::vector{Parameter::kFp64Rate});
  CHECK_THAT(refusalOf(kernelOf(work), device),
             Contains("device plain") && Contains("pi0_fp64_gflops"));
  CHECK(ExecutionCostModel(Precision::kSingle).lacking(kernelOf(work), device).empty());
}

TEST_CASE("factors are those of the smallest measured width that holds the device's lanes") {
  Work work = twoLevels();
  work.lanes = {0.8, 0.4, 0.2, 0.1};
  work.coalescing = {0.5, 0.25, 0.125};
  const KernelProfile kernel = kernelOf(work);
  const auto factors = [&](double lanes) {
    Machine machine = plain();
    machine.lanes = lanes;
    const Cost cost = costOf(kernel, machine);
    return std::pair(cost.laneUtilization, cost.coalescing);
  };
  using Pair = std::pair<double, double>;
  CHECK(factors(1) == Pair(1, 1));
  CHECK(factors(2) == Pair(0.8, 0.5));
  CHECK(factors(8) == Pair(0.8, 0.5));
  CHECK(factors(9) == Pair(0.4, 0.5));
  CHECK(factors(16) == Pair(0.4, 0.5));
  CHECK(factors(32) == Pair(0.2, 0.25));
  CHECK(factors(33) == Pair(0.1, 0.125));
  CHECK(factors(128) == Pair(0.1, 0.125));
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
  CHECK(costOf(kernel, machine).coalescing == 1);
  CHECK(costOf(kernel, machine).fastBytes == 1000);
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
  machine.fastLatency = 0.1;
  machine.slowLatency = 0.3;
  const Cost cost = costOf(kernelOf(work), machine);
  CHECK_FALSE(cost.floatingPoint);
  CHECK(cost.operations == 1000);
  CHECK(cost.instructionMix == 0.5); // no fused operations, of which pi0 counts two each
  // 20 / 2 + 20 levels * (50 / 10) / (2 * 0.5 * 0.5)
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
  CHECK(cost.boundBy == static_cast<size_t>(Term::kSynchronization));
  CHECK(cost.upperBoundGflops == 0);
}

TEST_CASE("a share scales what grows with the work-groups, and nothing else") {
  const DeviceProfile device = automatchDevices()[2]; // 448 cores
  const KernelProfile kernel = kernelOf(factorisation());
  const ExecutionCostModel model;
  const Cost whole = model.cost(kernel, device);
  const Cost half = model.cost(kernel, device, 0.5);
  const auto term = [](const Cost &cost, Term which) {
    return cost.terms[static_cast<size_t>(which)];
  };
  CHECK(model.cost(kernel, device, 1).terms == whole.terms);
  for (const Term same : {Term::kLatency, Term::kSynchronization})
    CHECK(term(half, same) == term(whole, same));
  for (const Term scaled : {Term::kFastMemory, Term::kSlowMemory})
    CHECK(term(half, scaled) == Approx(term(whole, scaled) / 2));
  // Levels of 1 and 64 took a step and still do; the ten of 5000 are now of 2500.
  CHECK(term(half, Term::kCompute) * 1e9 ==
        Approx(160 / 0.9 + (150 + 25000 / 448.0) / (0.9 * 0.5 * 0.75)));
  CHECK(half.operations == 53300 / 2.0);
  // Down to a share of which every level fits the cores.
  CHECK(term(model.cost(kernel, device, 0.01), Term::kCompute) * 1e9 ==
        Approx(160 / 0.9 + 160 / (0.9 * 0.5 * 0.75)));
  for (const double bad : {0.0, -0.5, 1.5, std::nan("")})
    CHECK_THROWS_WITH(model.cost(kernel, device, bad),
                      Contains("kernel factorisation: a share of"));
}

TEST_CASE("a profile that cannot be costed is refused by field") {
  const DeviceProfile device = deviceOf(plain());
  const auto refusal = [&](auto change) {
    KernelProfile kernel = kernelOf(factorisation());
    change(kernel);
    const std::string message = refusalOf(kernel, device);
    // The same without a device, but for the name in front.
    CHECK(message == "kernel factorisation: " + ExecutionCostModel().unusable(kernel));
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
  const ExecutionCostModel model;
  for (const ParameterInfo &row : parameters()) {
    INFO(row.key);
    DeviceProfile device = automatchDevices()[0];
    if (!device.has(row.parameter))
      continue;
    device.quantities[static_cast<size_t>(row.parameter)].reset();
    // L is the profile's line.
    if (row.parameter == Parameter::kLine) {
      CHECK(model.lacking(kernel, device).empty());
      CHECK(refusalOf(kernel, device).empty());
      continue;
    }
    CHECK(model.lacking(kernel, device) == std::vector{row.parameter});
    CHECK_THAT(refusalOf(kernel, device),
               Contains("device arc1") && Contains(std::string(row.key)));
  }
  CHECK(model.lacking(kernel, automatchDevices()[0]).empty());
  for (const Parameter parameter : {Parameter::kCores, Parameter::kFp64Rate,
                                    Parameter::kFastBandwidth, Parameter::kSlowBandwidth}) {
    DeviceProfile device = automatchDevices()[0];
    for (const double bad : {0.0, -1.0, std::nan("")}) {
      device.set(parameter, bad, "test");
      CHECK_THAT(refusalOf(kernel, device), Contains(std::string(info(parameter).key) + " is "));
    }
  }
}
