/// How good predictions are: statistics of predicted against measured times.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace aiwc::predict {

/// The rank of each value, from 1; equal values share the mean of the ranks they take up.
std::vector<double> ranksOf(std::span<const double> values);

/// Spearman's rank correlation, in [-1, 1]: Pearson's, of the ranks. None where all values of a
/// side are equal, which a single one is. Both have the same number of values.
std::optional<double> spearman(std::span<const double> a, std::span<const double> b);

/// Kendall's tau-b, in [-1, 1]: pairs in the same order less pairs in opposite order, over the root
/// of the product of the pairs that are untied in a and in b. None where one of these is 0.
/// Quadratic in the number of values.
std::optional<double> kendall(std::span<const double> a, std::span<const double> b);

/// Of values above 0, of which there is at least one.
double geometricMean(std::span<const double> values);

/// By what factor predictions are off.
struct Deviation {
  double error = 1; ///< geometric mean of max(p / t, t / p): 1 is perfect, 2 off by two, up or down
  double bias = 1;  ///< geometric mean of p / t: below 1 where predictions are too low
};
/// Of times above 0; not empty, and of the same number.
Deviation deviationOf(std::span<const double> predicted, std::span<const double> measured);

/// What following a choice of a device comes to.
struct Choice {
  double topOne = 1; ///< share of the chosen devices that are the fastest measured
  double regret = 1; ///< measured time of the chosen one over the fastest; from 1
};
/// The device that is predicted to be fastest. Where several are, each counts the same: topOne is
/// the share of them, regret the geometric mean.
Choice choiceOf(std::span<const double> predicted, std::span<const double> measured);
/// The same device, whatever is predicted.
Choice choiceOf(size_t device, std::span<const double> measured);

} // namespace aiwc::predict
