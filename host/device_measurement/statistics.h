/// Medians with their intervals, and repetition until an interval is narrow.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

namespace aiwc::device_measurement {

using Clock = std::chrono::steady_clock;

struct Interval {
  double low = 0, high = 0;
};

/// The 95 % interval of the median, by order statistics: from the k-th smallest to the k-th largest
/// sample, where k is the largest number for which a binomial variable of `samples.size()` trials
/// and probability 1/2 is below k with a probability of at most 2.5 %. With fewer than six samples
/// there is no such k: the smallest and the largest, which hold the median less often. `samples`
/// must be sorted and not empty.
Interval medianInterval(const std::vector<double> &samples);

struct Estimate {
  double median = 0;
  double spread = 0; ///< half of the median's 95 % interval, relative to the median
  double least = 0;
  size_t samples = 0;
};
/// `samples` must not be empty, in any order; 0 as the median has a spread of 0.
Estimate estimateOf(std::vector<double> samples);

/// When to stop repeating.
struct Patience {
  double spread = 0.03;       ///< enough, if there are six samples or more
  double seconds = 1;         ///< at most, except for the first `leastSamples`
  size_t leastSamples = 3;    ///< even if they take longer
  size_t mostSamples = 1'000; ///< a bound on memory
};

/// Calls `sample`, which returns a measured value, until `patience` ends.
Estimate repeated(const std::function<double()> &sample, const Patience &patience);

} // namespace aiwc::device_measurement
