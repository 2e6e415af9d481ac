#include "eod/statistics/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace aiwc::statistics {

double quantile(std::vector<double> values, double q) {
  std::ranges::sort(values);
  const double at = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, values.size() - 1);
  if (values[below] == values[above]) // infinities have no difference
    return values[below];
  return values[below] + (at - std::floor(at)) * (values[above] - values[below]);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2)
    return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

} // namespace aiwc::statistics
