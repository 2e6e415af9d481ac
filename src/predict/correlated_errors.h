/// What the measured time of a kernel on one device says of its times on others.
#pragma once

#include "predict/cost_model.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace aiwc::predict {

/// ln of the factor by which a time that is measured again may differ: no end of an 80 % interval
/// is nearer.
inline constexpr double kRepeatedTime = 0.05;

/// The errors ln(time / predicted time) of one kernel on several devices, each in its standard
/// deviations: jointly normal, around 0, of variance 1. With a correlation rho of two devices, an
/// error z that was observed on one of them makes the other's rho z with the variance 1 - rho^2.
/// Two others that also correlate by rho with each other do so by rho / (1 + rho) afterwards: the
/// covariance rho - rho^2 over that variance.
class CorrelatedErrors {
public:
  /// `correlation` of two different devices. O(devices^2).
  CorrelatedErrors(size_t devices, const std::function<double(size_t, size_t)> &correlation);

  /// Takes an error that was observed but for normal noise, whose standard deviation is `noise` of
  /// the device's. Several observations may come in any order. O(devices^2).
  void observe(size_t device, double error, double noise);

  double mean(size_t device) const { return mean_[device]; }
  double deviation(size_t device) const;
  /// 0 where a device has no deviation any more.
  double correlation(size_t a, size_t b) const;
  double covariance(size_t a, size_t b) const { return covariance_[a * mean_.size() + b]; }

private:
  std::vector<double> mean_;
  std::vector<double> covariance_;
};

/// Of ln of a time with this 80 % interval.
double errorDeviationOf(const Interval &interval);

/// A time that was measured of a launch, and the predicted one.
struct TimedLaunch {
  double seconds = 0, predicted = 0; ///< above 0
};

/// The error of a kernel on a device of which launches were measured.
struct ObservedError {
  double ln = 0; ///< of the measured over the predicted time of all of them
  /// The standard deviation with which `ln` tells the kernel's error: the launches of a kernel, of
  /// several sizes maybe, have the same error but for noise.
  double noise = 0;
  /// That of ln of the measured time alone, from launches that are predicted to take the same.
  double repeat = 0;
};
/// Of at least one launch.
ObservedError observedErrorOf(const std::vector<TimedLaunch> &launches);

} // namespace aiwc::predict
