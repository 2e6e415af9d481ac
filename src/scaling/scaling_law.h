/// How a value grows with the number of work-items: the arithmetic of launch_scaling.h.
#pragma once

#include <cstdint>
#include <optional>

namespace aiwc::scaling {

/// Scales values from one or two known launches to the requested number of work-items.
class ScalingLaw {
public:
  /// The numbers of work-items of the requested launch, the nearest one and the second one. All are
  /// above 0; `second` differs from `nearest`.
  ScalingLaw(uint64_t workItems, uint64_t nearest, std::optional<uint64_t> second);

  double ratio() const; ///< requested work-items / work-items of the nearest launch
  bool fitted() const { return second_.has_value(); }

  /// The exponent e of value = c * work-items^e through both launches, clamped to [kLeastExponent,
  /// kMostExponent]. Returns `otherwise` if there is only one launch or one of the values is 0.
  double exponent(double nearest, double second, double otherwise) const;

  /// nearest * ratio^exponent, rounded to the nearest integer, and above 0 if `nearest` is. Exact
  /// for exponents 0 and 1. None if it is above 2^64 - 1.
  std::optional<uint64_t> count(uint64_t nearest, double exponent) const;
  double real(double nearest, double exponent) const;

  /// The value on the straight line over log2(work-items) through both launches. With only one
  /// launch, the value grows by 1 for each doubling of the work-items.
  double logarithmic(double nearest, std::optional<double> second) const;
  /// The value on the same line if the requested work-items are between those of the two launches.
  /// Otherwise, or with only one launch, the nearest launch's value.
  double between(double nearest, double second) const;

private:
  uint64_t workItems_, nearest_;
  std::optional<uint64_t> second_;
};

} // namespace aiwc::scaling
