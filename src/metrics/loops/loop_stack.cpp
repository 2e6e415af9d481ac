#include "metrics/loops/loop_stack.h"

#include <algorithm>

namespace aiwc::metrics {

using namespace trace;

namespace {

/// The last block of the IR basic block that `block` is part of.
BlockId lastPiece(const Program &program, BlockId block) {
  for (;; block = static_cast<BlockId>(index(block) + 1)) {
    const BlockEnd end = program.block(block).end;
    if (end != BlockEnd::kFallThrough && end != BlockEnd::kCall && end != BlockEnd::kBarrier &&
        end != BlockEnd::kMeeting)
      return block;
  }
}

} // namespace

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

} // namespace aiwc::metrics
