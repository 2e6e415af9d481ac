/// How a number follows the work-items: the arithmetic of launch_scaling.h.
#pragma once

#include <cstdint>
#include <optional>

namespace aiwc::scaling {

/// Work-items asked for, and those of the one or two launches that are known.
class ScalingLaw {
public:
  /// All above 0; `second` differs from `nearest`.
  ScalingLaw(uint64_t workItems, uint64_t nearest, std::optional<uint64_t> second);

  double ratio() const; ///< work-items over those of the nearest
  bool fitted() const { return second_.has_value(); }

  /// e of value = c * work-items^e through both launches, within kLeastExponent and kMostExponent.
  /// `otherwise` where there is one launch, or one of the values is 0.
  double exponent(double nearest, double second, double otherwise) const;

  /// nearest * ratio^exponent, to the nearest integer, above 0 where `nearest` is. Exact for
  /// exponents 0 and 1. None above 2^64 - 1.
  std::optional<uint64_t> count(uint64_t nearest, double exponent) const;
  double real(double nearest, double exponent) const;

  /// On the straight line over log2 of the work-items through both launches; where there is one, by
  /// 1 more for each doubling.
  double logarithmic(double nearest, std::optional<double> second) const;
  /// On the same line between two launches; the nearest one's beyond them, or where there is one.
  double between(double nearest, double second) const;

private:
  uint64_t workItems_, nearest_;
  std::optional<uint64_t> second_;
};

} // namespace aiwc::scaling
