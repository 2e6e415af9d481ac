/// Scaled profiles against measured ones: metric by metric, and in what they cost.
#pragma once

#include "cases.h"
#include "predict/cost_model.h"
#include "predict/device_library.h"
#include "profile/metric.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aiwc::scaling_study {

/// What the largest launch of a kernel at one size is scaled from.
enum class Known : uint8_t {
  kOtherSizes,     ///< launches at other sizes, of the same local size
  kOtherLocalSize, ///< a launch at another size, of another local size
  kSameRun,        ///< smaller launches of the same run, such as those of a factorisation
};
std::string_view toString(Known known); ///< "other sizes", "other local size", "same run"

struct Trial {
  Known known = Known::kOtherSizes;
  std::string application, kernel;
  std::string from, to;     ///< sizes; two are separated by a plus
  size_t launches = 1;      ///< that it was scaled from
  double workItemRatio = 1; ///< of what was asked for over the nearest
  /// By metric, for those that have a value in both: max(p / m, m / p), infinite where one is 0; of
  /// fractions and entropies of addresses |p - m|.
  std::map<profile::Metric, double> errors;
  /// max(p / m, m / p) per device that can be predicted: of the cost, and of it without
  /// synchronisation and latency, which hardly grow and hide the error of small launches.
  std::vector<double> costErrors, workErrors;
};

/// Every kernel, with each of its sizes in the role of the one that is not known: from the other
/// launches of the same run, the nearest and the two nearest; from every other
/// size by its nearest launch alone, and from every pair of other sizes with one local size by what
/// `scaledTo` takes of all their launches, where these are two.
std::vector<Trial> tryAll(const std::vector<KernelCases> &kernels,
                          std::span<const predict::DeviceProfile> devices,
                          const predict::CostModel &model);

/// Ratios of work-items, up or down, that are reported together: from the one before (the first
/// from 1) up to `ratio`, infinite for the last.
struct CostError {
  Known known = Known::kOtherSizes;
  size_t launches = 1;
  double ratio = 1;
  size_t trials = 0;
  /// Of the trials' medians over devices.
  double median = 1, ninthDecile = 1;
  double workMedian = 1, workNinthDecile = 1; ///< without synchronisation and latency
};
/// By launches, then ratio; behind them the other kinds, at any ratio.
std::vector<CostError> costErrors(const std::vector<Trial> &trials);

/// Errors of a metric over all trials from so many launches of other sizes.
std::vector<double> metricErrors(const std::vector<Trial> &trials, profile::Metric metric,
                                 size_t launches);

} // namespace aiwc::scaling_study
