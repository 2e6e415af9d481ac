#include "metrics/shared/analysis.h"
#include "metrics/shared/tally.h"

namespace aiwc::metrics {
namespace {

class Parallelism final : public Analysis {
public:
  explicit Parallelism(const trace::Program &program) {
    lengths_.reserve(program.blocks.size());
    for (const trace::Block &block : program.blocks)
      lengths_.push_back(block.opCount);
  }

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    ++groups_;
    items_.assign(group.items, Item{});
  }

  void consume(const trace::Chunk &chunk) override {
    uint64_t executed = 0;
    for (const trace::Run &run : chunk.runs) {
      if (run.item == trace::Run::kWorkGroup)
        continue;
      Item &item = items_[run.item];
      if (!run.repeats)
        executed = lengthOf(chunk, run);
      item.began = true;
      item.instructions += executed;
      item.sinceBarrier += executed;
      if (run.end == trace::RunEnd::kBarrier) {
        ++barriers_;
        instructionsToBarrier_.add(item.sinceBarrier - 1); // the barrier call is in no segment
        item.sinceBarrier = 0;
      }
    }
  }

  void endGroup() override {
    for (const Item &item : items_) {
      if (!item.began)
        continue;
      instructionsToBarrier_.add(item.sinceBarrier);
      instructionsPerThread_.add(item.instructions);
    }
  }

  void merge(Analysis &other) override {
    const auto &from = static_cast<Parallelism &>(other);
    groups_ += from.groups_;
    barriers_ += from.barriers_;
    instructionsToBarrier_.merge(from.instructionsToBarrier_);
    instructionsPerThread_.merge(from.instructionsPerThread_);
  }

  void finish(profile::KernelProfile &profile) const override {
    const profile::Histogram perThread = instructionsPerThread_.histogram();
    const profile::Histogram toBarrier = instructionsToBarrier_.histogram();
    const uint64_t items = population(perThread);
    const profile::Size3 &local = profile.provenance.localSize;
    profile.setCount("work_items"_metric, items);
    profile.setCount("work_groups"_metric, groups_);
    profile.setCount("work_group_size"_metric, local[0] * local[1] * local[2]);
    sums(profile);
    profile.setRatio("granularity"_metric, 1, static_cast<double>(items));
    if (items > 0) {
      profile.setCount("itb_min"_metric, toBarrier.front().first);
      profile.setReal("itb_median"_metric, median(toBarrier));
      profile.setCount("itb_max"_metric, toBarrier.back().first);
      profile.setCount("ipt_min"_metric, perThread.front().first);
      profile.setReal("ipt_median"_metric, median(perThread));
      profile.setCount("ipt_max"_metric, perThread.back().first);
      profile.setCount("load_imbalance"_metric, perThread.back().first - perThread.front().first);
    }
    uint64_t instructions = 0;
    for (const auto &[length, count] : perThread)
      instructions += length * count;
    profile.setRatio("barriers_per_instruction"_metric, static_cast<double>(barriers_ + items),
                     static_cast<double>(instructions));
    profile.histograms.instructionsToBarrier = toBarrier;
    profile.histograms.instructionsPerThread = perThread;
  }

  void sums(profile::KernelProfile &profile) const override {
    profile.setCount("barriers_hit"_metric, barriers_);
  }

private:
  struct Item {
    uint64_t instructions = 0;
    uint64_t sinceBarrier = 0;
    bool began = false;
  };

  uint64_t lengthOf(const trace::Chunk &chunk, const trace::Run &run) const {
    uint64_t executed = run.partialOps;
    for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e)
      executed += lengths_[index(chunk.events[e].block)];
    return executed;
  }

  std::vector<uint32_t> lengths_; ///< instructions per block
  std::vector<Item> items_;       ///< of the current group
  uint64_t groups_ = 0;
  uint64_t barriers_ = 0;
  Tally instructionsToBarrier_;
  Tally instructionsPerThread_;
};

} // namespace

std::unique_ptr<Analysis> parallelism::make(const trace::Program &program, const Settings &) {
  return std::make_unique<Parallelism>(program);
}

} // namespace aiwc::metrics
