/// How surely one of several variants of a kernel is the fastest on a device.
#pragma once

#include "predict/fitted/fitted_cost_model.h"

#include <span>
#include <vector>

namespace aiwc::predict {

/// A variant that takes at most so many times as long as the fastest one is near it.
inline constexpr double kNearBest = 1.1;

struct VariantOdds {
  double nearBest = 1; ///< probability of taking at most kNearBest times as long as the fastest
  /// Probability of being faster than the variant with the least predicted time; 0.5 for that one,
  /// and for variants of which the same is predicted.
  double fasterThanFirst = 0.5;
};

/// Of variants of one kernel, with these predicted costs on the device, all above 0; in their
/// order. An error of a part of the time (launch, memory, the rest) is that of all variants, as in
/// FittedCostModel::ratioInterval; beside it, the rest of each has a normal error of ln of its own.
/// Drawn numbers, the same for equal arguments. O(variants).
std::vector<VariantOdds> variantOddsOf(const FittedCostModel &model, const DeviceProfile &device,
                                       std::span<const Cost> costs);

} // namespace aiwc::predict
