#include "../predict/machines.h"
#include "predict/device_json.h"
#include "predict/device_library.h"
#include "process.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace aiwc::predict;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

std::string device(const std::string &id, double cores, double bandwidth) {
  DeviceProfile profile = namedDevice(id, {"Some " + id});
  profile.set(Parameter::kCores, cores, "counted");
  profile.set(Parameter::kFp32Rate, 1.5, "measured");
  profile.set(Parameter::kCacheCapacity, 3 << 19, "data sheet");
  profile.set(Parameter::kDramBandwidth, bandwidth, "measured");
  profile.set(Parameter::kMemoryCapacity, 8.0 * (1 << 30), "data sheet");
  return toJson(profile);
}

/// A folder with the devices a and b.
struct Devices {
  TemporaryFolder folder;
  std::string path = folder.path().string();
  OnlyDevicesOf only{folder.path()};
  Devices() {
    write(folder / "a.json", device("a", 1000, 10));
    write(folder / "b.json", device("b", 4, 25));
  }
};

DeviceProfile measuredDevice() {
  DeviceProfile device = namedDevice("mine", {"Mine"});
  device.name = "It's \"a\" <b>&{device}_1";
  device.set(Parameter::kCores, 4, "counted");
  device.set(Parameter::kFp32Rate, 32, "measured");
  device.set(Parameter::kDramBandwidth, 12.5, "measured");
  const Curve curve = {{4096, 30, 0.01}, {65536, 20, 0}, {1 << 24, 2.5, 0.5}};
  DeviceMeasurements measured;
  measured.by = "a test";
  measured.device = "Mine";
  measured.driver = "1";
  measured.latency = {{4096, 1, 0}, {8192, 1, 0}, {16384, 50, 0}, {32768, 50, 0}};
  measured.idioms = {{Idiom::kStream, curve, 0.1}, {Idiom::kGatherScatter, curve, 0.2}};
  measured.toDevice = TransferCurve{curve, {{0, 2, 1}}, 0.1};
  device.measurements = measured;
  return device;
}

} // namespace

TEST_CASE("aiwc devices lists the devices that come with it") {
  const Outcome outcome = runAiwc({"devices", "list"});
  CHECK(outcome.status == 0);
  CHECK(outcome.err.empty());
  const DeviceLibrary library({AIWC_TEST_DEVICES});
  CHECK(static_cast<size_t>(std::ranges::count(outcome.out, '\n')) == 1 + library.devices().size());
  for (const DeviceProfile &profile : library.devices())
    CHECK_THAT(outcome.out, Contains("\n" + profile.id + " "));
}

TEST_CASE("aiwc devices has a row per device: peaks are cores times the rate of one") {
  const Devices devices;
  const Outcome outcome = runAiwc({"--device-dir", devices.path, "devices", "list"});
  CHECK(outcome.status == 0);
  CHECK(
      outcome.out ==
      "id  name   type  year  OpenCL  memory  cores  GFLOP/s  in double  memory GB/s  launch us\n"
      "a   The a  cpu   2020     yes   8 GiB   1000     1500          -           10          -\n"
      "b   The b  cpu   2020     yes   8 GiB      4        6          -           25          -\n");
}

TEST_CASE("aiwc devices list TYPE... lists the devices of these types, as a table and as JSON") {
  const Devices devices;
  DeviceProfile vector = namedDevice("v");
  vector.type = DeviceType::kAccelerator;
  vector.opencl = false;
  write(devices.folder / "v.json", toJson(vector));
  const auto listed = [&](const std::vector<std::string> &types) {
    std::vector<std::string> words = {"--device-dir", devices.path, "devices", "list"};
    words.insert(words.end(), types.begin(), types.end());
    return runAiwc(words).out;
  };
  CHECK(std::ranges::count(listed({"accelerator"}), '\n') == 2);
  CHECK_THAT(listed({"accelerator"}), Contains("\nv   The v  accelerator  2020      no       -  "));
  CHECK(listed({"accelerator", "cpu"}) == listed({}));
  CHECK(std::ranges::count(listed({"gpu"}), '\n') == 1);
  const auto json = nlohmann::json::parse(listed({"cpu", "--json"}));
  REQUIRE(json.size() == 2);
  CHECK(json[1]["id"] == "b");
  CHECK_THAT(runAiwc({"--device-dir", devices.path, "devices", "show", "v"}).out,
             Contains("\nno OpenCL implementation\n"));
}

