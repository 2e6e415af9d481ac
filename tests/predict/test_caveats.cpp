/// What a prediction says of its own weakness.
#include "machines.h"
#include "predict/caveats.h"
#include "predict/device_library.h"
#include "predict/fitted/fitted_cost_model.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using namespace aiwc::predict;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// The term `term` has the coefficient `value`, all others take no time.
FittedCostModel only(Coefficient term, double value) {
  FittedModel model = publishedModel().model();
  Coefficients coefficients;
  coefficients.fill(-40);
  coefficients[static_cast<size_t>(term)] = value;
  for (auto &row : model.classes)
    row.values = coefficients;
  model.devices.clear();
  model.unknownDevice.fill({-0.5, 0.5});
  model.unknownDeviceMeasuredLaunch = model.unknownDevice;
  model.seen.clear();
  return {"only", model};
}

std::vector<DeviceProfile> twoDevices() {
  const DeviceLibrary library({AIWC_TEST_DEVICES});
  std::vector<DeviceProfile> devices = {library["gtx1080"], library["i7-6700k"]};
  for (DeviceProfile &device : devices) // a measured one would take the place of the coefficient
    device.quantities[static_cast<size_t>(Parameter::kLaunchOverhead)].reset();
  return devices;
}

Prediction on(const std::vector<DeviceProfile> &devices, const KernelProfile &kernel,
              const CostModel &model, double exposed = 0) {
  std::vector<Candidate> candidates;
  for (const DeviceProfile &device : devices)
    candidates.push_back({device, "", true});
  const Invocation invocation("k.json", kernel, model);
  return predict(std::span(&invocation, 1), candidates, exposed);
}

std::string joined(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

} // namespace

TEST_CASE("a device that is faster than the best with a probability of 20 % is a tie") {
  auto devices = twoDevices();
  FittedCostModel model = only(Coefficient::kDram, 0); // proportional to 1 / bandwidth
  const auto second = [&](double factor, double correlation) {
    FittedModel fitted = model.model();
    fitted.errorCorrelation = correlation;
    const FittedCostModel correlated("only", fitted);
    // Of the bandwidth of a data sheet, a CPU would have half.
    devices[0].set(Parameter::kDramBandwidth, 100, "measured: by the test");
    devices[1].set(Parameter::kDramBandwidth, 100 / factor, "measured: by the test");
    for (DeviceProfile &device : devices)
      device.set(Parameter::kCacheCapacity, 1 << 20, "test");
    const Prediction prediction = on(devices, kernelOf(triad()), correlated);
    CHECK_FALSE(prediction.devices[0].application.againstBest); // the best itself
    CHECK_FALSE(prediction.devices[0].application.tie());
    CHECK(prediction.devices[1].application.relative == Approx(factor));
    return prediction.devices[1].application;
  };
  // Intervals of exp(-0.5) to exp(0.5) are standard deviations of 1 / 2.5632 of the logarithms, of
  // their difference sqrt(2 (1 - correlation)) / 2.5632; a fifth of a normal distribution lies
  // beyond 0.8416 standard deviations.
  const auto limit = [](double correlation) {
    return std::exp(0.8416 * std::sqrt(2 * (1 - correlation)) / 2.5632);
  };
  for (const double correlation : {0.0, 0.6}) {
    CHECK(second(0.999 * limit(correlation), correlation).tie());
    CHECK_FALSE(second(1.001 * limit(correlation), correlation).tie());
  }
  CHECK(second(1.0001, 0.6).againstBest->probability == Approx(0.5).margin(1e-3));
  CHECK(second(100, 0.6).againstBest->probability < 1e-6);
  const Interval ratio = second(2, 0.5).againstBest->ratio; // as wide as that of a time
  CHECK(ratio.low == Approx(2 * std::exp(-0.5)).epsilon(1e-4));
  CHECK(ratio.high == Approx(2 * std::exp(0.5)).epsilon(1e-4));
}

TEST_CASE("there is no caveat without a reason") {
  auto devices = twoDevices();
  devices.resize(1);
  CHECK(caveats(on(devices, kernelOf(triad()), only(Coefficient::kDram, 0))).empty());
}

TEST_CASE("launches that take more than half of the time are said, by device") {
  const auto devices = twoDevices();
  CHECK_THAT(joined(caveats(on(devices, kernelOf(triad()), only(Coefficient::kLaunch, 9)))),
             Contains("starting the kernels takes more than half of the time on gtx1080, i7-6700k: "
                      "the problem is too small to rank these devices\n"));
  CHECK_THAT(joined(caveats(on(devices, kernelOf(triad()), only(Coefficient::kDram, 0)))),
             !Contains("starting"));
}

