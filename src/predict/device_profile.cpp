#include "predict/device_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace aiwc::predict {

namespace {

constexpr double kGiga = 1e9;

constexpr std::array<std::string_view, 4> kTypeNames = {"cpu", "gpu", "integrated_gpu",
                                                        "accelerator"};

// The ranges cover everything from a microcontroller to a wafer-scale device, so that a value
// outside of them is a mistake: a wrong unit, a missing decimal point. A latency may be 0 if it is
// hidden or does not exist.
constexpr std::array<ParameterInfo, kParameterCount> kParameters = {{
    {Parameter::kCores, "cores", "cores", "", 1, 1e7, true,
     "compute cores: of a CPU, each with its vector units; of a GPU, its lanes"},
    {Parameter::kFp32Rate, "fp32_rate", "fp32_rate_gflops", "GFLOP/s", 1e-3, 1e5, false,
     "peak rate of one core in single precision; a fused multiply-add is two operations"},
    {Parameter::kFp64Rate, "fp64_rate", "fp64_rate_gflops", "GFLOP/s", 1e-4, 1e5, false,
     "peak rate of one core in double precision, counted in the same way"},
    {Parameter::kCacheCapacity, "cache_size", "cache_bytes", "B", 1024, 1024 * kGiga, true,
     "the last-level cache of a CPU; local memory and L2 of a GPU together"},
    {Parameter::kCacheLine, "cache_line", "cache_line_bytes", "B", 4, 65536, true,
     "size of one transfer between cache and DRAM"},
    {Parameter::kCacheBandwidth, "cache_bandwidth", "cache_bandwidth_gb_per_s", "GB/s", 0.01, 1e8,
     false, "bandwidth of the cache, all cores together"},
    {Parameter::kCacheLatency, "cache_latency", "cache_latency_us", "us", 0, 1e3, false,
     "latency of the cache"},
    {Parameter::kDramBandwidth, "dram_bandwidth", "dram_bandwidth_gb_per_s", "GB/s", 0.01, 1e6,
     false, "bandwidth of the device's memory"},
    {Parameter::kDramLatency, "dram_latency", "dram_latency_us", "us", 0, 1e3, false,
     "latency of the device's memory"},
    {Parameter::kSyncCost, "sync_cost", "sync_us", "us", 0, 1e6, false,
     "cost of one synchronisation of all cores"},
    {Parameter::kLaneWidth, "lane_width", "lane_width", "", 1, 4096, true,
     "work-items that execute in lockstep; on a CPU, the single-precision lanes of a vector"},
    {Parameter::kClock, "clock", "clock_ghz", "GHz", 0.01, 20, false,
     "clock at which the peak rates are stated"},
    {Parameter::kL1Capacity, "l1", "l1_bytes", "B", 256, kGiga, true,
     "L1 data cache of one core, or of one compute unit"},
    {Parameter::kL2Capacity, "l2", "l2_bytes", "B", 1024, 100 * kGiga, true,
     "L2 cache: of a CPU, that of one core; of a GPU, all of it"},
    {Parameter::kL3Capacity, "l3", "l3_bytes", "B", 1024, 100 * kGiga, true,
     "L3 cache of the whole device"},
    {Parameter::kTdp, "tdp", "tdp_w", "W", 0.01, 1e5, false, "thermal design power"},
    {Parameter::kIdlePower, "idle_power", "idle_power_w", "W", 0, 1e5, false,
     "power that the idle device draws"},
    {Parameter::kLaunchOverhead, "launch_overhead", "launch_overhead_us", "us", 0, 1e6, false,
     "time from enqueueing a kernel to its start on an idle device"},
    {Parameter::kComputeUnits, "compute_units", "compute_units", "", 1, 1e6, true,
     "of a GPU: multiprocessors or compute units, each of which executes whole work-groups"},
    {Parameter::kHostLinkBandwidth, "host_bandwidth", "host_bandwidth_gb_per_s", "GB/s", 1e-3, 1e5,
     false, "bandwidth between host and device, one direction"},
    {Parameter::kHostLinkLatency, "host_latency", "host_latency_us", "us", 0, 1e6, false,
     "time of a transfer, apart from its size"},
    {Parameter::kMemoryCapacity, "memory", "memory_bytes", "B", 1 << 20, 1e6 * kGiga, true,
     "memory for buffers: of a GPU, its own; of a CPU, the most that can be installed"},
    {Parameter::kMatrixRate, "matrix_rate", "matrix_rate_tflops", "TFLOP/s", 1e-3, 1e6, false,
     "peak rate of the units for matrices (tensor cores): 16-bit factors, 32-bit sums, dense"},
}};

constexpr bool inOrder() {
  for (size_t i = 0; i < kParameters.size(); ++i)
    if (static_cast<size_t>(kParameters[i].parameter) != i)
      return false;
  return true;
}
static_assert(inOrder(), "info() looks a parameter up by its number");

} // namespace

std::span<const ParameterInfo, kParameterCount> parameters() {
  return kParameters;
}

const ParameterInfo &info(Parameter parameter) {
  return kParameters[static_cast<size_t>(parameter)];
}

std::optional<Parameter> parameterOf(std::string_view name) {
  const auto *found = std::ranges::find(kParameters, name, &ParameterInfo::name);
  if (found == kParameters.end())
    return std::nullopt;
  return found->parameter;
}

bool ParameterInfo::allows(double value) const {
  return value >= minimum && value <= maximum && (!integer || value == std::floor(value));
}

std::string ParameterInfo::expected() const {
  return fmt::format("{}{:g} to {:g}{}{}", integer ? "an integer from " : "", minimum, maximum,
                     unit.empty() ? "" : " ", unit);
}

std::string_view toString(DeviceType type) {
  return kTypeNames[static_cast<size_t>(type)];
}

std::optional<DeviceType> deviceTypeOf(std::string_view name) {
  const auto *found = std::ranges::find(kTypeNames, name);
  if (found == kTypeNames.end())
    return std::nullopt;
  return static_cast<DeviceType>(found - kTypeNames.begin());
}

MissingParameter::~MissingParameter() = default;

double DeviceProfile::operator[](Parameter parameter) const {
  const auto &quantity = quantities[index(parameter)];
  if (!quantity)
    throw MissingParameter(fmt::format("device {}: no {}, which this prediction needs: {}", id,
                                       info(parameter).key, info(parameter).description));
  return quantity->value;
}

void DeviceProfile::set(Parameter parameter, double value, std::string source,
                        std::optional<double> spread) {
  quantities[index(parameter)] = Quantity{value, std::move(source), spread};
}

} // namespace aiwc::predict
