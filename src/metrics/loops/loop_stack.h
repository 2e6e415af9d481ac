#pragma once

#include "trace/chunk.h"

#include <cstdint>
#include <vector>

namespace aiwc::metrics {

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

} // namespace aiwc::metrics
