#include "device_measurement/device_of_results.h"
#include "device_measurement/item.h"
#include "predict/device_json.h"
#include "predict/fitted/fitted_model.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::device_measurement;
using namespace aiwc::predict;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

DeviceFacts cpu() {
  DeviceFacts facts;
  facts.name = "A CPU @ 3 GHz";
  facts.vendor = "Somebody";
  facts.driver = "1";
  facts.platform = "A platform";
  facts.type = CL_DEVICE_TYPE_CPU;
  facts.computeUnits = 4;
  facts.clockGhz = 3;
  facts.memoryBytes = 1e9;
  facts.cacheBytes = 1 << 20;
  facts.lineBytes = 64;
  facts.localBytes = 1 << 15;
  facts.vectorWidth = 8;
  return facts;
}

Results someResults() {
  Results results;
  results["fp32_fma_1_gops"] = {{{1, 20, 0.01}}};
  results["fp32_fma_16_gops"] = {{{1, 192, 0.02}}};
  results["fp64"] = {{}, {"fp64: none"}};
  results["launch_back_to_back_us"] = {{{1, 5, 0.1}}};
  results[std::string(kShortestLaunch)] = {{{1, 1.5, 0.2}}};
  results[std::string(kLatency)] = {{{4096, 1, 0},
                                     {32768, 1, 0},
                                     {65536, 4, 0},
                                     {524288, 4, 0},
                                     {1 << 20, 90, 0},
                                     {1 << 24, 90, 0.01}}};
  results[std::string(kBandwidth)] = {
      {{4096, 400, 0}, {32768, 400, 0}, {65536, 100, 0}, {524288, 100, 0}, {1 << 24, 10, 0}}};
  results[idiomItem(Idiom::kStream)] = {{{8192, 50, 0}, {1 << 24, 12, 0.03}}};
  results[std::string(kToDevice)] = {{{64, 2.064, 0}, {640, 2.64, 0}, {6400, 8.4, 0}}};
  results[std::string(kToHost)] = {{{64, 4.064, 0}, {640, 4.64, 0}, {6400, 10.4, 0}}};
  return results;
}

const Quantity &quantity(const DeviceProfile &device, Parameter parameter) {
  const auto &quantity = device.quantities[static_cast<size_t>(parameter)];
  REQUIRE(quantity);
  return *quantity;
}

} // namespace

TEST_CASE("the parameters follow from what was measured") {
  const DeviceProfile device = deviceOf(someResults(), cpu(), 1, nullptr, "mine", "aiwc 1, full");
  CHECK(device[Parameter::kCores] == 4);
  CHECK(device[Parameter::kFp32Rate] == 192.0 / 4);
  CHECK(quantity(device, Parameter::kFp32Rate).spread == 0.02);
  CHECK_THAT(quantity(device, Parameter::kFp32Rate).source,
             StartsWith("measured") && Contains("fp32_fma_16_gops"));
  CHECK_FALSE(device.has(Parameter::kFp64Rate));
  CHECK(device[Parameter::kDramBandwidth] == 12);
  CHECK(device[Parameter::kDramLatency] == Approx(0.09));
  // The geometric mean of both caches: 1 and 4 ns; 400 and 100 GB/s.
  CHECK(device[Parameter::kCacheLatency] == Approx(0.002));
  CHECK(device[Parameter::kCacheBandwidth] == Approx(200));
  CHECK(device[Parameter::kL1Capacity] == 32768);
  CHECK(device[Parameter::kL2Capacity] == 524288);
  CHECK_FALSE(device.has(Parameter::kL3Capacity));
  CHECK(device[Parameter::kSyncCost] == 5);
  CHECK(device[Parameter::kLaunchOverhead] == 1.5);
  CHECK_THAT(quantity(device, Parameter::kLaunchOverhead).source,
             StartsWith(std::string(kShortestLaunchSource)));
  CHECK(device[Parameter::kHostLinkBandwidth] == Approx(1)); // 1000 bytes in a microsecond
  CHECK(device[Parameter::kHostLinkLatency] == Approx(3));   // 2 and 4
  CHECK(device[Parameter::kLaneWidth] == 8);
  CHECK(device[Parameter::kCacheLine] == 64);
  CHECK_FALSE(device.has(Parameter::kTdp));
  REQUIRE(device.measurements);
  CHECK(device.measurements->missing == std::vector<std::string>{"fp64: none"});
  CHECK(device.measurements->curve(Idiom::kStream)->points.size() == 2);
  // Can be read again, as it is.
  CHECK(toJson(deviceFromJson(toJson(device), "mine.json")) == toJson(device));
}

