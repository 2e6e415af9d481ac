/// Observes how metrics grow with the number of work-items from one problem size to the next.
#pragma once

#include "cases.h"
#include "profile/metric.h"

#include <optional>
#include <string>
#include <vector>

namespace aiwc::scaling_study {

/// The change of a metric's value between two launches:
/// - counts, and reals that are not fractions: the exponent e of value ~ work-items^e
/// - entropies of addresses: bits per doubling of the work-items
/// - fractions: the difference
std::optional<double> changeOf(profile::Metric metric, const profile::KernelProfile &before,
                               const profile::KernelProfile &after);

struct ObservedMetric {
  profile::Metric metric;
  std::vector<double>
      changes; ///< for every kernel and step between neighbouring sizes that has one
};

/// A step from one size to the next.
struct Step {
  std::string application, kernel, from, to;
  double workItemRatio = 1;
  /// The exponent of total_instruction_count: 1 if the NDRange determines the work. None if the
  /// number of work-items stays the same.
  std::optional<double> instructionExponent;
  double instructionRatio = 1;
};

struct Observed {
  std::vector<ObservedMetric> metrics; ///< in the order of the catalogue
  std::vector<Step> steps;
};

/// Compares the largest launches of each size with those of the next size that have the same local
/// size. Steps in which the work-items grow by a factor below kLeastSpread
/// (scaling/launch_scaling.h) are listed, but not used for the metrics.
Observed observe(const std::vector<KernelCases> &kernels);

} // namespace aiwc::scaling_study
