#include "metrics/shared/analysis.h"
#include "metrics/shared/tally.h"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace aiwc::metrics {
namespace {

class Parallelism final : public Analysis {
public:
  explicit Parallelism(const trace::Program &program) {
    work_.reserve(program.blocks.size());
    for (const trace::Block &block : program.blocks)
      work_.push_back(workOf(program.operationsOf(block)));
  }

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    ++groups_;
    items_.assign(group.items, Item{});
  }

  void consume(const MarkedChunk &chunk) override {
    Work executed;
    for (const trace::Run &run : chunk.runs) {
      if (run.item == trace::Run::kWorkGroup)
        continue;
      Item &item = items_[run.item];
      if (!run.repeats)
        executed = workOf(chunk, run);
      item.began = true;
      item.executed += executed;
      item.sinceBarrier += executed;
      if (run.end == trace::RunEnd::kBarrier) {
        ++barriers_;
        // The barrier call itself is not counted.
        instructionsToBarrier_.add(item.sinceBarrier.instructions - 1);
        machineToBarrier_.add(item.sinceBarrier.machineInstructions - 1);
        item.sinceBarrier = {};
      }
    }
  }

  void endGroup() override {
    uint64_t instructions = 0;
    for (const Item &item : items_) {
      if (!item.began)
        continue;
      instructionsToBarrier_.add(item.sinceBarrier.instructions);
      machineToBarrier_.add(item.sinceBarrier.machineInstructions);
      instructionsPerThread_.add(item.executed.instructions);
      machineMin_ = std::min(machineMin_, item.executed.machineInstructions);
      machineMax_ = std::max(machineMax_, item.executed.machineInstructions);
      instructions += item.executed.instructions;
      fpOpsMax_ = std::max(fpOpsMax_, item.executed.fpOps);
    }
    groupInstructionsMax_ = std::max(groupInstructionsMax_, instructions);
  }

  void add(const Analysis &other, uint64_t times) override {
    const auto &from = static_cast<const Parallelism &>(other);
    groups_ += times * from.groups_;
    barriers_ += times * from.barriers_;
    fpOpsMax_ = std::max(fpOpsMax_, from.fpOpsMax_);
    groupInstructionsMax_ = std::max(groupInstructionsMax_, from.groupInstructionsMax_);
    machineMin_ = std::min(machineMin_, from.machineMin_);
    machineMax_ = std::max(machineMax_, from.machineMax_);
    instructionsToBarrier_.merge(from.instructionsToBarrier_, times);
    machineToBarrier_.merge(from.machineToBarrier_, times);
    instructionsPerThread_.merge(from.instructionsPerThread_, times);
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
      profile.setCount("fp_ops_max_item"_metric, fpOpsMax_);
      profile.setCount("work_group_instructions_max"_metric, groupInstructionsMax_);
      profile.setCount("itb_min"_metric, toBarrier.front().first);
      profile.setReal("itb_median"_metric, median(toBarrier));
      profile.setCount("itb_max"_metric, toBarrier.back().first);
      profile.setCount("ipt_min"_metric, perThread.front().first);
      profile.setReal("ipt_median"_metric, median(perThread));
      profile.setCount("ipt_max"_metric, perThread.back().first);
      profile.setReal("machine_itb_median"_metric, median(machineToBarrier_.histogram()));
      profile.setCount("machine_ipt_min"_metric, machineMin_);
      profile.setCount("machine_ipt_max"_metric, machineMax_);
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
  struct Work {
    uint64_t instructions = 0;
    uint64_t machineInstructions = 0;
    uint64_t fpOps = 0;

    Work &operator+=(const Work &more) {
      instructions += more.instructions;
      machineInstructions += more.machineInstructions;
      fpOps += more.fpOps;
      return *this;
    }
  };

  struct Item {
    Work executed;
    Work sinceBarrier;
    bool began = false;
  };

  static Work workOf(std::span<const trace::Operation> operations) {
    Work work{.instructions = operations.size()};
    for (const trace::Operation &operation : operations) {
      work.machineInstructions += operation.isPseudo ? 0 : 1;
      work.fpOps += operation.fpOps();
    }
    return work;
  }

  Work workOf(const trace::Chunk &chunk, const trace::Run &run) const {
    Work executed;
    if (run.partialBlock != trace::BlockId::kNone) {
      const trace::Program &program = chunk.program;
      executed =
          workOf(program.operationsOf(program.block(run.partialBlock)).first(run.partialOps));
    }
    for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e)
      executed += work_[index(chunk.events[e].block)];
    return executed;
  }

  std::vector<Work> work_;  ///< per block
  std::vector<Item> items_; ///< of the current group
  uint64_t groups_ = 0;
  uint64_t barriers_ = 0;
  uint64_t fpOpsMax_ = 0;             ///< most of any work-item
  uint64_t groupInstructionsMax_ = 0; ///< most of any work-group
  uint64_t machineMin_ = std::numeric_limits<uint64_t>::max();
  uint64_t machineMax_ = 0; ///< of machine instructions, as machineMin_, of any work-item
  Tally machineToBarrier_;
  Tally instructionsToBarrier_;
  Tally instructionsPerThread_;
};

} // namespace

std::unique_ptr<Analysis> parallelism::make(const trace::Program &program, const Settings &) {
  return std::make_unique<Parallelism>(program);
}

} // namespace aiwc::metrics
