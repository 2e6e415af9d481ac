#include "metrics/shared/analysis.h"
#include "metrics/shared/paged_memory.h"
#include "metrics/shared/repeats.h"
#include "trace/chunk.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace aiwc::metrics {

using namespace trace;

namespace {

/// Static data about the loops of a program, in the form that LoopStack needs.
class LoopTable {
public:
  static constexpr uint32_t kNoLoop = UINT32_MAX;
  /// The code of blocks that LoopStack must always process, even if the work-item stays in its
  /// loop: loop headers, calls and returns.
  static constexpr uint32_t kSpecial = UINT32_MAX - 1;

  explicit LoopTable(const trace::Program &program);

  /// The loop of a block, or kSpecial. If it equals the work-item's current loop, entering the
  /// block changes nothing about loops.
  uint32_t code(trace::BlockId block) const { return codes_[index(block)]; }
  const trace::Block &block(trace::BlockId id) const { return program_.block(id); }
  bool isHeader(trace::BlockId block) const {
    const trace::LoopId loop = program_.block(block).loop;
    return loop != trace::LoopId::kNone && program_.loop(loop).header == block;
  }
  /// Whether `inner` is `outer` or a loop of the same function inside it.
  bool contains(uint32_t outer, uint32_t inner) const {
    return inner >= outer && inner < ends_[outer]; // kNoLoop is greater than all
  }
  /// The last block of the loop's header, unless it branches back to the header; else kNone.
  /// Leaving the loop from this block means that the last iteration is not counted as a trip.
  trace::BlockId exitWithoutTrip(uint32_t loop) const { return exits_[loop]; }
  size_t loops() const { return ends_.size(); }

private:
  const trace::Program &program_;
  std::vector<uint32_t> codes_;       ///< per block
  std::vector<uint32_t> ends_;        ///< per loop, one past its last descendant
  std::vector<trace::BlockId> exits_; ///< per loop
};

/// A loop that a work-item is in.
struct ActiveLoop {
  uint32_t loop = 0;
  uint64_t begin = 0;      ///< time at which it was entered
  uint64_t iteration = 0;  ///< time at which the current iteration began
  uint64_t iterations = 0; ///< number of iterations begun
};

/// The loops that one work-item is in, those of its callers first. Time is counted in iterations:
/// it advances by one when a loop begins an iteration.
class LoopStack {
public:
  /// Whether entering a block with this code changes nothing.
  bool stays(uint32_t code) const { return code == current_; }
  /// The work-item enters the block `id` from the block `previous`. Calls left(loop, trips) for
  /// each loop that it leaves, and entered(active loop) after it has entered a loop.
  template <typename Entered, typename Left>
  void enter(const LoopTable &table, trace::BlockId id, trace::BlockId previous, Entered entered,
             Left left);
  /// The work-item ends: calls left(loop, trips) for each loop that it is still in.
  template <typename Left> void end(Left left);
  void reset();
  /// Whether both work-items are in the same iterations of the same loops and calls.
  bool isAsFarAs(const LoopStack &other) const;

  const std::vector<ActiveLoop> &active() const { return active_; }
  uint64_t now() const { return now_; }

  trace::BlockId previous = trace::BlockId::kNone; ///< the last block of the previous run

private:
  size_t frame() const { return frames_.empty() ? 0 : frames_.back(); }

