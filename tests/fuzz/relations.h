/// What holds in every profile that a reader accepts, from the definitions and not from the
/// reader's own check.
#pragma once

#include "common/wide.h"
#include "profile/reuse.h"
#include "round_trip.h"

#include <cmath>
#include <variant>

namespace aiwc::fuzz {

/// The sum of occurrences, or of occurrences times values.
inline Wide sumOf(const profile::Histogram &histogram, bool timesValues) {
  Wide sum = 0;
  for (const auto &[value, number] : histogram) {
    const Wide product = timesValues ? Wide{value} * number : Wide{number};
    require(sum + product >= sum); // or the file would have more entries than a file can have
    sum += product;
  }
  return sum;
}

inline void requireFinite(const profile::KernelProfile &profile) {
  for (const profile::MetricInfo &row : profile::catalogue()) {
    const double value = profile.real(row.metric);
    require(std::holds_alternative<std::monostate>(profile[row.metric]) ||
            (std::isfinite(value) && value >= 0));
  }
}

inline void requireNumbers(const profile::KernelProfile &profile) {
  requireFinite(profile);
  for (const profile::MetricInfo &row : profile::catalogue())
    require(row.range != profile::Range::kFraction || !(profile.real(row.metric) > 1 + 1e-9));
  const profile::Histograms &histograms = profile.histograms;
  for (const auto *histogram :
       {&histograms.instructionsToBarrier, &histograms.instructionsPerThread,
        &histograms.simdWidths, &histograms.addressAccesses, &histograms.branchExecutions,
        &histograms.asapFpLevels})
    require(sumOf(*histogram, false) <= kLargestCount && sumOf(*histogram, true) <= kLargestCount);
}

/// A cache hits as often as there are accesses, or less, and a larger one misses no more often.
inline void requireCaches(const profile::KernelProfile &profile) {
  const Wide all = sumOf(profile.histograms.reuseDistances, false) + profile.reuse.coldAccesses;
  require(all == profile::lineAccesses(profile));
  const profile::CacheMisses misses(profile);
  uint64_t before = misses(0);
  require(before == all);
  for (uint64_t bytes = 1; bytes != 0; bytes <<= 1U) {
    const uint64_t now = profile::cacheMisses(profile, bytes);
    require(now <= before && now >= profile.reuse.coldAccesses);
    const auto ratio = profile::hitRatio(profile, bytes);
    require(ratio ? *ratio >= 0 && *ratio <= 1 : all == 0);
    before = now;
  }
  for (const auto &[lowest, accesses] : profile.histograms.reuseDistances)
    require(profile::reuseBin(lowest) == lowest);
  for (const profile::LineRow &row : profile.histograms.lines)
    require(profile::cacheMisses(profile, row, 0) >= row.coldAccesses);
}

/// The work-items are those of the NDRange.
inline void requireItems(const profile::KernelProfile &profile) {
  Wide items = 1;
  for (uint32_t i = 0; i < profile.provenance.workDim; ++i) {
    if (profile.provenance.globalSize[i] == 0 || profile.provenance.localSize[i] == 0)
      return;
    items *= profile.provenance.globalSize[i];
    require(items <= kLargestCount);
  }
  const profile::Value &given = profile["work_items"_metric];
  require(
      std::holds_alternative<std::monostate>(given) ||
      (profile.complete ? std::get<uint64_t>(given) == items : std::get<uint64_t>(given) <= items));
}

inline void requireRelations(const profile::KernelProfile &profile) {
  requireNumbers(profile);
  requireCaches(profile);
  requireItems(profile);
}

} // namespace aiwc::fuzz
