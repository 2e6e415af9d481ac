#include "catalogue/lane_utilization.h"

#include "metrics/shared/analysis.h"

#include <algorithm>
#include <array>
#include <utility>

namespace aiwc::metrics {
namespace {

constexpr uint32_t kNarrowest = 8; ///< lanes; the others are 2, 4 and 8 times as wide
constexpr uint32_t kWidths = 4;    ///< 8, 16, 32, 64

/// The number of executions by work-items, and for each width the number of lane slots: lanes times
/// the executions by the busiest lane of the lane group. No overflow below 2^58 executions.
struct Slots {
  uint64_t used = 0;
  std::array<uint64_t, kWidths> offered{};

  Slots &operator+=(const Slots &other) {
    used += other.used;
    for (uint32_t width = 0; width < kWidths; ++width)
      offered[width] += other.offered[width];
    return *this;
  }
};

/// The time of a lane group in a block is that of its busiest lane, so it is enough to count how
/// often each work-item executed each block. Memory: 8 bytes per block and work-item of a group.
/// Cost: an increment per executed block in runs that repeat none, and at the end of each group a
/// comparison per work-item and executed block. The instructions of the blocks and their source
/// lines are processed once, in `finish`.
class LaneUtilization final : public Analysis {
public:
  explicit LaneUtilization(const trace::Program &program)
      : program_(program), timesInRun_(program.blocks.size()), isTouched_(program.blocks.size()),
        blocks_(program.blocks.size()), partialOps_(program.operations.size()) {}

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    items_ = group.items;
    if (executions_.size() < items_ * blocks_.size())
      executions_.resize(items_ *
                         blocks_.size()); // old elements are 0, because endGroup clears them
  }

  void consume(const MarkedChunk &chunk) override {
    for (const trace::Run &run : chunk.runs) {
      if (run.item == trace::Run::kWorkGroup)
        continue;
      if (!run.repeats)
        countBlocks(chunk, run);
      uint64_t *const row = executions_.data() + run.item * blocks_.size();
      for (const Executed &executed : ofRun_)
        row[executed.block] += executed.times;
      if (run.partialBlock != trace::BlockId::kNone) {
        const uint32_t block = index(run.partialBlock);
        touch(block);
        partial_ = {run.item, block, 0, run.partialOps};
        for (uint32_t op = 0; op < run.partialOps; ++op)
          ++partialOp(op).used;
      }
    }
  }

  void endGroup() override {
    if (partial_.item < items_)
      partial_.executions = executions_[partial_.item * blocks_.size() + partial_.block];
    for (const uint32_t block : touched_) {
      addBlock(block);
      isTouched_[block] = false;
    }
    touched_.clear();
    partial_ = {};
  }

  void add(const Analysis &other, uint64_t times) override {
    const auto &from = static_cast<const LaneUtilization &>(other);
    for (size_t block = 0; block < blocks_.size(); ++block)
      blocks_[block] += LaneUtilization::times(from.blocks_[block], times);
    for (size_t op = 0; op < partialOps_.size(); ++op)
      partialOps_[op] += LaneUtilization::times(from.partialOps_[op], times);
  }

  void finish(profile::KernelProfile &profile) const override {
    Slots instructions;
    Slots fp;
    for (size_t b = 0; b < program_.blocks.size(); ++b) {
      const trace::Block &block = program_.blocks[b];
      for (uint32_t op = index(block.firstOp); op < index(block.firstOp) + block.opCount; ++op) {
        Slots slots = blocks_[b];
        slots += partialOps_[op];
        if (slots.used == 0)
          continue;
        const trace::Operation &operation = program_.operations[op];
        instructions += slots;
        fp += times(slots, operation.fpOps());
        addIdle(slots, profile.histograms.lineRow(operation.line));
      }
    }
    const auto set = [&profile](profile::MetricVector metrics, uint32_t width, const Slots &slots) {
      profile.setRatio(metrics[width], static_cast<double>(slots.used),
                       static_cast<double>(slots.offered[width]));
    };
    for (uint32_t width = 0; width < kWidths; ++width) {
      set(kVectorMetric<"lane_utilization">, width, instructions);
      set(kVectorMetric<"lane_utilization_fp">, width, fp);
    }
  }

private:
  /// A block that a work-item did not complete, because the group was abandoned.
  struct Partial {
    uint32_t item = trace::Run::kWorkGroup;
    uint32_t block = 0;
    uint64_t executions = 0; ///< its complete executions before
    uint32_t operations = 0; ///< number of operations in the incomplete execution
  };

