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

/// Scales a sequence of counts. It rounds the running sum, not each count, so the scaled counts add
/// up to the scaled total.
class Scale {
public:
  explicit Scale(const SampledShare &share) : share_(share) {}

  uint64_t operator()(uint64_t count) {
    read_ += count;
    const auto upTo = scaledCount(read_, share_.totalItems, share_.items);
    if (!upTo)
      throw Error("a count of the sampled work-groups, scaled to all of them, is above 2^64 - 1: "
                  "expected less");
    return *upTo - std::exchange(written_, *upTo);
  }

private:
  const SampledShare &share_;
  uint64_t read_ = 0, written_ = 0;
};

bool has(const KernelProfile &profile, Metric metric) {
  return !std::holds_alternative<std::monostate>(profile[metric]);
}

void scaleMetrics(KernelProfile &profile, const SampledShare &share) {
  for (const profile::MetricInfo &row : profile::catalogue())
    if (row.estimate == Estimate::kTotal && has(profile, row.metric))
      profile.setCount(row.metric, Scale(share)(profile.count(row.metric)));
}

/// Scales metrics that add up to another metric, which is already scaled.
void scaleParts(KernelProfile &profile, const KernelProfile &sample, const SampledShare &share,
                std::initializer_list<Metric> parts) {
  Scale scale(share);
  for (const Metric part : parts)
    if (has(profile, part))
      profile.setCount(part, scale(sample.count(part)));
}

void scaleCounts(Histogram &histogram, Scale scale) {
  for (auto &[value, count] : histogram)
    count = scale(count);
  std::erase_if(histogram, [](const auto &entry) { return entry.second == 0; });
}

void scaleValues(Histogram &histogram, const SampledShare &share) {
  std::map<uint64_t, uint64_t> scaled;
  for (const auto &[value, count] : histogram)
    scaled[Scale(share)(value)] += count;
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

void scaleReuse(KernelProfile &profile, const ReuseScale &scale) {
  const uint64_t distinct =
      profile.reuse.coldAccesses > 0 ? scale.distinct(profile.reuse.coldAccesses) : 0;
  scale(profile.reuse.coldAccesses, profile.histograms.reuseDistances, distinct);
  for (LineRow &row : profile.histograms.lines)
    scale(row.coldAccesses, row.reuseDistances, distinct);
}

void scaleLines(std::vector<LineRow> &lines, const SampledShare &share) {
  for (const auto field : {&LineRow::instructions, &LineRow::fpOps, &LineRow::bytes,
                           &LineRow::branches, &LineRow::mispredictions, &LineRow::idleLanes8,
                           &LineRow::idleLanes16, &LineRow::idleLanes32, &LineRow::idleLanes64}) {
    Scale scale(share);
    for (LineRow &row : lines)
      row.*field = scale(row.*field);
  }
}

/// Footprints are those of the sample: further groups may go over the same memory, or over other.
void scaleAccesses(std::vector<profile::AccessRow> &accesses, const SampledShare &share) {
  for (const auto field : {&profile::AccessRow::accesses, &profile::AccessRow::bytes}) {
    Scale scale(share);
    for (profile::AccessRow &row : accesses)
      row.*field = scale(row.*field);
  }
}

/// Groups outside the sample add operations to the sample's levels, but no further levels.
void scaleSchedule(KernelProfile &profile, const SampledShare &share) {
  Histogram &levels = profile.histograms.asapFpLevels;
  if (const auto sums = profile::sumsOf(levels); sums && sums->levels > 0)
    levels = profile::scaledLevels(levels, {sums->levels, Scale(share)(sums->operations)});
  if (has(profile, "asap_fp_parallelism"_metric))
    profile.setRatio("asap_fp_parallelism"_metric, profile.real("fp_ops"_metric),
                     profile.real("asap_fp_depth"_metric));
  if (has(profile, "asap_parallelism"_metric))
    profile.setReal("asap_parallelism"_metric, profile.real("asap_parallelism"_metric) *
                                                   static_cast<double>(share.totalItems) /
                                                   static_cast<double>(share.items));
}

} // namespace

void scaleToLaunch(KernelProfile &profile, const SampledShare &share,
                   const LineSharing::Lines &lines) {
  const KernelProfile sample = profile;
  scaleMetrics(profile, share);
  scaleParts(profile, sample, share,
             {"fp_add"_metric, "fp_mul"_metric, "fp_div"_metric, "fp_special"_metric});
  scaleParts(profile, sample, share,
             {"fp_ops_f16"_metric, "fp_ops_f32"_metric, "fp_ops_f64"_metric});
  profile.setCount("work_items"_metric, share.totalItems);
  profile.setCount("work_groups"_metric, share.totalGroups);
  profile.setRatio("granularity"_metric, 1, static_cast<double>(share.totalItems));
  scaleSchedule(profile, share);

  profile::Histograms &histograms = profile.histograms;
  Scale opcodes(share);
  for (auto &[opcode, count] : histograms.opcodes)
    count = opcodes(count);
  for (Histogram *histogram : {&histograms.instructionsToBarrier, &histograms.instructionsPerThread,
                               &histograms.simdWidths})
    scaleCounts(*histogram, Scale(share));
  scaleValues(histograms.branchExecutions, share);
  for (profile::LoopRow &loop : histograms.loops) {
    loop.entries = Scale(share)(loop.entries);
    loop.trips = Scale(share)(loop.trips);
  }
  scaleLines(histograms.lines, share);
  if (profile.accesses)
    scaleAccesses(*profile.accesses, share);
  scaleReuse(profile, ReuseScale(share, lines));
}

} // namespace aiwc::metrics
