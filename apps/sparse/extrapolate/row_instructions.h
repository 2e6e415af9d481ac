#pragma once

#include "extrapolate/pattern.h"
#include "profile/kernel_profile.h"

#include <cstdint>
#include <map>

namespace aiwc::extrapolate {

/// Instructions of a work-item that takes a row, by the row's non-zeros: what was observed, and the
/// straight line through it for other rows.
class RowInstructions {
public:
  /// Pairs the rows with the work-items of the histogram, both by increasing size. Work-items
  /// beyond the rows are padding and execute least.
  RowInstructions(const Pattern &pattern, const profile::KernelProfile &profile);

  bool usable() const { return usable_; }
  double of(uint64_t degree) const {
    const auto found = byDegree_.find(degree);
    return found != byDegree_.end() ? found->second
                                    : perRow_ + perNonZero_ * static_cast<double>(degree);
  }
  double padding() const { return padding_; }
  double perRow() const { return perRow_; }
  double perNonZero() const { return perNonZero_; }

private:
  bool usable_ = false;
  std::map<uint64_t, double> byDegree_;
  double padding_ = 0, perRow_ = 0, perNonZero_ = 0;
};

} // namespace aiwc::extrapolate
