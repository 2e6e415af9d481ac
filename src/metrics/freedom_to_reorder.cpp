#include "metrics/families.h"

namespace aiwc::metrics {
namespace {

/// The gaps between the consecutive memory instructions of a work-item add up to what lies between
/// its first and its last one, less the memory instructions in between. So a position and a count
/// per work-item are enough.
class FreedomToReorder final : public Analysis {
public:
  explicit FreedomToReorder(const trace::Program &program) : program_(program) {}

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    items_.assign(group.items, Item{});
  }

  void consume(const trace::Chunk &chunk) override {
    for (const trace::Run &run : chunk.runs) {
      if (run.item == trace::Run::kWorkGroup)
        continue;
      Item &item = items_[run.item];
      for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
        const trace::Block &block = program_.block(chunk.events[e].block);
        if (block.memoryOps > 0)
          item.execute(block.firstMemoryOp, block.lastMemoryOp, block.memoryOps);
        item.instructions += block.opCount;
      }
      if (run.partialBlock != trace::BlockId::kNone)
        executePart(item, program_.block(run.partialBlock), run.partialOps);
    }
  }

  void endGroup() override {
    for (const Item &item : items_) {
      if (item.memoryOps < 2)
        continue;
      pairs_ += item.memoryOps - 1;
      gaps_ += item.last - item.first - (item.memoryOps - 1);
    }
  }

  void merge(Analysis &other) override {
    const auto &from = static_cast<FreedomToReorder &>(other);
    pairs_ += from.pairs_;
    gaps_ += from.gaps_;
  }

  void finish(profile::KernelProfile &profile) const override {
    profile.setRatio(profile::Metric::kFreedomToReorder, static_cast<double>(gaps_),
                     static_cast<double>(pairs_));
  }

private:
  struct Item {
    uint64_t instructions = 0; ///< executed so far
    uint64_t memoryOps = 0;
    uint64_t first = 0, last = 0; ///< positions of the first and last memory instruction

    void execute(uint32_t firstOffset, uint32_t lastOffset, uint32_t count) {
      if (memoryOps == 0)
        first = instructions + firstOffset;
      last = instructions + lastOffset;
      memoryOps += count;
    }
  };

  void executePart(Item &item, const trace::Block &block, uint32_t operations) {
    for (uint32_t offset = 0; offset < operations; ++offset)
      if (program_.operationsOf(block)[offset].accessesSharedMemory())
        item.execute(offset, offset, 1);
    item.instructions += operations;
  }

  const trace::Program &program_;
  std::vector<Item> items_; ///< of the current group
  uint64_t pairs_ = 0;
  uint64_t gaps_ = 0;
};

} // namespace

std::unique_ptr<Analysis> makeFreedomToReorder(const trace::Program &program) {
  return std::make_unique<FreedomToReorder>(program);
}

} // namespace aiwc::metrics