  /// A block that a work-item executed in a run, and how often.
  struct Executed {
    uint32_t block = 0;
    uint32_t times = 0;
  };

  void countBlocks(const trace::Chunk &chunk, const trace::Run &run) {
    ofRun_.clear();
    for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
      const uint32_t block = index(chunk.events[e].block);
      if (timesInRun_[block]++ == 0) {
        touch(block);
        ofRun_.push_back({block, 0});
      }
    }
    for (Executed &executed : ofRun_)
      executed.times = std::exchange(timesInRun_[executed.block], 0);
  }

  static Slots times(Slots slots, uint64_t factor) {
    slots.used *= factor;
    for (uint64_t &offered : slots.offered)
      offered *= factor;
    return slots;
  }

  static void addIdle(const Slots &slots, profile::LineRow &row) {
    row.idleLanes8 += slots.offered[0] - slots.used;
    row.idleLanes16 += slots.offered[1] - slots.used;
    row.idleLanes32 += slots.offered[2] - slots.used;
    row.idleLanes64 += slots.offered[3] - slots.used;
  }

  /// The slots of an operation of the incomplete block.
  Slots &partialOp(uint32_t offset) {
    return partialOps_[index(program_.blocks[partial_.block].firstOp) + offset];
  }

  static uint32_t lanesOf(uint32_t width) { return kNarrowest << width; }

  void touch(uint32_t block) {
    if (isTouched_[block])
      return;
    isTouched_[block] = true;
    touched_.push_back(block);
  }

  /// Adds the group's executions of a block to the slots, and sets the counts to 0.
  void addBlock(uint32_t block) {
    std::array<uint64_t, kWidths>
        most{}; // executions by the busiest lane of the current lane groups
    Slots slots;
    for (uint32_t first = 0, end = 0; first < items_; first = end) {
      end = std::min(first + kNarrowest, items_);
      uint64_t mostOfThese = 0;
      for (uint32_t item = first; item < end; ++item) {
        uint64_t &executions = executions_[item * blocks_.size() + block];
        slots.used += executions;
        mostOfThese = std::max(mostOfThese, executions);
        executions = 0;
      }
      for (uint32_t width = 0; width < kWidths; ++width) {
        most[width] = std::max(most[width], mostOfThese);
        if (end != items_ && end % lanesOf(width) != 0)
          continue;
        slots.offered[width] += most[width] * lanesOf(width);
        addPartial(block, width, first, most[width]);
        most[width] = 0;
      }
    }
    blocks_[block] += slots;
  }

  /// Adds the incomplete execution to the slots, if its lane is among the busiest of the lane
  /// group: then it makes the lane group's time longer. `item` is any work-item of the lane group.
  void addPartial(uint32_t block, uint32_t width, uint32_t item, uint64_t most) {
    const uint32_t lanes = lanesOf(width);
    if (block == partial_.block && partial_.item / lanes == item / lanes &&
        partial_.executions == most)
      for (uint32_t op = 0; op < partial_.operations; ++op)
        partialOp(op).offered[width] += lanes;
  }

  const trace::Program &program_;
  uint32_t items_ = 0; ///< of the current group
  /// Counts of the current group, by work-item, then block. The counts of a work-item are adjacent,
  /// since work-items execute one after another.
  std::vector<uint64_t> executions_;
  std::vector<Executed> ofRun_;      ///< blocks of the last run that repeats none
  std::vector<uint32_t> timesInRun_; ///< per block; all 0 between runs
  std::vector<uint32_t> touched_;    ///< blocks that the group executed
  std::vector<bool> isTouched_;
  Partial partial_;
  std::vector<Slots> blocks_; ///< per block: complete executions
  /// Per operation: executions in incomplete blocks, and the additional slots for them.
  std::vector<Slots> partialOps_;
};

} // namespace

std::unique_ptr<Analysis> lane_utilization::make(const trace::Program &program, const Settings &) {
  return std::make_unique<LaneUtilization>(program);
}

} // namespace aiwc::metrics
