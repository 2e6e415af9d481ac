#include "metrics/sampled_groups/launch_estimate.h"

#include "common/error.h"
#include "common/wide.h"
#include "profile/level_widths.h"
#include "profile/reuse.h"
#include "profile/sampling.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <utility>
#include <variant>

namespace aiwc::metrics {

using profile::Estimate;
using profile::Histogram;
using profile::KernelProfile;
using profile::LineRow;
using profile::Metric;

namespace {

/// A number of the launch, and the same number of the sample.
struct Ratio {
  uint64_t launch = 1, sample = 1;
};

Ratio ratioOf(const SampledShare &share) {
  return {share.totalItems, share.items};
}

/// Scales a sequence of counts. It rounds the running sum, not each count, so the scaled counts add
/// up to the scaled total. Where the sample has none of what is counted, counts are 0 and stay so.
class Scale {
public:
  explicit Scale(const Ratio &ratio) : ratio_(ratio.sample > 0 ? ratio : Ratio()) {}
  explicit Scale(const SampledShare &share) : Scale(ratioOf(share)) {}

  uint64_t operator()(uint64_t count) {
    read_ += count;
    const auto upTo = scaledCount(read_, ratio_.launch, ratio_.sample);
    if (!upTo)
      throw Error("a count of the sampled work-groups, scaled to all of them, is above 2^64 - 1: "
                  "expected less");
    return *upTo - std::exchange(written_, *upTo);
  }

private:
  Ratio ratio_;
  uint64_t read_ = 0, written_ = 0;
};

bool has(const KernelProfile &profile, Metric metric) {
  return !std::holds_alternative<std::monostate>(profile[metric]);
}

/// The factors from a sample to the launch.
struct Factors {
  Ratio work; ///< instructions, and what has no factor of its own
  Ratio fpOps, items, segments;
};

Factors setTotals(KernelProfile &profile, const LaunchCounts &launch) {
  const KernelProfile sample = profile;
  for (const auto &[metric, total] : launch.totals)
    if (has(profile, metric))
      profile.setCount(metric, total);
  const auto ratio = [&](Metric metric) {
    return Ratio{profile.count(metric), sample.count(metric)};
  };
  Factors factors;
  factors.items = {launch.items, sample.count("work_items"_metric)};
  factors.work = ratio("total_instruction_count"_metric);
  if (factors.work.sample == 0)
    factors.work = factors.items;
  factors.fpOps = ratio("fp_ops"_metric);
  const Ratio barriers = ratio("barriers_hit"_metric);
  factors.segments = {factors.items.launch + barriers.launch,
                      factors.items.sample + barriers.sample};
  return factors;
}

/// Scales metrics that add up to another metric, which is already scaled.
void scaleParts(KernelProfile &profile, const KernelProfile &sample, const Ratio &ratio,
                std::initializer_list<Metric> parts) {
  Scale scale(ratio);
  for (const Metric part : parts)
    if (has(profile, part))
      profile.setCount(part, scale(sample.count(part)));
}

void scaleCounts(Histogram &histogram, Scale scale) {
  for (auto &[value, count] : histogram)
    count = scale(count);
  std::erase_if(histogram, [](const auto &entry) { return entry.second == 0; });
}

void scaleValues(Histogram &histogram, const Ratio &ratio) {
  std::map<uint64_t, uint64_t> scaled;
  for (const auto &[value, count] : histogram)
    scaled[Scale(ratio)(value)] += count;
  histogram.assign(scaled.begin(), scaled.end());
}

/// Scales reuse distances and first accesses. First accesses of a line in a group that are not the
/// launch's first become reuse, at the distance of as many lines as the groups in between use.
class ReuseScale {
public:
  ReuseScale(const SampledShare &share, const LineSharing::Lines &lines)
      : share_(share), lines_(lines) {}

  /// The launch's number of first accesses, if the sample has `cold` (of all source lines
  /// together).
  uint64_t distinct(uint64_t cold) const {
    const uint64_t most = Scale(share_)(cold);
    const uint64_t more =
        scaledCount(cold, lines_.added, std::max<uint64_t>(1, lines_.all)).value_or(most);
    return std::min(most, cold + std::min(more, most));
  }

