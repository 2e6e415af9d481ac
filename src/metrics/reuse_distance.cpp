#include "metrics/families.h"
#include "metrics/lru_stack.h"
#include "metrics/reuse_bins.h"
#include "metrics/reuse_order.h"
#include "metrics/reuse_sample.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

namespace aiwc::metrics {
namespace {

using trace::AddressSpace;

/// Follows the stack of lines across work-groups. A group that continues where the one before
/// it ended continues its stack; any other begins a new run, and what was there before goes to the
/// order of all groups, which other threads' instances may share.
class ReuseDistance final : public Analysis {
public:
  ReuseDistance(const AnalysisOptions &options, std::shared_ptr<ReuseOrder> order)
      : lineBytes_(options.lineBytes),
        lineShift_(static_cast<unsigned>(std::countr_zero(options.lineBytes))),
        sample_(options.reuseSampleRate), order_(std::move(order)) {}

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    if (running_ && group.linearId != last_ + 1)
      endRun();
    if (!running_)
      first_ = group.linearId;
    last_ = group.linearId;
    running_ = true;
  }

  void consume(const trace::Chunk &chunk) override {
    if (sample_.everything())
      follow<false>(chunk);
    else
      follow<true>(chunk);
  }

  void endGroup() override {}

  void merge(Analysis &other) override {
    auto &from = static_cast<ReuseDistance &>(other);
    distances_.merge(from.distances_);
    sample_.merge(from.sample_);
    accesses_ += from.accesses_;
    endRun();
    from.endRun();
    if (order_ != from.order_)
      order_->merge(*from.order_);
  }

  void finish(profile::KernelProfile &profile) const override {
    ReuseBins distances = distances_;
    uint64_t cold = stack_.lines().size();
    if (!order_->empty()) {
      if (running_)
        order_->add(currentRun());
      cold = order_->finish(distances);
    } // else all groups are in the current run
    profile.reuse.lineBytes = lineBytes_;
    profile.reuse.sampleRate = sample_.rate();
    profile.reuse.errorBound = sample_.errorBound(accesses_);
    const ReuseCounts counts = sample_.scaled({distances.histogram(), cold}, accesses_);
    profile.reuse.coldAccesses = counts.cold;
    profile.histograms.reuseDistances = counts.distances;
  }

private:
  template <bool Sampled> void follow(const trace::Chunk &chunk) {
    for (const trace::Access &access : chunk.accesses) {
      const AddressSpace space = access.addressSpace();
      if ((space != AddressSpace::kGlobal && space != AddressSpace::kConstant) || access.size == 0)
        continue;
      const uint64_t end = std::max(access.address, access.address + (access.size - 1));
      const uint64_t lastLine = lineOf(access.space, end);
      for (uint64_t line = lineOf(access.space, access.address); line <= lastLine; ++line) {
        ++accesses_;
        if constexpr (Sampled) {
          if (!sample_.takes(line))
            continue;
          sample_.count(line);
        }
        if (const uint64_t distance = stack_.access(line); distance != LruStack::kCold)
          distances_.add(sample_.scaledDistance(distance));
      }
    }
  }

  /// Lines are those of an address space. Line numbers have at most 59 bits, so it fits above.
  uint64_t lineOf(uint32_t space, uint64_t address) const {
    return uint64_t{space} << 60 | address >> lineShift_;
  }

  GroupRun currentRun() const { return {first_, last_, stack_.lines(), stack_.order()}; }

  void endRun() {
    if (!running_)
      return;
    order_->add(currentRun());
    stack_.clear();
    running_ = false;
  }

  const uint32_t lineBytes_;
  const unsigned lineShift_;
  ReuseSample sample_;
  uint64_t accesses_ = 0; ///< of lines, followed or not
  ReuseBins distances_;   ///< within runs
  bool running_ = false;
  uint64_t first_ = 0, last_ = 0; ///< groups of the current run
  LruStack stack_;                ///< of the current run
  std::shared_ptr<ReuseOrder> order_;
};

} // namespace

std::unique_ptr<Analysis> makeReuseDistance(const AnalysisOptions &options,
                                            std::shared_ptr<ReuseOrder> order) {
  if (!order)
    order = std::make_shared<ReuseOrder>(options.reuseSampleRate);
  return std::make_unique<ReuseDistance>(options, std::move(order));
}

} // namespace aiwc::metrics
