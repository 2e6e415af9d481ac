/// Scaled profiles against measured ones: metric by metric, and in what they cost.
#pragma once

#include "cases.h"
#include "predict/cost_model.h"
#include "predict/device_library.h"
#include "profile/metric.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::scaling {

/// The largest launch of a kernel at one size, scaled from its launches at one other size or two.
struct Trial {
  std::string application, kernel;
  std::string from, to; ///< sizes; two are separated by a plus
  size_t launches = 1;  ///< that it was scaled from
  bool otherLocalSize = false;
  double workItemRatio = 1; ///< of what was asked for over the nearest
  /// By metric, for those that have a value in both: max(p / m, m / p), infinite where one is 0; of
  /// fractions and entropies of addresses |p - m|.
  std::map<profile::Metric, double> errors;
  /// max(p / m, m / p) per device that can be predicted: of the cost, and of it without
  /// synchronisation and latency, which hardly grow and hide the error of small launches.
  std::vector<double> costErrors, workErrors;
};

/// Every kernel, with each of its sizes in the role of the one that is not known: from every other
/// size by its nearest launch alone, and from every pair of other sizes with one local size by what
/// `scaledTo` takes of all their launches, where these are two.
std::vector<Trial> tryAll(const std::vector<KernelCases> &kernels,
                          std::span<const predict::DeviceProfile> devices,
                          const predict::CostModel &model);

/// Ratios of work-items, up or down, that are reported together: from the one before (the first
/// from 1) up to `ratio`, infinite for the last.
struct CostError {
  bool otherLocalSize = false;
  size_t launches = 1;
  double ratio = 1;
  size_t trials = 0;
  /// Of the trials' medians over devices.
  double median = 1, ninthDecile = 1;
  double workMedian = 1, workNinthDecile = 1; ///< without synchronisation and latency
};
/// By launches, then ratio; those with another local size behind all others, at any ratio.
std::vector<CostError> costErrors(const std::vector<Trial> &trials);

/// Errors of a metric over all trials from so many launches, of the same local size.
std::vector<double> metricErrors(const std::vector<Trial> &trials, profile::Metric metric,
                                 size_t launches);

} // namespace aiwc::scaling
