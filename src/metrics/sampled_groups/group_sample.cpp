#include "metrics/sampled_groups/group_sample.h"

#include "common/wide.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace aiwc::metrics {

namespace {

/// Selects one group from each of `count` parts, in increasing order. Each part is groups /
/// count groups long, which need not be a whole number, so that all groups are equally likely.
/// Parts must be at least two groups long, so that neighbouring parts never select the same
/// group.
std::vector<uint64_t> oneOfEach(uint64_t groups, uint64_t count) {
  assert(2 * count <= groups);
  constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15; // its fractional part, times 2^64
  std::vector<uint64_t> ids;
  ids.reserve(count);
  uint64_t place = uint64_t{1} << 63; // in units of 2^-64 of a part; starts in the middle
  for (uint64_t part = 0; part < count; ++part, place += kGoldenRatio) {
    const Wide begin = Wide{part} * groups; // times count
    const Wide within = Wide{place} * groups >> 64;
    ids.push_back(static_cast<uint64_t>(begin / count + (begin % count + within) / count));
  }
  return ids;
}

/// Selects `sampled` of `groups` numbers from 0, spread evenly.
std::vector<uint64_t> spread(uint64_t groups, uint64_t sampled) {
  assert(sampled <= groups);
  if (sampled <= groups / 2)
    return oneOfEach(groups, sampled);
  const std::vector<uint64_t> others = oneOfEach(groups, groups - sampled);
  auto other = others.begin();
  std::vector<uint64_t> ids;
  ids.reserve(sampled);
  for (uint64_t id = 0; id < groups; ++id)
    if (other != others.end() && *other == id)
      ++other;
    else
      ids.push_back(id);
  return ids;
}

} // namespace

std::vector<uint64_t> cornersOf(const GroupCounts &groups) {
  std::vector<uint64_t> corners;
  for (const uint64_t z : {uint64_t{0}, groups[2] - 1})
    for (const uint64_t y : {uint64_t{0}, groups[1] - 1})
      for (const uint64_t x : {uint64_t{0}, groups[0] - 1})
        corners.push_back(x + groups[0] * (y + groups[1] * z));
  std::ranges::sort(corners);
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

std::shared_ptr<const GroupSample> sampleOf(const GroupCounts &groups, uint64_t sampled) {
  const uint64_t all = groups[0] * groups[1] * groups[2];
  if (sampled == 0 || sampled >= all)
    return nullptr;
  return std::make_shared<GroupSample>(all, sampled);
}

GroupSample::GroupSample(uint64_t groups, const std::vector<uint64_t> &certain, uint64_t others)
    : groups_(groups) {
  assert(others >= 1 && certain.size() + others < groups);
  if (!certain.empty()) {
    strata_.push_back({certain.size(), certain.size()});
    add(0, certain);
  }
  std::vector<uint64_t> ids = spread(groups - certain.size(), others);
  size_t skipped = 0;
  for (uint64_t &id : ids) { // from the number among the groups that are not certain
    while (skipped < certain.size() && certain[skipped] <= id + skipped)
      ++skipped;
    id += skipped;
  }
  strata_.push_back({groups - certain.size(), others});
  add(strata_.size() - 1, ids);
  order();
}

GroupSample::GroupSample(const std::vector<Stratum> &strata) : groups_(0) {
  for (const Stratum &stratum : strata) {
    std::vector<uint64_t> ids = spread(stratum.groups.size(), stratum.sampled);
    for (uint64_t &id : ids)
      id = stratum.groups[id];
    groups_ += stratum.groups.size();
    strata_.push_back({stratum.groups.size(), stratum.sampled});
    add(strata_.size() - 1, ids);
  }
  order();
}

void GroupSample::add(size_t stratum, const std::vector<uint64_t> &ids) {
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  stratum_.insert(stratum_.end(), ids.size(), static_cast<uint32_t>(stratum));
}

/// Sorts the groups by their linear ids.
void GroupSample::order() {
  std::vector<std::pair<uint64_t, uint32_t>> sorted;
  sorted.reserve(ids_.size());
  for (size_t i = 0; i < ids_.size(); ++i)
    sorted.emplace_back(ids_[i], stratum_[i]);
  std::ranges::sort(sorted);
  std::vector<uint64_t> seen(strata_.size());
  for (size_t rank = 0; rank < sorted.size(); ++rank) {
    ids_[rank] = sorted[rank].first;
    stratum_[rank] = sorted[rank].second;
    inStratum_.push_back(seen[stratum_[rank]]++);
  }
}

std::optional<GroupSample::Place> GroupSample::placeOf(uint64_t linearId) const {
  const auto found = std::ranges::lower_bound(ids_, linearId);
  if (found == ids_.end() || *found != linearId)
    return std::nullopt;
  const auto rank = static_cast<uint64_t>(found - ids_.begin());
  return Place{rank, stratum_[rank], inStratum_[rank]};
}

std::optional<uint64_t> GroupSample::rankOf(uint64_t linearId) const {
  const auto place = placeOf(linearId);
  return place ? std::optional(place->rank) : std::nullopt;
}

} // namespace aiwc::metrics
