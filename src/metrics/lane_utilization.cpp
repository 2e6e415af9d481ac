#include "metrics/families.h"

#include <algorithm>
#include <array>

namespace aiwc::metrics {
namespace {

using profile::Metric;

constexpr uint32_t kNarrowest = 8; ///< lanes; wider lane groups are 2, 4 and 8 of these
constexpr uint32_t kWidths = 4;    ///< 8, 16, 32, 64

/// What the efficiencies are about. 64 lanes' worth of 2^58 instructions fit.
struct Work {
  uint64_t instructions = 0;
  uint64_t fp = 0;

  void add(const Work &work, uint64_t times = 1) {
    instructions += work.instructions * times;
    fp += work.fp * times;
  }
};

/// The work of the first `count` operations of a block.
Work workOf(const trace::Program &program, const trace::Block &block, uint32_t count) {
  Work work{count, 0};
  for (const trace::Operation &operation : program.operationsOf(block).first(count))
    work.fp += uint64_t{operation.fpAdd} + operation.fpMul + operation.fpDiv + operation.fpSpecial;
  return work;
}

/// A lane group's time in a block is that of its busiest lane, so all that has to be known of a
/// work-group is how often each work-item executed each block. Memory: 8 bytes per block and
/// work-item of a group. Cost: an increment per block executed, and at the end of the group a
/// comparison per work-item and block that the group executed at all.
class LaneUtilization final : public Analysis {
public:
  explicit LaneUtilization(const trace::Program &program)
      : program_(program), isTouched_(program.blocks.size()) {
    for (const trace::Block &block : program.blocks)
      work_.push_back(workOf(program, block, block.opCount));
  }

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    items_ = group.items;
    if (executions_.size() < items_ * work_.size())
      executions_.resize(items_ * work_.size()); // the rest is 0: endGroup leaves nothing behind
  }

  void consume(const trace::Chunk &chunk) override {
    for (const trace::Run &run : chunk.runs) {
      if (run.item == trace::Run::kWorkGroup)
        continue;
      uint64_t *const row = executions_.data() + run.item * work_.size();
      for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
        const uint32_t block = index(chunk.events[e].block);
        if (row[block]++ == 0)
          touch(block);
      }
      if (run.partialBlock != trace::BlockId::kNone) {
        const uint32_t block = index(run.partialBlock);
        touch(block);
        partial_ = {run.item, block, 0, workOf(program_, program_.blocks[block], run.partialOps)};
        used_.add(partial_.work);
      }
    }
  }

  void endGroup() override {
    if (partial_.item < items_)
      partial_.executions = executions_[partial_.item * work_.size() + partial_.block];
    for (const uint32_t block : touched_) {
      addBlock(block);
      isTouched_[block] = false;
    }
    touched_.clear();
    partial_ = {};
  }

  void merge(Analysis &other) override {
    const auto &from = static_cast<LaneUtilization &>(other);
    used_.add(from.used_);
    for (uint32_t width = 0; width < kWidths; ++width)
      offered_[width].add(from.offered_[width]);
  }

  void finish(profile::KernelProfile &profile) const override {
    const auto set = [&profile](Metric first, uint32_t width, uint64_t used, uint64_t offered) {
      profile.setRatio(static_cast<Metric>(static_cast<uint32_t>(first) + width),
                       static_cast<double>(used), static_cast<double>(offered));
    };
    for (uint32_t width = 0; width < kWidths; ++width) {
      set(Metric::kLaneUtilization8, width, used_.instructions, offered_[width].instructions);
      set(Metric::kLaneUtilizationFp8, width, used_.fp, offered_[width].fp);
    }
  }

private:
  /// A block that a work-item began and did not end, because the group was given up.
  struct Partial {
    uint32_t item = trace::Run::kWorkGroup;
    uint32_t block = 0;
    uint64_t executions = 0; ///< to the end, before
    Work work;               ///< of what was executed of it at last
  };

  static uint32_t lanesOf(uint32_t width) { return kNarrowest << width; }

  void touch(uint32_t block) {
    if (isTouched_[block])
      return;
    isTouched_[block] = true;
    touched_.push_back(block);
  }

  /// Counts what the group did in a block, and sets its counts back.
  void addBlock(uint32_t block) {
    std::array<uint64_t, kWidths> most{}; // executions by a lane of the current lane groups
    std::array<uint64_t, kWidths> offered{};
    uint64_t used = 0;
    for (uint32_t first = 0, end = 0; first < items_; first = end) {
      end = std::min(first + kNarrowest, items_);
      uint64_t mostOfThese = 0;
      for (uint32_t item = first; item < end; ++item) {
        uint64_t &executions = executions_[item * work_.size() + block];
        used += executions;
        mostOfThese = std::max(mostOfThese, executions);
        executions = 0;
      }
      for (uint32_t width = 0; width < kWidths; ++width) {
        most[width] = std::max(most[width], mostOfThese);
        if (end != items_ && end % lanesOf(width) != 0)
          continue;
        offered[width] += most[width] * lanesOf(width);
        addPartial(block, width, first, most[width]);
        most[width] = 0;
      }
    }
    used_.add(work_[block], used);
    for (uint32_t width = 0; width < kWidths; ++width)
      offered_[width].add(work_[block], offered[width]);
  }

  /// Of the lanes of a lane group that executed the block most often, one that was in it did a bit
  /// more. `item` is one of the lane group's.
  void addPartial(uint32_t block, uint32_t width, uint32_t item, uint64_t most) {
    const uint32_t lanes = lanesOf(width);
    if (block == partial_.block && partial_.item / lanes == item / lanes &&
        partial_.executions == most)
      offered_[width].add(partial_.work, lanes);
  }

  const trace::Program &program_;
  std::vector<Work> work_; ///< per block
  uint32_t items_ = 0;     ///< of the current group
  /// Of the current group: by work-item, then block. A work-item's counts are neighbours, since
  /// work-items execute one after another.
  std::vector<uint64_t> executions_;
  std::vector<uint32_t> touched_; ///< blocks that the group executed
  std::vector<bool> isTouched_;
  Partial partial_;
  Work used_;
  std::array<Work, kWidths> offered_; ///< lanes times what the busiest of them did
};

} // namespace

std::unique_ptr<Analysis> makeLaneUtilization(const trace::Program &program) {
  return std::make_unique<LaneUtilization>(program);
}

} // namespace aiwc::metrics
