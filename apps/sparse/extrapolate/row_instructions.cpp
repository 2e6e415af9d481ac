#include "extrapolate/row_instructions.h"

#include "metrics/shared/tally.h"

#include <algorithm>

namespace aiwc::extrapolate {

RowInstructions::RowInstructions(const Pattern &pattern, const profile::KernelProfile &profile) {
  std::map<uint64_t, uint64_t> degrees;
  for (uint32_t row = 0; row < pattern.matrix().rows; ++row)
    ++degrees[pattern.matrix().degree(row)];
  const profile::Histogram &items = profile.histograms.instructionsPerThread;
  const uint64_t all = metrics::population(items);
  const uint64_t rows = pattern.matrix().rows;
  if (all < rows || items.empty())
    return;
  usable_ = true;
  padding_ = static_cast<double>(items.front().first);
  auto item = items.begin();
  uint64_t left = item->second;
  const auto take = [&](uint64_t number) {
    double sum = 0;
    while (number > 0) {
      if (left == 0)
        left = (++item)->second;
      const uint64_t taken = std::min(left, number);
      sum += static_cast<double>(taken) * static_cast<double>(item->first);
      left -= taken;
      number -= taken;
    }
    return sum;
  };
  take(all - rows);
  double n = 0;
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (const auto &[degree, number] : degrees) {
    const double sum = take(number);
    const auto weight = static_cast<double>(number);
    const auto d = static_cast<double>(degree);
    byDegree_[degree] = sum / weight;
    if (degree == 0)
      continue;
    n += weight;
    x += weight * d;
    y += sum;
    xx += weight * d * d;
    xy += sum * d;
  }
  const double spread = n * xx - x * x;
  // Rows of one length do not tell what a row takes from what a non-zero takes.
  perNonZero_ = spread > 0 ? std::max(0.0, (n * xy - x * y) / spread) : x > 0 ? y / x : 0;
  perRow_ = n > 0 ? std::max(0.0, (y - perNonZero_ * x) / n) : 0;
}

} // namespace aiwc::extrapolate
