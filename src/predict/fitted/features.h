/// Whether a launch is like those that a model was fitted to.
#pragma once

#include "predict/fitted/launch_demand.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

/// A quantity of a launch whose range over the training launches a model records.
struct Feature {
  std::string_view key;  ///< in model files
  std::string_view name; ///< for people: "work-items"
  double (*of)(const LaunchDemand &demand);
};
inline constexpr size_t kFeatureCount = 8;
std::span<const Feature, kFeatureCount> features();

/// The smallest and the largest value of a feature among the training launches.
struct TrainingRange {
  double low = 0, high = 0;
};
/// By feature; empty for a model that records none.
using TrainingRanges = std::vector<TrainingRange>;

/// Widens `seen` to include the launch.
void include(const LaunchDemand &demand, TrainingRanges &seen);

/// How the launch differs from the training launches, as "3,000 barriers of a work-item (at most
/// 480 in training)": one entry for each feature that is more than kOutsideFactor times above or
/// below its range.
inline constexpr double kOutsideFactor = 10;
std::vector<std::string> featuresOutsideTraining(const LaunchDemand &demand,
                                                 const TrainingRanges &seen);

} // namespace aiwc::predict
