// `aiwc devices measure` on the first OpenCL device, as it is and pretending to be less.
#include "../cli/process.h"
#include "predict/device_json.h"
#include "predict/fitted/fitted_model.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

using namespace aiwc::predict;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// A second is enough to see every part work, not for numbers to be right.
struct Measurement {
  explicit Measurement(const std::string &pretend = "", const std::vector<std::string> &more = {}) {
    std::vector<std::string> words = {"AIWC_OPENCL_LIBRARY=" AIWC_TEST_PRETENDING,
                                      "AIWC_PRETEND=" + pretend,
                                      AIWC_COMMAND,
                                      "--device-dir",
                                      AIWC_TEST_DEVICES,
                                      "devices",
                                      "measure",
                                      "--seconds",
                                      "1",
                                      "-o",
                                      file.string()};
    words.insert(words.end(), more.begin(), more.end());
    arguments = words;
    run();
  }

  void run() { outcome = runAiwc(arguments, {"/usr/bin/env"}); }

  DeviceProfile device() const {
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return readDevice(file);
  }

  TemporaryFolder folder;
  std::filesystem::path file = folder / "mine.json";
  std::vector<std::string> arguments;
  Outcome outcome;
};

bool misses(const DeviceProfile &device, const std::string &what) {
  return std::ranges::any_of(device.measurements->missing, [&](const std::string &reason) {
    return reason.find(what) != std::string::npos;
  });
}

size_t files(const std::filesystem::path &folder) {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

} // namespace

TEST_CASE("a measured device has all parameters that can be measured, and curves") {
  const Measurement measurement;
  const DeviceProfile device = measurement.device();
  CHECK(measurement.outcome.out == measurement.file.string() + "\n");
  CHECK(files(measurement.folder.path()) == 1); // nothing is left of the way there
  for (const Parameter parameter :
       {Parameter::kCores, Parameter::kFp32Rate, Parameter::kFp64Rate, Parameter::kCacheCapacity,
        Parameter::kCacheLine, Parameter::kCacheBandwidth, Parameter::kCacheLatency,
        Parameter::kDramBandwidth, Parameter::kDramLatency, Parameter::kSyncCost,
        Parameter::kLaneWidth, Parameter::kLaunchOverhead, Parameter::kHostLinkBandwidth,
        Parameter::kHostLinkLatency, Parameter::kMemoryCapacity}) {
    // A driver knows the caches from the system, and virtual machines may hide them.
    if ((parameter == Parameter::kCacheCapacity || parameter == Parameter::kCacheLine) &&
        !std::filesystem::exists("/sys/devices/system/cpu/cpu0/cache/index0"))
      continue;
    INFO(info(parameter).key);
    CHECK(device.has(parameter));
  }
  CHECK_THAT(device.quantities[static_cast<size_t>(Parameter::kLaunchOverhead)]->source,
             StartsWith(std::string(kShortestLaunchSource)));
  REQUIRE(device.measurements);
  const DeviceMeasurements &measured = *device.measurements;
  for (const Idiom idiom : {Idiom::kStream, Idiom::kGather, Idiom::kScatter, Idiom::kGatherScatter,
                            Idiom::kTranspose, Idiom::kReduction, Idiom::kStencil}) {
    INFO(toString(idiom));
    REQUIRE(measured.curve(idiom));
    CHECK(measured.curve(idiom)->points.size() >= 3);
    CHECK(measured.curve(idiom)->error == interpolationError(measured.curve(idiom)->points));
  }
  CHECK(measured.latency.front().bytes == 4096);
  CHECK(measured.bandwidth.front().bytes == 4096);
  CHECK((measured.toDevice && measured.toHost));
  for (const std::string_view key :
       {"fp32_fma_1_gops", "fp32_mul_add_16_gops", "fp64_fma_16_gops", "int32_fma_16_gops",
        "stream_copy_gb_per_s", "stream_scale_gb_per_s", "stream_add_gb_per_s",
        "stream_triad_gb_per_s", "stream_update_gb_per_s", "local_bandwidth_gb_per_s",
        "local_latency_ns", "launch_start_us", "launch_back_to_back_us", "launch_device_us",
        "launch_host_us", "barrier_ns", "atomic_same_ns", "atomic_different_ns"}) {
    INFO(key);
    CHECK(measured.figure(key));
  }
  // What predictions read.
  const Outcome shown = runAiwc(
      {"--device-dir", measurement.folder.path().string(), "devices", "show", "mine", "--json"});
  CHECK(shown.out == contents(measurement.file));
}

TEST_CASE("a device that fails is said, and leaves no file") {
  const Measurement measurement("fails");
  CHECK(measurement.outcome.status == 2);
  CHECK_THAT(measurement.outcome.err,
             Contains("clEnqueueNDRangeKernel failed with CL_OUT_OF_RESOURCES (-5)"));
  CHECK(measurement.outcome.out.empty());
  CHECK(files(measurement.folder.path()) == 0);
}

