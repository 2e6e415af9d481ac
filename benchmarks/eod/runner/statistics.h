/// Statistics of repeated measurements.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace aiwc::eod {

struct Interval {
  double low;
  double high;
};

struct Statistics {
  size_t count = 0;
  double median = 0; ///< the mean of the middle two where the count is even
  double mean = 0;
  std::optional<double> standardDeviation; ///< of the sample (divisor n - 1); from 2 values on
  /// Of the mean, 95 %, by Student's t distribution with n - 1 degrees of freedom: for values that
  /// are independent and roughly normal. From 2 values on.
  std::optional<Interval> confidence;
  /// Standard deviation over mean; none where the mean is 0.
  std::optional<double> variation;
};

/// `values` is not empty.
Statistics statisticsOf(const std::vector<double> &values);

/// How much slower b is than a.
struct Ratio {
  double medians; ///< median(b) / median(a); none is 0
  /// 95 %, by resampling both with replacement (percentile bootstrap; Efron and Tibshirani, An
  /// Introduction to the Bootstrap, chapter 13), 2000 times from a fixed seed. From 5 values on
  /// each side.
  std::optional<Interval> confidence;
};

/// None where the median of `a` is 0. Neither is empty.
std::optional<Ratio> compare(const std::vector<double> &a, const std::vector<double> &b);

} // namespace aiwc::eod