TEST_CASE("aiwc devices show prints every number with its source") {
  const Devices devices;
  const Outcome outcome = runAiwc({"--device-dir", devices.path, "devices", "show", "a"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out, StartsWith("a: Somebody The a\ncpu, First, 2020\n"));
  CHECK_THAT(outcome.out, Contains("OpenCL device \"...Some a...\"\n") &&
                              Contains("peak 1500 GFLOP/s in single precision, - in double\n"));
  for (const ParameterInfo &parameter : parameters())
    CHECK_THAT(outcome.out, Contains("\n" + std::string(parameter.name) + " "));
  CHECK_THAT(outcome.out, Contains(" 1000 ") && Contains("counted\n"));
  CHECK_THAT(outcome.out, Contains("1572864 B (1.5 MiB)   data sheet\n"));
  CHECK_THAT(outcome.out, Contains("-                     unknown\n"));
}

TEST_CASE("aiwc devices show --json prints the device's file") {
  const Devices devices;
  for (const char *id : {"a", "b"}) {
    const Outcome outcome =
        runAiwc({"--device-dir", devices.path, "devices", "show", id, "--json"});
    CHECK(outcome.status == 0);
    CHECK(outcome.out == contents(devices.folder / (std::string(id) + ".json")));
  }
}

TEST_CASE("aiwc devices list --json prints an array of the files") {
  const Devices devices;
  const Outcome outcome = runAiwc({"--device-dir", devices.path, "devices", "list", "--json"});
  CHECK(outcome.status == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  REQUIRE(json.size() == 2);
  CHECK(json[0] == nlohmann::json::parse(contents(devices.folder / "a.json")));
  CHECK(json[1] == nlohmann::json::parse(contents(devices.folder / "b.json")));
}

TEST_CASE("aiwc devices show prints the second over the first") {
  const Devices devices;
  const Outcome text = runAiwc({"--device-dir", devices.path, "devices", "show", "a", "b"});
  CHECK(text.status == 0);
  CHECK_THAT(text.out, Contains("\npeak fp32        1500 GFLOP/s    6 GFLOP/s  0.004\n"));
  CHECK_THAT(text.out, Contains("\ndram_bandwidth        10 GB/s      25 GB/s    2.5\n"));
  CHECK_THAT(text.out, Contains("\npeak fp64                   -            -      -\n"));
  CHECK_THAT(text.out, Contains("\nmemory                  8 GiB        8 GiB      1\n"));

  const Outcome outcome =
      runAiwc({"--device-dir", devices.path, "devices", "show", "a", "b", "--json"});
  CHECK(outcome.status == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["a"] == "a");
  CHECK(json["b"] == "b");
  REQUIRE(json["parameters"].size() == kParameterCount);
  const auto &cores = json["parameters"][0];
  CHECK(cores == nlohmann::json{
                     {"name", "cores"}, {"key", "cores"}, {"a", 1000}, {"b", 4}, {"ratio", 0.004}});
  CHECK(json["parameters"][2]["ratio"].is_null());
}

TEST_CASE("--device-dir adds devices, and replaces those that have the same id") {
  const Devices devices;
  const TemporaryFolder own;
  const TemporaryFolder other;
  write(own / "c.json", device("c", 1, 1));
  write(other / "a.json", device("a", 1, 1));
  const Outcome outcome = runAiwc({"--device-dir", own.path().string(), "--device-dir",
                                   other.path().string(), "devices", "list"});
  CHECK(outcome.status == 0);
  CHECK(std::ranges::count(outcome.out, '\n') == 4); // a, b and c
  CHECK_THAT(outcome.out, Contains("      1      1.5  "));
  CHECK_THAT(outcome.out, !Contains("   1000     1500  "));
}

TEST_CASE("aiwc devices refuses bad usage and bad files in one line") {
  const Devices devices;
  const std::string dir = "--device-dir=" + devices.path;
  CHECK(refusal({dir, "devices", "show", "c1"}) == "no device \"c1\": expected a, b");
  CHECK(refusal({dir, "devices", "show", "a", "quantum"}) ==
        "no device \"quantum\": expected an id that `aiwc devices list` shows");
  CHECK_THAT(refusal({dir, "devices", "show", "a", "b", "a"}),
             Contains("3 devices: expected one, or two to compare"));
  CHECK_THAT(refusal({dir, "devices", "list", "cpu", "fpga"}),
             Contains("fpga not in {cpu,gpu,integrated_gpu,accelerator}"));
  CHECK(refusal({"devices", "show"}) ==
        "aiwc devices show: ID is required: see aiwc devices show --help");
  CHECK(refusal({"--device-dir", "/nowhere", "devices", "list"}) ==
        "/nowhere: cannot be read: No such file or directory: expected a folder of device files");
  write(devices.folder / "b.json", "{\"schema_version\": 7}");
  CHECK(refusal({dir, "devices", "show", "a"}) ==
        (devices.folder / "b.json").string() +
            ":1:20: schema_version 7 is newer than 2, the newest this version reads");
}

TEST_CASE("aiwc devices show prints what was measured") {
  const TemporaryFolder folder;
  DeviceProfile device = measuredDevice();
  device.set(Parameter::kDramBandwidth, 12.5, "measured", 0.025);
  device.measurements->figures = {{"barrier_ns", 80, 0.01}};
  device.measurements->missing = {"fp16: none"};
  write(folder / "mine.json", toJson(device));
  const Outcome outcome =
      runAiwc({"--device-dir", folder.path().string(), "devices", "show", "mine"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out,
             Contains("12.5 GB/s +- 2.5 %") && Contains("\nmeasured by a test, driver 1\n"));
  CHECK_THAT(outcome.out, Contains("\nbarrier_ns  80 ns +- 1 %  a barrier of a work-group\n"));
  CHECK_THAT(outcome.out, Contains("\nstream          4 KiB to 16 MiB  30 to 2.5  10.0 %\n"));
  CHECK_THAT(outcome.out, Contains("\nnot measured: fp16: none\n"));
}
