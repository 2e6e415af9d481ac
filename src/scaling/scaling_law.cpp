#include "scaling/scaling_law.h"

#include "common/wide.h"
#include "scaling/launch_scaling.h"

#include <algorithm>
#include <cmath>

namespace aiwc::scaling {

namespace {

/// Tolerance for treating an exponent as an integer: a difference this small comes from rounding.
constexpr double kRounding = 1e-9;

double log2Of(uint64_t value) {
  return std::log2(static_cast<double>(value));
}

} // namespace

ScalingLaw::ScalingLaw(uint64_t workItems, uint64_t nearest, std::optional<uint64_t> second)
    : workItems_(workItems), nearest_(nearest), second_(second) {}

double ScalingLaw::ratio() const {
  return static_cast<double>(workItems_) / static_cast<double>(nearest_);
}

double ScalingLaw::exponent(double nearest, double second, double otherwise) const {
  if (!second_ || !(nearest > 0) || !(second > 0))
    return otherwise;
  const double fitted = std::log2(second / nearest) / (log2Of(*second_) - log2Of(nearest_));
  const double whole = std::round(fitted);
  return std::clamp(std::abs(fitted - whole) < kRounding ? whole : fitted, kLeastExponent,
                    kMostExponent);
}

std::optional<uint64_t> ScalingLaw::count(uint64_t nearest, double exponent) const {
  if (exponent == 0 || nearest == 0)
    return nearest;
  std::optional<uint64_t> result;
  if (exponent == 1) {
    result = scaledCount(nearest, workItems_, nearest_);
  } else {
    constexpr double kTwoTo64 = 18446744073709551616.0;
    const double value = std::round(real(static_cast<double>(nearest), exponent));
    if (value < kTwoTo64)
      result = static_cast<uint64_t>(value);
  }
  return result ? std::max<uint64_t>(1, *result) : result;
}

double ScalingLaw::real(double nearest, double exponent) const {
  return exponent == 0 ? nearest : nearest * std::pow(ratio(), exponent);
}

double ScalingLaw::logarithmic(double nearest, std::optional<double> second) const {
  const double slope =
      second_ && second ? (*second - nearest) / (log2Of(*second_) - log2Of(nearest_)) : 1;
  return nearest + slope * std::log2(ratio());
}

double ScalingLaw::between(double nearest, double second) const {
  if (!second_)
    return nearest;
  const double weight = std::log2(ratio()) / (log2Of(*second_) - log2Of(nearest_));
  return nearest + std::clamp(weight, 0.0, 1.0) * (second - nearest);
}

} // namespace aiwc::scaling
