#include "predict/correlated_errors.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace aiwc::predict {

CorrelatedErrors::CorrelatedErrors(size_t devices,
                                   const std::function<double(size_t, size_t)> &correlation)
    : mean_(devices, 0), covariance_(devices * devices, 1) {
  for (size_t a = 0; a < devices; ++a)
    for (size_t b = 0; b < a; ++b)
      covariance_[a * devices + b] = covariance_[b * devices + a] = correlation(a, b);
}

void CorrelatedErrors::observe(size_t device, double error, double noise) {
  const size_t devices = mean_.size();
  const double variance = covariance(device, device) + noise * noise;
  const double surprise = error - mean_[device];
  std::vector<double> with(devices);
  for (size_t i = 0; i < devices; ++i)
    with[i] = covariance(i, device);
  for (size_t i = 0; i < devices; ++i) {
    mean_[i] += with[i] / variance * surprise;
    for (size_t j = 0; j < devices; ++j)
      covariance_[i * devices + j] -= with[i] * with[j] / variance;
  }
}

double CorrelatedErrors::deviation(size_t device) const {
  return std::sqrt(std::max(covariance(device, device), 0.0));
}

double CorrelatedErrors::correlation(size_t a, size_t b) const {
  const double deviations = deviation(a) * deviation(b);
  return deviations > 0 ? std::clamp(covariance(a, b) / deviations, -1.0, 1.0) : 0;
}

double errorDeviationOf(const Interval &interval) {
  return std::log(interval.high / interval.low) / (2 * kHalfInterval);
}

namespace {

/// The sum of squared distances from the mean, and how many values are free to differ.
struct Scatter {
  double squares = 0;
  size_t freedom = 0;

  void add(const std::vector<double> &values) {
    double mean = 0;
    for (const double value : values)
      mean += value / static_cast<double>(values.size());
    for (const double value : values)
      squares += (value - mean) * (value - mean);
    freedom += values.size() - 1;
  }
  /// The standard deviation of the mean of so many values, as large as kRepeatedTime at least.
  double deviationOfMean(size_t values) const {
    const double variance = freedom > 0 ? squares / static_cast<double>(freedom) : 0;
    return std::max(std::sqrt(variance / static_cast<double>(values)),
                    kRepeatedTime / kHalfInterval);
  }
};

} // namespace

ObservedError observedErrorOf(const std::vector<TimedLaunch> &launches) {
  double seconds = 0;
  double predicted = 0;
  std::vector<double> errors;
  std::map<double, std::vector<double>> byPrediction;
  for (const TimedLaunch &launch : launches) {
    seconds += launch.seconds;
    predicted += launch.predicted;
    errors.push_back(std::log(launch.seconds / launch.predicted));
    byPrediction[launch.predicted].push_back(errors.back());
  }
  Scatter ofAll;
  ofAll.add(errors);
  Scatter ofSame;
  for (const auto &[time, same] : byPrediction)
    ofSame.add(same);
  return {std::log(seconds / predicted), ofAll.deviationOfMean(launches.size()),
          ofSame.deviationOfMean(launches.size())};
}

} // namespace aiwc::predict
