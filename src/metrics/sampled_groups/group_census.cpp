#include "metrics/sampled_groups/group_census.h"

#include "common/wide.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <map>
#include <numeric>

namespace aiwc::metrics {

namespace {

/// Most kinds of groups that become strata of their own.
constexpr size_t kMostKinds = 8;

/// Moves a group from `rest` to `heavy` if it executes more than one `others`-th of the
/// instructions of `rest`.
void takeHeavy(const GroupCensus &census, uint64_t others, std::vector<uint64_t> &rest,
               std::vector<uint64_t> &heavy) {
  for (;;) {
    const size_t before = heavy.size();
    Wide all = 0;
    for (const uint64_t group : rest)
      all += census[group].instructions;
    std::erase_if(rest, [&](uint64_t group) {
      const bool isHeavy = Wide{census[group].instructions} * others > all;
      if (isHeavy)
        heavy.push_back(group);
      return isHeavy;
    });
    if (before == heavy.size())
      return;
  }
}

/// Groups by what they execute, or none if there are too many kinds.
std::map<uint64_t, GroupSample::Stratum> byKind(const GroupCensus &census,
                                                const std::vector<uint64_t> &groups) {
  std::map<uint64_t, GroupSample::Stratum> kinds;
  for (const uint64_t group : groups) {
    kinds[census[group].marks].groups.push_back(group);
    if (kinds.size() > kMostKinds)
      return {};
  }
  return kinds;
}

bool areHomogeneous(const GroupCensus &census) {
  for (uint64_t group = 1; group < census.groups(); ++group)
    if (!(census[group] == census[0]))
      return false;
  return true;
}

std::map<uint64_t, GroupSample::Stratum> bySize(const GroupCensus &census,
                                                const std::vector<uint64_t> &groups) {
  std::map<uint64_t, GroupSample::Stratum> sizes;
  for (const uint64_t group : groups)
    sizes[std::bit_width(census[group].instructions)].groups.push_back(group);
  return sizes;
}

} // namespace

void GroupCensus::add(uint64_t group, const trace::Executed &executed) {
  executed_[group] = executed;
  if (executed.instructions > executed_[heaviest_].instructions)
    heaviest_ = group;
  ++known_;
}

void GroupCensus::add(uint64_t group, const trace::Executed &executed, uint64_t least,
                      uint64_t most) {
  add(group, executed);
  if (most > most_.instructions)
    most_ = {most, group};
  if (least_.instructions == 0 || least < least_.instructions)
    least_ = {least, group};
}

std::vector<GroupSample::Stratum> strataOf(const GroupCensus &census, std::vector<uint64_t> certain,
                                           uint64_t others, uint64_t least) {
  assert(census.isComplete() && others > 0);
  if (areHomogeneous(census)) { // then the certain ones are like the others, too
    GroupSample::Stratum all{std::vector<uint64_t>(census.groups()), others + certain.size()};
    std::iota(all.groups.begin(), all.groups.end(), uint64_t{0});
    all.sampled = std::min<uint64_t>(all.sampled, census.groups());
    return {std::move(all)};
  }
  std::vector<uint64_t> rest;
  for (uint64_t group = 0; group < census.groups(); ++group)
    if (!std::ranges::binary_search(certain, group))
      rest.push_back(group);
  takeHeavy(census, others, rest, certain);
  std::ranges::sort(certain);
  std::map<uint64_t, GroupSample::Stratum> found = byKind(census, rest);
  if (found.empty())
    found = bySize(census, rest);

  std::vector<GroupSample::Stratum> strata;
  if (!certain.empty())
    strata.push_back({certain, certain.size()});
  Wide all = 0;
  for (const uint64_t group : rest)
    all += census[group].instructions;
  for (auto &[key, stratum] : found) {
    Wide executed = 0;
    for (const uint64_t group : stratum.groups)
      executed += census[group].instructions;
    const auto share = static_cast<uint64_t>(executed * others / std::max(all, Wide{1}));
    stratum.sampled = std::min<uint64_t>(std::max(share, least), stratum.groups.size());
    strata.push_back(std::move(stratum));
  }
  return strata;
}

} // namespace aiwc::metrics
