/// How the counts of a launch follow from the matrix that it works on.
#pragma once

#include "extrapolate/pattern.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
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
};
/// The first quantity, in the order rows, non-zeros, those off the diagonal, non-empty rows,
/// columns, slots, that gives the work-items of every launch; with one work-item each rather than
/// with several.
WorkItems workItemsOf(std::span<const Observed> launches);

/// A count as a sum of quantities with coefficients that are not negative.
class CountLaw {
public:
  /// The quantities that a launch's counts may be sums of: `items` (padding work-items may do
  /// something as well) and what its loops go through.
  struct Terms {
    WorkItems items;
    Quantity loops = Quantity::kNonZeros;
  };

  /// The law through the counts of a metric in launches on samples. Whole coefficients that give
  /// every count exactly are preferred, of these the ones with the smallest sum; else the
  /// coefficients of work-items and loops with the least squares of relative errors.
  CountLaw(const Terms &terms, std::span<const Observed> launches, std::span<const uint64_t> counts);

  double on(const Pattern &pattern, uint64_t workItems) const;
  bool exact() const { return exact_; } ///< whole coefficients gave every count

private:
  /// Loops, non-empty rows, items, padding.
  using Values = std::array<double, 4>;
  static Values valuesOf(const Terms &terms, const Pattern &pattern, uint64_t workItems);
  bool fitWhole(std::span<const Values> values, std::span<const uint64_t> counts);
  void fitSquares(std::span<const Values> values, std::span<const uint64_t> counts);

  Terms terms_;
  Values coefficients_{};
  bool exact_ = false;
};

} // namespace aiwc::extrapolate
