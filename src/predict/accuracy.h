/// Statistics of the accuracy of predictions: predicted against measured times.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace aiwc::predict {

/// The rank of each value, counted from 1; equal values get the mean of their ranks.
std::vector<double> ranksOf(std::span<const double> values);

/// Spearman's rank correlation, in [-1, 1]: Pearson's correlation of the ranks. None if all values
/// of `a` or of `b` are equal, as a single value is. `a` and `b` have the same number of values.
std::optional<double> spearman(std::span<const double> a, std::span<const double> b);

/// The values must be above 0, and there must be at least one.
double geometricMean(std::span<const double> values);

/// The factor between predicted (p) and measured (t) times.
struct Deviation {
  double error = 1; ///< geometric mean of max(p / t, t / p): 1 is perfect, 2 off by two, up or down
  double bias = 1;  ///< geometric mean of p / t: below 1 if predictions are too low
};
/// All times must be above 0, and both spans must have the same size, at least 1.
Deviation deviationOf(std::span<const double> predicted, std::span<const double> measured);

/// The result of running kernels on a chosen device.
struct Choice {
  double topOne = 1; ///< fraction of the chosen devices that are the fastest measured
  double regret = 1; ///< measured time on the chosen device / on the fastest one; at least 1
};
/// The result of choosing the device with the smallest predicted time. If several devices have it,
/// each counts equally: topOne is the fraction of them that are fastest, regret their geometric
/// mean.
Choice choiceOf(std::span<const double> predicted, std::span<const double> measured);
/// The result of always choosing `device`, without a prediction.
Choice choiceOf(size_t device, std::span<const double> measured);

} // namespace aiwc::predict