TEST_CASE("a device that computes something wrong is not measured") {
  const Measurement measurement("miscalculates");
  CHECK(measurement.outcome.status == 2);
  CHECK_THAT(measurement.outcome.err, Contains("computed something wrong: expected"));
  CHECK_FALSE(std::filesystem::exists(measurement.file));
}

TEST_CASE("a device without double precision has no such figures, and says so") {
  const DeviceProfile device = Measurement("no_fp64").device();
  CHECK_FALSE(device.has(Parameter::kFp64Rate));
  CHECK(device.has(Parameter::kFp32Rate));
  CHECK(misses(device, "fp64: the device does not calculate in double precision"));
}

TEST_CASE("a device without profiling is measured by the host's clock") {
  const DeviceProfile device = Measurement("no_profiling").device();
  CHECK(device.has(Parameter::kFp32Rate));
  CHECK(device.measurements->curve(Idiom::kStream));
  CHECK_FALSE(device.measurements->figure("launch_start_us"));
  CHECK(misses(device, "launch_start_us: the device has no profiling"));
  CHECK_THAT(device.quantities[static_cast<size_t>(Parameter::kLaunchOverhead)]->source,
             !StartsWith(std::string(kShortestLaunchSource)));
}

TEST_CASE("a device with a coarse clock is measured by the host's") {
  const DeviceProfile device = Measurement("coarse_clock").device();
  CHECK(device.has(Parameter::kDramBandwidth));
  CHECK(misses(device, "launch_start_us: the device's clock "));
  CHECK_FALSE(device.measurements->figure("launch_device_us"));
}

TEST_CASE("a device with little memory has shorter curves") {
  const DeviceProfile device = Measurement("little_memory").device();
  CHECK(device.has(Parameter::kFp32Rate));
  CHECK(misses(device, "the device has no room"));
  for (const IdiomCurve &curve : device.measurements->idioms)
    CHECK(curve.points.back().bytes <= 4 << 20);
  CHECK(device.measurements->latency.back().bytes <= 256 * 1024);
}

TEST_CASE("a device with small work-groups is measured with them") {
  const DeviceProfile device = Measurement("small_groups").device();
  CHECK(device.measurements->figure("barrier_ns"));
  CHECK(device.measurements->curve(Idiom::kReduction));
  CHECK(device.measurements->curve(Idiom::kTranspose));
}

TEST_CASE("what a device cannot compile is missing, with the reason") {
  const DeviceProfile device = Measurement("no_memory_kernels").device();
  CHECK(device.measurements->latency.empty());
  CHECK(misses(device, "latency: the device's compiler refuses the kernels"));
  CHECK(device.has(Parameter::kDramBandwidth)); // by the idiom
}

TEST_CASE("the profile of another device has what cannot be measured") {
  const DeviceProfile device = Measurement("", {"--base", "i7-6700k"}).device();
  CHECK(device.name == device.openclNames.front());
  CHECK(device[Parameter::kMemoryCapacity] == 32 << 20);
  const Quantity &power = *device.quantities[static_cast<size_t>(Parameter::kTdp)];
  CHECK(power.value == 91);
  CHECK_THAT(power.source, Contains("(profile i7-6700k)"));
}

TEST_CASE("bad arguments of aiwc devices measure are refused") {
  CHECK_THAT(refusal({"devices", "measure", "--opencl-device", "99"}),
             Contains("no OpenCL device 99: expected 0"));
  for (const char *none : {"1st", "", "-1", "lists"})
    CHECK_THAT(refusal({"devices", "measure", "--opencl-device", none}),
               Contains("expected a device's number, or list"));
  CHECK_THAT(refusal({"devices", "measure", "-o", "Mine.json"}),
             Contains("the output is \"Mine.json\": expected ID.json"));
  CHECK_THAT(refusal({"devices", "measure", "-o", "mine"}), Contains("expected ID.json"));
  CHECK_THAT(refusal({"devices", "measure", "-o", "/nowhere/mine.json"}),
             Contains("/nowhere: no such folder"));
  CHECK_THAT(refusal({"devices", "measure", "--base", "nosuch"}), Contains("no device \"nosuch\""));
  CHECK_THAT(refusal({"devices", "measure", "--seconds", "0"}), Contains("--seconds"));
  CHECK_THAT(
      refusal({"AIWC_OPENCL_LIBRARY=/nowhere/libOpenCL.so", AIWC_COMMAND, "devices", "measure"},
              {"/usr/bin/env"}),
      Contains("/nowhere/libOpenCL.so cannot be opened: ") &&
          Contains("expected an OpenCL library"));
}

TEST_CASE("the version of OpenCL for aiwc run is no library for aiwc devices measure") {
  const Outcome outcome =
      runAiwc({"AIWC_OPENCL=3.0", AIWC_COMMAND, "devices", "measure", "--opencl-device", "list"},
              {"/usr/bin/env"});
  CHECK(outcome.err.empty());
  CHECK(outcome.status == 0);
}

TEST_CASE("aiwc devices measure --opencl-device list shows the OpenCL devices") {
  const Outcome outcome = runAiwc({"devices", "measure", "--opencl-device", "list"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, StartsWith("device  name") && Contains("\n0 "));
}
