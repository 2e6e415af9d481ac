/// Transfers worked out by hand: by a device's link, and by its measured curves. 1 GB/s is 1000
/// bytes in a microsecond.
#include "machines.h"
#include "predict/host_link.h"
#include "predict/what_if.h"

#include <catch2/catch.hpp>

using namespace aiwc::predict;
using namespace aiwc::test;

namespace {

DeviceProfile linked() {
  DeviceProfile device = namedDevice("linked");
  device.type = DeviceType::kGpu;
  device.set(Parameter::kHostLinkBandwidth, 2, "by hand");
  device.set(Parameter::kHostLinkLatency, 10, "by hand");
  return device;
}

/// To the device 5 us + bytes / 1 GB/s, from 10 000 bytes on 20 us + bytes / 4 GB/s. Nothing was
/// measured in the other direction.
DeviceProfile measured() {
  DeviceProfile device = linked();
  device.measurements.emplace();
  TransferCurve curve;
  curve.points = {{64, 5.064, 0}, {10'000, 22.5, 0}};
  curve.pieces = {{0, 5, 1}, {10'000, 20, 4}};
  device.measurements->toDevice = curve;
  return device;
}

double micros(double bytes, uint64_t transfers, Direction direction, const DeviceProfile &device) {
  return transferSeconds({bytes, transfers, direction}, device) * 1e6;
}

} // namespace

TEST_CASE("a link takes its latency for each transfer, and the bytes over its bandwidth") {
  for (const Direction direction : {Direction::kToDevice, Direction::kToHost}) {
    CHECK(micros(8'000, 1, direction, linked()) == Approx(10 + 4));
    CHECK(micros(8'000, 4, direction, linked()) == Approx(40 + 4));
    CHECK(micros(0, 0, direction, linked()) == 0);
  }
}

TEST_CASE("a measured curve goes before the link, in its direction, at the mean size") {
  const DeviceProfile device = measured();
  CHECK(micros(8'000, 1, Direction::kToDevice, device) == Approx(5 + 8));
  CHECK(micros(20'000, 1, Direction::kToDevice, device) == Approx(20 + 5));
  CHECK(micros(20'000, 4, Direction::kToDevice, device) == Approx(4 * (5 + 5)));
  CHECK(micros(0, 0, Direction::kToDevice, device) == 0);
  CHECK(micros(8'000, 1, Direction::kToHost, device) == Approx(10 + 4));
}

TEST_CASE("of PCI Express, pinned memory reaches 0.79, and pageable memory is copied before") {
  DeviceProfile device = linked();
  struct Link {
    double gbPerS, pinned, pageable;
  };
  // 3.0, 4.0 and 5.0 x16; 1 / (1 / 12.4425 + 1 / 10) = 5.5442
  for (const Link &link : {Link{15.75, 12.44, 5.544}, {31.5, 24.89, 7.133}, {63, 49.77, 8.327}}) {
    device.set(Parameter::kHostLinkBandwidth, link.gbPerS, "PCI Express, some lanes");
    CHECK(*reachedGbPerS(device, HostMemory::kPinned) == Approx(link.pinned).epsilon(1e-3));
    CHECK(*reachedGbPerS(device, HostMemory::kPageable) == Approx(link.pageable).epsilon(1e-3));
  }
  // Another rate of PCI Express is one, too.
  const DeviceProfile half = changed(device, parseChanges("host_bandwidth=0.5x", "--what-if"));
  CHECK(*reachedGbPerS(half, HostMemory::kPageable) == Approx(7.133).epsilon(1e-3));
  // What was measured, or is another link, is reached as it is.
  for (const char *source : {"measured: transfers", "NVLink"}) {
    device.set(Parameter::kHostLinkBandwidth, 20, source);
    CHECK(reachedGbPerS(device, HostMemory::kPinned) == 20);
    CHECK(reachedGbPerS(device, HostMemory::kPageable) == 20);
  }
  for (const DeviceType type : {DeviceType::kCpu, DeviceType::kIntegratedGpu}) {
    device.type = type; // it shares the host's memory
    CHECK_FALSE(reachedGbPerS(device, HostMemory::kPinned));
  }
  CHECK_FALSE(reachedGbPerS(namedDevice("none"), HostMemory::kPinned));
}

TEST_CASE("a CPU without a link moves nothing, unless its transfers were measured") {
  DeviceProfile cpu = namedDevice("cpu");
  cpu.type = DeviceType::kCpu;
  CHECK(micros(8'000, 1, Direction::kToDevice, cpu) == 0);
  CHECK(missingHostLink({8'000, 1, Direction::kToDevice}, cpu).empty());
  cpu.measurements = measured().measurements;
  CHECK(micros(8'000, 1, Direction::kToDevice, cpu) == Approx(5 + 8));
  CHECK(micros(8'000, 1, Direction::kToHost, cpu) == 0);
}

TEST_CASE("a device needs a link in the directions that were not measured") {
  DeviceProfile gpu = namedDevice("gpu");
  gpu.type = DeviceType::kGpu;
  const std::vector<Parameter> link = {Parameter::kHostLinkBandwidth, Parameter::kHostLinkLatency};
  CHECK(missingHostLink({1, 1, Direction::kToDevice}, gpu) == link);
  gpu.measurements = measured().measurements;
  CHECK(missingHostLink({1, 1, Direction::kToDevice}, gpu).empty());
  CHECK(missingHostLink({1, 1, Direction::kToHost}, gpu) == link);
}

TEST_CASE("another link takes the place of what was measured, in both directions") {
  DeviceProfile device = measured();
  device.measurements->toHost = device.measurements->toDevice;
  struct Case {
    const char *change;
    double micros; ///< of 8000 bytes
  };
  for (const Case &is : {Case{"host_bandwidth=8", 10 + 1}, Case{"host_latency=7", 7 + 4},
                         Case{"host_latency=2x", 20 + 4}, Case{"cores=8", 5 + 8}})
    for (const Direction direction : {Direction::kToDevice, Direction::kToHost}) {
      INFO(is.change);
      CHECK(micros(8'000, 1, direction, changed(device, parseChanges(is.change, "--what-if"))) ==
            Approx(is.micros));
    }
}
