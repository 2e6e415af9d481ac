#include "profile/reuse.h"

#include "common/wide.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

namespace aiwc::profile {

namespace {

/// log2 of the width of the bin that begins at, or contains, `distance`.
unsigned binWidthBits(uint64_t distance) {
  if (distance < kExactReuseDistances)
    return 0;
  return (static_cast<unsigned>(std::bit_width(distance / kReuseBinsPerPower)) - 1) % 64; // 3 to 60
}

/// The misses of a cache of `lines` lines among `accesses` accesses in the bin that begins at
/// `lowest`.
uint64_t missesOf(uint64_t lowest, uint64_t accesses, uint64_t lines) {
  if (lines <= lowest)
    return accesses;
  const uint64_t end = reuseBinEnd(lowest);
  if (lines >= end)
    return 0;
  return accesses - static_cast<uint64_t>(Wide{accesses} * (lines - lowest) / (end - lowest));
}

/// The misses of a cache of `lines` lines for accesses with these distances and `cold` first
/// accesses.
uint64_t cacheMissesOf(const Histogram &distances, uint64_t cold, uint64_t lines) {
  uint64_t misses = cold;
  for (const auto &[lowest, accesses] : distances)
    misses += missesOf(lowest, accesses, lines);
  return misses;
}

uint64_t cacheMissesOfLines(const KernelProfile &profile, uint64_t lines) {
  return cacheMissesOf(profile.histograms.reuseDistances, profile.reuse.coldAccesses, lines);
}

uint64_t linesIn(uint64_t cacheBytes, const KernelProfile &profile) {
  return cacheBytes / std::max<uint64_t>(1, profile.reuse.lineBytes);
}

bool closerThanTwofold(uint64_t a, uint64_t b) {
  return std::max(a, b) / 2 < std::min(a, b);
}

} // namespace

uint64_t reuseBin(uint64_t distance) {
  const unsigned bits = binWidthBits(distance);
  return distance >> bits << bits;
}

uint64_t reuseBinEnd(uint64_t lowest) {
  const uint64_t end = lowest + (uint64_t{1} << binWidthBits(lowest));
  return end > lowest ? end : std::numeric_limits<uint64_t>::max();
}

uint64_t lineAccesses(const KernelProfile &profile) {
  return cacheMissesOfLines(profile, 0);
}

uint64_t cacheMisses(const KernelProfile &profile, uint64_t cacheBytes) {
  return cacheMissesOfLines(profile, linesIn(cacheBytes, profile));
}

uint64_t cacheMisses(const KernelProfile &profile, const LineRow &line, uint64_t cacheBytes) {
  return cacheMissesOf(line.reuseDistances, line.coldAccesses, linesIn(cacheBytes, profile));
}

CacheMisses::CacheMisses(const KernelProfile &profile)
    : found_(profile.reuse.found), cold_(profile.reuse.coldAccesses),
      lineBytes_(std::max<uint64_t>(1, profile.reuse.lineBytes)) {
  const Histogram &distances = profile.histograms.reuseDistances;
  from_.resize(distances.size());
  uint64_t sum = 0;
  for (size_t i = distances.size(); i-- > 0;) {
    sum += distances[i].second;
    from_[i] = {distances[i].first, sum};
  }
  double lines = 0;
  double misses = static_cast<double>(all());
  windows_.push_back({0, 0});
  // Misses fall linearly within a bin, and not at all between two.
  const auto extend = [&](uint64_t toLines, uint64_t toMisses) {
    const auto end = static_cast<double>(toLines);
    const auto missesThere = static_cast<double>(toMisses);
    if (end <= lines || toMisses == 0)
      return;
    const double perMiss = (1 / misses + 1 / missesThere) / 2;
    windows_.push_back(
        {windows_.back().accesses + (end - lines) * perMiss * static_cast<double>(all()), end});
    lines = end;
    misses = missesThere;
  };
  for (size_t i = 0; i < from_.size(); ++i) {
    extend(from_[i].lowest, cold_ + from_[i].accesses);
    extend(reuseBinEnd(from_[i].lowest),
           cold_ + (i + 1 < from_.size() ? from_[i + 1].accesses : 0));
  }
}

double CacheMisses::linesOf(double accesses) const {
  if (windows_.empty() || all() == 0)
    return 0;
  const Window &last = windows_.back();
  if (accesses >= static_cast<double>(all()))
    return std::max(last.lines, static_cast<double>(cold_));
  const auto beyond = std::ranges::partition_point(
      windows_, [&](const Window &window) { return window.accesses <= accesses; });
  const Window &before = *std::prev(beyond);
  const double missRatio =
      beyond == windows_.end()
          ? static_cast<double>(cold_) / static_cast<double>(all())
          : (beyond->lines - before.lines) / (beyond->accesses - before.accesses);
  return before.lines + (accesses - before.accesses) * missRatio;
}

uint64_t CacheMisses::operator()(uint64_t cacheBytes) const {
  const uint64_t lines = cacheBytes / lineBytes_;
  const auto beyond =
      std::ranges::partition_point(from_, [&](const From &bin) { return bin.lowest < lines; });
  uint64_t after = beyond == from_.end() ? 0 : beyond->accesses;
  uint64_t misses = cold_ + after;
  // Then the bins that contain `lines`; at most one, if the histogram has regular bins.
  for (auto bin = beyond; bin != from_.begin();) {
    --bin;
    if (lines >= reuseBinEnd(bin->lowest))
      break;
    misses += missesOf(bin->lowest, bin->accesses - after, lines);
    after = bin->accesses;
  }
  return misses;
}

double CacheMisses::found(uint64_t cacheBytes) const {
  double shares = 0;
  for (const FoundAccesses &found : found_)
    if (found.distance < cacheBytes / lineBytes_)
      shares += found.share;
  return std::min(1.0, shares) * static_cast<double>(cold_);
}

uint64_t fastAccesses(const KernelProfile &profile, uint64_t cacheBytes) {
  return lineAccesses(profile) - cacheMisses(profile, cacheBytes);
}

std::optional<double> hitRatio(const KernelProfile &profile, uint64_t cacheBytes) {
  const uint64_t accesses = lineAccesses(profile);
  if (accesses == 0)
    return std::nullopt;
  return static_cast<double>(fastAccesses(profile, cacheBytes)) / static_cast<double>(accesses);
}

std::vector<Knee> workingSetKnees(const KernelProfile &profile, double fall) {
  struct Candidate {
    uint64_t lines, accessesSaved, slowBefore;
  };
  const uint64_t accesses = lineAccesses(profile);
  std::vector<Candidate> candidates;
  // The miss ratio is constant between the ends of two bins with accesses, so only ends of bins can
  // be the smallest size with their fall.
  for (const auto &[lowest, count] : profile.histograms.reuseDistances) {
    const uint64_t lines = reuseBinEnd(lowest);
    const uint64_t before = cacheMissesOfLines(profile, lines / 2);
    const uint64_t saved = before - cacheMissesOfLines(profile, lines);
    if (saved > 0 && static_cast<double>(saved) >= fall * static_cast<double>(accesses))
      candidates.push_back({lines, saved, before});
  }
  std::ranges::stable_sort(candidates, std::ranges::greater{}, &Candidate::accessesSaved);
  std::vector<Candidate> chosen;
  for (const Candidate &candidate : candidates)
    if (std::ranges::none_of(chosen, [&](const Candidate &other) {
          return closerThanTwofold(candidate.lines, other.lines);
        }))
      chosen.push_back(candidate);
  std::ranges::sort(chosen, {}, &Candidate::lines);

  std::vector<Knee> knees;
  knees.reserve(chosen.size());
  const auto ratio = [&](uint64_t misses) {
    return static_cast<double>(misses) / static_cast<double>(accesses);
  };
  for (const Candidate &knee : chosen)
    knees.push_back({knee.lines * profile.reuse.lineBytes, ratio(knee.slowBefore),
                     ratio(knee.slowBefore - knee.accessesSaved)});
  return knees;
}

} // namespace aiwc::profile