  void operator()(uint64_t &cold, Histogram &distances, uint64_t distinctLines) const {
    if (cold == 0 && distances.empty())
      return;
    Scale scale(share_);
    const uint64_t all = scale(cold);
    scaleCounts(distances, scale);
    if (cold == 0)
      return;
    cold = distinct(cold);
    if (cold == all)
      return;
    std::map<uint64_t, uint64_t> more(distances.begin(), distances.end());
    addReuse(all - cold, distinctLines, more);
    distances.assign(more.begin(), more.end());
  }

private:
  /// Distributes `accesses` over the distances of `gaps`.
  void addReuse(uint64_t accesses, uint64_t distinctLines,
                std::map<uint64_t, uint64_t> &distances) const {
    uint64_t known = 0;
    for (const auto &[gap, count] : lines_.gaps)
      known += count;
    uint64_t seen = 0;
    uint64_t added = 0;
    for (const auto &[gap, count] : lines_.gaps) {
      seen += count;
      const auto upTo = static_cast<uint64_t>(Wide{accesses} * seen / known);
      if (upTo > added)
        distances[profile::reuseBin(linesOf(gap, distinctLines))] += upTo - added;
      added = upTo;
    }
    if (added < accesses) // no gaps are known
      distances[profile::reuseBin(distinctLines - 1)] += accesses - added;
  }

  /// How many of the launch's `distinct` lines `groups` consecutive groups use, if each uses as
  /// many as those of the sample do on average, anywhere among them; less the one line itself.
  uint64_t linesOf(uint64_t groups, uint64_t distinct) const {
    const double all = static_cast<double>(distinct);
    const double share = std::min(1.0, lines_.ofGroup / all);
    const double used = all * (1 - std::pow(1 - share, static_cast<double>(groups)));
    return std::clamp<uint64_t>(static_cast<uint64_t>(used), 1, distinct) - 1;
  }

