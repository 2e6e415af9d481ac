#include "metrics/coalescing/lane_patterns.h"
#include "metrics/shared/analysis.h"
#include "metrics/shared/lockstep_sampling.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace aiwc::metrics {
namespace {

using trace::AddressSpace;

/// The pieces that the current 64 lanes access in their executions of one memory instruction.
/// Layout: a cache line holds consecutive executions of one lane, the next cache line those of the
/// next lane. So a lane writes one line sequentially, and reading one execution of all lanes uses
/// adjacent lines.
class Executions {
public:
  /// Sets the number of lanes. Must be called before the first `add`.
  void begin(uint32_t lanes) { lanes_ = lanes; }
  /// `slot` is the number of the execution by this lane; it must not decrease from call to call.
  void add(uint32_t lane, uint32_t slot, uint64_t address, uint64_t size) {
    uint32_t &made = made_[lane];
    if (slot < made) [[unlikely]]
      return addMore(lane, slot, address, size);
    const size_t at = placeOf(slot, lane);
    if (at >= pieces_.size()) [[unlikely]]
      grow(slot);
    if (made == 0)
      lanesUsed_ = std::max(lanesUsed_, lane + 1);
    for (; made < slot; ++made) // executions without an access
      pieces_[placeOf(made, lane)] = {};
    pieces_[at] = {address, size};
    if (++made > slots_)
      slots_ = made;
  }
  uint32_t slots() const { return slots_; }

  /// Reads the pieces of all lanes in one execution. Slots must be read in increasing order.
  void read(uint32_t slot, Together &together) {
    if (slot == 0)
      std::stable_sort(more_.begin(), more_.end(), [](const More &a, const More &b) {
        return a.slot != b.slot ? a.slot < b.slot : a.lane < b.lane;
      });
    if (together.storage.size() < kWidestLaneGroup + more_.size())
      together.storage.resize(kWidestLaneGroup + more_.size());
    Piece *const pieces = together.storage.data();
    const Piece *next = pieces_.data() + placeOf(slot, 0);
    size_t n = 0, lanes = 0;
    for (uint32_t lane = 0; lane < lanesUsed_; ++lane, next += kLine) {
      if (lane % kVectorLanes == 0)
        together.setBegin(lane / kVectorLanes, n, lanes);
      if (made_[lane] <= slot)
        continue;
      pieces[n] = *next;
      n += next->size > 0;
      lanes += next->size > 0;
      if (nextMore_ < more_.size()) [[unlikely]]
        n = readMore(slot, lane, pieces, n);
    }
    for (size_t l = (lanesUsed_ + kVectorLanes - 1) / kVectorLanes; l < together.begin.size(); ++l)
      together.setBegin(l, n, lanes);
    together.pieces = {pieces, n};
  }

  void clear() {
    made_.fill(0);
    more_.clear();
    slots_ = lanesUsed_ = 0;
    nextMore_ = 0;
  }

private:
  static constexpr uint32_t kLine = 4;

  /// A further piece of an execution, after its first.
  struct More {
    uint32_t slot = 0, lane = 0;
    Piece piece;
  };

  size_t placeOf(uint32_t slot, uint32_t lane) const {
    return (size_t{slot / kLine} * lanes_ + lane) * kLine + slot % kLine;
  }
  /// Appends the further pieces of a lane after its first, pieces[n - 1], and joins those that
  /// touch each other. Returns the number of all pieces.
  size_t readMore(uint32_t slot, uint32_t lane, Piece *pieces, size_t n) {
    Piece *const first = pieces + n - 1;
    Piece *end = first + 1;
    for (;
         nextMore_ < more_.size() && more_[nextMore_].slot == slot && more_[nextMore_].lane == lane;
         ++nextMore_)
      *end++ = more_[nextMore_].piece;
    if (end == first + 1)
      return n;
    std::sort(first, end);
    Piece *last = first;
    for (const Piece *piece = first + 1; piece != end; ++piece)
      if (!last->join(*piece))
        *++last = *piece;
    return static_cast<size_t>(last + 1 - pieces);
  }
  void grow(uint32_t slot) {
    pieces_.resize(std::max(placeOf(slot, lanes_ - 1) + 1, pieces_.size() * 3 / 2));
  }
  void addMore(uint32_t lane, uint32_t slot, uint64_t address, uint64_t size) {
    // An atomic writes where it reads, and the channels of a pixel are adjacent.
    if (!pieces_[placeOf(slot, lane)].join({address, size}))
      more_.push_back({slot, lane, {address, size}});
  }