  std::vector<ActiveLoop> active_;
  std::vector<size_t> frames_; ///< per call, how many loops were active when it was made
  uint32_t current_ = LoopTable::kNoLoop;
  uint64_t now_ = 0;
};

template <typename Entered, typename Left>
void LoopStack::enter(const LoopTable &table, trace::BlockId id, trace::BlockId previousBlock,
                      Entered entered, Left left) {
  const trace::Block &block = table.block(id);
  const uint32_t loop = index(block.loop);
  while (active_.size() > frame() && !table.contains(active_.back().loop, loop)) {
    const ActiveLoop &last = active_.back();
    left(last.loop, last.iterations - (table.exitWithoutTrip(last.loop) == previousBlock));
    active_.pop_back();
  }
  if (table.isHeader(id)) {
    if (active_.size() == frame() || active_.back().loop != loop) {
      active_.push_back({loop, now_ + 1, 0, 0});
      entered(active_.back());
    }
    active_.back().iteration = ++now_;
    ++active_.back().iterations;
  }
  if (block.end == trace::BlockEnd::kCall)
    frames_.push_back(active_.size());
  else if (block.end == trace::BlockEnd::kReturn && !frames_.empty())
    frames_.pop_back();
  current_ = active_.size() > frame() ? active_.back().loop : LoopTable::kNoLoop;
}

template <typename Left> void LoopStack::end(Left left) {
  for (; !active_.empty(); active_.pop_back())
    left(active_.back().loop, active_.back().iterations);
  reset();
}

/// The last block of the IR basic block that `block` is part of.
BlockId lastPiece(const Program &program, BlockId block) {
  for (;; block = static_cast<BlockId>(index(block) + 1)) {
    const BlockEnd end = program.block(block).end;
    if (end != BlockEnd::kFallThrough && end != BlockEnd::kCall && end != BlockEnd::kBarrier &&
        end != BlockEnd::kMeeting)
      return block;
  }
}

LoopTable::LoopTable(const Program &program) : program_(program) {
  for (size_t id = 0; id < program.blocks.size(); ++id) {
    const Block &block = program.blocks[id];
    const bool special = block.end == BlockEnd::kCall || block.end == BlockEnd::kReturn ||
                         isHeader(static_cast<BlockId>(id));
    codes_.push_back(special ? kSpecial : index(block.loop));
  }
  for (size_t id = 0; id < program.loops.size(); ++id) {
    const Loop &loop = program.loops[id];
    size_t end = id + 1;
    while (end < program.loops.size() && program.loops[end].function == loop.function &&
           program.loops[end].depth > loop.depth)
      ++end;
    ends_.push_back(static_cast<uint32_t>(end));
    const BlockId last = lastPiece(program, loop.header);
    const auto successors = program.successorsOf(program.block(last));
    const bool latch = std::ranges::find(successors, loop.header) != successors.end();
    exits_.push_back(latch ? BlockId::kNone : last);
  }
}

bool LoopStack::isAsFarAs(const LoopStack &other) const {
  return previous == other.previous && current_ == other.current_ && frames_ == other.frames_ &&
         std::ranges::equal(active_, other.active_, [](const ActiveLoop &a, const ActiveLoop &b) {
           return a.loop == b.loop && a.iterations == b.iterations;
         });
}

void LoopStack::reset() {
  active_.clear();
  frames_.clear();
  current_ = LoopTable::kNoLoop;
  now_ = 0;
  previous = BlockId::kNone;
}

/// The last write to each byte of memory.
///
/// Memory: 4 bytes per byte of a 256-byte page that was written to, 20 if the page was split
/// (PagedMemory).
class LastWrites {
public:
  struct Write {
    uint64_t time = 0; ///< 0: never written
    uint32_t line = 0; ///< source line that wrote
  };

  void write(const trace::Access &access, const Write &write) {
    memory_.fill(access.space, access.address, access.size, write);
  }

  /// Calls visit(write) for the writes whose values the access reads; possibly several times per
  /// write.
  template <typename Visit> void read(const trace::Access &access, Visit visit) const {
    memory_.forEach(access.space, access.address, access.size, visit);
  }

  void clear() { memory_.reset(); }

private:
  PagedMemory<Write, 256, WordCell::kOfEveryByte> memory_; ///< owners are address spaces
};

/// Follows every work-item through the loops. Looks for loop-carried dependences only if the whole
/// invocation is a single work-item, which is sequential code.
class LoopReport final : public Analysis {
public:
  explicit LoopReport(const trace::Program &program)
      : program_(program), table_(program), loops_(program.loops.size()),
        lastPair_(program.operations.size()) {
    for (LoopCounts &loop : loops_)
      loop.contained.resize(loops_.size());
  }

  void beginGroup(const trace::Program &, const trace::Group &group) override {
    items_ += group.items;
    // A later group may show that the invocation has more than this one work-item.
    sequential_ = group.items == 1 && group.linearId == 0;
    if (loops_.empty())
      return;
    stacks_.resize(group.items);
    for (LoopStack &stack : stacks_)
      stack.reset();
    if (sequential_)
      writes_.clear();
  }

