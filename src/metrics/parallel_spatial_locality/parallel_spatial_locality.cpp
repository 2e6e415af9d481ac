#include "metrics/parallel_spatial_locality/access_columns.h"
#include "metrics/parallel_spatial_locality/address_runs.h"
#include "metrics/shared/analysis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace aiwc::metrics {
namespace {

using profile::Metric;

constexpr uint32_t kLevels = kRunLevels;

/// What is needed while a group runs.
struct Interval {
  AccessColumns columns;        ///< of the current barrier interval
  std::vector<uint64_t> column; ///< addresses of the current column
  KnownRuns known;
};

/// If n addresses form groups of c, c', ... equal addresses, their entropy is log2 n − (Σ c log2 c)
/// / n. So the mean over k, weighted by n, can be computed from how often each n and each c occurs.
/// These are integers, so the order of summation does not matter. Memory: at most 9 bytes per
/// work-item of a group and selected access (LockstepSampling).
class ParallelSpatialLocality final : public Analysis {
public:
  explicit ParallelSpatialLocality(std::shared_ptr<Interval> interval)
      : interval_(std::move(interval)) {}

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    items_ = group.items;
    if (columnsOf_.size() <= items_) {
      columnsOf_.resize(items_ + 1);
      for (std::vector<uint64_t> &runs : runs_)
        runs.resize(items_ + 1);
    }
    interval_->columns.begin(items_);
  }

  void consume(const MarkedChunk &chunk) override {
    for (const LaneBlock &block : chunk.blocks)
      if (block.firstItem() != trace::Run::kWorkGroup)
        interval_->columns.add(chunk, block);
    if (chunk.end != trace::ChunkEnd::kFull)
      closeInterval();
  }

  void endGroup() override {}

  void add(const Analysis &other, uint64_t times) override {
    const auto &from = static_cast<const ParallelSpatialLocality &>(other);
    const auto add = [times](std::vector<uint64_t> &mine, const std::vector<uint64_t> &more) {
      mine.resize(std::max(mine.size(), more.size()));
      for (size_t i = 0; i < more.size(); ++i)
        mine[i] += times * more[i];
    };
    add(columnsOf_, from.columnsOf_);
    for (uint32_t level = 0; level < kLevels; ++level)
      add(runs_[level], from.runs_[level]);
    made_ += times * from.made_;
    measured_ += times * from.measured_;
  }

  void finish(profile::KernelProfile &profile) const override {
    const profile::Size3 &local = profile.provenance.localSize;
    const auto groupSize = static_cast<long double>(local[0] * local[1] * local[2]);
    long double participants = 0;
    for (size_t n = 0; n < columnsOf_.size(); ++n)
      participants += static_cast<long double>(n) * static_cast<long double>(columnsOf_[n]);
    for (uint32_t level = 0; level < kLevels; ++level) {
      const Metric metric = kVectorMetric<"parallel_spatial_locality">.of(level);
      if (participants == 0)
        profile.setNone(metric);
      else if (groupSize <= 1)
        profile.setReal(metric, 0);
      else
        profile.setReal(
            metric, static_cast<double>(entropySum(level) / participants / std::log2(groupSize)));
    }
    profile.setRatio("parallel_spatial_locality_measured"_metric, static_cast<double>(measured_),
                     static_cast<double>(made_));
  }

private:
  void closeInterval() {
    for (const LockstepCounter &made : interval_->columns.made()) {
      made_ += made.counted();
      measured_ += made.slots();
    }
    for (uint32_t slot = 0; slot < interval_->columns.columns(); ++slot)
      addColumn(slot, LockstepSampling::weightOf(slot));
    interval_->columns.begin(items_);
  }

  auto countRuns(uint64_t weight) {
    return [this, weight](uint32_t level, uint32_t length, uint32_t count) {
      runs_[level][length] += count * weight;
    };
  }

  void addColumn(uint32_t slot, uint64_t weight) {
    if (const auto spaced = interval_->columns.spaced(slot)) {
      columnsOf_[items_] += weight;
      interval_->known.visitSpaced(spaced->first, spaced->stride, items_, countRuns(weight));
      return;
    }
    const bool spacesDiffer = interval_->columns.read(slot, interval_->column);
    columnsOf_[interval_->column.size()] += weight;
    if (!spacesDiffer) {
      addRuns(interval_->column, weight);
      return;
    }
    for (uint32_t space = 0; space < 4; ++space) {
      interval_->column.clear();
      interval_->columns.read(slot, space, interval_->column);
      addRuns(interval_->column, weight);
    }
  }

  void addRuns(std::span<uint64_t> addresses, uint64_t weight) {
    if (addresses.size() < 2)
      return;
    interval_->known.visit(addresses, countRuns(weight));
  }

  /// The sum over all columns of participants times entropy, in bits. It is exactly 0 if all
  /// addresses are equal.
  long double entropySum(uint32_t level) const {
    long double sum = 0;
    for (size_t n = 2; n < columnsOf_.size(); ++n) {
      const auto difference = static_cast<int64_t>(columnsOf_[n] - runs_[level][n]);
      if (difference == 0) // most; a logarithm takes long
        continue;
      const auto size = static_cast<long double>(n);
      sum += static_cast<long double>(difference) * size * std::log2(size);
    }
    return sum;
  }

  uint32_t items_ = 0; ///< of the current group
  std::shared_ptr<Interval> interval_;
  std::vector<uint64_t> columnsOf_;                 ///< columns, by number of participants
  std::array<std::vector<uint64_t>, kLevels> runs_; ///< runs, by number of addresses
  uint64_t made_ = 0, measured_ = 0;                ///< accesses
};

} // namespace

std::unique_ptr<Analysis> parallel_spatial_locality::make(const trace::Program &,
                                                          const Settings &settings) {
  return std::make_unique<ParallelSpatialLocality>(settings.memory.get<Interval>());
}

} // namespace aiwc::metrics
