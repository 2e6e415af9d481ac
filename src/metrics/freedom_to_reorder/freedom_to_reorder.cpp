#include "metrics/shared/analysis.h"

namespace aiwc::metrics {
namespace {

/// The gaps between consecutive memory instructions of a work-item add up to the distance between
/// its first and last memory instruction, minus the memory instructions in between. So two
/// positions and two counts per work-item are enough.
class FreedomToReorder final : public Analysis {
public:
  explicit FreedomToReorder(const trace::Program &program) : program_(program) {}

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    items_.assign(group.items, Stretch{});
  }

  void consume(const MarkedChunk &chunk) override {
    Stretch stretch;
    for (const trace::Run &run : chunk.runs) {
      if (run.item == trace::Run::kWorkGroup)
        continue;
      if (!run.repeats)
        stretch = stretchOf(chunk, run);
      Stretch &item = items_[run.item];
      if (stretch.memoryOps > 0)
        item.execute(stretch.first, stretch.last, stretch.memoryOps);
      item.instructions += stretch.instructions;
    }
  }

  void endGroup() override {
    for (const Stretch &item : items_) {
      if (item.memoryOps < 2)
        continue;
      pairs_ += item.memoryOps - 1;
      gaps_ += item.last - item.first - (item.memoryOps - 1);
    }
  }

  void add(const Analysis &other, uint64_t times) override {
    const auto &from = static_cast<const FreedomToReorder &>(other);
    pairs_ += times * from.pairs_;
    gaps_ += times * from.gaps_;
  }

  void finish(profile::KernelProfile &profile) const override {
    profile.setRatio("freedom_to_reorder"_metric, static_cast<double>(gaps_),
                     static_cast<double>(pairs_));
  }

private:
  /// Counts for consecutive instructions of a work-item.
  struct Stretch {
    uint64_t instructions = 0;
    uint64_t memoryOps = 0;
    uint64_t first = 0, last = 0; ///< positions of the first and last memory instruction

    void execute(uint64_t firstOffset, uint64_t lastOffset, uint64_t count) {
      if (memoryOps == 0)
        first = instructions + firstOffset;
      last = instructions + lastOffset;
      memoryOps += count;
    }
  };

  Stretch stretchOf(const trace::Chunk &chunk, const trace::Run &run) const {
    Stretch stretch;
    for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
      const trace::Block &block = program_.block(chunk.events[e].block);
      if (block.memoryOps > 0)
        stretch.execute(block.firstMemoryOp, block.lastMemoryOp, block.memoryOps);
      stretch.instructions += block.opCount;
    }
    if (run.partialBlock != trace::BlockId::kNone)
      executePart(stretch, program_.block(run.partialBlock), run.partialOps);
    return stretch;
  }

  void executePart(Stretch &stretch, const trace::Block &block, uint32_t operations) const {
    for (uint32_t offset = 0; offset < operations; ++offset)
      if (program_.operationsOf(block)[offset].accessesSharedMemory())
        stretch.execute(offset, offset, 1);
    stretch.instructions += operations;
  }

  const trace::Program &program_;
  std::vector<Stretch> items_; ///< of the current group so far, by work-item
  uint64_t pairs_ = 0;
  uint64_t gaps_ = 0;
};

} // namespace

std::unique_ptr<Analysis> freedom_to_reorder::make(const trace::Program &program,
                                                   const Settings &) {
  return std::make_unique<FreedomToReorder>(program);
}

} // namespace aiwc::metrics
