#include "random_trace.h"

#include "random_memory.h"

#include <algorithm>
#include <optional>

namespace aiwc::test {

using namespace trace;

namespace {

/// Decides at conditional ends. Each branch has a habit of its own, so that entropies take all
/// values between their bounds.
class Decisions {
public:
  Decisions(Random &random, const Program &program) {
    for (size_t i = 0; i < program.branches.size(); ++i)
      habits_.push_back(random.oneOf<uint64_t>({0, 5, 30, 50, 50, 70, 95, 100}));
  }

  /// `draw` is random; `leave` says that every loop is to be left.
  BlockId next(const Program &program, const Block &block, uint64_t draw, bool leave) const {
    const auto successors = program.successorsOf(block);
    if (leave)
      return *std::max_element(successors.begin(), successors.end());
    if (draw % 100 < habits_[index(block.branch)])
      return successors[0];
    return successors[1 % successors.size() +
                      (draw >> 32) % std::max<size_t>(1, successors.size() - 1)];
  }

private:
  std::vector<uint64_t> habits_;
};

/// One work-item on its way through the program.
struct Walker {
  BlockId at = BlockId::kNone; ///< the block to execute next; kNone when finished
  std::vector<BlockId> returns;
  uint32_t steps = 0;
  uint32_t uniformDecisions = 0;
};

/// A number that all work-items of a group draw alike at their n-th common decision.
uint64_t commonDraw(uint64_t groupSeed, uint32_t n) {
  return Random(groupSeed + n * 0x9E3779B97F4A7C15u).next();
}

class GroupWalk {
public:
  GroupWalk(Random &random, const RandomProgram &program, const TraceShape &shape,
            const Decisions &decisions, RandomMemory &memory)
      : random_(random), source_(program), program_(program.program), shape_(shape),
        decisions_(decisions), memory_(memory), seed_(random.next()) {}

  /// `stepsToLive`: after so many steps of its work-items, the group is given up.
  GroupTrace walk(const Group &group, std::optional<uint64_t> stepsToLive);

private:
  /// What a work-item did last, and how it stood before and behind it.
  struct Passage {
    Walker before, after;
    Stretch stretch;
  };

  Stretch stretchOf(Walker &walker, uint32_t item);
  bool echoes(const Passage &passage, const Walker &walker);
  Stretch echoOf(const Passage &passage, Walker &walker, uint32_t item);
  Step stepOf(const Block &block, BlockId id, uint32_t item, uint32_t operations);
  void leaveBlock(Walker &walker, const Block &block);
  BlockId decide(Walker &walker, const Block &block);