  void consume(const MarkedChunk &chunk) override {
    if (loops_.empty())
      return;
    for (size_t r = 0; r < chunk.runs.size(); ++r) {
      const trace::Run &run = chunk.runs[r];
      if (run.item == trace::Run::kWorkGroup) {
        if (sequential_)
          for (uint32_t a = run.accessBegin; a < run.accessEnd; ++a)
            access(chunk.accesses[a], nullptr);
      } else if (sequential_) {
        follow<true>(chunk, run);
      } else if (!run.repeats || !followAgain(run.item)) {
        recording_ = isRepeated(chunk.runs, r);
        if (recording_)
          last_ = {run.item, stacks_[run.item], {}};
        follow<false>(chunk, run);
        recording_ = false;
      }
    }
  }

  void endGroup() override {
    for (LoopStack &stack : stacks_) // left over if the group was abandoned
      end(stack);
  }

  void add(const Analysis &other, uint64_t times) override {
    const auto &from = static_cast<const LoopReport &>(other);
    items_ += times * from.items_;
    for (size_t i = 0; i < loops_.size(); ++i)
      loops_[i].add(from.loops_[i], times);
  }

  void finish(profile::KernelProfile &profile) const override {
    const profile::Size3 &size = profile.provenance.globalSize;
    const bool sequential = items_ == 1 && size[0] * size[1] * size[2] <= 1;
    profile.setCount("sync_points"_metric, sequential ? syncPoints() : 1);
    for (size_t i = 0; i < loops_.size(); ++i) {
      const LoopCounts &counts = loops_[i];
      if (counts.entries == 0)
        continue;
      profile::LoopRow row;
      row.function = program_.function(program_.loops[i].function).name;
      row.line = program_.loops[i].line;
      row.depth = program_.loops[i].depth;
      row.entries = counts.entries;
      row.trips = counts.trips;
      row.minTrips = counts.minTrips;
      row.maxTrips = counts.maxTrips;
      if (sequential) {
        row.carriesDependence = !counts.dependences.empty();
        row.dependences.assign(counts.dependences.begin(), counts.dependences.end());
        row.carriesValue = program_.loops[i].carriesValue || counts.carriesPrivate;
      }
      profile.histograms.loops.push_back(std::move(row));
    }
  }

private:
  struct LoopCounts {
    uint64_t entries = 0;
    uint64_t trips = 0;
    uint64_t minTrips = UINT64_MAX, maxTrips = 0;
    std::vector<bool> contained; ///< per loop, whether it was entered inside this one
    std::set<std::pair<uint64_t, uint64_t>> dependences; ///< lines of the write and of the read
    bool carriesPrivate = false;                         ///< a dependence through private memory

    void add(const LoopCounts &other, uint64_t times) {
      entries += times * other.entries;
      trips += times * other.trips;
      minTrips = std::min(minTrips, other.minTrips);
      maxTrips = std::max(maxTrips, other.maxTrips);
      for (size_t i = 0; i < contained.size(); ++i)
        contained[i] = contained[i] || other.contained[i];
      dependences.insert(other.dependences.begin(), other.dependences.end());
      carriesPrivate = carriesPrivate || other.carriesPrivate;
    }
  };
  /// The last dependence that a read found, which need not be added to the set again.
  struct Pair {
    uint32_t loop = LoopTable::kNoLoop;
    uint32_t writeLine = 0;
  };

  /// The state of the loops before and after a run, and the loops that were left in it.
  struct Passage {
    uint32_t item = 0;
    LoopStack begin;
    std::vector<std::pair<uint32_t, uint64_t>> left; ///< loops and their trips
  };

  /// Applies the last passage to this work-item, if it starts in the same loops.
  bool followAgain(uint32_t item) {
    if (!stacks_[item].isAsFarAs(last_.begin))
      return false;
    for (const auto &[loop, trips] : last_.left)
      count(loop, trips);
    stacks_[item] = stacks_[last_.item];
    return true;
  }

  template <bool kSequential> void follow(const trace::Chunk &chunk, const trace::Run &run) {
    LoopStack &stack = stacks_[run.item];
    trace::BlockId previous = stack.previous;
    uint32_t a = run.accessBegin;
    for (uint32_t e = run.eventBegin; e < run.eventEnd; ++e) {
      const trace::BlockEvent &event = chunk.events[e];
      if (!stack.stays(table_.code(event.block)))
        enter<kSequential>(stack, event.block, previous);
      if constexpr (kSequential)
        for (; a < event.accessEnd; ++a)
          access(chunk.accesses[a], firstOp(event.block));
      previous = event.block;
    }
    if (run.partialBlock != trace::BlockId::kNone) {
      enter<kSequential>(stack, run.partialBlock, previous);
      if constexpr (kSequential)
        for (; a < run.accessEnd; ++a)
          access(chunk.accesses[a], firstOp(run.partialBlock));
    }
    stack.previous = previous;
    if (run.end == trace::RunEnd::kFinished || run.end == trace::RunEnd::kAborted)
      end(stack);
  }

