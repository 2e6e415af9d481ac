// What does not depend on data: launches, work-groups, barriers, atomics, the clock.
#include "device_measurement/item.h"
#include "device_measurement/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace aiwc::device_measurement {

namespace {

constexpr uint32_t kMostRounds = 1U << 22U;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

Outcome figure(const Estimate &estimate, double factor) {
  return {{{1, estimate.median * factor, estimate.spread}}};
}

/// The kernel `empty`, with the counter that checks that it ran. A launch has a work-group for each
/// compute unit.
struct Empty {
  explicit Empty(Device &device)
      : device(device), kernel(device.kernel(device.build(kLaunchSource, ""), "empty")),
        counter(device.buffer(sizeof(uint32_t))) {
    const uint32_t zero = 0;
    device.write(counter, &zero, sizeof zero);
    kernel.set(counter);
    range.group = std::min<size_t>(64, kernel.largestGroup());
    range.items = device.facts().computeUnits * range.group;
    device.run(kernel, range); // compiles it
  }

  void check() {
    uint32_t count = 0;
    device.read(counter, &count, sizeof count);
    requireResult(count == kernel.launches(), device, "empty",
                  fmt::format("{} launches", kernel.launches()));
  }

  /// The estimate of a sample in seconds; checks that every launch happened.
  template <typename Sample> Estimate estimate(const Effort &effort, const Sample &sample) {
    const Estimate estimate = repeated(sample, effort.patience());
    check();
    return estimate;
  }

