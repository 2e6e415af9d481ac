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

/// The first accesses of lines in groups, and how many of them are the launch's first.
struct FirstAccesses {
  /// A range of memory.
  struct Range {
    double distinct = 0;      ///< lines that the launch accesses
    double kept = 1;          ///< the part of the lines fresh in clusters that is in fact new
    double added = 0;         ///< further distinct lines per first access in a group
    double groupsPerLine = 1; ///< if all lines of the range are accessed
  };
  double all = 0;              ///< first accesses of a line in a group, in the launch
  double distinct = 0;         ///< lines of the launch
  double far = 0;              ///< the part of `all` that is reuse because memory has fewer lines
  std::vector<Range> ranges{}; ///< the last: lines that are in none
};

FirstAccesses firstAccessesOf(std::span<const StratumReuse> strata, const LaunchLines &launch) {
  FirstAccesses result;
  const size_t ranges = launch.limits.size() + 1; // the last: what is in none
  std::vector<double> accessed(ranges), fresh(ranges);
  for (const StratumReuse &stratum : strata) {
    if (stratum.lines.accessed == 0)
      continue;
    const auto all = static_cast<double>(Scale(stratum.share)(stratum.profile.reuse.coldAccesses));
    result.all += all;
    for (size_t i = 0; i < ranges; ++i) {
      accessed[i] += all * stratum.lines.ranges[i].accessed / stratum.lines.accessed;
      fresh[i] += all * stratum.lines.ranges[i].fresh[2] / stratum.lines.accessed;
    }
  }
  for (size_t i = 0; i < ranges; ++i) {
    const double limit =
        i < launch.limits.size() ? static_cast<double>(launch.limits[i]) : fresh[i];
    const double kept = std::min(fresh[i], limit);
    const double seen = i < launch.seen.size() ? launch.seen[i] : 0;
    const double added = std::max(0.0, std::min(seen, accessed[i]) - kept);
    result.distinct += kept + added;
    result.far += fresh[i] - kept;
    result.ranges.push_back({.distinct = kept + added,
                             .kept = fresh[i] > 0 ? kept / fresh[i] : 1,
                             .added = added > 0 ? added / accessed[i] : 0,
                             .groupsPerLine = limit > 0 ? std::max(1.0, accessed[i] / limit) : 1});
  }
  return result;
}

/// Scales the reuse distances and first accesses of a stratum. If a first access of a line in a
/// group is not the launch's first, it becomes reuse. Its distance is the number of lines that the
/// groups in between access.
class ReuseScale {
public:
  ReuseScale(const StratumReuse &stratum, const LaunchLines &launch, const FirstAccesses &firsts)
      : stratum_(stratum), launch_(launch), firsts_(firsts),
        distinct_(std::max(1.0, firsts.distinct)) {
    const LineClusters::Lines &lines = stratum.lines;
    if (lines.accessed == 0)
      return;
    first_ = 0;
    for (const auto &[gap, count] : lines.gaps)
      reused_[profile::reuseBin(nearby(gap))] += count / lines.accessed;
    for (size_t i = 0; i < lines.ranges.size(); ++i) {
      const double fresh = lines.ranges[i].fresh[2] / lines.accessed;
      const double kept = fresh * firsts.ranges[i].kept;
      first_ += kept + lines.ranges[i].accessed / lines.accessed * firsts.ranges[i].added;
      // The whole range is accessed, each line by `groupsPerLine` groups. These are assumed to be
      // evenly spread over the launch.
      if (fresh > kept)
        reused_[profile::reuseBin(anywhere(static_cast<double>(launch.groups) /
                                           firsts.ranges[i].groupsPerLine))] += fresh - kept;
    }
    double reused = 0;
    for (const auto &[distance, part] : reused_)
      reused += part;
    first_ = reused > 0 ? std::min(1.0, first_) : 1;
    for (auto &[distance, part] : reused_)
      part *= (1 - first_) / reused;
  }

