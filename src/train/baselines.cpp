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

} // namespace

std::string_view toString(Baseline baseline) {
  switch (baseline) {
  case Baseline::kFixedOrder:
    return "fixed-order";
  case Baseline::kNearest:
    return "nearest";
  case Baseline::kAutomatch:
    return "automatch";
  case Baseline::kForest:
    break;
  }
  return "forest";
}

bool predictsTimes(Baseline baseline) {
  return baseline != Baseline::kFixedOrder;
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
  case Baseline::kFixedOrder:
    return fixedOrder(fold);
  case Baseline::kNearest:
    return nearest(fold);
  case Baseline::kAutomatch:
    return automatch(fold);
  case Baseline::kForest:
    break;
  }
  return forestPredictions(set_, features_, fold);
}

std::vector<double> BaselinePredictor::fixedOrder(const Fold &fold) const {
  std::map<size_t, std::pair<double, double>> workloads; // sum of ln t, count
  for (const size_t i : fold.training) {
    auto &[sum, count] = workloads[set_.times[i].workload];
    sum += std::log(set_.times[i].micros);
    ++count;
  }
  std::vector<std::pair<double, double>> devices(set_.devices.size());
  for (const size_t i : fold.training) {
    const auto &[sum, count] = workloads[set_.times[i].workload];
    devices[set_.times[i].device].first += std::log(set_.times[i].micros) - sum / count;
    ++devices[set_.times[i].device].second;
  }
  std::vector<double> result;
  result.reserve(fold.test.size());
  for (const size_t i : fold.test) {
    const auto &[sum, count] = devices[set_.times[i].device];
    result.push_back(count > 0 ? sum / count : kNothing);
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
    const predict::HostTraffic traffic{workload.hostBytes,
                                       static_cast<uint64_t>(workload.hostTransfers)};
    bool possible = predict::missingHostLink(traffic, device).empty();
    double seconds = possible ? predict::transferSeconds(traffic, device) : 0;
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
