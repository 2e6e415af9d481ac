#include "metrics/sampled_groups/sampled_analyses.h"

#include "metrics/sampled_groups/launch_estimate.h"
#include "profile/sampling.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
#include <string_view>

namespace aiwc::metrics {

using profile::Estimate;
using profile::Metric;

namespace {

/// The families whose metrics are means. The metrics of the others are sums, bounds or values of
/// the sample.
constexpr std::array<std::string_view, 7> kInParts = {
    "instruction_mix",  "parallelism", "freedom_to_reorder",       "branch_entropy",
    "lane_utilization", "coalescing",  "parallel_spatial_locality"};

/// `options` restricted to the families that are analysed in parts, or to the others.
AnalysisOptions restricted(const AnalysisOptions &options, bool inParts) {
  AnalysisOptions result = options;
  std::vector<std::string> names = options.only ? *options.only : AnalysisSet::families();
  std::erase_if(names, [&](const std::string &name) {
    return (std::ranges::find(kInParts, name) != kInParts.end()) != inParts;
  });
  result.only = std::move(names);
  return result;
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
                                 const std::shared_ptr<ReuseOrder> &order,
                                 std::shared_ptr<const GroupSample> sample,
                                 const ProgramTables *tables)
    : program_(program),
      ownTables_(tables ? nullptr : std::make_unique<const ProgramTables>(program)),
      tables_(tables ? *tables : *ownTables_), wholeOptions_(restricted(options, false)),
      partOptions_(restricted(options, true)), sample_(std::move(sample)),
      whole_(program, wholeOptions_, order, &tables_), sharing_(options.lineBytes),
      parts_(std::min(kParts, sample_->size())) {}

AnalysisSet &SampledAnalyses::part(uint64_t number) {
  if (!parts_[number])
    parts_[number] = std::make_unique<AnalysisSet>(program_, partOptions_, nullptr, &tables_);
  return *parts_[number];
}

/// The sums of the analyses that see the current group.
std::vector<uint64_t> SampledAnalyses::sumsSoFar() {
  whole_.sums(scratch_);
  part(current_).sums(scratch_);
  std::vector<uint64_t> values;
  values.reserve(sums().size());
  for (const Metric metric : sums())
    values.push_back(scratch_.count(metric));
  return values;
}

void SampledAnalyses::beginGroup(const trace::Program &program, const trace::Group &group) {
  const auto rank = sample_->rankOf(group.linearId);
  assert(rank);
  current_ = *rank % parts_.size();
  groups_.push_back({*rank, group.items, sumsSoFar()});
  // Pass ranks instead of linear ids: accesses are ordered as if only the sampled groups existed.
  const trace::Group ranked{*rank, group.items};
  whole_.beginGroup(program, ranked);
  sharing_.beginGroup(*rank);
  part(current_).beginGroup(program, ranked);
}

void SampledAnalyses::consume(const trace::Chunk &chunk) {
  whole_.consume(chunk);
  sharing_.consume(chunk);
  part(current_).consume(chunk);
}

void SampledAnalyses::endGroup() {
  whole_.endGroup();
  part(current_).endGroup();
  std::vector<uint64_t> &values = groups_.back().values;
  const std::vector<uint64_t> now = sumsSoFar();
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = now[i] - values[i];
}

void SampledAnalyses::merge(SampledAnalyses &other) {
  whole_.merge(other.whole_);
  sharing_.merge(other.sharing_);
  for (size_t i = 0; i < parts_.size(); ++i)
    if (!parts_[i])
      parts_[i] = std::move(other.parts_[i]);
    else if (other.parts_[i])
      parts_[i]->merge(*other.parts_[i]);
  std::ranges::move(other.groups_, std::back_inserter(groups_));
}

void SampledAnalyses::finish(profile::KernelProfile &profile) {
  std::ranges::sort(groups_, {}, &GroupSums::rank);
  for (const auto &analyses : parts_)
    if (analyses) {
      profile::KernelProfile ofPart;
      ofPart.provenance = profile.provenance;
      analyses->finish(ofPart);
      ofParts_.push_back(std::move(ofPart));
    }
  AnalysisSet &all = part(0);
  for (size_t i = 1; i < parts_.size(); ++i)
    if (parts_[i])
      all.merge(*parts_[i]);
  all.finish(profile);
  whole_.finish(profile);
}

void SampledAnalyses::estimate(profile::KernelProfile &profile, uint64_t totalItems,
                               const std::vector<MemoryRange> &memory) const {
  SampledShare share;
  share.groups = groups_.size();
  share.totalGroups = sample_->groups();
  share.totalItems = totalItems;
  for (const GroupSums &group : groups_)
    share.items += group.items;
  if (share.items == 0)
    return;
  for (const profile::MetricInfo &row : profile::catalogue()) {
    double error = NAN;
    if (row.estimate == Estimate::kTotal) {
      const auto at = static_cast<size_t>(std::ranges::find(sums(), row.metric) - sums().begin());
      std::vector<GroupCount> counts;
      counts.reserve(groups_.size());
      for (const GroupSums &group : groups_)
        counts.push_back({group.values[at], group.items});
      error = standardErrorOfTotal(counts, share);
    } else if (row.estimate == Estimate::kMean) {
      std::vector<double> values;
      for (const profile::KernelProfile &ofPart : ofParts_)
        values.push_back(ofPart.real(row.metric));
      error = standardErrorOfMean(values, share);
    }
    if (!std::isnan(error) && !std::isnan(profile.real(row.metric)))
      profile.setStandardError(row.metric, error);
  }
  scaleToLaunch(profile, share, sharing_.lines(share, memory));
}

} // namespace aiwc::metrics