  const SampledShare &share_;
  const LineSharing::Lines &lines_;
};

void scaleLines(std::vector<LineRow> &lines, const Factors &factors) {
  for (const auto field : {&LineRow::instructions, &LineRow::fpOps, &LineRow::bytes,
                           &LineRow::branches, &LineRow::mispredictions, &LineRow::idleLanes8,
                           &LineRow::idleLanes16, &LineRow::idleLanes32, &LineRow::idleLanes64}) {
    Scale scale(field == &LineRow::fpOps ? factors.fpOps : factors.work);
    for (LineRow &row : lines)
      row.*field = scale(row.*field);
  }
}

/// Footprints are those of the sample: further groups may go over the same memory, or over other.
void scaleAccesses(std::vector<profile::AccessRow> &accesses, const Ratio &ratio) {
  for (const auto field : {&profile::AccessRow::accesses, &profile::AccessRow::bytes}) {
    Scale scale(ratio);
    for (profile::AccessRow &row : accesses)
      row.*field = scale(row.*field);
  }
}

/// Groups outside the sample add operations to the sample's levels, but no further levels.
void scaleSchedule(KernelProfile &profile, const Factors &factors) {
  Histogram &levels = profile.histograms.asapFpLevels;
  if (const auto sums = profile::sumsOf(levels); sums && sums->levels > 0)
    levels = profile::scaledLevels(
        levels, {sums->levels, std::max(sums->levels, Scale(factors.fpOps)(sums->operations))});
  if (has(profile, "asap_fp_parallelism"_metric))
    profile.setRatio("asap_fp_parallelism"_metric, profile.real("fp_ops"_metric),
                     profile.real("asap_fp_depth"_metric));
  if (has(profile, "asap_parallelism"_metric))
    profile.setReal("asap_parallelism"_metric, profile.real("asap_parallelism"_metric) *
                                                   static_cast<double>(factors.work.launch) /
                                                   static_cast<double>(factors.work.sample));
}

void addTo(Histogram &sum, const Histogram &more) {
  std::map<uint64_t, uint64_t> counts(sum.begin(), sum.end());
  for (const auto &[value, count] : more)
    counts[value] += count;
  sum.assign(counts.begin(), counts.end());
}

} // namespace

void scaleToLaunch(KernelProfile &profile, const LaunchCounts &launch) {
  const KernelProfile sample = profile;
  const Factors factors = setTotals(profile, launch);
  scaleParts(profile, sample, factors.fpOps,
             {"fp_add"_metric, "fp_mul"_metric, "fp_div"_metric, "fp_special"_metric});
  scaleParts(profile, sample, factors.fpOps,
             {"fp_ops_f16"_metric, "fp_ops_f32"_metric, "fp_ops_f64"_metric});
  profile.setCount("work_items"_metric, launch.items);
  profile.setCount("work_groups"_metric, launch.groups);
  profile.setRatio("granularity"_metric, 1, static_cast<double>(launch.items));
  scaleSchedule(profile, factors);

  profile::Histograms &histograms = profile.histograms;
  Scale opcodes(factors.work);
  for (auto &[opcode, count] : histograms.opcodes)
    count = opcodes(count);
  scaleCounts(histograms.instructionsToBarrier, Scale(factors.segments));
  scaleCounts(histograms.instructionsPerThread, Scale(factors.items));
  scaleCounts(histograms.simdWidths, Scale(factors.work));
  scaleValues(histograms.branchExecutions, factors.work);
  for (profile::LoopRow &loop : histograms.loops) {
    loop.entries = Scale(factors.work)(loop.entries);
    loop.trips = Scale(factors.work)(loop.trips);
  }
  scaleLines(histograms.lines, factors);
  if (profile.accesses)
    scaleAccesses(*profile.accesses, factors.work);
}

void scaleReuse(KernelProfile &profile, const SampledShare &share,
                const LineSharing::Lines &lines) {
  const ReuseScale scale(share, lines);
  const uint64_t distinct =
      profile.reuse.coldAccesses > 0 ? scale.distinct(profile.reuse.coldAccesses) : 0;
  scale(profile.reuse.coldAccesses, profile.histograms.reuseDistances, distinct);
  for (LineRow &row : profile.histograms.lines)
    scale(row.coldAccesses, row.reuseDistances, distinct);
}

void addReuse(KernelProfile &profile, std::span<const KernelProfile> strata,
              std::span<const LineSharing::Lines> lines) {
  profile.reuse = {};
  profile.histograms.reuseDistances.clear();
  for (LineRow &row : profile.histograms.lines) {
    row.coldAccesses = 0;
    row.reuseDistances.clear();
  }
  for (const KernelProfile &stratum : strata) {
    profile.reuse.lineBytes = stratum.reuse.lineBytes;
    profile.reuse.coldAccesses += stratum.reuse.coldAccesses;
    addTo(profile.histograms.reuseDistances, stratum.histograms.reuseDistances);
    for (const LineRow &row : stratum.histograms.lines) {
      if (row.coldAccesses == 0 && row.reuseDistances.empty())
        continue;
      LineRow &sum = profile.histograms.lineRow(row.line);
      sum.coldAccesses += row.coldAccesses;
      addTo(sum.reuseDistances, row.reuseDistances);
    }
  }
  if (lines.size() < 2)
    return;
  // The first accesses of a stratum are the launch's where no other stratum accesses the lines; of
  // a piece of memory, the strata together access at most all lines.
  Ratio distinct{0, 0};
  for (size_t range = 0; range < lines[0].ranges.size(); ++range) {
    uint64_t fresh = 0;
    for (const LineSharing::Lines &of : lines) {
      distinct.sample += of.ranges[range].lines;
      fresh += of.ranges[range].fresh;
    }
    distinct.launch += std::min(fresh, lines[0].ranges[range].limit);
  }
  if (distinct.launch == distinct.sample)
    return;
  const uint64_t farthest = profile::reuseBin(std::max<uint64_t>(1, distinct.launch) - 1);
  const auto limit = [&](uint64_t &cold, Histogram &distances) {
    const uint64_t before = std::exchange(cold, Scale(distinct)(cold));
    if (before > cold)
      addTo(distances, {{farthest, before - cold}});
  };
  limit(profile.reuse.coldAccesses, profile.histograms.reuseDistances);
  for (LineRow &row : profile.histograms.lines)
    limit(row.coldAccesses, row.reuseDistances);
}

} // namespace aiwc::metrics
