#pragma once

#include <vector>

namespace aiwc::statistics {

/// The value below which the share `q`, in [0, 1], of `values` lies, linear between them. There is
/// one at least.
double quantile(std::vector<double> values, double q);

/// The middle value, or the mean of the middle two. There is one at least. O(their number).
double median(std::vector<double> values);

} // namespace aiwc::statistics
