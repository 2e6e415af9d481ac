// Bandwidth and latency of the levels of memory.
#include "device_measurement/item.h"
#include "device_measurement/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace aiwc::device_measurement {

namespace {

constexpr double kLeastBytes = 4096;
constexpr uint32_t kMostSteps = 1U << 24U;

/// From 4 KiB on, `perDoubling` sizes for each doubling, multiples of `unit`.
std::vector<size_t> sizes(double most, double perDoubling, size_t unit) {
  std::vector<size_t> result;
  for (double step = 0;; ++step) {
    const double bytes = kLeastBytes * std::exp2(step / perDoubling);
    if (bytes > most)
      return result;
    const size_t rounded =
        std::max<size_t>(static_cast<size_t>(std::lround(bytes / static_cast<double>(unit))), 1) *
        unit;
    if (result.empty() || rounded > result.back())
      result.push_back(rounded);
  }
}

/// Vectors on a CPU, where a work-item is a thread's loop; else loads that neighbours put together.
size_t lanesOf(const DeviceFacts &facts) {
  return facts.isCpu() ? 16 : 4;
}

std::string optionsFor(const DeviceFacts &facts) {
  return fmt::format("-D LANES={}", lanesOf(facts));
}

/// The largest work-group of which each work-item has four of `count` vectors at least.
size_t groupFor(const Device &device, const TimedKernel &kernel, size_t count) {
  if (device.facts().isCpu())
    return 1;
  size_t group = 1;
  while (2 * group <= std::min<size_t>(256, kernel.largestGroup()) && 8 * group <= count)
    group *= 2;
  return group;
}

/// The sum of what each work-item of the first group read, modulo 2^32, once.
bool sumsAre(Device &device, const Buffer &result, const Range &range, uint32_t expected) {
  std::vector<uint32_t> sums(range.items);
  device.read(result, sums.data(), sums.size() * sizeof(uint32_t));
  for (size_t group = 0; group < range.items; group += range.group) {
    const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(group);
    if (std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(range.group), uint32_t{0}) !=
        expected)
      return false;
  }
  return true;
}

Outcome bandwidth(Device &device, const Effort &effort) {
  const DeviceFacts &facts = device.facts();
  const size_t vectorBytes = lanesOf(facts) * sizeof(uint32_t);
  TimedKernel kernel = device.kernel(device.build(kMemorySource, optionsFor(facts)), "read_again");
  const double most = std::min(largestFootprint(facts, effort.quick), facts.largestBuffer);
  const auto all = sizes(most, effort.quick ? 0.5 : 1, kLeastBytes);
  return curveOver(all, effort, kBandwidth, [&](size_t bytes) {
    const size_t count = bytes / vectorBytes;
    Range range;
    range.group = groupFor(device, kernel, count);
    range.items = facts.computeUnits * (facts.isCpu() ? 1 : 4) * range.group;
    std::vector<uint32_t> numbers(bytes / sizeof(uint32_t));
    std::iota(numbers.begin(), numbers.end(), 1U);
    const uint32_t sum = std::accumulate(numbers.begin(), numbers.end(), uint32_t{0});
    const Buffer a = device.buffer(bytes);
    device.write(a, numbers.data(), bytes);
    const Buffer result = device.buffer(range.items * sizeof(uint32_t));
    const uint32_t passes = calibrated(device, kernel, range, 1, kMostSteps, [&](uint32_t amount) {
      kernel.set(a, static_cast<uint32_t>(count), amount, result);
    });
    const Estimate time = timed(device, kernel, range, effort.patience(all.size()));
    requireResult(sumsAre(device, result, range, sum * passes), device, "read_again",
                  fmt::format("{} as the sum of each work-group", sum * passes));
    const double moved = static_cast<double>(bytes) * passes * static_cast<double>(range.items) /
                         static_cast<double>(range.group);
    return predict::CurvePoint{static_cast<double>(bytes), moved / time.median / 1e9, time.spread};
  });
}

/// One cycle through the first word of every line, in random order, beginning at 0.
std::vector<uint32_t> cycleThrough(size_t lines, size_t wordsOfLine, std::vector<uint32_t> &next) {
  std::vector<uint32_t> order(lines);
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937 random(1);
  for (size_t i = lines - 1; i > 1; --i)
    std::swap(order[i], order[1 + random() % i]);
  for (uint32_t &line : order)
    line *= static_cast<uint32_t>(wordsOfLine);
  next.assign(lines * wordsOfLine, 0);
  for (size_t i = 0; i < lines; ++i)
    next[order[i]] = order[i + 1 < lines ? i + 1 : 0];
  return order;
}

/// Enough for most of the chased lines to be in the memory: four times the last cache, from 256 MiB
/// to 1 GiB, and at most a quarter of the memory.
double beyondCaches(const DeviceFacts &facts) {
  constexpr double kLeast = 256.0 * (1 << 20), kMost = 1024.0 * (1 << 20);
  return std::min(facts.memoryBytes / 4, std::clamp(4 * facts.lastCacheBytes, kLeast, kMost));
}

