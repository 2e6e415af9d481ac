#include "launcher/opencl_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aiwc::launcher {

namespace {

using predict::DeviceProfile;
using predict::DeviceType;
using predict::Parameter;

constexpr uint64_t kKib = 1024;

// Bits of cl_device_type and values of cl_device_local_mem_type.
constexpr uint64_t kCpuBit = 2, kGpuBit = 4, kAcceleratorBit = 8;
constexpr uint64_t kLocalMemory = 1, kGlobalMemory = 2;

std::optional<uint64_t> wholeOf(const DeviceProfile &device, Parameter parameter,
                                double factor = 1) {
  if (!device.has(parameter))
    return std::nullopt;
  return static_cast<uint64_t>(std::llround(device[parameter] * factor));
}

/// What vendors' implementations allow a work-group of a GPU.
struct Limits {
  std::string_view vendor;
  DeviceType type;
  uint64_t localBytes, items;
};
constexpr Limits kGpuLimits[] = {
    {"NVIDIA", DeviceType::kGpu, 48 * kKib, 1024},
    {"AMD", DeviceType::kGpu, 64 * kKib, 256},
    {"AMD", DeviceType::kIntegratedGpu, 64 * kKib, 256},
    {"Intel", DeviceType::kGpu, 64 * kKib, 1024},
    {"Intel", DeviceType::kIntegratedGpu, 64 * kKib, 256},
    {"Apple", DeviceType::kIntegratedGpu, 32 * kKib, 256},
};

/// PoCL's, on processors.
constexpr uint64_t kCpuItems = 4096, kCpuLocalBytes = 512 * kKib, kCpuMultiple = 8;

/// Whether the vendor's implementation has the extension cl_khr_fp16. NVIDIA's has not, whatever
/// the hardware computes, nor has PoCL 3.1 on processors.
bool hasHalf(const DeviceProfile &device) {
  if (device.type != DeviceType::kGpu && device.type != DeviceType::kIntegratedGpu)
    return false;
  if (device.vendor == "AMD") // from the third generation of GCN on
    return device.series != "Tahiti" && device.series != "Hawaii";
  if (device.vendor == "Intel")
    return device.series != "Gen7.5";
  return device.vendor == "Qualcomm";
}

bool isShared(DeviceType type) {
  return type == DeviceType::kCpu || type == DeviceType::kIntegratedGpu;
}

} // namespace

std::string OpenClDevice::text() const {
  const bool isCpu = type == DeviceType::kCpu;
  const uint64_t bit = isCpu                              ? kCpuBit
                       : type == DeviceType::kAccelerator ? kAcceleratorBit
                                                          : kGpuBit;
  std::string text = fmt::format(
      "type={} clock={} multiple={} local_type={} fp64={:d} fp16={:d} unified={:d}", bit, clockMhz,
      preferredMultiple, isCpu ? kGlobalMemory : kLocalMemory, hasDouble, hasHalf, isShared(type));
  if (memoryBytes) // the least that OpenCL allows an allocation to be
    text += fmt::format(" memory={} allocation={}", *memoryBytes, *memoryBytes / 4);
  if (cacheBytes && lineBytes)
    text += fmt::format(" cache={} line={}", *cacheBytes, *lineBytes);
  if (vectorBytes)
    text += fmt::format(" vector={}", *vectorBytes);
  return text;
}

OpenClDevice genericGpu() {
  OpenClDevice gpu;
  gpu.id = kGenericGpu;
  gpu.computeUnits = 32;
  gpu.clockMhz = 1500;
  gpu.preferredMultiple = 32;
  gpu.localBytes = 48 * kKib;
  gpu.memoryBytes = 8 * kKib * kKib * kKib;
  return gpu;
}

OpenClDevice openClDeviceOf(const DeviceProfile &device) {
  OpenClDevice result = genericGpu();
  const bool isCpu = device.type == DeviceType::kCpu;
  result.id = device.id;
  result.name = device.name;
  result.type = device.type;
  const auto lanes = wholeOf(device, Parameter::kLaneWidth);
  result.preferredMultiple = isCpu ? kCpuMultiple : lanes.value_or(result.preferredMultiple);
  const auto *limits = std::ranges::find_if(kGpuLimits, [&](const Limits &known) {
    return known.vendor == device.vendor && known.type == device.type;
  });
  if (limits != std::end(kGpuLimits)) {
    result.localBytes = limits->localBytes;
    result.workGroupItems = limits->items;
  } else if (isCpu) {
    result.localBytes = kCpuLocalBytes;
    result.workGroupItems = kCpuItems;
    constexpr uint64_t kLaneBytes = 4;
    if (lanes)
      result.vectorBytes = *lanes * kLaneBytes;
  }
  // A GPU whose profile has no compute units is taken for one of the generic size.
  const auto units = isCpu || device.type == DeviceType::kAccelerator
                         ? wholeOf(device, Parameter::kCores)
                         : wholeOf(device, Parameter::kComputeUnits);
  result.computeUnits = units.value_or(result.computeUnits);
  constexpr double kMhzPerGhz = 1000;
  result.clockMhz = wholeOf(device, Parameter::kClock, kMhzPerGhz).value_or(result.clockMhz);
  result.hasDouble = device.has(Parameter::kFp64Rate);
  result.hasHalf = hasHalf(device);
  if (const auto memory = wholeOf(device, Parameter::kMemoryCapacity))
    result.memoryBytes = memory;
  result.lineBytes = wholeOf(device, Parameter::kCacheLine);
  for (const Parameter level :
       {Parameter::kL3Capacity, Parameter::kL2Capacity, Parameter::kL1Capacity})
    if (!result.cacheBytes)
      result.cacheBytes = wholeOf(device, level);
  return result;
}

} // namespace aiwc::launcher