  Random &random_;
  const RandomProgram &source_;
  const Program &program_;
  const TraceShape &shape_;
  const Decisions &decisions_;
  RandomMemory &memory_;
  uint64_t seed_;
  std::optional<uint64_t> stepsToLive_;
};

GroupTrace GroupWalk::walk(const Group &group, std::optional<uint64_t> stepsToLive) {
  stepsToLive_ = stepsToLive;
  GroupTrace trace{group, {}};
  Walker begin;
  begin.at = program_.function(program_.kernel).entry;
  std::vector<Walker> walkers(group.items, begin);
  for (bool barrier = true; barrier;) {
    barrier = false;
    Interval &interval = trace.intervals.emplace_back();
    std::optional<Passage> last;
    for (uint32_t item = 0; item < group.items; ++item) {
      if (walkers[item].at == BlockId::kNone)
        continue;
      const Walker before = walkers[item];
      interval.stretches.push_back(last && echoes(*last, before)
                                       ? echoOf(*last, walkers[item], item)
                                       : stretchOf(walkers[item], item));
      last = {before, walkers[item], interval.stretches.back()};
      if (interval.stretches.back().end == RunEnd::kAborted)
        return trace;
      barrier |= interval.stretches.back().end == RunEnd::kBarrier;
    }
    if (random_.oneIn(4) && !interval.stretches.empty()) {
      Stretch copy{Run::kWorkGroup, barrier ? RunEnd::kBarrier : RunEnd::kFinished, {}, {}};
      copy.groupAccesses = memory_.groupAccesses();
      interval.stretches.push_back(copy);
    }
  }
  return trace;
}

bool GroupWalk::echoes(const Passage &passage, const Walker &walker) {
  return !stepsToLive_ && shape_.echoes > 0 && random_.below(100) < shape_.echoes &&
         walker.at == passage.before.at && walker.returns == passage.before.returns &&
         walker.uniformDecisions == passage.before.uniformDecisions;
}

Stretch GroupWalk::echoOf(const Passage &passage, Walker &walker, uint32_t item) {
  Stretch stretch = passage.stretch;
  stretch.item = item;
  const uint64_t shift = random_.oneOf<uint64_t>({0, 0, 1, 4, 4, 16, 4096});
  const uint64_t strayShift = random_.below(300);
  for (Step &step : stretch.steps) {
    const uint64_t further = shift + (random_.oneIn(40) ? strayShift : 0);
    for (Access &access : step.accesses)
      access.address += further;
  }
  const uint32_t steps = walker.steps + (passage.after.steps - passage.before.steps);
  walker = passage.after;
  walker.steps = steps;
  return stretch;
}

Stretch GroupWalk::stretchOf(Walker &walker, uint32_t item) {
  Stretch stretch{item, RunEnd::kFinished, {}, {}};
  while (walker.at != BlockId::kNone) {
    const BlockId id = walker.at;
    const Block &block = program_.block(id);
    if (stepsToLive_ && (*stepsToLive_)-- == 0) {
      stretch.end = RunEnd::kAborted;
      if (!random_.oneIn(4))
        stretch.steps.push_back(
            stepOf(block, id, item, static_cast<uint32_t>(random_.below(block.opCount))));
      return stretch;
    }
    stretch.steps.push_back(stepOf(block, id, item, block.opCount));
    leaveBlock(walker, block);
    if (block.end == BlockEnd::kBarrier) {
      stretch.end = RunEnd::kBarrier;
      return stretch;
    }
  }
  return stretch;
}

Step GroupWalk::stepOf(const Block &block, BlockId id, uint32_t item, uint32_t operations) {
  Step step{id, operations, operations == block.opCount, {}};
  for (uint32_t offset = 0; offset < operations; ++offset)
    memory_.append(step.accesses, program_.operationsOf(block)[offset], offset, item);
  return step;
}

void GroupWalk::leaveBlock(Walker &walker, const Block &block) {
  ++walker.steps;
  const BlockId behind{index(walker.at) + 1};
  switch (block.end) {
  case BlockEnd::kFallThrough:
  case BlockEnd::kBarrier:
  case BlockEnd::kMeeting:
    walker.at = behind;
    break;
  case BlockEnd::kJump:
    walker.at = program_.successorsOf(block)[0];
    break;
  case BlockEnd::kBranch:
  case BlockEnd::kSwitch:
    walker.at = decide(walker, block);
    break;
  case BlockEnd::kCall:
    walker.returns.push_back(behind);
    walker.at = program_.function(block.callee).entry;
    break;
  case BlockEnd::kReturn:
    walker.at = walker.returns.empty() ? BlockId::kNone : walker.returns.back();
    if (!walker.returns.empty())
      walker.returns.pop_back();
    break;
  }
}

BlockId GroupWalk::decide(Walker &walker, const Block &block) {
  if (!source_.uniform[index(block.function)])
    return decisions_.next(program_, block, random_.next(), walker.steps > shape_.stepsPerItem);
  const uint32_t n = walker.uniformDecisions++;
  return decisions_.next(program_, block, commonDraw(seed_, n), n > shape_.stepsPerItem / 4);
}

} // namespace

Execution randomExecution(Random &random, const RandomProgram &program, const TraceShape &shape) {
  const Decisions decisions(random, program.program);
  RandomMemory memory(random);
  Execution execution;
  const uint64_t groups = random.between(1, shape.groups);
  const uint64_t items = random.between(1, shape.itemsPerGroup);
  for (uint64_t id = 0; id < groups; ++id) {
    const bool remainder = random.oneIn(4);
    const Group group{id, static_cast<uint32_t>(remainder ? random.between(1, items) : items)};
    std::optional<uint64_t> stepsToLive;
    if (shape.abortedGroups && random.oneIn(3))
      stepsToLive = random.below(uint64_t{shape.stepsPerItem} * group.items / 8 + 1);
    if (shape.abortedGroups && random.oneIn(20)) // given up before any work-item began
      execution.groups.push_back({group, {Interval{}}});
    else
      execution.groups.push_back(
          GroupWalk(random, program, shape, decisions, memory).walk(group, stepsToLive));
  }
  return execution;
}

TraceShape randomShape(Random &random) {
  TraceShape shape;
  shape.barriers = random.oneOf(
      {Barriers::kNone, Barriers::kConvergent, Barriers::kConvergent, Barriers::kDivergent});
  shape.functions = static_cast<uint32_t>(random.between(1, 4));
  shape.blocksPerFunction = static_cast<uint32_t>(random.between(1, 12));
  shape.operationsPerBlock = static_cast<uint32_t>(random.between(1, 8));
  shape.groups = static_cast<uint32_t>(random.between(1, 8));
  shape.itemsPerGroup = static_cast<uint32_t>(random.between(1, 10));
  shape.stepsPerItem = static_cast<uint32_t>(random.between(1, 60));
  shape.abortedGroups = random.oneIn(3);
  shape.echoes = random.oneOf<uint32_t>({0, 50, 90});
  return shape;
}

} // namespace aiwc::test
