#include "metrics/asap/code.h"
#include "metrics/asap/memory.h"
#include "metrics/asap/recording.h"
#include "metrics/shared/analysis.h"
#include "metrics/shared/repeats.h"
#include "metrics/shared/tally.h"

#include <algorithm>

namespace aiwc::metrics {
namespace {

using trace::Access;
using trace::BlockId;

/// Levels have 32 bits. For a longer chain (minutes of execution), the profile has no value instead
/// of a wrong one. The distance to 2^32 is more than one chunk can add.
constexpr uint32_t kDeepest = uint32_t{1} << 31;

/// The ASAP schedule of docs/metrics.md [AM, section II-C]: replays what every work-item executed,
/// and keeps the level of the last definition of each value and each byte of memory. Memory: two
/// levels per work-item of a group and value used across blocks, the memory of ShadowLevels, and 8
/// bytes per floating-point level of the deepest group.
class AsapSchedule final : public Analysis {
public:
  AsapSchedule(const trace::Program &program, const AsapCode &code)
      : program_(program), code_(code), values_(code_.slots) {}

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    kept_.assign(size_t{group.items} * code_.keptSlots, Level{});
    items_.resize(group.items); // keeps the call stacks' memory
    for (Item &item : items_) {
      item.previous = BlockId::kNone;
      item.calls.clear();
    }
    memory_.beginGroup();
  }

  void consume(const MarkedChunk &chunk) override {
    for (size_t b = 0; b < chunk.blocks.size() && !overflowed_; ++b) {
      const LaneBlock &block = chunk.blocks[b];
      if (block.firstItem() == trace::Run::kWorkGroup) {
        memory_.copy(chunk.accessesOf(block.runs.front()));
        continue;
      }
      const bool repeated = b + 1 < chunk.blocks.size() && chunk.blocks[b + 1].runs.front().repeats;
      for (size_t lane = 0; lane < block.runs.size(); ++lane) {
        if (lane == 1 && replayTogether(chunk, block))
          break;
        const trace::Run &run = block.runs[lane];
        if (!run.repeats || !replayAgain(chunk, run))
          replayAnew(chunk, run, (lane + 1 < block.runs.size() || repeated) && pause_.over());
      }
    }
    recording_.account(widths_);
    overflowed_ = overflowed_ || std::max(depth_, fpDepth_) >= kDeepest;
  }

  void endGroup() override {}

  void add(const Analysis &other, uint64_t times) override {
    const auto &from = static_cast<const AsapSchedule &>(other);
    overflowed_ = overflowed_ || from.overflowed_;
    depth_ = std::max(depth_, from.depth_);
    fpDepth_ = std::max(fpDepth_, from.fpDepth_);
    nodes_ += times * from.nodes_;
    if (widths_.size() < from.widths_.size())
      widths_.resize(from.widths_.size());
    for (size_t level = 0; level < from.widths_.size(); ++level)
      widths_[level] += times * from.widths_[level];
  }

  void finish(profile::KernelProfile &profile) const override {
    if (overflowed_)
      return;
    Tally levels;
    Wide work = 0;
    for (size_t level = 1; level <= fpDepth_; ++level) {
      levels.add(widths_[level]);
      work += widths_[level];
    }
    profile.setCount("asap_fp_depth"_metric, fpDepth_);
    profile.setRatio("asap_fp_parallelism"_metric, static_cast<double>(work), fpDepth_);
    profile.setCount("asap_depth"_metric, depth_);
    profile.setRatio("asap_parallelism"_metric, static_cast<double>(nodes_), depth_);
    profile.histograms.asapFpLevels = levels.histogram();
  }

private:
  struct Item {
    BlockId previous = BlockId::kNone; ///< the last block that it executed
    std::vector<uint32_t> calls;       ///< the calling blocks, innermost last

    bool operator==(const Item &) const = default;
  };

