#include "eod/common/device.h"

#include <CL/cl_ext.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>

namespace aiwc::eod {
namespace {

std::optional<size_t> asIndex(const std::string &text) {
  size_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return index;
}

bool containsIgnoringCase(const std::string &text, const std::string &part) {
  const auto lower = [](unsigned char c) { return std::tolower(c); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [&](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

/// Which of the named things `wanted` selects: an index, or the first whose name contains it.
std::optional<size_t> find(const std::vector<std::string> &names, const std::string &wanted) {
  if (const auto index = asIndex(wanted))
    return *index < names.size() ? index : std::nullopt;
  const auto found = std::ranges::find_if(
      names, [&](const std::string &name) { return containsIgnoringCase(name, wanted); });
  if (found == names.end())
    return std::nullopt;
  return static_cast<size_t>(found - names.begin());
}

/// "0: first, 1: second".
std::string numbered(const std::vector<std::string> &names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}{}: {}", i ? ", " : "", i, names[i]);
  return text;
}

std::string platformName(cl_platform_id platform) {
  return infoText("clGetPlatformInfo(CL_PLATFORM_NAME)", clGetPlatformInfo, CL_PLATFORM_NAME,
                  platform);
}

std::string deviceText(cl_device_id device, cl_device_info what) {
  return infoText("clGetDeviceInfo", clGetDeviceInfo, what, device);
}

std::vector<cl_platform_id> allPlatforms() {
  cl_uint count = 0;
  const cl_int code = clGetPlatformIDs(0, nullptr, &count);
  if (code != CL_PLATFORM_NOT_FOUND_KHR)
    check(code, "clGetPlatformIDs");
  if (count == 0)
    throw UsageError("no OpenCL platform: expected an OpenCL driver to be installed");
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  return platforms;
}

std::vector<cl_device_id> devicesOf(cl_platform_id platform, cl_device_type type) {
  cl_uint count = 0;
  const cl_int code = clGetDeviceIDs(platform, type, 0, nullptr, &count);
  if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && count == 0))
    return {};
  check(code, "clGetDeviceIDs");
  std::vector<cl_device_id> devices(count);
  check(clGetDeviceIDs(platform, type, count, devices.data(), nullptr), "clGetDeviceIDs");
  return devices;
}

template <typename T> T property(cl_device_id device, cl_device_info what) {
  return info<T>("clGetDeviceInfo", clGetDeviceInfo, what, device);
}

Device describe(cl_platform_id platform, cl_device_id id) {
  return {.platform = platform,
          .id = id,
          .name = deviceText(id, CL_DEVICE_NAME),
          .platformName = platformName(platform),
          .driverVersion = deviceText(id, CL_DRIVER_VERSION),
          .globalBytes = property<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE),
          .allocationBytes = property<cl_ulong>(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
          .constantBytes = property<cl_ulong>(id, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE),
          .localBytes = property<cl_ulong>(id, CL_DEVICE_LOCAL_MEM_SIZE),
          .workItems = property<size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE)};
}

struct Candidate {
  DeviceNumber number;
  cl_platform_id platform;
  cl_device_id id;
};

/// The platform's devices of the type, with their numbers among all of its devices.
std::vector<Candidate> candidatesOf(size_t platform, cl_platform_id platformId,
                                    cl_device_type type) {
  const std::string name = platformName(platformId);
  const std::vector<cl_device_id> all = devicesOf(platformId, CL_DEVICE_TYPE_ALL);
  std::vector<Candidate> found;
  for (cl_device_id id : devicesOf(platformId, type)) {
    const auto number = static_cast<size_t>(std::ranges::find(all, id) - all.begin());
    found.push_back({{platform, number, deviceText(id, CL_DEVICE_NAME), name}, platformId, id});
  }
  return found;
}

/// Of the platforms and the type that the options ask for. Throws UsageError where there is none.
std::vector<Candidate> candidatesFor(const Options &options) {
  static const std::map<std::string, cl_device_type> types{
      {"cpu", CL_DEVICE_TYPE_CPU},
      {"gpu", CL_DEVICE_TYPE_GPU},
      {"accelerator", CL_DEVICE_TYPE_ACCELERATOR},
      {"all", CL_DEVICE_TYPE_ALL}};
  const std::vector<cl_platform_id> platforms = allPlatforms();
  std::optional<size_t> wanted;
  if (!options.platform.empty()) {
    std::vector<std::string> names;
    for (cl_platform_id platform : platforms)
      names.push_back(platformName(platform));
    wanted = find(names, options.platform);
    if (!wanted)
      throw UsageError(fmt::format("--platform {}: no such platform: expected {}", options.platform,
                                   numbered(names)));
  }
  std::vector<Candidate> candidates;
  for (size_t p = 0; p < platforms.size(); ++p)
    if (!wanted || p == *wanted)
      std::ranges::copy(candidatesOf(p, platforms[p], types.at(options.type)),
                        std::back_inserter(candidates));
  if (candidates.empty())
    throw UsageError(fmt::format("no OpenCL device of type {}{}", options.type,
                                 options.platform.empty()
                                     ? ": expected one on some platform"
                                     : " on platform " + options.platform +
                                           ": expected another --platform or --type"));
  return candidates;
}

/// Those of the candidates that --device selects, the first one first.
std::vector<Candidate> selected(const std::vector<Candidate> &candidates,
                                const std::string &device) {
  if (device.empty())
    return candidates;
  std::vector<std::string> names;
  std::vector<Candidate> found;
  for (const Candidate &candidate : candidates)
    names.push_back(candidate.number.name);
  const std::optional<size_t> first = find(names, device);
  if (!first)
    throw UsageError(
        fmt::format("--device {}: no such device: expected {}", device, numbered(names)));
  found.push_back(candidates[*first]);
  if (!asIndex(device))
    for (size_t i = *first + 1; i < candidates.size(); ++i)
      if (containsIgnoringCase(names[i], device))
        found.push_back(candidates[i]);
  return found;
}

} // namespace