  void operator()(uint64_t &cold, Histogram &distances) const {
    if (cold == 0 && distances.empty())
      return;
    Scale scale(stratum_.share);
    const uint64_t all = scale(cold);
    scaleCounts(distances, scale);
    if (reused_.empty()) {
      cold = all;
      return;
    }
    // The running sum is rounded, so that the parts add up to all.
    double share = first_;
    const auto upTo = [&](double part) {
      const auto most = static_cast<double>(all);
      const double rounded = std::floor(most * part + 0.5);
      return rounded < most ? static_cast<uint64_t>(rounded) : all;
    };
    uint64_t written = cold = upTo(share);
    std::map<uint64_t, uint64_t> more(distances.begin(), distances.end());
    for (const auto &[distance, part] : reused_) {
      share += part;
      const uint64_t next = upTo(share);
      if (next > written)
        more[distance] += next - written;
      written = std::max(written, next);
    }
    if (written < all) // what rounding has left
      more[reused_.rbegin()->first] += all - written;
    distances.assign(more.begin(), more.end());
  }

private:
  /// The number of distinct lines, without the reused one, that this many consecutive groups
  /// access. A group adds the lines that none of its neighbours has accessed before.
  uint64_t nearby(uint64_t groups) const {
    const auto upTo = [&](uint64_t most) { return static_cast<double>(std::min(groups, most)); };
    const double inRow = upTo(launch_.groupsOfRow), inPlane = upTo(launch_.groupsOfPlane);
    double lines = 0;
    for (size_t i = 0; i < stratum_.lines.ranges.size(); ++i) {
      const LineClusters::Lines::Range &range = stratum_.lines.ranges[i];
      lines += std::min(std::max(range.accessed, firsts_.ranges[i].distinct),
                        range.accessed + (inRow - 1) * range.fresh[0] +
                            (inPlane - inRow) * range.fresh[1] +
                            (static_cast<double>(groups) - inPlane) * range.fresh[2]);
    }
    return limited(lines);
  }

  /// The same if groups access random lines of the launch.
  uint64_t anywhere(double groups) const {
    const double share = std::min(1.0, stratum_.lines.accessed / distinct_);
    return limited(distinct_ * (1 - std::pow(1 - share, groups)));
  }

  uint64_t limited(double lines) const {
    return static_cast<uint64_t>(std::clamp(lines, 1.0, distinct_)) - 1;
  }

  const StratumReuse &stratum_;
  const LaunchLines &launch_;
  const FirstAccesses &firsts_;
  double distinct_;
  double first_ = 1; ///< the part of first accesses in groups that are the launch's first
  std::map<uint64_t, double> reused_; ///< other parts, by the bin of their distance
};

void scaleLines(std::vector<LineRow> &lines, const Factors &factors) {
  for (const auto field :
       {&LineRow::instructions, &LineRow::fpOps, &LineRow::bytes, &LineRow::branches,
        &LineRow::mispredictions, &LineRow::idleLanes8, &LineRow::idleLanes16,
        &LineRow::idleLanes32, &LineRow::idleLanes64, &LineRow::accidentalDoubles,
        &LineRow::accidentalConversions, &LineRow::repeatedOps, &LineRow::divisionsByConstants,
        &LineRow::wideIndexProducts, &LineRow::wideIndexDivisions, &LineRow::pseudoInstructions,
        &LineRow::constantPowers}) {
    Scale scale(field == &LineRow::fpOps ? factors.fpOps : factors.work);
    for (LineRow &row : lines)
      row.*field = scale(row.*field);
  }
}

/// Footprints stay those of the sample: it is not known whether further groups access the same
/// memory.
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

void addReuse(KernelProfile &profile, std::span<const StratumReuse> strata) {
  profile.reuse = {};
  profile.histograms.reuseDistances.clear();
  for (LineRow &row : profile.histograms.lines) {
    row.coldAccesses = 0;
    row.groupLines = 0;
    row.reuseDistances.clear();
  }
  for (const StratumReuse &stratum : strata) {
    profile.reuse.lineBytes = stratum.profile.reuse.lineBytes;
    profile.reuse.coldAccesses += stratum.profile.reuse.coldAccesses;
    addTo(profile.histograms.reuseDistances, stratum.profile.histograms.reuseDistances);
    for (const LineRow &row : stratum.profile.histograms.lines) {
      if (row.coldAccesses == 0 && row.reuseDistances.empty())
        continue;
      LineRow &sum = profile.histograms.lineRow(row.line);
      sum.coldAccesses += row.coldAccesses;
      sum.groupLines += row.groupLines;
      addTo(sum.reuseDistances, row.reuseDistances);
    }
  }
}

void scaleReuse(KernelProfile &profile, std::vector<StratumReuse> strata,
                const LaunchLines &launch) {
  const FirstAccesses firsts = firstAccessesOf(strata, launch);
  for (StratumReuse &stratum : strata) {
    const ReuseScale scale(stratum, launch, firsts);
    scale(stratum.profile.reuse.coldAccesses, stratum.profile.histograms.reuseDistances);
    Scale groupLines(stratum.share);
    for (LineRow &row : stratum.profile.histograms.lines) {
      scale(row.coldAccesses, row.reuseDistances);
      row.groupLines = groupLines(row.groupLines);
    }
  }
  addReuse(profile, strata);
}

double shareOfFarLines(std::span<const StratumReuse> strata, const LaunchLines &launch) {
  const FirstAccesses firsts = firstAccessesOf(strata, launch);
  return firsts.all > 0 ? firsts.far / firsts.all : 0;
}

} // namespace aiwc::metrics