  /// `recording`: whether to record the run, because the next run repeats it.
  void replayAnew(const trace::Chunk &chunk, const trace::Run &run, bool recording) {
    recording_.account(widths_);
    recording_.usable = false;
    if (!recording) {
      replay<false>(chunk, run);
      return;
    }
    const Level *const kept = keptOf(run.item);
    before_ = items_[run.item];
    keptBefore_.assign(kept, kept + code_.keptSlots);
    recording_.begin(run.item, chunk.accessesOf(run));
    const uint64_t nodes = nodes_;
    replay<true>(chunk, run);
    recording_.nodes = nodes_ - nodes;
  }

  /// Replays a run that repeats the recorded one, except for addresses. If it starts from the same
  /// levels and reads the same levels from memory, applies the recording; else changes nothing and
  /// returns false.
  bool replayAgain(const trace::Chunk &chunk, const trace::Run &run) {
    Item &item = items_[run.item];
    Level *const kept = keptOf(run.item);
    if (!recording_.usable || !(item == before_) ||
        !std::equal(keptBefore_.begin(), keptBefore_.end(), kept))
      return false;
    // If the recorded run writes nothing, nothing was written since, so reads at the same addresses
    // find the same levels.
    const bool known = run.atSameAddresses && recording_.onlyReadsShared;
    if (!known && !memory_.accessAgain(recording_, chunk.accessesOf(run), run.item)) {
      pause_.lengthen();
      return false;
    }
    pause_ = {};
    nodes_ += recording_.nodes;
    ++recording_.times;
    item = items_[recording_.item];
    if (run.end != trace::RunEnd::kFinished)
      std::copy_n(keptOf(recording_.item), code_.keptSlots, kept);
    return true;
  }

  /// `replayAgain` for the runs of the block from the second on; all of them, or none.
  bool replayTogether(const trace::Chunk &chunk, const LaneBlock &block) {
    const auto runs = block.runs.subspan(1);
    if (!recording_.usable || !std::ranges::all_of(runs, [&](const trace::Run &run) {
          return items_[run.item] == before_ &&
                 std::equal(keptBefore_.begin(), keptBefore_.end(), keptOf(run.item));
        }))
      return false;
    if (!memory_.accessTogether(recording_, chunk, block))
      return false;
    pause_ = {};
    nodes_ += runs.size() * recording_.nodes;
    recording_.times += runs.size();
    for (const trace::Run &run : runs) {
      items_[run.item] = items_[recording_.item];
      if (run.end != trace::RunEnd::kFinished)
        std::copy_n(keptOf(recording_.item), code_.keptSlots, keptOf(run.item));
    }
    return true;
  }

  Level *keptOf(uint32_t item) { return kept_.data() + size_t{item} * code_.keptSlots; }

  template <bool kRecord> void replay(const trace::Chunk &chunk, const trace::Run &run) {
    Item &item = items_[run.item];
    Level *const values = values_.data();
    std::copy_n(keptOf(run.item), code_.keptSlots, values);
    const Access *accesses = chunk.accesses.data();
    uint32_t access = run.accessBegin;
    for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
      const trace::BlockEvent &event = chunk.events[e];
      const AsapCode::Block &block = code_.blocks[index(event.block)];
      nodes_ += block.nodes;
      enter(block, item.previous, values);
      execute<kRecord>(block, block.opCount, {accesses + access, accesses + event.accessEnd},
                       run.item, values);
      deepen(block, values);
      leave(block, index(event.block), item, values);
      item.previous = event.block;
      access = event.accessEnd;
    }
    if (run.partialBlock != BlockId::kNone)
      abort(run, {accesses + access, accesses + run.accessEnd}, values);
    std::copy_n(values, code_.keptSlots, keptOf(run.item));
  }

