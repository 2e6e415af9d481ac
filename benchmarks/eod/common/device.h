#pragma once

#include "eod/common/application.h"
#include "eod/common/options.h"

#include <CL/cl.h>

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::eod {

/// A device, and the properties of it that determine whether a problem fits.
struct Device {
  cl_platform_id platform;
  cl_device_id id;
  std::string name;
  std::string platformName;
  std::string driverVersion;
  uint64_t globalBytes;     ///< CL_DEVICE_GLOBAL_MEM_SIZE
  uint64_t allocationBytes; ///< CL_DEVICE_MAX_MEM_ALLOC_SIZE
  uint64_t constantBytes;   ///< CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE
  uint64_t localBytes;      ///< CL_DEVICE_LOCAL_MEM_SIZE
  uint64_t workItems;       ///< CL_DEVICE_MAX_WORK_GROUP_SIZE
};

/// The device selected by --platform, --device and --type. Throws UsageError, listing the available
/// devices, if there is none.
Device selectDevice(const Options &options);

/// A device by the numbers that --platform and --device accept, with --type all.
struct DeviceNumber {
  size_t platform;
  size_t device;
  std::string name;
  std::string platformName;
};

/// All devices that --platform, --device (where `device` is not empty) and --type select. Throws
/// UsageError where there is none.
std::vector<DeviceNumber> matchingDevices(const Options &options);

/// The legal local sizes that the device supports with its work-items and local memory, increasing.
std::vector<size_t> fittingLocalSizes(const Device &device, const Application &application);

/// The local sizes to try, best first: only the requested one, or else the default and the smaller
/// ones, without those that exceed the device's work-items or local memory. Throws UsageError if
/// none is left.
std::vector<size_t> localSizesFor(const Device &device, const Application &application,
                                  const Options &options);

/// Throws UsageError if the device cannot hold the buffers.
void checkFits(const Device &device, const std::vector<Allocation> &allocations);

} // namespace aiwc::eod
