/// How the counts of a launch follow from the matrix that it works on.
#pragma once

#include "extrapolate/pattern.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace aiwc::extrapolate {

/// The work-items of a launch: `perItem` for each row, non-zero, ... rounded up to whole
/// work-groups.
struct WorkItems {
  /// None: no quantity explains the NDRange, which is taken to grow with the non-zeros.
  std::optional<Quantity> of;
  uint64_t each = 1;      ///< work-items for each
  uint64_t groupSize = 1; ///< work-items of a work-group

  /// The work-items of a launch on `pattern`; none if `of` is none.
  std::optional<uint64_t> on(const Pattern &pattern) const;
};

/// A sample's pattern and the work-items of a launch on it.
struct Observed {
  const Pattern *pattern = nullptr;
  uint64_t workItems = 0, groupSize = 1;
  /// What a loop within the work on a non-zero goes round, if that is another count.
  std::optional<uint64_t> innerTrips = {};
};
/// All quantities, in the order rows, non-zeros, those off the diagonal, non-empty rows, columns,
/// that give the work-items of every launch: with one work-item each if there is such a one,
/// else with as few as possible. Small samples leave several.
std::vector<WorkItems> workItemsOf(std::span<const Observed> launches);

/// A count as a sum of quantities with coefficients that are not negative.
class CountLaw {
public:
  /// The quantities that a launch's counts may be sums of: `items` (padding work-items may do
  /// something as well) and what its loops go through.
  struct Terms {
    WorkItems items;
    Quantity loops = Quantity::kNonZeros;
    /// Work-items that take a non-zero each may do something else where they are the first at a
    /// row, a column or a node than later: what can be first at, and how often a work-item is at
    /// one.
    std::optional<Quantity> firstAt = {};
    uint64_t timesAt = 1;
    /// Whether padding work-items may do it, too: they execute instructions, and access nothing.
    bool byPadding = false;
  };

  /// The law through the counts of a metric in launches on samples. Whole coefficients that give
  /// every count, exactly or but for a few, are preferred, of these the ones with the smallest sum;
  /// else the coefficients of work-items and loops with the least squares of relative errors.
  CountLaw(const Terms &terms, std::span<const Observed> launches,
           std::span<const uint64_t> counts);

  /// The count of a launch; its group size is not used.
  double on(const Observed &launch) const;
  /// The coefficient of the work-items, and that of inner trips (if there are any).
  double perItem() const { return coefficients_[2]; }
  double perInnerTrip() const { return coefficients_[1]; }
  bool whole() const { return whole_; } ///< whole coefficients gave every count, or nearly

private:
  /// Loops; non-empty rows, first times or inner trips; items, or later times; padding.
  using Values = std::array<double, 4>;
  static Values valuesOf(const Terms &terms, const Observed &launch);
  bool fitWhole(std::span<const Values> values, std::span<const uint64_t> counts);
  void fitSquares(std::span<const Values> values, std::span<const uint64_t> counts);

  Terms terms_;
  Values coefficients_{};
  bool whole_ = false;
};

} // namespace aiwc::extrapolate
