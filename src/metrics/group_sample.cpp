#include "metrics/group_sample.h"

#include "common/wide.h"

#include <algorithm>
#include <cassert>

namespace aiwc::metrics {

GroupSample::GroupSample(uint64_t groups, uint64_t sampled) : groups_(groups) {
  assert(sampled >= 1 && sampled < groups);
  constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15; // times 2^64, without its whole part
  const auto stratumBegin = [&](uint64_t stratum) {
    return static_cast<uint64_t>(Wide{stratum} * groups / sampled);
  };
  ids_.reserve(sampled);
  uint64_t place = uint64_t{1} << 63; // of 2^64: the first in the middle
  for (uint64_t stratum = 0; stratum < sampled; ++stratum, place += kGoldenRatio) {
    const uint64_t begin = stratumBegin(stratum);
    const uint64_t length = stratumBegin(stratum + 1) - begin;
    ids_.push_back(begin + static_cast<uint64_t>(Wide{place} * length >> 64));
  }
}

std::optional<uint64_t> GroupSample::rankOf(uint64_t linearId) const {
  const auto found = std::ranges::lower_bound(ids_, linearId);
  if (found == ids_.end() || *found != linearId)
    return std::nullopt;
  return static_cast<uint64_t>(found - ids_.begin());
}

} // namespace aiwc::metrics
