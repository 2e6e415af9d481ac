#include "devices.h"

#include <CL/cl_ext.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace aiwc::examples {

using eod::check;
using eod::info;
using eod::UsageError;

namespace {

std::vector<cl_platform_id> platforms() {
  cl_uint count = 0;
  const cl_int code = clGetPlatformIDs(0, nullptr, &count);
  if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && count == 0))
    throw UsageError("no OpenCL platform: expected an OpenCL driver to be installed");
  check(code, "clGetPlatformIDs");
  std::vector<cl_platform_id> all(count);
  check(clGetPlatformIDs(count, all.data(), nullptr), "clGetPlatformIDs");
  return all;
}

std::vector<cl_device_id> devicesOf(cl_platform_id platform) {
  cl_uint count = 0;
  const cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && count == 0))
    return {};
  check(code, "clGetDeviceIDs");
  std::vector<cl_device_id> all(count);
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, all.data(), nullptr), "clGetDeviceIDs");
  return all;
}

cl_device_id firstDevice() {
  for (cl_platform_id platform : platforms())
    if (const auto all = devicesOf(platform); !all.empty())
      return all.front();
  throw UsageError("no OpenCL device on any platform");
}

cl_uint unitsOf(cl_device_id device) {
  return info<cl_uint>("clGetDeviceInfo(CL_DEVICE_MAX_COMPUTE_UNITS)", clGetDeviceInfo,
                       CL_DEVICE_MAX_COMPUTE_UNITS, device);
}

cl_device_id namedDevice(const std::string &name) {
  size_t platform = 0;
  size_t device = 0;
  const char *end = name.data() + name.size();
  const auto [colon, first] = std::from_chars(name.data(), end, platform);
  if (first != std::errc{} || colon == end || *colon != ':' ||
      std::from_chars(colon + 1, end, device).ptr != end || colon + 1 == end)
    throw UsageError(fmt::format("--devices {}: expected PLATFORM:DEVICE, both from 0", name));
  const auto all = platforms();
  if (platform >= all.size())
    throw UsageError(fmt::format("--devices {}: there are {} platforms", name, all.size()));
  const auto devices = devicesOf(all[platform]);
  if (device >= devices.size())
    throw UsageError(
        fmt::format("--devices {}: the platform has {} devices", name, devices.size()));
  return devices[device];
}

} // namespace

Devices namedDevices(const std::vector<std::string> &names) {
  Devices devices;
  for (const std::string &name : names)
    devices.parts.emplace_back(namedDevice(name));
  devices.whole = devices.parts.front().get();
  return devices;
}

Devices subDevices(const std::vector<cl_uint> &computeUnits) {
  Devices devices{.whole = firstDevice(), .parts = {}};
  const cl_uint units = unitsOf(devices.whole);
  const auto wanted = std::accumulate(computeUnits.begin(), computeUnits.end(), uint64_t{0});
  if (wanted > units || std::ranges::count(computeUnits, 0U) > 0)
    throw UsageError(fmt::format("{} sub-devices of {} compute units in all: the device has {} "
                                 "compute units, and each needs one",
                                 computeUnits.size(), wanted, units));
  std::vector<cl_device_partition_property> properties{CL_DEVICE_PARTITION_BY_COUNTS};
  properties.insert(properties.end(), computeUnits.begin(), computeUnits.end());
  properties.insert(properties.end(), {CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0});
  std::vector<cl_device_id> parts(computeUnits.size());
  const cl_int code = clCreateSubDevices(devices.whole, properties.data(),
                                         static_cast<cl_uint>(parts.size()), parts.data(), nullptr);
  if (code == CL_INVALID_VALUE || code == CL_DEVICE_PARTITION_FAILED)
    throw UsageError(fmt::format("{} cannot be partitioned by counts: expected --devices",
                                 deviceName(devices.whole)));
  check(code, "clCreateSubDevices");
  for (cl_device_id part : parts)
    devices.parts.emplace_back(part);
  return devices;
}

Devices equalSubDevices(size_t count) {
  const size_t units = unitsOf(firstDevice());
  std::vector<cl_uint> each(count, static_cast<cl_uint>(units / count));
  for (size_t i = 0; i < units % count; ++i)
    ++each[i];
  return subDevices(each);
}

std::string deviceName(cl_device_id device) {
  return eod::infoText("clGetDeviceInfo(CL_DEVICE_NAME)", clGetDeviceInfo, CL_DEVICE_NAME, device);
}

} // namespace aiwc::examples
