/// Compares scaled profiles with measured ones: each metric, and the predicted costs.
#pragma once

#include "cases.h"
#include "predict/costed_launch.h"
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

/// The launches that the largest launch of a kernel at one size is scaled from.
enum class Known : uint8_t {
  kOtherSizes,     ///< launches at other sizes, with the same local size
  kOtherLocalSize, ///< a launch at another size, with another local size
  kSameRun,        ///< smaller launches of the same run, as in a factorisation
};
std::string_view toString(Known known); ///< "other sizes", "other local size", "same run"

struct Trial {
  Known known = Known::kOtherSizes;
  std::string application, kernel;
  std::string from, to;     ///< names of sizes; two are separated by a plus
  size_t launches = 1;      ///< number of launches that it was scaled from
  double workItemRatio = 1; ///< requested work-items / work-items of the nearest launch
  /// The error by metric, for metrics with a value in both profiles: max(p / m, m / p), infinite if
  /// one is 0. For fractions and entropies of addresses, |p - m|.
  std::map<profile::Metric, double> errors;
  /// The error max(p / m, m / p) per device that can be predicted: of the total cost, and of the
  /// cost without synchronisation and latency, which hardly grow and hide the error of small
  /// launches.
  std::vector<double> costErrors, workErrors;
};

/// Tries every kernel, treating each of its sizes in turn as unknown. The profile is scaled from
/// smaller launches of the same run (the nearest, and the two nearest); from the nearest launch of
/// every other size; and from every pair of other sizes with one local size, if `scaledTo` uses two
/// of their launches.
std::vector<Trial> tryAll(const std::vector<KernelCases> &kernels,
                          std::span<const predict::DeviceProfile> devices,
                          const predict::CostModel &model);

/// A range of ratios of work-items, up or down, that is reported as one row: from the limit of the
/// range before it (1 for the first) to `ratio`, which is infinite for the last.
struct CostError {
  Known known = Known::kOtherSizes;
  size_t launches = 1;
  double ratio = 1;
  size_t trials = 0;
  /// Computed from the trials' medians over devices.
  double median = 1, ninthDecile = 1;
  double workMedian = 1, workNinthDecile = 1; ///< without synchronisation and latency
};
/// Ordered by number of launches, then ratio; the other kinds, at any ratio, are last.
std::vector<CostError> costErrors(const std::vector<Trial> &trials);

/// The errors of a metric over all trials from this number of launches of other sizes.
std::vector<double> metricErrors(const std::vector<Trial> &trials, profile::Metric metric,
                                 size_t launches);

} // namespace aiwc::scaling_study
