#include "scaling/scaled_histograms.h"

#include "common/wide.h"
#include "profile/reuse.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace aiwc::scaling {

using profile::Histogram;

namespace {

/// part / whole of `of`, to the nearest integer; `part` is at most `whole`.
uint64_t shareOf(uint64_t of, uint64_t part, uint64_t whole) {
  return scaledCount(part, of, whole).value_or(of);
}

Histogram histogramOf(const std::map<uint64_t, uint64_t> &counts) {
  Histogram histogram;
  for (const auto &[value, count] : counts)
    if (count > 0)
      histogram.emplace_back(value, count);
  return histogram;
}

/// The bin of a distance that was in the bin `lowest` and grows by `factor`; a distance of 0 is one
/// line apart.
uint64_t movedBin(uint64_t lowest, double factor, uint64_t most) {
  if (factor == 1)
    return lowest;
  constexpr double kFarthest = 9e18; // below 2^63
  const double moved = std::round((static_cast<double>(lowest) + 1) * factor) - 1;
  return profile::reuseBin(
      std::min(most, static_cast<uint64_t>(std::clamp(moved, 0.0, kFarthest))));
}

} // namespace

std::optional<uint64_t> sumOf(const Histogram &distances) {
  Wide sum = 0;
  for (const auto &[lowest, accesses] : distances)
    sum += accesses;
  if (sum > kLargestCount)
    return std::nullopt;
  return static_cast<uint64_t>(sum);
}

Histogram scaledDistances(const Histogram &nearest, const Histogram &second, const ScalingLaw &law,
                          uint64_t accesses, uint64_t lines) {
  const uint64_t allNearest = sumOf(nearest).value_or(0);
  const uint64_t allSecond = law.fitted() ? sumOf(second).value_or(0) : 0;
  std::map<uint64_t, uint64_t> result;
  size_t i = 0;
  size_t k = 0;
  uint64_t nearestUpTo = nearest.front().second;
  uint64_t secondUpTo = allSecond > 0 ? second.front().second : 0;
  uint64_t written = 0;
  while (i < nearest.size()) {
    const uint64_t lowest = nearest[i].first;
    // The quantiles of the accesses end wherever a bin of either launch ends.
    const Wide nearestEnd = Wide{nearestUpTo} * std::max<uint64_t>(1, allSecond);
    const Wide secondEnd = Wide{secondUpTo} * allNearest;
    const bool secondFirst = allSecond > 0 && secondEnd < nearestEnd;
    const uint64_t upTo = secondFirst ? shareOf(accesses, secondUpTo, allSecond)
                                      : shareOf(accesses, nearestUpTo, allNearest);
    double exponent = 0;
    if (allSecond > 0)
      exponent = std::max(0.0, law.exponent(static_cast<double>(lowest) + 1,
                                            static_cast<double>(second[k].first) + 1, 0));
    const uint64_t farthest = lines > 0 ? lines - 1 : 0;
    const uint64_t most = law.ratio() < 1 ? farthest : std::max(farthest, lowest);
    result[std::min(movedBin(lowest, law.real(1, exponent), most), profile::reuseBin(most))] +=
        upTo - std::min(upTo, written);
    written = std::max(written, upTo);
    if (!secondFirst && ++i < nearest.size())
      nearestUpTo += nearest[i].second;
    if (allSecond > 0 && secondEnd <= nearestEnd && k + 1 < second.size())
      secondUpTo += second[++k].second;
  }
  return histogramOf(result);
}

} // namespace aiwc::scaling
