#include "predict/split.h"

#include "common/error.h"
#include "predict/makespan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace aiwc::predict {

namespace {

/// Work-groups in each dimension, a smaller last one included.
profile::Size3 groupsOf(const CostedLaunch &launch) {
  profile::Size3 groups{};
  for (size_t i = 0; i < groups.size(); ++i) {
    const uint64_t global = launch.globalSize[i];
    const uint64_t local = launch.localSize[i];
    if (global == 0 || local == 0)
      throw Error(fmt::format("provenance.{}: 0 work-items in dimension {}: expected 1 or more",
                              global == 0 ? "global_size" : "local_size", i));
    groups[i] = global / local + (global % local != 0);
  }
  // The product of the three has to be a number of work-groups, too.
  uint64_t product = 0;
  if (__builtin_mul_overflow(groups[0], groups[1], &product) ||
      __builtin_mul_overflow(product, groups[2], &product))
    throw Error("provenance.global_size: more than 2^64 work-groups");
  return groups;
}

/// The division of one NDRange along one dimension.
class Cut {
public:
  Cut(const CostedLaunch &launch, std::span<const DeviceProfile> devices,
      const Transfers &transfers, size_t dimension)
      : launch_(launch), devices_(devices), transfers_(transfers), dimension_(dimension) {
    const profile::Size3 groups = groupsOf(launch);
    layers_ = groups[dimension];
    layerGroups_ = groups[0] * groups[1] * groups[2] / layers_;
  }

  double finish(size_t device, uint64_t layers) const {
    return finishSeconds(launch_, devices_[device], transfers_,
                         static_cast<double>(layers) / static_cast<double>(layers_));
  }

  Plan best() const {
    return plan(minimalMakespan(layers_, devices_.size(), [this](size_t device, uint64_t layers) {
      return finish(device, layers);
    }));
  }

  Plan even() const {
    std::vector<uint64_t> layers(devices_.size(), layers_ / devices_.size());
    for (size_t device = 0; device < layers_ % devices_.size(); ++device)
      ++layers[device];
    return plan(layers);
  }

  uint64_t layers() const { return layers_; }
  uint64_t workGroups() const { return layers_ * layerGroups_; }

private:
  Plan plan(const std::vector<uint64_t> &layers) const {
    const uint64_t local = launch_.localSize[dimension_];
    Plan plan;
    uint64_t before = 0;
    for (size_t device = 0; device < layers.size(); ++device) {
      Share share;
      if (layers[device] > 0) {
        share.workGroups = layers[device] * layerGroups_;
        share.globalOffset = launch_.globalOffset;
        share.globalOffset[dimension_] += before * local;
        share.globalSize = launch_.globalSize;
        // The last layer may be smaller than a work-group.
        share.globalSize[dimension_] =
            std::min(layers[device] * local, launch_.globalSize[dimension_] - before * local);
        share.finishSeconds = finish(device, layers[device]);
        plan.makespanSeconds = std::max(plan.makespanSeconds, share.finishSeconds);
      }
      before += layers[device];
      plan.shares.push_back(share);
    }
    return plan;
  }

  const CostedLaunch &launch_;
  std::span<const DeviceProfile> devices_;
  Transfers transfers_;
  size_t dimension_;
  uint64_t layers_ = 0;
  uint64_t layerGroups_ = 0; ///< work-groups of a layer
};

/// From the slowest-varying one.
std::vector<size_t> candidates(const CostedLaunch &launch, const std::optional<size_t> &wanted) {
  if (wanted && *wanted >= launch.workDim)
    throw Error(fmt::format("provenance.work_dim is {}: the NDRange has no dimension {} to split",
                            launch.workDim, *wanted));
  if (wanted)
    return {*wanted};
  std::vector<size_t> dimensions;
  for (size_t i = std::min<size_t>(launch.workDim, 3); i-- > 0;)
    dimensions.push_back(i);
  return dimensions;
}

} // namespace

double finishSeconds(const CostedLaunch &launch, const DeviceProfile &device,
                     const Transfers &transfers, double share) {
  if (!(transfers.exposed >= 0 && transfers.exposed <= 1))
    throw Error(fmt::format("transfer ratio {}: expected 0 (hidden) to 1 (all exposed)",
                            transfers.exposed));
  double seconds = launch.cost(device, share).seconds;
  if (transfers.exposed > 0)
    seconds += transfers.exposed * launch.transferSeconds(device, share, transfers.wholeInput);
  return seconds;
}

Missing missingForSplit(const CostedLaunch &launch, const DeviceProfile &device,
                        const Transfers &transfers) {
  Missing missing = launch.missing(device);
  if (transfers.exposed > 0)
    for (const Direction direction : {Direction::kToDevice, Direction::kToHost})
      missing.add(launch.model().missingForTransfers({0, 1, direction}, device));
  return missing;
}

Split split(const CostedLaunch &launch, std::span<const DeviceProfile> devices,
            const SplitOptions &options) {
  if (devices.empty())
    throw Error("no devices to split between: expected at least one");
  std::vector<Split> splits;
  for (size_t dimension : candidates(launch, options.dimension)) {
    const Cut cut(launch, devices, options.transfers, dimension);
    splits.push_back({.dimension = dimension,
                      .layers = cut.layers(),
                      .workGroups = cut.workGroups(),
                      .best = cut.best(),
                      .even = cut.even()});
  }
  const auto makespan = [](const Split &split) { return split.best.makespanSeconds; };
  const double smallest = makespan(*std::ranges::min_element(splits, {}, makespan));
  Split chosen = *std::ranges::find_if(splits, [&](const Split &split) {
    return makespan(split) <= smallest * (1 + kDimensionTolerance);
  });

  chosen.singleSeconds = std::numeric_limits<double>::infinity();
  for (size_t device = 0; device < devices.size(); ++device) {
    const double seconds = finishSeconds(launch, devices[device], options.transfers, 1);
    if (seconds < chosen.singleSeconds) {
      chosen.bestSingle = device;
      chosen.singleSeconds = seconds;
    }
  }
  return chosen;
}

} // namespace aiwc::predict
