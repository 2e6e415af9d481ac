#include "metrics/sampled_groups/group_sample.h"

#include "common/hash.h"
#include "common/wide.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <utility>

namespace aiwc::metrics {

namespace {

/// Selects one group from each of `count` parts, in increasing order. Each part is groups /
/// count groups long, which need not be a whole number, so that all groups are equally likely.
/// Parts must be at least two groups long, so that neighbouring parts never select the same
/// group.
std::vector<uint64_t> oneOfEach(uint64_t groups, uint64_t count) {
  assert(2 * count <= groups);
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

bool isAtEdge(uint64_t linearId, const GroupCounts &groups) {
  for (const uint64_t of : groups) {
    const uint64_t at = linearId % of;
    if (of > 1 && (at == 0 || at == of - 1))
      return true;
    linearId /= of;
  }
  return false;
}

std::shared_ptr<const GroupSample> sampleOf(const GroupCounts &groups, uint64_t sampled) {
  const uint64_t all = groups[0] * groups[1] * groups[2];
  if (sampled == 0 || sampled >= all)
    return nullptr;
  return std::make_shared<GroupSample>(groups, std::vector{oneStratum(groups, sampled)});
}

GroupSample::Stratum oneStratum(const GroupCounts &groups, uint64_t sampled) {
  std::vector<uint64_t> all(groups[0] * groups[1] * groups[2]);
  std::iota(all.begin(), all.end(), uint64_t{0});
  return {std::move(all), sampled};
}

GroupSample::GroupSample(uint64_t groups, uint64_t sampled)
    : GroupSample({groups, 1, 1}, {oneStratum({groups, 1, 1}, sampled)}) {}

GroupSample::GroupSample(const GroupCounts &groups, const std::vector<Stratum> &strata,
                         bool hasNeighbours)
    : counts_(groups), groups_(groups[0] * groups[1] * groups[2]) {
  for (const Stratum &stratum : strata) {
    std::vector<uint64_t> ids = spread(stratum.groups.size(), stratum.sampled);
    for (uint64_t &id : ids)
      id = stratum.groups[id];
    strata_.push_back({stratum.groups.size(), stratum.sampled});
    add(strata_.size() - 1, ids);
  }
  order();
  if (hasNeighbours && size() > 1) { // else they would cost several times as much as the sample
    makeClusters(strata);
    return;
  }
  for (size_t rank = 0; rank < size(); ++rank)
    clusters_.push_back({.group = ids_[rank],
                         .stratum = stratum_[rank],
                         .groups = static_cast<double>(strata_[stratum_[rank]].groups),
                         .run = rank});
  inClusters_ = ids_;
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

void GroupSample::makeClusters(const std::vector<Stratum> &strata) {
  const uint64_t row = groupsOfRow(), plane = groupsOfPlane();
  std::vector<uint64_t> gaps = {1};
  if (groups_ > row)
    gaps.insert(gaps.end(), {row - 1, row, row + 1, plane});
  std::ranges::sort(gaps);
  gaps.erase(std::unique(gaps.begin(), gaps.end()), gaps.end());
  const auto edgesOf = [&](uint64_t id) {
    const GroupCounts at = {id % row, id % plane / row, id / plane};
    unsigned edges = 0;
    for (unsigned dimension = 0; dimension < at.size(); ++dimension)
      if (counts_[dimension] > 1 && at[dimension] == 0)
        edges |= 1U << dimension;
    return edges;
  };
  size_t run = 0;
  for (size_t stratum = 0; stratum < strata.size(); ++stratum) {
    std::map<unsigned, std::vector<uint64_t>> byEdges;
    for (const uint64_t id : strata[stratum].groups)
      byEdges[edgesOf(id)].push_back(id);
    for (const auto &[edges, ids] : byEdges) {
      const uint64_t most = edges == 0 ? kInnerRuns : kEdgeRuns;
      const uint64_t parts = (ids.size() + kRun - 1) / kRun;
      const uint64_t runs = std::clamp<uint64_t>(strata[stratum].sampled / 2, 1, most);
      for (const uint64_t part : spread(parts, std::min(runs, parts))) {
        ++run;
        for (size_t at = part * kRun; at < std::min<size_t>((part + 1) * kRun, ids.size()); ++at) {
          Cluster &cluster = clusters_.emplace_back(
              Cluster{ids[at], {}, stratum, edges, static_cast<double>(ids.size()), run});
          for (const uint64_t gap : gaps)
            if (gap > 0 && gap <= cluster.group)
              cluster.before.push_back(cluster.group - gap);
          inClusters_.push_back(cluster.group);
          inClusters_.insert(inClusters_.end(), cluster.before.begin(), cluster.before.end());
        }
      }
    }
  }
  std::ranges::sort(inClusters_);
  inClusters_.erase(std::unique(inClusters_.begin(), inClusters_.end()), inClusters_.end());
}

bool GroupSample::isInCluster(uint64_t linearId) const {
  return std::ranges::binary_search(inClusters_, linearId);
}

uint64_t GroupSample::recorded() const {
  return size() + static_cast<uint64_t>(std::ranges::count_if(
                      inClusters_, [&](uint64_t group) { return !placeOf(group); }));
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
