#include "metrics/shared/tally.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace aiwc::metrics {
namespace {

constexpr size_t kSmallValues = 1024; ///< only smaller values are in the array

/// The value at `rank` (from 0) among all values in increasing order.
uint64_t valueAtRank(const profile::Histogram &histogram, uint64_t rank) {
  for (const auto &[value, count] : histogram) {
    if (rank < count)
      return value;
    rank -= count;
  }
  return histogram.back().first;
}

} // namespace

void Tally::addBeyond(uint64_t value, uint64_t times) {
  if (value >= kSmallValues) {
    large_[value] += times;
    return;
  }
  small_.resize(std::bit_ceil(value + 1));
  small_[value] += times;
}

void Tally::merge(const Tally &other, uint64_t times) {
  small_.resize(std::max(small_.size(), other.small_.size()));
  for (size_t value = 0; value < other.small_.size(); ++value)
    small_[value] += times * other.small_[value];
  for (const auto &[value, count] : other.large_)
    large_[value] += times * count;
}

profile::Histogram Tally::histogram() const {
  profile::Histogram result;
  for (size_t value = 0; value < small_.size(); ++value)
    if (small_[value] > 0)
      result.emplace_back(value, small_[value]);
  const auto firstLarge = static_cast<std::ptrdiff_t>(result.size());
  result.insert(result.end(), large_.begin(), large_.end());
  std::sort(result.begin() + firstLarge, result.end());
  return result;
}

uint64_t population(const profile::Histogram &histogram) {
  uint64_t sum = 0;
  for (const auto &[value, count] : histogram)
    sum += count;
  return sum;
}

double median(const profile::Histogram &histogram) {
  const uint64_t n = population(histogram);
  const auto upper = static_cast<double>(valueAtRank(histogram, n / 2));
  if (n % 2 == 1)
    return upper;
  return (static_cast<double>(valueAtRank(histogram, n / 2 - 1)) + upper) / 2;
}

double entropyOfOccurrences(const profile::Histogram &occurrences) {
  // With 80-bit sums, n equal outcomes give exactly log2 n, and a single outcome exactly 0.
  long double total = 0;
  for (const auto &[count, outcomes] : occurrences)
    total += static_cast<long double>(count) * static_cast<long double>(outcomes);
  if (total == 0)
    return 0;
  const long double logTotal = std::log2(total);
  long double sum = 0;
  for (const auto &[count, outcomes] : occurrences)
    if (count > 0)
      sum += static_cast<long double>(count) * static_cast<long double>(outcomes) *
             (logTotal - std::log2(static_cast<long double>(count)));
  return static_cast<double>(sum / total);
}

uint64_t outcomesCovering90(const profile::Histogram &occurrences) {
  Wide total = 0;
  for (const auto &[count, outcomes] : occurrences)
    total += Wide{count} * outcomes;
  Wide covered = 0;
  uint64_t taken = 0;
  for (auto entry = occurrences.rbegin(); entry != occurrences.rend(); ++entry) {
    const auto &[count, outcomes] = *entry;
    const Wide missing = 9 * total - std::min(9 * total, 10 * covered); // in tenths
    if (missing == 0)
      break;
    const Wide needed = (missing + Wide{count} * 10 - 1) / (Wide{count} * 10);
    if (needed <= outcomes)
      return taken + static_cast<uint64_t>(needed);
    covered += Wide{count} * outcomes;
    taken += outcomes;
  }
  return taken;
}

} // namespace aiwc::metrics
