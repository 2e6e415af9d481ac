#include "metrics/sampled_groups/group_sample.h"

#include "common/wide.h"

#include <algorithm>
#include <cassert>

namespace aiwc::metrics {

namespace {

/// Selects one group from each of `count` strata, in increasing order. Each stratum is groups /
/// count groups long, which need not be a whole number, so that all groups are equally likely.
/// Strata must be at least two groups long, so that neighbouring strata never select the same
/// group.
std::vector<uint64_t> oneOfEach(uint64_t groups, uint64_t count) {
  assert(2 * count <= groups);
  constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15; // its fractional part, times 2^64
  std::vector<uint64_t> ids;
  ids.reserve(count);
  uint64_t place = uint64_t{1} << 63; // in units of 2^-64 of a stratum; starts in the middle
  for (uint64_t stratum = 0; stratum < count; ++stratum, place += kGoldenRatio) {
    const Wide begin = Wide{stratum} * groups; // times count
    const Wide within = Wide{place} * groups >> 64;
    ids.push_back(static_cast<uint64_t>(begin / count + (begin % count + within) / count));
  }
  return ids;
}

} // namespace

GroupSample::GroupSample(uint64_t groups, uint64_t sampled) : groups_(groups) {
  assert(sampled >= 1 && sampled < groups);
  if (sampled <= groups / 2) {
    ids_ = oneOfEach(groups, sampled);
    return;
  }
  const std::vector<uint64_t> others = oneOfEach(groups, groups - sampled);
  auto other = others.begin();
  ids_.reserve(sampled);
  for (uint64_t id = 0; id < groups; ++id)
    if (other != others.end() && *other == id)
      ++other;
    else
      ids_.push_back(id);
}

std::optional<uint64_t> GroupSample::rankOf(uint64_t linearId) const {
  const auto found = std::ranges::lower_bound(ids_, linearId);
  if (found == ids_.end() || *found != linearId)
    return std::nullopt;
  return static_cast<uint64_t>(found - ids_.begin());
}

} // namespace aiwc::metrics