  Device &device;
  TimedKernel kernel;
  Buffer counter;
  Range range;
};

/// Without a precise clock, what happens within a launch cannot be seen.
Outcome withoutClock(const Device &device, std::string_view what) {
  return {{}, {fmt::format("{}: {}", what, device.whyNotPrecise())}};
}

Outcome launchStart(Device &device, const Effort &effort) {
  if (!device.precise())
    return withoutClock(device, "launch_start_us");
  Empty empty(device);
  return figure(
      empty.estimate(effort, [&] { return device.times(empty.kernel, empty.range).start / 1e9; }),
      1e6);
}

Outcome launchDevice(Device &device, const Effort &effort) {
  if (!device.precise())
    return withoutClock(device, "launch_device_us");
  Empty empty(device);
  return figure(empty.estimate(effort, [&] { return device.seconds(empty.kernel, empty.range); }),
                1e6);
}

/// As a program that launches one kernel sees it, which waits for the end and then asks: the least
/// of many.
Outcome shortestLaunch(Device &device, const Effort &effort) {
  if (!device.precise())
    return withoutClock(device, "the shortest launch");
  Empty empty(device);
  Patience patience = effort.patience();
  patience.leastSamples = 200;
  patience.spread = 0; // as many as there is time for
  const Estimate estimate =
      repeated([&] { return device.seconds(empty.kernel, empty.range); }, patience);
  empty.check();
  return {{{1, estimate.least * 1e6, estimate.spread}}};
}

Outcome launchHost(Device &device, const Effort &effort) {
  Empty empty(device);
  return figure(empty.estimate(effort,
                               [&] {
                                 const auto begin = Clock::now();
                                 device.run(empty.kernel, empty.range);
                                 return secondsSince(begin);
                               }),
                1e6);
}

Outcome backToBack(Device &device, const Effort &effort) {
  constexpr size_t kLaunches = 200;
  Empty empty(device);
  return figure(empty.estimate(effort,
                               [&] {
                                 const auto begin = Clock::now();
                                 for (size_t i = 0; i < kLaunches; ++i)
                                   device.enqueue(empty.kernel, empty.range);
                                 device.finish();
                                 return secondsSince(begin) / kLaunches;
                               }),
                1e6);
}

Outcome workGroup(Device &device, const Effort &effort) {
  Empty empty(device);
  size_t groups = 1024 * device.facts().computeUnits;
  while (device.seconds(empty.kernel, {groups, 1}) < 1e-3 && groups < size_t{1} << 26U)
    groups *= 2;
  const Estimate many = empty.estimate(effort, [&] {
    return device.seconds(empty.kernel, {groups, 1});
  });
  const Estimate none =
      empty.estimate(effort, [&] { return device.seconds(empty.kernel, empty.range); });
  const double each = (many.median - none.median) / static_cast<double>(groups);
  if (each <= 0)
    return {{}, {"work_group_ns: too short to be seen"}};
  return {{{1, each * 1e9, many.spread}}};
}

Outcome barrier(Device &device, const Effort &effort) {
  TimedKernel kernel = device.kernel(device.build(kLaunchSource, ""), "barriers");
  Range range;
  range.group = range.items = std::min<size_t>(64, kernel.largestGroup());
  const Buffer result = device.buffer(range.items * sizeof(uint32_t));
  const uint32_t rounds = calibrated(device, kernel, range, 64, kMostRounds, [&](uint32_t amount) {
    kernel.set(LocalBytes{range.items * sizeof(uint32_t)}, amount, result);
  });
  const Estimate time = timed(device, kernel, range, effort.patience());
  std::vector<uint32_t> sums(range.items);
  device.read(result, sums.data(), sums.size() * sizeof(uint32_t));
  for (size_t i = 0; i < sums.size(); ++i)
    requireResult(sums[i] == (i + rounds) % range.items + rounds, device, "barriers",
                  fmt::format("{}", (i + rounds) % range.items + rounds));
  return figure(time, 1e9 / (2.0 * rounds));
}

Outcome atomics(Device &device, const Effort &effort, uint32_t spacing) {
  TimedKernel kernel = device.kernel(device.build(kLaunchSource, ""), "atomics");
  Range range;
  range.group = std::min<size_t>(64, kernel.largestGroup());
  range.items = device.facts().computeUnits * 4 * range.group;
  const size_t counters = spacing == 0 ? 1 : range.items * spacing;
  const std::vector<uint32_t> zeros(counters);
  const Buffer buffer = device.buffer(counters * sizeof(uint32_t));
  device.write(buffer, zeros.data(), counters * sizeof(uint32_t));
  uint64_t before = 0; // launches that were undone
  const uint32_t rounds = calibrated(device, kernel, range, 16, 1U << 16U, [&](uint32_t amount) {
    device.write(buffer, zeros.data(), counters * sizeof(uint32_t));
    before = kernel.launches();
    kernel.set(buffer, spacing, amount);
  });
  const Estimate time = timed(device, kernel, range, effort.patience());
  const uint64_t total = (kernel.launches() - before) * rounds;
  std::vector<uint32_t> counts(counters);
  device.read(buffer, counts.data(), counters * sizeof(uint32_t));
  const auto expected = static_cast<uint32_t>(spacing == 0 ? total * range.items : total);
  for (size_t i = 0; i < counters; i += std::max<uint32_t>(spacing, 1))
    requireResult(counts[i] == expected, device, "atomics", fmt::format("a count of {}", expected));
  return figure(time, 1e9 / (static_cast<double>(rounds) * static_cast<double>(range.items)));
}

Outcome timer(Device &device, const Effort &) {
  if (!device.clockStep())
    return withoutClock(device, "timer_ns");
  return {{{1, std::max(*device.clockStep(), 1e-3), 0}}};
}

} // namespace

void addLaunches(std::vector<Item> &items) {
  items.push_back({"timer_ns", 0, timer});
  items.push_back({"launch_start_us", 1, launchStart});
  items.push_back({"launch_back_to_back_us", 1, backToBack});
  items.push_back({"launch_device_us", 1, launchDevice});
  items.push_back({"launch_host_us", 1, launchHost});
  items.push_back({std::string(kShortestLaunch), 1, shortestLaunch});
  items.push_back({"barrier_ns", 1, barrier});
  items.push_back({"atomic_same_ns", 1, [](Device &device, const Effort &effort) {
                     return atomics(device, effort, 0);
                   }});
  items.push_back({"atomic_different_ns", 1, [](Device &device, const Effort &effort) {
                     constexpr uint32_t kLineOfWords = 16;
                     return atomics(device, effort, kLineOfWords);
                   }});
  items.push_back({"work_group_ns", 1, workGroup});
}

} // namespace aiwc::device_measurement
