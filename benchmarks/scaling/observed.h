/// With which power of the work-items metrics grow from one problem size to the next.
#pragma once

#include "cases.h"
#include "profile/metric.h"

#include <optional>
#include <string>
#include <vector>

namespace aiwc::scaling_study {

/// How a metric's value changed between two launches.
/// - counts, and reals that are no fraction: the exponent e of value ~ work-items^e
/// - entropies of addresses: bits for each doubling of the work-items
/// - fractions: the difference
std::optional<double> changeOf(profile::Metric metric, const profile::KernelProfile &before,
                               const profile::KernelProfile &after);

struct ObservedMetric {
  profile::Metric metric;
  std::vector<double> changes; ///< of every kernel and step between neighbouring sizes that has one
};

/// A step from one size to the next.
struct Step {
  std::string application, kernel, from, to;
  double workItemRatio = 1;
  /// Of total_instruction_count: 1 where the NDRange determines the work. None where the work-items
  /// stay the same.
  std::optional<double> instructionExponent;
  double instructionRatio = 1;
};

struct Observed {
  std::vector<ObservedMetric> metrics; ///< in the order of the catalogue
  std::vector<Step> steps;
};

/// Of the largest launches of each size, from one to the next with the same local size. Steps with
/// less than kLeastSpread times the work-items (scaling/launch_scaling.h) are listed, but tell
/// nothing of the metrics.
Observed observe(const std::vector<KernelCases> &kernels);

} // namespace aiwc::scaling_study
