#include "metrics/sampled_groups/sampled_analyses.h"

#include "common/error.h"
#include "common/wide.h"
#include "metrics/atomic_contention/atomic_operations.h"
#include "profile/sampling.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
#include <span>
#include <string_view>
#include <variant>

namespace aiwc::metrics {

using namespace aiwc::literals;
using profile::Estimate;
using profile::KernelProfile;
using profile::Metric;

namespace {

using Families = std::span<const std::string_view>;

/// The families whose metrics are means. The metrics of the others are sums, bounds or values of
/// the sample.
constexpr std::array<std::string_view, 7> kInParts = {
    "instruction_mix",  "parallelism", "freedom_to_reorder",       "branch_entropy",
    "lane_utilization", "coalescing",  "parallel_spatial_locality"};

/// Other families that count, so that the groups of a stratum can represent more.
constexpr std::array<std::string_view, 4> kCounts = {"lines", "loops", "asap", "idioms"};

constexpr std::array<std::string_view, 1> kReuse = {"reuse_distance"};

/// `options` restricted to some families.
AnalysisOptions restricted(const AnalysisOptions &options, std::initializer_list<Families> to) {
  AnalysisOptions result = options;
  std::vector<std::string> names = options.only ? *options.only : AnalysisSet::families();
  std::erase_if(names, [&](const std::string &name) {
    return std::ranges::none_of(to, [&](const Families &families) {
      return std::ranges::find(families, name) != families.end();
    });
  });
  result.only = std::move(names);
  return result;
}

/// `options` without the families above.
AnalysisOptions others(const AnalysisOptions &options) {
  AnalysisOptions result = options;
  std::vector<std::string> names = options.only ? *options.only : AnalysisSet::families();
  const AnalysisOptions known = restricted(options, {kInParts, kCounts, kReuse});
  std::erase_if(names, [&](const std::string &name) {
    return std::ranges::find(*known.only, name) != known.only->end();
  });
  result.only = std::move(names);
  return result;
}

uint64_t scaled(uint64_t count, uint64_t numerator, uint64_t denominator) {
  if (denominator == 0)
    return count;
  if (const auto result = scaledCount(count, numerator, denominator))
    return *result;
  throw Error("a count of the sampled work-groups, scaled to all of them, is above 2^64 - 1: "
              "expected less");
}

/// Whether groups that execute the same may differ in it.
bool followsAddresses(const profile::MetricInfo &row) {
  return (row.family == "coalescing" || row.family == "parallel_spatial_locality") &&
         !row.key.ends_with("_measured"); // a share of executions
}

/// Copies what the counting families have written: metrics and histograms.
void copyCounts(const KernelProfile &from, KernelProfile &to) {
  for (const profile::MetricInfo &row : profile::catalogue()) {
    const profile::Value &value = from[row.metric];
    if (const auto *count = std::get_if<uint64_t>(&value))
      to.setCount(row.metric, *count);
    else if (const auto *real = std::get_if<double>(&value))
      to.setReal(row.metric, *real);
  }
  profile::Histogram addresses = std::move(to.histograms.addressAccesses);
  to.histograms = from.histograms;
  to.histograms.addressAccesses = std::move(addresses);
  to.accesses = from.accesses;
  to.blockExecutions = from.blockExecutions;
}

/// The groups, without their sizes, of the strata that are not sampled as a whole.
SampledShare uncertainOf(const std::vector<SampledShare> &shares) {
  SampledShare all;
  for (const SampledShare &share : shares)
    if (share.groups < share.totalGroups) {
      all.groups += share.groups;
      all.totalGroups += share.totalGroups;
    }
  return all;
}

} // namespace

const std::vector<Metric> &SampledAnalyses::sums() {
  static const std::vector<Metric> metrics = [] {
    std::vector<Metric> result;
    for (const profile::MetricInfo &row : profile::catalogue())
      if (row.estimate == Estimate::kTotal)
        result.push_back(row.metric);
    return result;
  }();
  return metrics;
}

SampledAnalyses::SampledAnalyses(const trace::Program &program, const AnalysisOptions &options,
                                 const std::vector<std::shared_ptr<ReuseOrder>> &orders,
                                 std::shared_ptr<const GroupSample> sample,
                                 const ProgramTables *tables)
    : program_(program),
      ownTables_(tables ? nullptr : std::make_unique<const ProgramTables>(program)),
      tables_(tables ? *tables : *ownTables_), wholeOptions_(others(options)),
      countOptions_(restricted(options, {kCounts})),
      stratumOptions_(restricted(options, {kCounts, kReuse})),
      partOptions_(restricted(options, {kInParts})), sample_(std::move(sample)),
      whole_(program, wholeOptions_, nullptr, &tables_, &memory_),
      clusters_(options.lineBytes, sample_), atomics_(program, sample_->strata(), 0),
      atomicLines_(program, sample_->strata(), kAtomicLineBits) {
  assert(orders.size() == sample_->strata());
  strata_.reserve(sample_->strata());
  for (size_t stratum = 0; stratum < sample_->strata(); ++stratum) {
    const uint64_t sampled = sample_->sampledOf(stratum);
    strata_.push_back(
        {AnalysisSet(program, stratumOptions_, orders[stratum], &tables_, &memory_), {}});
    strata_.back().parts.resize(sampled == sample_->groupsOf(stratum) ? 1
                                                                      : std::min(kParts, sampled));
  }
}

/// The analyses of the part to which the current group belongs.
AnalysisSet &SampledAnalyses::part() {
  auto &parts = strata_[current_.stratum].parts;
  auto &part = parts[current_.rankInStratum % parts.size()];
  if (!part)
    part = std::make_unique<AnalysisSet>(program_, partOptions_, nullptr, &tables_, &memory_);
  return *part;
}

/// The sums of the analyses that see the current group.
std::vector<uint64_t> SampledAnalyses::sumsSoFar() {
  whole_.sums(scratch_);
  part().sums(scratch_);
  std::vector<uint64_t> values;
  values.reserve(sums().size());
  for (const Metric metric : sums())
    values.push_back(scratch_.count(metric));
  return values;
}

void SampledAnalyses::beginGroup(const trace::Program &program, const trace::Group &group) {
  clusters_.beginGroup(group.linearId);
  const auto place = sample_->placeOf(group.linearId);
  isSampled_ = place.has_value();
  if (!isSampled_)
    return;
  current_ = *place;
  atomics_.beginGroup(current_.stratum);
  atomicLines_.beginGroup(current_.stratum);
  groups_.push_back({current_, group.items, sumsSoFar()});
  // Pass ranks instead of linear ids: accesses are ordered as if only these groups existed.
  const trace::Group ranked{current_.rankInStratum, group.items};
  whole_.beginGroup(program, {current_.rank, group.items});
  Stratum &stratum = strata_[current_.stratum];
  // No group follows another here: what groups share, the clusters tell.
  stratum.counts.beginGroup(program, {2 * current_.rankInStratum, group.items});
  part().beginGroup(program, ranked);
}

void SampledAnalyses::consume(const trace::Chunk &chunk) {
  clusters_.consume(chunk);
  if (!isSampled_)
    return;
  atomics_.consume(chunk);
  atomicLines_.consume(chunk);
  const MarkedChunk marked = repeats_.mark(chunk);
  whole_.consumeMarked(marked);
  strata_[current_.stratum].counts.consumeMarked(marked);
  part().consumeMarked(marked);
}

void SampledAnalyses::endGroup() {
  clusters_.endGroup();
  if (!std::exchange(isSampled_, false))
    return;
  whole_.endGroup();
  strata_[current_.stratum].counts.endGroup();
  part().endGroup();
  std::vector<uint64_t> &values = groups_.back().values;
  const std::vector<uint64_t> now = sumsSoFar();
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = now[i] - values[i];
}

void SampledAnalyses::merge(SampledAnalyses &other) {
  whole_.merge(other.whole_);
  clusters_.merge(other.clusters_);
  atomics_.merge(other.atomics_);
  atomicLines_.merge(other.atomicLines_);
  for (size_t i = 0; i < strata_.size(); ++i) {
    Stratum &mine = strata_[i], &from = other.strata_[i];
    mine.counts.merge(from.counts);
    for (size_t k = 0; k < mine.parts.size(); ++k)
      if (!mine.parts[k])
        mine.parts[k] = std::move(from.parts[k]);
      else if (from.parts[k])
        mine.parts[k]->merge(*from.parts[k]);
  }
  std::ranges::move(other.groups_, std::back_inserter(groups_));
}

void SampledAnalyses::finish(KernelProfile &profile) {
  std::ranges::sort(groups_, {}, [](const GroupSums &group) { return group.place.rank; });
  for (Stratum &stratum : strata_) {
    KernelProfile &own = reuse_.emplace_back().profile;
    own.provenance = profile.provenance;
    stratum.counts.finish(own);
  }
  weigh(profile, std::vector<SampledShare>(strata_.size(), SampledShare{1, 1, 1, 1}), 1);
  whole_.finish(profile);
  addReuse(profile, reuse_);
}

/// Writes what the counting families tell of the sample, if each group of a stratum represents as
/// many as are in the launch. Everything is counted `unit` times, so that weights can be whole
/// numbers.
void SampledAnalyses::weigh(KernelProfile &profile, const std::vector<SampledShare> &shares,
                            uint64_t unit) const {
  AnalysisSet parts(program_, partOptions_, nullptr, &tables_);
  AnalysisSet counts(program_, countOptions_, nullptr, &tables_);
  for (size_t i = 0; i < strata_.size(); ++i) {
    const uint64_t times = scaled(unit, shares[i].totalItems, shares[i].items);
    for (const auto &part : strata_[i].parts)
      if (part)
        parts.add(*part, times);
    counts.add(strata_[i].counts, times);
  }
  KernelProfile weighted;
  weighted.provenance = profile.provenance;
  parts.finish(weighted);
  counts.finish(weighted);
  copyCounts(weighted, profile);
}

/// The size of a group, which is known of all groups: its instructions or its work-items.
uint64_t SampledAnalyses::sizeOf(const GroupSums &group, bool byInstructions) const {
  static const auto at = static_cast<size_t>(
      std::ranges::find(sums(), "total_instruction_count"_metric) - sums().begin());
  return byInstructions ? group.values[at] : group.items;
}

std::vector<SampledShare> SampledAnalyses::sharesOf(const LaunchSize &launch,
                                                    bool byInstructions) const {
  std::vector<SampledShare> shares(strata_.size());
  for (const GroupSums &group : groups_) {
    ++shares[group.place.stratum].groups;
    shares[group.place.stratum].items += sizeOf(group, byInstructions);
  }
  uint64_t known = 0;   // work-items
  double uncertain = 0; // the same, if the other groups are as large as those of their strata
  const auto itemsIfAlike = [](const SampledShare &share) {
    if (share.groups == 0)
      return 0.0;
    return static_cast<double>(share.items) / static_cast<double>(share.groups) *
           static_cast<double>(share.totalGroups);
  };
  for (size_t i = 0; i < shares.size(); ++i) {
    SampledShare &share = shares[i];
    share.totalGroups = sample_->groupsOf(i);
    share.totalItems = byInstructions ? launch.instructions[i] : share.items;
    if (share.groups == share.totalGroups)
      known += share.items;
    else
      uncertain += itemsIfAlike(share);
  }
  if (!byInstructions && uncertain > 0)
    for (SampledShare &share : shares)
      if (share.groups < share.totalGroups)
        share.totalItems = static_cast<uint64_t>(std::llround(
            itemsIfAlike(share) / uncertain * static_cast<double>(launch.items - known)));
  return shares;
}

/// Estimates the metrics that are sums, and sets their errors.
LaunchCounts SampledAnalyses::setTotals(KernelProfile &profile,
                                        const std::vector<SampledShare> &shares,
                                        const LaunchSize &size, bool byInstructions) const {
  const SampledShare uncertain = uncertainOf(shares);
  const bool statesHidden = size.statesHidden && !byInstructions && uncertain.groups > 0;
  LaunchCounts launch{size.items, sample_->groups()};
  for (size_t at = 0; at < sums().size(); ++at) {
    const Metric metric = sums()[at];
    std::vector<std::vector<GroupCount>> counts(strata_.size());
    for (const GroupSums &group : groups_)
      counts[group.place.stratum].push_back({group.values[at], sizeOf(group, byInstructions)});
    uint64_t total = 0;
    double squares = 0;
    for (size_t i = 0; i < strata_.size(); ++i) {
      uint64_t sum = 0;
      for (const GroupCount &group : counts[i])
        sum += group.count;
      const uint64_t more = scaled(sum, shares[i].totalItems, shares[i].items);
      if (__builtin_add_overflow(total, more, &total))
        throw Error("a count of the sampled work-groups, scaled to all of them, is above 2^64 - 1: "
                    "expected less");
      const double error = standardErrorOfTotal(counts[i], shares[i]);
      squares += error * error;
    }
    if (std::holds_alternative<std::monostate>(profile[metric]))
      continue;
    launch.totals.emplace_back(metric, total);
    if (squares == 0 && statesHidden)
      profile.setStandardError(metric, hiddenError(static_cast<double>(total), uncertain));
    else if (!std::isnan(squares))
      profile.setStandardError(metric, std::sqrt(squares));
  }
  return launch;
}

/// Sets the errors of means from the spread of parts of the sample: part k of each stratum, and all
/// strata that are sampled as a whole.
void SampledAnalyses::setErrorsOfMeans(KernelProfile &profile,
                                       const std::vector<SampledShare> &shares, const Parts &sizes,
                                       uint64_t unit, bool knowsSteps) const {
  const SampledShare share = uncertainOf(shares);
  size_t count = 0;
  for (size_t i = 0; i < strata_.size(); ++i)
    if (shares[i].groups < shares[i].totalGroups)
      count = std::max(count, strata_[i].parts.size());
  std::vector<KernelProfile> ofParts(count);
  for (size_t k = 0; k < count; ++k) {
    AnalysisSet part(program_, partOptions_, nullptr, &tables_);
    for (size_t i = 0; i < strata_.size(); ++i) {
      const size_t at = k % strata_[i].parts.size();
      if (const auto &own = strata_[i].parts[at])
        part.add(*own, strata_.size() == 1 ? 1 : scaled(unit, shares[i].totalItems, sizes[i][at]));
    }
    ofParts[k].provenance = profile.provenance;
    part.finish(ofParts[k]);
  }
  for (const profile::MetricInfo &row : profile::catalogue()) {
    if (row.estimate != Estimate::kMean || std::isnan(profile.real(row.metric)))
      continue;
    std::vector<double> values;
    values.reserve(ofParts.size());
    for (const KernelProfile &ofPart : ofParts)
      values.push_back(ofPart.real(row.metric));
    const double error = standardErrorOfMean(values, share);
    if (error == 0 && !knowsSteps && followsAddresses(row))
      profile.setStandardError(row.metric, hiddenError(profile.real(row.metric), share));
    else if (!std::isnan(error))
      profile.setStandardError(row.metric, error);
  }
}

bool SampledAnalyses::knowsInstructions(const LaunchSize &launch) const {
  return !launch.instructions.empty() &&
         std::ranges::all_of(groups_,
                             [this](const GroupSums &group) { return sizeOf(group, true) > 0; });
}

std::pair<std::vector<StratumReuse>, LaunchLines>
SampledAnalyses::reuseOf(const std::vector<SampledShare> &shares,
                         std::vector<MemoryRange> memory) const {
  std::ranges::sort(memory, {}, &MemoryRange::address);
  LaunchLines launch{sample_->groups(), sample_->groupsOfRow(), sample_->groupsOfPlane()};
  for (const MemoryRange &range : memory)
    launch.limits.push_back(clusters_.linesOf(range));
  launch.seen = clusters_.seen(memory);
  std::vector<StratumReuse> reuse = reuse_;
  for (size_t i = 0; i < reuse.size(); ++i) {
    reuse[i].share = shares[i];
    reuse[i].lines = clusters_.lines(i, memory);
  }
  return {std::move(reuse), std::move(launch)};
}

LineSharing SampledAnalyses::lineSharing(const LaunchSize &launch,
                                         const std::vector<MemoryRange> &memory) const {
  constexpr double kPart = 0.05;
  const std::vector<SampledShare> shares = sharesOf(launch, knowsInstructions(launch));
  if (std::ranges::any_of(shares, [](const SampledShare &share) { return share.items == 0; }))
    return LineSharing::kKnown; // nothing will be estimated
  const auto [reuse, lines] = reuseOf(shares, memory);
  if (shareOfFarLines(reuse, lines) > kPart)
    return LineSharing::kFar;
  const bool isUncertain = std::ranges::any_of(reuse, [](const StratumReuse &stratum) {
    return stratum.share.groups < stratum.share.totalGroups &&
           stratum.lines.error > kPart * stratum.lines.accessed;
  });
  return isUncertain ? LineSharing::kUncertain : LineSharing::kKnown;
}

void SampledAnalyses::estimate(KernelProfile &profile, const LaunchSize &launch,
                               const std::vector<MemoryRange> &memory) const {
  const bool byInstructions = knowsInstructions(launch);
  const std::vector<SampledShare> shares = sharesOf(launch, byInstructions);
  if (std::ranges::any_of(shares, [](const SampledShare &share) { return share.items == 0; }))
    return;
  const LaunchCounts counts = setTotals(profile, shares, launch, byInstructions);
  uint64_t unit = 1;
  if (strata_.size() > 1) {
    // As small a unit as lets everything that is counted fit in 64 bits: at most 1024 for each
    // instruction.
    uint64_t most = 1;
    for (const auto &[metric, total] : counts.totals)
      most = std::max(most, total);
    unit = std::clamp<uint64_t>((uint64_t{1} << 54) / most, 1, uint64_t{1} << 32);
    weigh(profile, shares, unit);
  }
  Parts sizes;
  for (const Stratum &stratum : strata_)
    sizes.emplace_back(stratum.parts.size());
  for (const GroupSums &group : groups_) {
    std::vector<uint64_t> &of = sizes[group.place.stratum];
    of[group.place.rankInStratum % of.size()] += sizeOf(group, byInstructions);
  }
  setErrorsOfMeans(profile, shares, sizes, unit, launch.knowsSteps);
  scaleToLaunch(profile, counts);

  for (const auto &[metric, sharing] :
       {std::pair("atomic_contention_max"_metric, &atomics_),
        std::pair("atomic_line_contention_max"_metric, &atomicLines_)})
    if (!std::holds_alternative<std::monostate>(profile[metric]))
      profile.setCount(metric, std::max(profile.count(metric), sharing->most(shares)));
  auto [reuse, lines] = reuseOf(shares, memory);
  scaleReuse(profile, std::move(reuse), lines);
}

} // namespace aiwc::metrics