TEST_CASE("the memory's bandwidth is that of the fastest stream") {
  Results results = someResults();
  results["stream_copy_gb_per_s"] = {{{1 << 28, 15, 0.01}}};
  results["stream_scale_gb_per_s"] = {{{1 << 28, 14, 0.01}}};
  results["stream_triad_gb_per_s"] = {{{1 << 27, 16, 0.02}}};
  results["stream_add_gb_per_s"] = {{}, {"no room"}};
  const DeviceProfile device = deviceOf(results, cpu(), 1, nullptr, "mine", "aiwc 1, full");
  CHECK(device[Parameter::kDramBandwidth] == 16); // and not that of the idiom, which is 12
  CHECK(quantity(device, Parameter::kDramBandwidth).spread == 0.02);
  CHECK_THAT(quantity(device, Parameter::kDramBandwidth).source,
             StartsWith("measured: ") && Contains("stream_triad_gb_per_s") && Contains("128 MiB"));
  CHECK(device.measurements->figure("stream_copy_gb_per_s") == 15);
  // A roof: what is written only, a CPU reads, too, so that an update in place is its fastest.
  results["stream_update_gb_per_s"] = {{{1 << 28, 21, 0.01}}};
  CHECK(deviceOf(results, cpu(), 1, nullptr, "mine", "aiwc 1, full")[Parameter::kDramBandwidth] ==
        21);
  CHECK(toJson(deviceFromJson(toJson(device), "mine.json")) == toJson(device));
}

TEST_CASE("streams go over arrays that no cache holds, within the memory") {
  constexpr double kMiB = 1 << 20;
  DeviceFacts facts = cpu();
  facts.memoryBytes = 80e9;
  facts.largestBuffer = 20e9;
  CHECK(streamBytes(facts) == 256 * kMiB); // an H100 has an L2 of 50 MB, an RX 7900 96 MiB
  facts.lastCacheBytes = 1152 * kMiB;      // an EPYC 9684X
  CHECK(streamBytes(facts) == 2304 * kMiB);
  facts.memoryBytes = 6e9;
  CHECK(streamBytes(facts) == 5e8);
  facts.largestBuffer = 1e8;
  CHECK(streamBytes(facts) == 1e8);
}

TEST_CASE("a CPU that hides its caches has the largest that a pointer chase shows") {
  DeviceFacts hiding = cpu();
  hiding.cacheBytes = 0;
  const DeviceProfile device = deviceOf(someResults(), hiding, 1, nullptr, "mine", "aiwc 1, full");
  CHECK(device[Parameter::kCacheCapacity] == 524288);
  CHECK_THAT(quantity(device, Parameter::kCacheCapacity).source, Contains("pointer chase"));
}

