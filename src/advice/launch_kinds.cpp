#include "advice/launch_kinds.h"

#include "common/wide.h"
#include "views/quantity.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>
#include <variant>

namespace aiwc::advice {

using profile::KernelProfile;
using profile::LineRow;
using profile::Metric;

namespace {

uint64_t clamped(Wide value) {
  return static_cast<uint64_t>(std::min<Wide>(value, kLargestCount));
}

bool isKnown(const KernelProfile &profile, Metric metric) {
  return !std::holds_alternative<std::monostate>(profile[metric]);
}

bool allKnow(std::span<const LaunchKind> kinds, Metric metric) {
  return std::ranges::all_of(
      kinds, [&](const LaunchKind &kind) { return isKnown(*kind.profile, metric); });
}

uint64_t sumOf(std::span<const LaunchKind> kinds, Metric metric) {
  Wide sum = 0;
  for (const LaunchKind &kind : kinds)
    sum += Wide{kind.profile->count(metric)} * kind.launches;
  return clamped(sum);
}

/// The mean of a share, weighted by what it divides; over the launches that have one.
double meanShare(std::span<const LaunchKind> kinds, Metric share, auto amountOf) {
  double ideal = 0;
  double real = 0;
  for (const LaunchKind &kind : kinds) {
    if (!isKnown(*kind.profile, share))
      continue;
    const double amount = static_cast<double>(kind.launches) * amountOf(*kind.profile);
    ideal += amount;
    real += amount / std::max(kind.profile->real(share), 1e-9);
  }
  return real > 0 ? ideal / real : longestOf(kinds).real(share); // which may be NaN
}

/// The share of all accesses of these launches; NaN where one does not say.
double shareOfAccesses(std::span<const LaunchKind> kinds, Metric share) {
  double all = 0;
  double ofShare = 0;
  for (const LaunchKind &kind : kinds) {
    const double accesses =
        static_cast<double>(kind.launches) *
        (kind.profile->real("total_reads"_metric) + kind.profile->real("total_writes"_metric));
    all += accesses;
    ofShare += accesses > 0 ? accesses * kind.profile->real(share) : 0;
  }
  return all > 0 ? ofShare / all : longestOf(kinds).real(share);
}

double globalBytes(const KernelProfile &profile) {
  return static_cast<double>(profile.count("bytes_read_global"_metric)) +
         static_cast<double>(profile.count("bytes_written_global"_metric));
}

constexpr std::array kCounts = {&LineRow::instructions,
                                &LineRow::pseudoInstructions,
                                &LineRow::fpOps,
                                &LineRow::bytes,
                                &LineRow::branches,
                                &LineRow::mispredictions,
                                &LineRow::coldAccesses,
                                &LineRow::idleLanes8,
                                &LineRow::idleLanes16,
                                &LineRow::idleLanes32,
                                &LineRow::idleLanes64,
                                &LineRow::groupLines,
                                &LineRow::accidentalDoubles,
                                &LineRow::accidentalConversions,
                                &LineRow::repeatedOps,
                                &LineRow::constantPowers,
                                &LineRow::divisionsByConstants,
                                &LineRow::wideIndexProducts,
                                &LineRow::wideIndexDivisions};

void addLines(std::span<const LaunchKind> kinds, KernelProfile &to) {
  struct Sum {
    std::array<Wide, kCounts.size()> counts{};
    std::map<uint64_t, Wide> distances;
  };
  std::map<uint64_t, Sum> sums;
  for (const LaunchKind &kind : kinds) {
    for (const LineRow &row : kind.profile->histograms.lines) {
      Sum &sum = sums[row.line];
      for (size_t i = 0; i < kCounts.size(); ++i)
        sum.counts[i] += Wide{row.*kCounts[i]} * kind.launches;
      for (const auto &[distance, accesses] : row.reuseDistances)
        sum.distances[distance] += Wide{accesses} * kind.launches;
    }
  }
  to.histograms.lines.clear();
  for (const auto &[line, sum] : sums) {
    LineRow row{.line = line};
    for (size_t i = 0; i < kCounts.size(); ++i)
      row.*kCounts[i] = clamped(sum.counts[i]);
    for (const auto &[distance, accesses] : sum.distances)
      row.reuseDistances.emplace_back(distance, clamped(accesses));
    to.histograms.lines.push_back(std::move(row));
  }
}

/// Launches that were measured with lines of another size than the longest are left out.
void addReuse(std::span<const LaunchKind> kinds, KernelProfile &to) {
  Wide cold = 0;
  std::map<uint64_t, Wide> distances;
  for (const LaunchKind &kind : kinds) {
    if (kind.profile->reuse.lineBytes != to.reuse.lineBytes)
      continue;
    cold += Wide{kind.profile->reuse.coldAccesses} * kind.launches;
    for (const auto &[distance, accesses] : kind.profile->histograms.reuseDistances)
      distances[distance] += Wide{accesses} * kind.launches;
  }
  to.reuse.coldAccesses = clamped(cold);
  to.histograms.reuseDistances.clear();
  for (const auto &[distance, accesses] : distances)
    to.histograms.reuseDistances.emplace_back(distance, clamped(accesses));
}

} // namespace

std::vector<LaunchKind> kindsOf(std::span<const KernelProfile *const> launches,
                                std::span<const double> errorFactors) {
  std::vector<LaunchKind> kinds;
  std::unordered_map<const KernelProfile *, size_t> places;
  for (size_t i = 0; i < launches.size(); ++i) {
    const auto [place, isNew] = places.try_emplace(launches[i], kinds.size());
    if (isNew)
      kinds.push_back({launches[i], 0});
    LaunchKind &kind = kinds[place->second];
    ++kind.launches;
    if (i < errorFactors.size())
      kind.errorFactor = std::max(kind.errorFactor, errorFactors[i]);
  }
  return kinds;
}

const KernelProfile &longestOf(std::span<const LaunchKind> kinds) {
  return *std::ranges::max_element(kinds, {}, [](const LaunchKind &kind) {
            return kind.profile->count("total_instruction_count"_metric);
          })->profile;
}

uint64_t launchesOf(std::span<const LaunchKind> kinds) {
  uint64_t launches = 0;
  for (const LaunchKind &kind : kinds)
    launches += kind.launches;
  return launches;
}

KernelProfile together(std::span<const LaunchKind> kinds) {
  KernelProfile all = longestOf(kinds);
  if (launchesOf(kinds) == 1)
    return all;
  const auto known = [&](Metric metric) {
    const bool isSo = allKnow(kinds, metric);
    if (!isSo)
      all.setNone(metric);
    return isSo;
  };
  for (const profile::MetricInfo &row : profile::catalogue())
    if ((views::addsUp(row.metric) || row.metric == "work_items"_metric ||
         row.metric == "work_groups"_metric) &&
        known(row.metric))
      all.setCount(row.metric, sumOf(kinds, row.metric));
  const auto countOf = [](Metric metric) {
    return [metric](const LaunchKind &kind) { return kind.profile->count(metric); };
  };
  for (const Metric metric : {"ipt_min"_metric, "machine_ipt_min"_metric})
    if (known(metric))
      all.setCount(metric, std::ranges::min(kinds, {}, countOf(metric)).profile->count(metric));
  for (const Metric metric :
       {"ipt_max"_metric, "machine_ipt_max"_metric, "work_group_instructions_max"_metric,
        "footprint_bytes"_metric, "atomic_contention_max"_metric})
    if (known(metric))
      all.setCount(metric, std::ranges::max(kinds, {}, countOf(metric)).profile->count(metric));
  for (const Metric metric : {"lane_utilization_8"_metric, "lane_utilization_16"_metric,
                              "lane_utilization_32"_metric, "lane_utilization_64"_metric})
    all.setReal(metric, meanShare(kinds, metric, [](const KernelProfile &profile) {
                  return profile.real("total_instruction_count"_metric);
                }));
  for (const Metric metric :
       {"coalescing_16"_metric, "coalescing_32"_metric, "coalescing_64"_metric})
    all.setReal(metric, meanShare(kinds, metric, globalBytes));
  for (const Metric metric : {"uniform_accesses"_metric, "consecutive_accesses"_metric})
    all.setReal(metric, shareOfAccesses(kinds, metric));
  addReuse(kinds, all);
  addLines(kinds, all);
  return all;
}

} // namespace aiwc::advice
