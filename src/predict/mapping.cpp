#include "predict/mapping.h"

#include "common/error.h"

#include <algorithm>
#include <limits>

namespace aiwc::predict {

namespace {

/// The costs of every kernel on every device, and of every change between two of them.
class Sequence {
public:
  Sequence(std::span<const CostedLaunch> kernels, std::span<const DeviceProfile> devices,
           const Transfers &transfers)
      : steps_(kernels.size()), devices_(devices.size()) {
    for (const CostedLaunch &kernel : kernels) {
      for (const DeviceProfile &device : devices) {
        stay_.push_back(finishSeconds(kernel, device, transfers, 1));
        const bool moves = devices.size() > 1 && kernels.size() > 1;
        for (const Direction direction : {Direction::kToDevice, Direction::kToHost})
          cross_.push_back(
              moves ? kernel.model().transferSeconds(migration(kernel, direction), device) : 0);
      }
    }
  }

  double stay(size_t step, size_t device) const { return stay_[step * devices_ + device]; }
  double move(size_t step, size_t from, size_t to) const {
    return from == to
               ? 0
               : cross(step, from, Direction::kToHost) + cross(step, to, Direction::kToDevice);
  }

  Mapping along(const std::vector<size_t> &path) const {
    Mapping mapping;
    for (size_t step = 0; step < steps_; ++step) {
      const double migration = step ? move(step, path[step - 1], path[step]) : 0;
      mapping.steps.push_back({path[step], stay(step, path[step]), migration});
      mapping.seconds += stay(step, path[step]) + migration;
    }
    return mapping;
  }

  std::vector<size_t> best() const {
    return cheapestPath(
        steps_, devices_, [this](size_t step, size_t device) { return stay(step, device); },
        [this](size_t step, size_t from, size_t to) { return move(step, from, to); });
  }

  std::vector<size_t> eachFastest() const {
    std::vector<size_t> path;
    for (size_t step = 0; step < steps_; ++step) {
      const auto row = stay_.begin() + static_cast<ptrdiff_t>(step * devices_);
      path.push_back(
          static_cast<size_t>(std::min_element(row, row + static_cast<ptrdiff_t>(devices_)) - row));
    }
    return path;
  }

private:
  double cross(size_t step, size_t device, Direction direction) const {
    return cross_[2 * (step * devices_ + device) + static_cast<size_t>(direction)];
  }

  static HostTraffic migration(const CostedLaunch &kernel, Direction direction) {
    if (!kernel.footprintBytes)
      throw Error(
          "metrics.footprint_bytes has no value: expected a size, to move data between devices");
    return {static_cast<double>(*kernel.footprintBytes),
            *kernel.footprintBytes > 0 ? uint64_t{1} : uint64_t{0}, direction};
  }

  size_t steps_, devices_;
  std::vector<double> stay_; ///< s, by kernel, then device
  /// s, likewise, then by direction: what the kernel touches over the device's link
  std::vector<double> cross_;
};

} // namespace

std::vector<size_t>
cheapestPath(size_t steps, size_t states,
             const std::function<double(size_t step, size_t state)> &stay,
             const std::function<double(size_t step, size_t from, size_t to)> &move) {
  std::vector<double> total(states, 0); // of the cheapest path so far that ends in the state
  std::vector<std::vector<size_t>> previous(steps, std::vector<size_t>(states, 0));
  for (size_t step = 0; step < steps; ++step) {
    std::vector<double> next(states);
    for (size_t to = 0; to < states; ++to) {
      double least = step ? std::numeric_limits<double>::infinity() : 0;
      for (size_t from = 0; step && from < states; ++from) {
        const double sum = total[from] + (from == to ? 0 : move(step, from, to));
        if (sum < least) {
          least = sum;
          previous[step][to] = from;
        }
      }
      next[to] = least + stay(step, to);
    }
    total = std::move(next);
  }
  std::vector<size_t> path(steps);
  auto state = static_cast<size_t>(std::ranges::min_element(total) - total.begin());
  for (size_t step = steps; step-- > 0; state = previous[step][state])
    path[step] = state;
  return path;
}

Mappings mapKernels(std::span<const CostedLaunch> kernels, std::span<const DeviceProfile> devices,
                    const Transfers &transfers) {
  if (kernels.empty() || devices.empty())
    throw Error("a mapping without kernels or devices: expected at least one of each");
  const Sequence sequence(kernels, devices, transfers);
  Mappings mappings{.best = sequence.along(sequence.best()),
                    .bestSingle = {},
                    .eachFastest = sequence.along(sequence.eachFastest())};
  for (size_t device = 0; device < devices.size(); ++device) {
    Mapping single = sequence.along(std::vector<size_t>(kernels.size(), device));
    if (device == 0 || single.seconds < mappings.bestSingle.seconds)
      mappings.bestSingle = std::move(single);
  }
  return mappings;
}

} // namespace aiwc::predict