TEST_CASE("what cannot be measured is that of the device alike, which its source names") {
  DeviceProfile like;
  like.id = "sheet";
  like.name = "A product";
  like.vendor = "Vendor";
  like.series = "Series";
  like.year = 2015;
  like.set(Parameter::kCores, 2, "data sheet");
  like.set(Parameter::kTdp, 65, "data sheet");
  like.set(Parameter::kDramBandwidth, 100, "data sheet");
  like.set(Parameter::kL1Capacity, 49152, "data sheet");
  like.set(Parameter::kMemoryCapacity, 64e9, "data sheet");
  const DeviceProfile device = deviceOf(someResults(), cpu(), 1, &like, "mine", "aiwc 1, full");
  CHECK(device.id == "mine");
  CHECK(device.name == "A CPU @ 3 GHz"); // the device's own, as is its memory
  CHECK(device[Parameter::kMemoryCapacity] == 1e9);
  CHECK(quantity(device, Parameter::kMemoryCapacity).source == "OpenCL: global memory");
  CHECK(device.year == 2015);
  CHECK(device.openclNames == std::vector<std::string>{"A CPU @ 3 GHz"});
  CHECK(device[Parameter::kTdp] == 65);
  CHECK(quantity(device, Parameter::kTdp).source == "data sheet (profile sheet)");
  CHECK(device[Parameter::kL1Capacity] == 49152); // exact, unlike a knee
  CHECK(device[Parameter::kFp32Rate] == 192.0 / 2);
  CHECK(device[Parameter::kDramBandwidth] == 12); // a measured number replaces that of a data sheet
}

TEST_CASE("without a precise clock, the launch overhead is not that of the shortest launch") {
  Results results = someResults();
  results[std::string(kShortestLaunch)] = {{}, {"the shortest launch: no clock"}};
  const DeviceProfile device = deviceOf(results, cpu(), 1, nullptr, "mine", "aiwc 1, full");
  CHECK(device[Parameter::kLaunchOverhead] == 5);
  CHECK_THAT(quantity(device, Parameter::kLaunchOverhead).source,
             !StartsWith(std::string(kShortestLaunchSource)));
}

TEST_CASE("a GPU's lanes follow from its peak, its fast memory is local memory") {
  DeviceFacts facts = cpu();
  facts.type = CL_DEVICE_TYPE_GPU;
  facts.clockGhz = 1;
  Results results = someResults();
  results["local_bandwidth_gb_per_s"] = {{{1, 777, 0.01}}};
  const DeviceProfile device = deviceOf(results, facts, 32, nullptr, "mine", "aiwc 1, full");
  CHECK(device.type == DeviceType::kGpu);
  CHECK(device[Parameter::kCores] == 96); // 192 Gop/s at 2 Gop/s each
  CHECK(device[Parameter::kFp32Rate] == 2);
  CHECK(device[Parameter::kComputeUnits] == 4);
  CHECK(device[Parameter::kLaneWidth] == 32);
  CHECK(device[Parameter::kCacheBandwidth] == 777);
  CHECK(device[Parameter::kCacheLatency] == Approx(0.001));
  facts.unifiedMemory = true;
  CHECK(deviceOf(results, facts, 32, nullptr, "mine", "aiwc 1, full").type ==
        DeviceType::kIntegratedGpu);
}

TEST_CASE("nothing measured is still a profile") {
  const DeviceProfile device = deviceOf({}, DeviceFacts(), 1, nullptr, "x", "aiwc 1, full");
  CHECK(toJson(deviceFromJson(toJson(device), "x.json")) == toJson(device));
}

TEST_CASE("an id has the name's letters and digits") {
  CHECK(idFrom("NVIDIA H200") == "nvidia-h200");
  CHECK(idFrom("Intel(R) Xeon(R) CPU @ 2.00GHz") == "intel-r-xeon-r-cpu-2.00ghz");
  CHECK(idFrom("..") == "device");
  CHECK(idFrom("") == "device");
  for (const std::string &name :
       {std::string("-a"), std::string("._b"), std::string("a b."), std::string(200, 'x')})
    CHECK(isDeviceId(idFrom(name)));
}

TEST_CASE("four digits are kept") {
  CHECK(fourDigits(123456) == 123500);
  CHECK(fourDigits(0.00123456) == Approx(0.001235).epsilon(1e-12));
  CHECK(fourDigits(0) == 0);
}