  template <bool kSequential>
  void enter(LoopStack &stack, trace::BlockId block, trace::BlockId previous) {
    stack.enter(
        table_, block, previous,
        [&](const ActiveLoop &entered) {
          if constexpr (kSequential)
            for (const ActiveLoop &outer : stack.active())
              loops_[outer.loop].contained[entered.loop] = true;
        },
        [this](uint32_t loop, uint64_t trips) { left(loop, trips); });
  }

  void end(LoopStack &stack) {
    stack.end([this](uint32_t loop, uint64_t trips) { left(loop, trips); });
  }

  void left(uint32_t loop, uint64_t trips) {
    count(loop, trips);
    if (recording_)
      last_.left.emplace_back(loop, trips);
  }

  void count(uint32_t loop, uint64_t trips) {
    LoopCounts &counts = loops_[loop];
    ++counts.entries;
    counts.trips += trips;
    counts.minTrips = std::min(counts.minTrips, trips);
    counts.maxTrips = std::max(counts.maxTrips, trips);
  }

  const trace::Operation *firstOp(trace::BlockId block) const {
    return program_.operations.data() + index(program_.block(block).firstOp);
  }

  /// `block` points to the first operation of the block that makes the access; it is null for
  /// accesses of the work-group.
  void access(const trace::Access &access, const trace::Operation *block) {
    if (access.addressSpace() == trace::AddressSpace::kConstant) // never written
      return;
    const trace::Operation *operation = block ? block + access.opOffset : nullptr;
    const uint32_t line = operation ? operation->line : 0;
    const LoopStack &stack = stacks_.front();
    if (access.write)
      writes_.write(access, {stack.now(), line});
    else if (!stack.active().empty())
      writes_.read(access, [&](const LastWrites::Write &write) {
        readAfter(write, stack.active(), operation, line, access.addressSpace());
      });
  }

  /// The loop that carries the dependence is the outermost whose iteration has changed since the
  /// write, unless it was entered after that.
  void readAfter(const LastWrites::Write &write, const std::vector<ActiveLoop> &active,
                 const trace::Operation *reader, uint32_t line, trace::AddressSpace space) {
    if (write.time >= active.back().iteration || write.time < active.front().begin)
      return;
    const ActiveLoop *carrier = active.data();
    while (write.time >= carrier->iteration)
      ++carrier;
    if (write.time < carrier->begin)
      return;
    if (space == trace::AddressSpace::kPrivate) {
      loops_[carrier->loop].carriesPrivate = true;
      return;
    }
    if (reader) {
      Pair &last = lastPair_[static_cast<size_t>(reader - program_.operations.data())];
      if (last.loop == carrier->loop && last.writeLine == write.line) [[likely]]
        return;
      last = {carrier->loop, write.line};
    }
    loops_[carrier->loop].dependences.emplace(write.line, line);
  }

  bool isParallel(size_t loop) const {
    return loops_[loop].trips > 0 && loops_[loop].dependences.empty();
  }

  uint64_t syncPoints() const {
    uint64_t sum = 0;
    for (const LoopCounts &counts : loops_) {
      bool containsParallel = false;
      for (size_t inner = 0; inner < loops_.size(); ++inner)
        containsParallel |= counts.contained[inner] && isParallel(inner);
      if (!counts.dependences.empty() && containsParallel)
        sum += counts.trips;
    }
    return std::max<uint64_t>(sum, 1);
  }

  const trace::Program &program_;
  const LoopTable table_;
  bool sequential_ = false; ///< the current group may be the whole of a sequential invocation
  uint64_t items_ = 0;
  std::vector<LoopStack> stacks_; ///< per work-item of the current group
  Passage last_;                  ///< of the last run that others repeat
  bool recording_ = false;
  std::vector<LoopCounts> loops_;
  LastWrites writes_;
  std::vector<Pair> lastPair_; ///< per operation that reads
};

} // namespace

std::unique_ptr<Analysis> loops::make(const trace::Program &program, const Settings &) {
  return std::make_unique<LoopReport>(program);
}

} // namespace aiwc::metrics