  /// Replays the executed part of the block in which the group was abandoned.
  void abort(const trace::Run &run, AsapMemory::Accesses accesses, Level *values) {
    const AsapCode::Block &block = code_.blocks[index(run.partialBlock)];
    nodes_ += static_cast<uint64_t>(std::ranges::count_if(
        program_.operationsOf(program_.block(run.partialBlock)).first(run.partialOps),
        [this](const trace::Operation &operation) { return code_.isNode(operation); }));
    enter(block, items_[run.item].previous, values);
    const auto executed =
        std::ranges::count_if(std::span(code_.ops).subspan(block.firstOp, block.opCount),
                              [&](const AsapCode::Op &op) { return op.offset < run.partialOps; });
    execute<false>(block, static_cast<uint32_t>(executed), accesses, run.item, values);
    for (const AsapCode::Depth &instruction :
         std::span(code_.gone).subspan(block.firstGone, block.goneCount))
      if (instruction.offset < run.partialOps)
        depth_ =
            std::max({depth_, instruction.least, levelOf(instruction.term, values).instruction});
  }

  /// Executes the phis for the edge from `from`, and makes room for the block's levels.
  void enter(const AsapCode::Block &block, BlockId from, Level *values) {
    if (widths_.size() <= fpDepth_ + block.fpLevels) [[unlikely]]
      widths_.resize(2 * (size_t{fpDepth_} + block.fpLevels + 1));
    if (block.edgeCount > 0)
      takeEdge(block, from, values);
  }

  void takeEdge(const AsapCode::Block &block, BlockId from, Level *values) {
    const AsapCode::Edge *edge = code_.edges.data() + block.firstEdge;
    const AsapCode::Edge *const last =
        edge + block.edgeCount - 1; // for all blocks that are not listed
    while (edge != last && edge->from != from)
      ++edge;
    copyAtOnce(edge->copies, values);
  }

  void copyAtOnce(const AsapCode::Copies &which, Level *values) {
    const AsapCode::Copy *const copies = code_.copies.data() + which.first;
    if (which.inTurn) {
      for (uint32_t i = 0; i < which.count; ++i)
        values[copies[i].to] = levelOf(copies[i], values);
      return;
    }
    atOnce_.resize(which.count);
    for (uint32_t i = 0; i < which.count; ++i)
      atOnce_[i] = levelOf(copies[i], values);
    for (uint32_t i = 0; i < which.count; ++i)
      values[copies[i].to] = atOnce_[i];
  }

  static Level levelOf(const AsapCode::Term &term, const Level *values) {
    const Level &slot = values[term.slot];
    return {slot.fp, slot.instruction + term.add};
  }
  static Level levelOf(const AsapCode::Copy &copy, const Level *values) {
    Level level = levelOf(copy.from, values);
    level.instruction = std::max(level.instruction, copy.least);
    return level;
  }

  /// Accounts for the removed instructions.
  void deepen(const AsapCode::Block &block, const Level *values) {
    uint32_t depth = std::max(depth_, block.least);
    const AsapCode::Term *const terms = code_.depths.data() + block.firstDepth;
    for (uint32_t i = 0; i < block.depthCount; ++i)
      depth = std::max(depth, levelOf(terms[i], values).instruction);
    depth_ = depth;
  }

  template <bool kRecord>
  void execute(const AsapCode::Block &block, uint32_t count, AsapMemory::Accesses accesses,
               uint32_t item, Level *values) {
    using Kind = AsapCode::Op::Kind;
    uint32_t depth = depth_;
    const AsapCode::Op *const ops = code_.ops.data() + block.firstOp;
    for (const AsapCode::Op *op = ops; op != ops + count; ++op) {
      Level level = join(levelOf(op->a, values), levelOf(op->b, values));
      level.instruction = std::max(level.instruction, op->least);
      switch (op->kind) {
      case Kind::kPlain:
        break;
      case Kind::kFloat:
        schedule<kRecord>(++level.fp, op->fpOps);
        break;
      case Kind::kFused:
        schedule<kRecord>(++level.fp, op->fpOps);
        level = join(level, levelOf(op->c, values));
        schedule<kRecord>(++level.fp, op->fpOps);
        break;
      case Kind::kLoad:
        level = join(level, memory_.read(op->offset, accesses, item, recordingIf<kRecord>()));
        break;
      case Kind::kStore:
        memory_.write(op->offset, accesses, item, {level.fp, level.instruction + op->latency},
                      recordingIf<kRecord>());
        break;
      case Kind::kGeneral:
        level = general<kRecord>(*op, accesses, item, values);
        break;
      }
      level.instruction += op->latency;
      values[op->result] = level;
      depth = std::max(depth, level.instruction);
    }
    depth_ = depth;
  }