TEST_CASE("devices of which no units for matrices are known are said, if the kernel uses these") {
  auto devices = twoDevices();
  auto kernel = kernelOf(triad());
  kernel.provenance.kernel = "gemm";
  kernel.setCount("matrix_ops_f16"_metric, 1000);
  const auto text = [&] {
    return joined(caveats(on(devices, kernel, only(Coefficient::kDram, 0))));
  };
  CHECK_THAT(text(), Contains("gemm multiplies matrices on tensor cores, and no such units are "
                              "known of gtx1080, i7-6700k: the time is that of ordinary "
                              "multiplications and additions\n"));
  devices[0].set(Parameter::kMatrixRate, 10, "test");
  CHECK_THAT(text(), Contains("no such units are known of i7-6700k:"));
  kernel.setCount("matrix_ops_f16"_metric, 0);
  CHECK_THAT(text(), !Contains("multiplies matrices"));
}

TEST_CASE("transfers that outweigh the kernel are said, whether they are counted or not") {
  auto kernel = kernelOf(triad());
  kernel.setCount("host_to_device_bytes"_metric, 4'000'000'000);
  kernel.setCount("host_to_device_transfers"_metric, 1);
  FittedModel both = only(Coefficient::kDram, 0).model();
  for (auto &row : both.classes)
    row.values[static_cast<size_t>(Coefficient::kTransferBytes)] = 0;
  const FittedCostModel model("both", both);
  const auto devices = twoDevices();
  CHECK_THAT(
      joined(caveats(on(devices, kernel, model))),
      Contains("moving data between host and device takes longer than the kernels on gtx1080 "
               "(") &&
          Contains("the times do not include it"));
  CHECK_THAT(joined(caveats(on(devices, kernel, model, 1))), Contains("the times include 1 of it"));
  kernel.setNone("device_to_host_bytes"_metric); // as of an application that was killed
  CHECK_THAT(joined(caveats(on(devices, kernel, model))), !Contains("moving"));
}

TEST_CASE("profiles that are not of a whole and correct launch are said") {
  const auto textOf = [](const KernelProfile &kernel) {
    return joined(caveats(on(twoDevices(), kernel, only(Coefficient::kDram, 0))));
  };
  auto kernel = kernelOf(triad());
  kernel.provenance.kernel = "triad";
  CHECK_THAT(textOf(kernel), !Contains("launch of triad"));
  kernel.provenance.extrapolatedFrom = "samples";
  CHECK_THAT(textOf(kernel), Contains("extrapolated: 1 of 1 launch of triad; their work was "
                                      "estimated from samples of a sparse matrix\n"));
  kernel = kernelOf(triad());
  kernel.provenance.kernel = "triad";
  kernel.provenance.totalGroups = 10;
  CHECK_THAT(textOf(kernel), Contains("sampled: 1 of 1 launch of triad; their work was estimated "
                                      "from a part of the work-groups\n"));
  kernel.provenance.totalGroups = 0;
  kernel.simulatorErrors = 3;
  CHECK_THAT(textOf(kernel), Contains("the simulator reported 3 errors in 1 of 1 launch of triad; "
                                      "their profiles may not describe a correct run\n"));
}

TEST_CASE("data that does not fit is said of the devices that it does not fit") {
  auto kernel = kernelOf(triad());
  kernel.setCount("footprint_bytes"_metric, uint64_t{9} << 30U);
  auto devices = twoDevices();
  devices[0].set(Parameter::kMemoryCapacity, 8.0 * (1U << 30U), "test");
  devices[1].set(Parameter::kMemoryCapacity, 9.0 * (1U << 30U), "test");
  const FittedCostModel model = only(Coefficient::kDram, 0);
  CHECK_THAT(joined(caveats(on(devices, kernel, model))),
             Contains("triad touches 9 GiB of data, more than the memory of gtx1080\n"));
  devices[0].quantities[static_cast<size_t>(Parameter::kMemoryCapacity)].reset();
  CHECK_THAT(joined(caveats(on(devices, kernel, model))), !Contains("memory of"));
}

TEST_CASE("a kernel outside the training range, a sample and simulator errors are said") {
  FittedModel narrow = only(Coefficient::kDram, 0).model();
  auto small = kernelOf(triad());
  small.setCount("work_items"_metric, 1);
  small.setCount("work_groups"_metric, 1);
  include(demandOf(small), narrow.seen);
  auto kernel = kernelOf(triad());
  kernel.provenance.sampledGroups = 8;
  kernel.provenance.totalGroups = 100;
  kernel.simulatorErrors = 3;
  const std::string text =
      joined(caveats(on(twoDevices(), kernel, FittedCostModel("narrow", narrow))));
  CHECK_THAT(text, Contains("triad is outside the training range of the model: 64 work-items (at "
                            "most 1 in training)"));
  CHECK_THAT(text, Contains("sampled: 1 of 1 launch of triad; their work was estimated"));
  CHECK_THAT(text, Contains("the simulator reported 3 errors in 1 of 1 launch of triad"));
}
