// Copies between host and device.
#include "device_measurement/item.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>

namespace aiwc::device_measurement {

namespace {

Outcome transfers(Device &device, const Effort &effort, bool toDevice) {
  const double most = std::min({largestFootprint(device.facts(), effort.quick),
                                device.facts().largestBuffer, 64.0 * (1 << 20)});
  std::vector<size_t> sizes;
  for (size_t bytes = 64; static_cast<double>(bytes) <= most; bytes *= effort.quick ? 4 : 2)
    sizes.push_back(bytes);
  if (sizes.empty())
    throw NoRoom("the device has no room for 64 bytes");
  std::vector<uint32_t> data(sizes.back() / sizeof(uint32_t));
  std::iota(data.begin(), data.end(), toDevice ? 1U : 2U);
  std::vector<uint32_t> back(data.size());
  const Buffer buffer = device.buffer(sizes.back());
  device.write(buffer, back.data(), sizes.back());
  if (!toDevice)
    device.write(buffer, data.data(), sizes.back());
  Outcome outcome;
  for (const size_t bytes : sizes) {
    const auto copy = [&] {
      const auto begin = Clock::now();
      if (toDevice)
        device.write(buffer, data.data(), bytes);
      else
        device.read(buffer, back.data(), bytes);
      return std::chrono::duration<double>(Clock::now() - begin).count();
    };
    copy();
    const Estimate time = repeated(copy, effort.patience(sizes.size()));
    if (toDevice)
      device.read(buffer, back.data(), bytes);
    requireResult(std::memcmp(data.data(), back.data(), bytes) == 0, device,
                  toDevice ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer", "a true copy");
    outcome.points.push_back({static_cast<double>(bytes), time.median * 1e6, time.spread});
  }
  return outcome;
}

} // namespace

void addTransfers(std::vector<Item> &items) {
  items.push_back({std::string(kToDevice), 4, [](Device &device, const Effort &effort) {
                     return transfers(device, effort, true);
                   }});
  items.push_back({std::string(kToHost), 4, [](Device &device, const Effort &effort) {
                     return transfers(device, effort, false);
                   }});
}

} // namespace aiwc::device_measurement