  /// The join of the levels of all operands and all bytes that the operation reads, without its own
  /// latency in the schedule of instructions.
  template <bool kRecord>
  Level general(const AsapCode::Op &op, AsapMemory::Accesses &accesses, uint32_t item,
                const Level *values) {
    Level level;
    level.instruction = op.least;
    for (uint32_t i = 0; i < op.termCount; ++i)
      level = join(level, levelOf(code_.terms[op.firstTerm + i], values));
    const Access *const first = accesses.next;
    level = join(level, memory_.read(op.offset, accesses, item, recordingIf<kRecord>()));
    if (op.fpOps > 0)
      schedule<kRecord>(++level.fp, op.fpOps);
    AsapMemory::Accesses again{first, accesses.next};
    memory_.write(op.offset, again, item, {level.fp, level.instruction + op.latency},
                  recordingIf<kRecord>());
    if constexpr (kRecord) // all reads were done before all writes, so the accesses must be in this
                           // order
      recording_.usable &= std::is_partitioned(first, accesses.next,
                                               [](const Access &access) { return !access.write; });
    return level;
  }

  /// The recording of the current run, or null if it is not recorded.
  template <bool kRecord> AsapRecording *recordingIf() { return kRecord ? &recording_ : nullptr; }

  template <bool kRecord> void schedule(uint32_t level, uint32_t operations) {
    if constexpr (kRecord)
      recording_.scheduled.emplace_back(level, operations);
    widths_[level] += operations;
    fpDepth_ = std::max(fpDepth_, level);
  }

  void leave(const AsapCode::Block &block, uint32_t id, Item &item, Level *values) {
    if (block.end == trace::BlockEnd::kCall) {
      item.calls.push_back(id);
      copyAtOnce(block.arguments, values);
    } else if (block.end == trace::BlockEnd::kReturn && !item.calls.empty()) {
      const AsapCode::Block &caller = code_.blocks[item.calls.back()];
      item.calls.pop_back();
      Level level = levelOf(block.returned, values);
      ++level.instruction; // the call's latency
      values[caller.callResult] = level;
      depth_ = std::max(depth_, level.instruction);
    }
  }

  const trace::Program &program_;
  const AsapCode &code_;
  // Of the current group
  std::vector<Level> values_; ///< of the current work-item, by slot
  std::vector<Level> kept_;   ///< code_.keptSlots per work-item, kept between runs
  std::vector<Item> items_;
  AsapMemory memory_;
  std::vector<Level> atOnce_;
  // For the last run that other runs repeat
  AsapRecording recording_;
  Pause pause_;
  Item before_; ///< the work-item's state at its begin
  std::vector<Level> keptBefore_;
  // For all groups
  uint32_t depth_ = 0, fpDepth_ = 0;
  uint64_t nodes_ = 0;
  std::vector<uint64_t> widths_; ///< floating-point operations per level, from 1
  bool overflowed_ = false;
};

} // namespace

std::unique_ptr<Analysis> asap::make(const trace::Program &program, const Settings &settings) {
  return std::make_unique<AsapSchedule>(program, settings.tables.get<AsapCode>());
}

} // namespace aiwc::metrics
