#include "train/baselines.h"

#include "automatch/automatch_model.h"
#include "predict/costed_launch.h"
#include "train/features.h"
#include "train/forest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace aiwc::train {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kNeighbours = 3;
/// Of two workloads whose features are the same: its weight is large and finite.
constexpr double kLeastDistance = 1e-6;

/// ln(1 + feature), centred and divided by the standard deviation over the workloads of
/// `training`; without the features that are constant there.
std::vector<std::vector<double>> standardised(const std::vector<std::vector<double>> &features,
                                              const std::set<size_t> &training) {
  std::vector<std::vector<double>> result(features.size());
  const auto count = static_cast<double>(training.size());
  for (size_t f = 0; f < features[0].size(); ++f) {
    double mean = 0;
    for (const size_t w : training)
      mean += std::log1p(features[w][f]) / count;
    double variance = 0;
    for (const size_t w : training)
      variance += std::pow(std::log1p(features[w][f]) - mean, 2) / count;
    if (variance < 1e-12)
      continue;
    for (size_t w = 0; w < features.size(); ++w)
      result[w].push_back((std::log1p(features[w][f]) - mean) / std::sqrt(variance));
  }
  return result;
}

double distance(const std::vector<double> &a, const std::vector<double> &b) {
  double squares = 0;
  for (size_t i = 0; i < a.size(); ++i)
    squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares);
}

/// Of the workload's host transfers; none if the device lacks a parameter that they need.
std::optional<double> transferSeconds(const Workload &workload,
                                      const predict::DeviceProfile &device) {
  const predict::HostTraffic traffic{workload.hostBytes,
                                     static_cast<uint64_t>(workload.hostTransfers)};
  if (!predict::missingHostLink(traffic, device).empty())
    return std::nullopt;
  return predict::transferSeconds(traffic, device);
}

using predict::Parameter;

constexpr std::array kRooflineParameters = {Parameter::kCores, Parameter::kFp32Rate,
                                            Parameter::kDramBandwidth, Parameter::kCacheCapacity};

double rooflineSeconds(const profile::KernelProfile &profile, const predict::LaunchDemand &demand,
                       const predict::DeviceProfile &device, predict::Clock clock) {
  const double giga = 1e9; // operations or bytes
  const double cores = device[Parameter::kCores] * giga;
  const double bytes = demand.missedBytes(static_cast<uint64_t>(device[Parameter::kCacheCapacity]));
  double longest = bytes / (device[Parameter::kDramBandwidth] * giga);
  const double singles = profile.real("fp_ops"_metric) - demand.doubleOperations;
  if (singles > 0) // not NaN
    longest = std::max(longest, singles / (cores * device[Parameter::kFp32Rate]));
  if (device.has(Parameter::kFp64Rate))
    longest = std::max(longest, demand.doubleOperations / (cores * device[Parameter::kFp64Rate]));
  return predict::launchMicros(device, clock) * 1e-6 + longest;
}

} // namespace

std::string_view toString(Baseline baseline) {
  switch (baseline) {
  case Baseline::kRoofline:
    return "roofline";
  case Baseline::kNearest:
    return "nearest";
  case Baseline::kAutomatch:
    return "automatch";
  case Baseline::kForest:
    break;
  }
  return "forest";
}

BaselinePredictor::BaselinePredictor(Baseline baseline, const TrainingSet &set)
    : baseline_(baseline), set_(set) {
  if (baseline == Baseline::kForest)
    requireForests();
  if (baseline == Baseline::kForest || baseline == Baseline::kNearest)
    features_ = featuresOf(set);
}

std::vector<double> BaselinePredictor::lnPredicted(const Fold &fold) const {
  switch (baseline_) {
  case Baseline::kRoofline:
    return roofline(fold);
  case Baseline::kNearest:
    return nearest(fold);
  case Baseline::kAutomatch:
    return automatch(fold);
  case Baseline::kForest:
    break;
  }
  return forestPredictions(set_, features_, fold);
}

std::vector<double> BaselinePredictor::roofline(const Fold &fold) const {
  std::map<const profile::KernelProfile *, predict::LaunchDemand> demands;
  std::vector<double> result;
  result.reserve(fold.test.size());
  for (const size_t i : fold.test) {
    const Workload &workload = set_.workloads[set_.times[i].workload];
    const predict::DeviceProfile &device = set_.devices[set_.times[i].device].profile;
    std::optional<double> seconds = transferSeconds(workload, device);
    if (!seconds ||
        !std::ranges::all_of(kRooflineParameters, [&](auto p) { return device.has(p); })) {
      result.push_back(kNothing);
      continue;
    }
    for (const LaunchCount &launch : workload.launches) {
      const auto [known, isNew] = demands.try_emplace(launch.profile);
      if (isNew)
        known->second = predict::demandOf(*launch.profile);
      *seconds +=
          launch.launches * rooflineSeconds(*launch.profile, known->second, device, workload.clock);
    }
    result.push_back(std::log(*seconds * 1e6));
  }
  return result;
}

std::vector<double> BaselinePredictor::nearest(const Fold &fold) const {
  std::set<size_t> workloads;
  std::vector<std::vector<size_t>> byDevice(set_.devices.size());
  for (const size_t i : fold.training) {
    workloads.insert(set_.times[i].workload);
    byDevice[set_.times[i].device].push_back(i);
  }
  const auto points = standardised(features_, workloads);
  std::vector<double> result;
  result.reserve(fold.test.size());
  for (const size_t i : fold.test) {
    std::vector<std::pair<double, double>> others; // distance, ln t
    for (const size_t j : byDevice[set_.times[i].device])
      others.emplace_back(distance(points[set_.times[i].workload], points[set_.times[j].workload]),
                          std::log(set_.times[j].micros));
    const auto last =
        others.begin() + static_cast<std::ptrdiff_t>(std::min(kNeighbours, others.size()));
    std::partial_sort(others.begin(), last, others.end());
    double sum = 0;
    double weights = 0;
    for (auto other = others.begin(); other != last; ++other) {
      const double weight = 1 / std::max(other->first, kLeastDistance);
      sum += weight * other->second;
      weights += weight;
    }
    result.push_back(weights > 0 ? sum / weights : kNothing);
  }
  return result;
}

std::vector<double> BaselinePredictor::automatch(const Fold &fold) const {
  const automatch::AutomatchModel model;
  std::map<const profile::KernelProfile *, std::optional<predict::CostedLaunch>> prepared;
  std::vector<double> result;
  result.reserve(fold.test.size());
  for (const size_t i : fold.test) {
    const Workload &workload = set_.workloads[set_.times[i].workload];
    const predict::DeviceProfile &device = set_.devices[set_.times[i].device].profile;
    const std::optional<double> transfers = transferSeconds(workload, device);
    bool possible = transfers.has_value();
    double seconds = transfers.value_or(0);
    for (const LaunchCount &launch : workload.launches) {
      const auto [known, isNew] = prepared.try_emplace(launch.profile);
      std::optional<predict::CostedLaunch> &costed = known->second;
      if (isNew && model.whyNot(*launch.profile).empty())
        costed.emplace(*launch.profile, model);
      possible = possible && costed && costed->missing(device).empty();
      if (possible)
        seconds += launch.launches * costed->cost(device).seconds;
    }
    result.push_back(possible && seconds > 0 ? std::log(seconds * 1e6) : kNothing);
  }
  return result;
}

} // namespace aiwc::train