  std::vector<Piece> pieces_;                     ///< the first piece of each execution
  std::array<uint32_t, kWidestLaneGroup> made_{}; ///< executions, by lane
  std::vector<More> more_;
  size_t nextMore_ = 0; ///< the next one to read
  uint32_t slots_ = 0, lanes_ = 0, lanesUsed_ = 0;
};

/// The executions of the memory instructions by 64 lanes since the last barrier. Work-items are
/// simulated one after another, so they are kept until the last lane has reached the next barrier.
/// Memory: 16 bytes per memory instruction, lane and execution selected by LockstepSampling.
class LaneGroup {
public:
  explicit LaneGroup(size_t operations) : instructions_(operations * kSpaces * kSides) {}

  /// Those of an operation in a space other than private memory. `side`: 1 for what a copy writes,
  /// else 0. `lanes`: of the lane group.
  Executions &of(uint32_t operation, AddressSpace space, uint32_t side, uint32_t lanes) {
    std::unique_ptr<Executions> &executions =
        instructions_[(operation * kSpaces + static_cast<uint32_t>(space) - 1) * kSides + side];
    if (!executions)
      executions = std::make_unique<Executions>();
    if (executions->slots() == 0) {
      executions->begin(lanes);
      active_.emplace_back(executions.get(), space);
    }
    return *executions;
  }

  /// Calls visit(executions, space) for each instruction that was executed, and clears all.
  template <typename Visit> void close(Visit visit) {
    for (const auto &[executions, space] : active_) {
      visit(*executions, space);
      executions->clear();
    }
    active_.clear();
  }

  Together together;
  LanePatterns patterns;

private:
  static constexpr uint32_t kSpaces = 3; ///< global, constant, local
  static constexpr uint32_t kSides = 2;

  std::vector<std::unique_ptr<Executions>>
      instructions_; ///< per operation, address space and side; null without executions
  std::vector<std::pair<Executions *, AddressSpace>> active_;
};

class Coalescing final : public Analysis {
public:
  Coalescing(const trace::Program &program, std::shared_ptr<LaneGroup> laneGroup)
      : program_(program), executed_(program.blocks.size()), laneGroup_(std::move(laneGroup)) {
    const auto has = [&](const trace::Block &block, auto condition) {
      return std::ranges::any_of(program.operationsOf(block), condition);
    };
    for (const trace::Block &block : program.blocks) {
      accesses_.push_back(has(block, [](const trace::Operation &operation) {
        return operation.memory != trace::MemoryKind::kNone;
      }));
      joins_.push_back(has(block, [](const trace::Operation &operation) {
        return operation.joinedTo != trace::Operation::kAlone;
      }));
    }
  }

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    items_ = group.items;
    lanes_ = std::min(group.items, kWidestLaneGroup);
    item_ = kNoItem;
  }

  void consume(const MarkedChunk &chunk) override {
    for (const LaneBlock &block : chunk.blocks) {
      if (block.firstItem() == trace::Run::kWorkGroup)
        continue;
      if (isLaneGroup(block) && addLanes(chunk, block))
        continue;
      for (const trace::Run &run : block.runs)
        addRun(chunk, run);
    }
    if (chunk.end != trace::ChunkEnd::kFull) {
      leaveItem();
      closeLaneGroup();
      item_ = kNoItem;
    }
  }

  void endGroup() override {}

  void add(const Analysis &other, uint64_t times) override {
    const auto &from = static_cast<const Coalescing &>(other);
    for (uint32_t width = 0; width < kLaneGroupWidths; ++width)
      segments_[width].add(from.segments_[width], times);
    bankTurns_.add(from.bankTurns_, times);
    classified_ += times * from.classified_;
    uniform_ += times * from.uniform_;
    consecutive_ += times * from.consecutive_;
    made_ += times * from.made_;
    measured_ += times * from.measured_;
  }

  void finish(profile::KernelProfile &profile) const override {
    for (uint32_t width = 0; width < kLaneGroupWidths; ++width)
      profile.setRatio(kVectorMetric<"coalescing">[width],
                       static_cast<double>(segments_[width].needed),
                       static_cast<double>(segments_[width].touched));
    profile.setRatio("bank_efficiency"_metric, static_cast<double>(bankTurns_.needed),
                     static_cast<double>(bankTurns_.touched));
    profile.setRatio("uniform_accesses"_metric, static_cast<double>(uniform_),
                     static_cast<double>(classified_));
    profile.setRatio("consecutive_accesses"_metric, static_cast<double>(consecutive_),
                     static_cast<double>(classified_));
    profile.setRatio("coalescing_measured"_metric, static_cast<double>(measured_),
                     static_cast<double>(made_));
  }

private:
  static constexpr uint32_t kNoItem = trace::Run::kWorkGroup;