Device selectDevice(const Options &options) {
  const Candidate candidate = selected(candidatesFor(options), options.device).front();
  return describe(candidate.platform, candidate.id);
}

std::vector<DeviceNumber> matchingDevices(const Options &options) {
  std::vector<DeviceNumber> numbers;
  for (const Candidate &candidate : selected(candidatesFor(options), options.device))
    numbers.push_back(candidate.number);
  return numbers;
}

std::vector<size_t> fittingLocalSizes(const Device &device, const Application &application) {
  std::vector<size_t> sizes;
  for (size_t localSize : application.description().localSizes) {
    const WorkGroup group = application.workGroup(localSize);
    if (group.workItems <= device.workItems && group.localBytes <= device.localBytes)
      sizes.push_back(localSize);
  }
  return sizes;
}

std::vector<size_t> localSizesFor(const Device &device, const Application &application,
                                  const Options &options) {
  const Description &about = application.description();
  std::vector<size_t> sizes;
  for (size_t localSize : fittingLocalSizes(device, application))
    if (options.localSize ? localSize == *options.localSize : localSize <= about.defaultLocalSize)
      sizes.insert(sizes.begin(), localSize);
  if (sizes.empty()) {
    const size_t asked = options.localSize.value_or(about.localSizes.front());
    const WorkGroup group = application.workGroup(asked);
    throw UsageError(fmt::format("local size {} takes {} work-items and {} bytes of local memory: "
                                 "{} allows {} and {}",
                                 asked, group.workItems, group.localBytes, device.name,
                                 device.workItems, device.localBytes));
  }
  return sizes;
}

void checkFits(const Device &device, const std::vector<Allocation> &allocations) {
  uint64_t total = 0;
  for (const Allocation &allocation : allocations) {
    total += allocation.bytes;
    if (allocation.bytes > device.allocationBytes)
      throw UsageError(fmt::format("buffer {} takes {} bytes: {} allocates at most {}",
                                   allocation.name, allocation.bytes, device.name,
                                   device.allocationBytes));
  }
  if (total > device.globalBytes)
    throw UsageError(fmt::format("the problem takes {} bytes of device memory: {} has {}", total,
                                 device.name, device.globalBytes));
}

} // namespace aiwc::eod
