#include "device_measurement/device_measurement.h"

#include "common/file.h"
#include "common/version.h"
#include "device_measurement/device_of_results.h"
#include "device_measurement/item.h"
#include "device_measurement/opencl.h"
#include "predict/device_json.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace aiwc::device_measurement {

namespace {

DeviceFacts chosen(size_t index) {
  const std::vector<DeviceFacts> devices = openClDevices();
  if (devices.empty())
    throw Error(
        "aiwc devices measure: no OpenCL device: expected an OpenCL driver, as of the Debian "
        "package pocl-opencl-icd");
  if (index >= devices.size())
    throw Error(fmt::format("aiwc devices measure: no OpenCL device {}: expected 0 to {}, as "
                            "aiwc devices measure --opencl-device list shows",
                            index, devices.size() - 1));
  return devices[index];
}

std::filesystem::path outputFor(const MeasureOptions &options, const DeviceFacts &facts) {
  auto file = options.output.empty() ? std::filesystem::path(idFrom(facts.productName()) + ".json")
                                     : options.output;
  const std::string id = file.stem().string();
  if (file.extension() != ".json" || !predict::isDeviceId(id))
    throw Error(
        fmt::format("aiwc devices measure: the output is \"{}\": expected ID.json, where the "
                    "id has lower-case letters, digits, '.', '-' and '_'",
                    text::printable(file.string(), 200)));
  std::error_code error;
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (!std::filesystem::is_directory(folder, error))
    throw Error(fmt::format("aiwc devices measure: {}: no such folder: expected one for the output",
                            folder.string()));
  return file;
}

const predict::DeviceProfile *likeFor(const MeasureOptions &options, const DeviceFacts &facts) {
  if (!options.library)
    return nullptr;
  if (!options.base.empty())
    return &(*options.library)[options.base];
  return options.library->match(facts.productName());
}

double lastCacheOf(const DeviceFacts &facts, const predict::DeviceProfile *like) {
  using predict::Parameter;
  double bytes = facts.cacheBytes;
  for (const Parameter cache :
       {Parameter::kCacheCapacity, Parameter::kL2Capacity, Parameter::kL3Capacity})
    if (like && like->has(cache))
      bytes = std::max(bytes, (*like)[cache]);
  return bytes;
}

/// An item's outcome, with numbers of four digits; what the device cannot do is missing.
Outcome outcomeOf(const Item &item, Device &device, const Effort &effort) {
  Outcome outcome;
  try {
    outcome = item.run(device, effort);
  } catch (const Unsupported &error) {
    outcome.missing.push_back(fmt::format("{}: {}", item.id, error.what()));
  } catch (const NoRoom &error) {
    outcome.missing.push_back(fmt::format("{}: {}", item.id, error.what()));
  }
  for (predict::CurvePoint &point : outcome.points) {
    point.value = fourDigits(point.value);
    point.spread = fourDigits(point.spread);
  }
  return outcome;
}

/// Runs the items, each for its share of the time.
Results runItems(const std::vector<Item> &items, Device &device, const MeasureOptions &options) {
  double weights = 0; // of the items that are left
  for (const Item &item : items)
    weights += item.weight;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(options.seconds));
  Results results;
  for (const Item &item : items) {
    const double left = std::max(std::chrono::duration<double>(end - Clock::now()).count(), 0.0);
    if (options.progress)
      options.progress({results.size(), items.size(), item.id, left});
    const Effort effort{options.isQuick(), left * item.weight / std::max(weights, 1e-9)};
    results[item.id] = outcomeOf(item, device, effort);
    weights -= item.weight;
  }
  return results;
}

} // namespace

std::vector<ListedDevice> listedDevices() {
  std::vector<ListedDevice> devices;
  for (const DeviceFacts &facts : openClDevices())
    devices.push_back({facts.productName(), facts.platform, facts.driver});
  return devices;
}

Measured measure(const MeasureOptions &options) {
  DeviceFacts facts = chosen(options.device);
  const auto file = outputFor(options, facts);
  const predict::DeviceProfile *like = likeFor(options, facts);
  facts.lastCacheBytes = lastCacheOf(facts, like);
  const std::string by = fmt::format("aiwc {}, {}", kVersion, options.isQuick() ? "quick" : "full");
  Measured measured{file, {}};
  try {
    Device device(facts);
    const Results results = runItems(itemsFor(facts, options.isQuick()), device, options);
    const size_t lanes =
        device.kernel(device.build("kernel void nothing(uint n) {}", ""), "nothing")
            .preferredMultiple();
    measured.profile = deviceOf(results, facts, lanes, like, file.stem().string(), by);
  } catch (const opencl::StatusError &error) {
    throw Error(fmt::format("device {}: {}", text::printable(facts.name, 100), error.what()));
  }
  const std::string json = toJson(measured.profile);
  predict::deviceFromJson(json, file.string()); // what is written can be read
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  NewFile(folder, json, fmt::format("{}: cannot be written", file.string())).replace(file);
  return measured;
}

} // namespace aiwc::device_measurement