  void addRun(const trace::Chunk &chunk, const trace::Run &run) {
    if (run.item != item_)
      switchTo(run.item);
    uint32_t access = run.accessBegin;
    for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
      const auto [block, accessEnd] = chunk.events[e];
      if (!accesses_[index(block)] && access == accessEnd)
        continue;
      const uint32_t slot = count(block);
      if (access < accessEnd) {
        add(block, slot, chunk.accesses.subspan(access, accessEnd - access));
        access = accessEnd;
      }
    }
    if (run.partialBlock != trace::BlockId::kNone)
      add(run.partialBlock, count(run.partialBlock),
          chunk.accesses.subspan(access, run.accessEnd - access));
  }

  /// Whether the block is a lane group of two lanes or more, with all that it executes before the
  /// barrier.
  bool isLaneGroup(const LaneBlock &block) const {
    const uint32_t first = block.firstItem();
    return first % kWidestLaneGroup == 0 && first != item_ && block.runs.size() > 1 &&
           block.runs.size() == std::min(items_ - first, kWidestLaneGroup);
  }

  /// What the first lane of a lane block accesses in one execution of an instruction.
  struct LanePiece {
    uint32_t access = 0; ///< into Chunk::accesses: the lowest of its parts
    uint32_t size = 0;   ///< of all parts; 0: it is a part of another
    uint32_t parts = 1;
  };

  /// Adds the accesses of a whole lane group. Does nothing and returns false if a lane accessed
  /// several pieces in one execution of an instruction.
  bool addLanes(const trace::Chunk &chunk, const LaneBlock &lanes) {
    const trace::Run &run = lanes.runs.front();
    pieces_.clear();
    uint32_t access = run.accessBegin;
    for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
      const auto [block, end] = chunk.events[e];
      const size_t first = pieces_.size();
      for (; access < end; ++access) {
        if (access + 1 < end &&
            chunk.accesses[access].opOffset == chunk.accesses[access + 1].opOffset &&
            !isCopy(block, chunk.accesses[access]))
          return false;
        pieces_.push_back({access, chunk.accesses[access].size});
      }
      if (joins_[index(block)] && !joinPieces(chunk, lanes, block, first))
        return false;
    }
    switchTo(run.item);
    access = run.accessBegin;
    for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
      const auto [block, end] = chunk.events[e];
      if (!accesses_[index(block)] && access == end)
        continue;
      const uint32_t slot = count(block);
      for (; access < end; ++access)
        if (const LanePiece &piece = pieces_[access - run.accessBegin]; piece.size > 0)
          addColumn(chunk.accesses[piece.access], piece,
                    lanes.columns[piece.access - run.accessBegin], lanes.runs.size(), slot);
    }
    return true;
  }

  /// Joins the parts of vector accesses in an execution of the block, whose pieces begin with
  /// number `first`. Returns false if a part does not touch those before, or if the parts of other
  /// lanes may be at other distances.
  bool joinPieces(const trace::Chunk &chunk, const LaneBlock &lanes, trace::BlockId block,
                  size_t first) {
    const std::span operations = program_.operationsOf(program_.block(block));
    const uint32_t begin = lanes.runs.front().accessBegin;
    for (size_t i = first; i < pieces_.size(); ++i) {
      const uint32_t joinedTo = operations[chunk.accesses[begin + i].opOffset].joinedTo;
      if (joinedTo == trace::Operation::kAlone)
        continue;
      size_t whole = first;
      while (whole < i && chunk.accesses[begin + whole].opOffset != joinedTo)
        ++whole;
      if (whole == i || !haveOneDistance(lanes.columns[whole], lanes.columns[i], lanes.runs.size()))
        return false;
      LanePiece &joined = pieces_[whole];
      LanePiece &part = pieces_[i];
      const uint64_t joinedAt = chunk.accesses[joined.access].address;
      const uint64_t partAt = chunk.accesses[part.access].address;
      if (partAt + part.size == joinedAt)
        joined.access = part.access;
      else if (joinedAt + joined.size != partAt)
        return false;
      joined.size += std::exchange(part.size, 0);
      ++joined.parts;
    }
    return true;
  }

  /// A copy reads and writes once.
  bool isCopy(trace::BlockId block, const trace::Access &access) const {
    return program_.operationsOf(program_.block(block))[access.opOffset].memory ==
           trace::MemoryKind::kCopy;
  }

  /// Whether all lanes have the same distance from one column to the other.
  static bool haveOneDistance(const Column &a, const Column &b, size_t lanes) {
    if (a.stride != b.stride || a.breaks != b.breaks)
      return false;
    if (a.equallySpaced())
      return true;
    for (size_t lane = 1; lane < lanes; ++lane)
      if (a.addresses[lane] - a.addresses[0] != b.addresses[lane] - b.addresses[0])
        return false;
    return true;
  }

  /// Adds what the lanes access together in one execution of an instruction.
  void addColumn(const trace::Access &access, const LanePiece &piece, const Column &column,
                 size_t lanes, uint32_t slot) {
    if (access.addressSpace() == AddressSpace::kPrivate)
      return;
    const bool global = access.addressSpace() == AddressSpace::kGlobal;
    made_ += global ? lanes * piece.parts : 0;
    if (slot == LockstepSampling::kNone)
      return;
    measured_ += global ? lanes * piece.parts : 0;
    const LanePattern &pattern =
        column.equallySpaced()
            ? laneGroup_->patterns.ofSpaced(access.address, column.stride, lanes, piece.size)
            : laneGroup_->patterns.of(std::span(column.addresses, lanes), piece.size);
    add(pattern, lanes, access.addressSpace(), LockstepSampling::weightOf(slot));
  }

  void switchTo(uint32_t item) {
    leaveItem();
    if (item / kWidestLaneGroup != item_ / kWidestLaneGroup)
      closeLaneGroup();
    item_ = item;
  }

  /// Counts an execution of the block by the current work-item and returns its slot.
  uint32_t count(trace::BlockId block) {
    LockstepCounter &counter = executed_[index(block)];
    if (counter.counted() == 0)
      touched_.push_back(index(block));
    return counter.count();
  }

  void leaveItem() {
    for (const uint32_t block : touched_)
      executed_[block] = {};
    touched_.clear();
  }

  /// Adds the accesses that the current work-item made in an execution of the block.
  void add(trace::BlockId block, uint32_t slot, std::span<const trace::Access> accesses) {
    for (const trace::Access &access : accesses) {
      if (access.addressSpace() == AddressSpace::kPrivate || access.size == 0)
        continue;
      const bool global = access.addressSpace() == AddressSpace::kGlobal;
      made_ += global;
      if (slot == LockstepSampling::kNone)
        continue;
      measured_ += global;
      Executions &executions = laneGroup_->of(
          program_.accessOf(program_.block(block), access.opOffset), access.addressSpace(),
          access.write && isCopy(block, access) ? 1 : 0, lanes_);
      executions.add(item_ % kWidestLaneGroup, slot, access.address, access.size);
    }
  }

  void closeLaneGroup() {
    laneGroup_->close([this](Executions &executions, AddressSpace space) {
      Together &together = laneGroup_->together;
      for (uint32_t slot = 0; slot < executions.slots(); ++slot) {
        executions.read(slot, together);
        if (together.pieces.empty())
          continue;
        add(laneGroup_->patterns.of(together), together.lanes(), space,
            LockstepSampling::weightOf(slot));
      }
    });
  }

  /// Adds what `lanes` lanes access together in `times` executions of an instruction.
  void add(const LanePattern &pattern, uint64_t lanes, AddressSpace space, uint64_t times) {
    classified_ += times * lanes;
    uniform_ += times * pattern.uniform;
    consecutive_ += times * pattern.consecutive;
    if (space == AddressSpace::kGlobal)
      for (uint32_t width = 0; width < kLaneGroupWidths; ++width)
        segments_[width].add(pattern.segments[width], times);
    if (space == AddressSpace::kLocal)
      bankTurns_.add(pattern.bankTurns, times);
  }

  const trace::Program &program_;
  uint32_t items_ = 0;                    ///< of the group
  uint32_t lanes_ = 0;                    ///< 64, or the group's number of work-items if smaller
  uint32_t item_ = kNoItem;               ///< the work-item of the current run
  std::vector<uint8_t> accesses_;         ///< per block, whether it may access memory
  std::vector<uint8_t> joins_;            ///< per block, whether it has vector accesses in parts
  std::vector<LanePiece> pieces_;         ///< of a lane block, by access of its first run
  std::vector<LockstepCounter> executed_; ///< per block, by this work-item in this barrier interval
  std::vector<uint32_t> touched_;         ///< blocks whose `executed_` is not 0
  std::shared_ptr<LaneGroup> laneGroup_;  ///< the current one
  SegmentsPerWidth segments_;
  Segments bankTurns_;
  uint64_t classified_ = 0, uniform_ = 0,
           consecutive_ = 0;         ///< executions by a lane, weighted where sampled
  uint64_t made_ = 0, measured_ = 0; ///< accesses to global memory
};

} // namespace

std::unique_ptr<Analysis> coalescing::make(const trace::Program &program,
                                           const Settings &settings) {
  return std::make_unique<Coalescing>(program,
                                      settings.memory.get<LaneGroup>(program.operations.size()));
}

} // namespace aiwc::metrics