Outcome latency(Device &device, const Effort &effort) {
  const DeviceFacts &facts = device.facts();
  const size_t line = std::clamp<size_t>(static_cast<size_t>(facts.lineBytes), 64, 1024);
  TimedKernel kernel = device.kernel(device.build(kMemorySource, optionsFor(facts)), "chase");
  const Buffer result = device.buffer(sizeof(uint32_t));
  const double most = std::min(beyondCaches(facts), facts.largestBuffer);
  const auto all = sizes(most, effort.quick ? 1 : 2, line);
  return curveOver(all, effort, kLatency, [&](size_t bytes) {
    std::vector<uint32_t> next;
    const std::vector<uint32_t> order = cycleThrough(bytes / line, line / sizeof(uint32_t), next);
    const Buffer links = device.buffer(bytes);
    device.write(links, next.data(), bytes);
    uint64_t before = 0; // launches that were undone
    const uint32_t steps = calibrated(device, kernel, {}, 1024, kMostSteps, [&](uint32_t amount) {
      const uint32_t start = 0;
      device.write(result, &start, sizeof start);
      before = kernel.launches();
      kernel.set(links, amount, result);
    });
    const Estimate time = timed(device, kernel, {}, effort.patience(all.size()));
    uint32_t at = 0;
    device.read(result, &at, sizeof at);
    const uint64_t total = (kernel.launches() - before) * steps;
    const uint32_t expected = order[total % order.size()];
    requireResult(at == expected, device, "chase", fmt::format("to arrive at {}", expected));
    return predict::CurvePoint{static_cast<double>(bytes), time.median / steps * 1e9, time.spread};
  });
}

/// Half of the local memory, at most 16 KiB, as drivers need some of it.
size_t localBytes(const DeviceFacts &facts) {
  return static_cast<size_t>(std::min(facts.localBytes / 2, 16384.0));
}

Outcome localBandwidth(Device &device, const Effort &effort) {
  const DeviceFacts &facts = device.facts();
  const size_t vectorBytes = lanesOf(facts) * sizeof(uint32_t);
  TimedKernel kernel = device.kernel(device.build(kMemorySource, optionsFor(facts)), "read_local");
  size_t count = 4;
  while (2 * count * vectorBytes <= localBytes(facts))
    count *= 2;
  Range range;
  range.group = groupFor(device, kernel, count);
  range.items = facts.computeUnits * (facts.isCpu() ? 1 : 4) * range.group;
  const Buffer result = device.buffer(range.items * sizeof(uint32_t));
  const uint32_t passes = calibrated(device, kernel, range, 16, kMostSteps, [&](uint32_t amount) {
    kernel.set(LocalBytes{count * vectorBytes}, static_cast<uint32_t>(count), amount, result);
  });
  const Estimate time = timed(device, kernel, range, effort.patience());
  const auto sum =
      static_cast<uint32_t>(lanesOf(facts) * (count * (count - 1) / 2) * size_t{passes});
  requireResult(sumsAre(device, result, range, sum), device, "read_local",
                fmt::format("{} as the sum of each work-group", sum));
  const double moved = static_cast<double>(count * vectorBytes) * passes *
                       static_cast<double>(range.items) / static_cast<double>(range.group);
  return {{{1, moved / time.median / 1e9, time.spread}}};
}

Outcome localLatency(Device &device, const Effort &effort) {
  TimedKernel kernel =
      device.kernel(device.build(kMemorySource, optionsFor(device.facts())), "chase_local");
  const Buffer result = device.buffer(sizeof(uint32_t));
  // An odd stride goes through all of them; every 17th has a line of its own.
  constexpr uint32_t kStride = 17;
  uint32_t count = 16;
  while (size_t{2} * count * sizeof(uint32_t) <= std::min<size_t>(localBytes(device.facts()), 4096))
    count *= 2;
  const uint32_t steps = calibrated(device, kernel, {}, 4096, kMostSteps, [&](uint32_t amount) {
    kernel.set(LocalBytes{count * sizeof(uint32_t)}, count, kStride, amount, result);
  });
  const Estimate time = timed(device, kernel, {}, effort.patience());
  uint32_t at = 0;
  device.read(result, &at, sizeof at);
  const auto expected = static_cast<uint32_t>(uint64_t{steps} * kStride % count);
  requireResult(at == expected, device, "chase_local", fmt::format("to arrive at {}", expected));
  return {{{1, time.median / steps * 1e9, time.spread}}};
}

} // namespace

void addMemory(std::vector<Item> &items) {
  items.push_back({std::string(kLatency), 8, latency});
  items.push_back({std::string(kBandwidth), 6, bandwidth});
  items.push_back({"local_bandwidth_gb_per_s", 1, localBandwidth});
  items.push_back({"local_latency_ns", 1, localLatency});
}

} // namespace aiwc::device_measurement
