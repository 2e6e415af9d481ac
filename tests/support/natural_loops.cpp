#include "natural_loops.h"

#include <algorithm>
#include <set>
#include <vector>

namespace aiwc::test {

using namespace trace;

namespace {

using Blocks = std::set<uint32_t>;

struct NaturalLoop {
  uint32_t header = 0;
  Blocks body;
};

std::vector<uint32_t> successorsOf(const Program &program, uint32_t id) {
  const Block &block = program.blocks[id];
  if (block.end == BlockEnd::kFallThrough || block.end == BlockEnd::kCall ||
      block.end == BlockEnd::kBarrier)
    return {id + 1};
  std::vector<uint32_t> successors;
  for (const BlockId successor : program.successorsOf(block))
    successors.push_back(index(successor));
  return successors;
}

Blocks reachable(const Program &program, uint32_t from, uint32_t without) {
  Blocks seen;
  std::vector<uint32_t> open{from};
  while (!open.empty()) {
    const uint32_t id = open.back();
    open.pop_back();
    if (id >= program.blocks.size() || id == without || !seen.insert(id).second)
      continue;
    for (const uint32_t successor : successorsOf(program, id))
      open.push_back(successor);
  }
  return seen;
}

std::vector<NaturalLoop> loopsOf(const Program &program, const Function &function) {
  constexpr uint32_t kNothing = UINT32_MAX;
  const Blocks all = reachable(program, index(function.entry), kNothing);
  std::vector<NaturalLoop> loops;
  for (const uint32_t header : all) {
    const Blocks notDominated = reachable(program, index(function.entry), header);
    Blocks latches;
    for (const uint32_t block : all)
      if (!notDominated.contains(block))
        for (const uint32_t successor : successorsOf(program, block))
          if (successor == header)
            latches.insert(block);
    if (latches.empty())
      continue;
    NaturalLoop loop{header, {header}};
    for (const uint32_t block : all) {
      if (notDominated.contains(block))
        continue;
      const Blocks reached = reachable(program, block, header);
      if (latches.contains(block) ||
          std::ranges::any_of(latches, [&](uint32_t latch) { return reached.contains(latch); }))
        loop.body.insert(block);
    }
    loops.push_back(loop);
  }
  return loops;
}

bool isInside(const NaturalLoop &inner, const NaturalLoop &outer) {
  return inner.header != outer.header && outer.body.contains(inner.header);
}

void append(Program &program, FunctionId function, const std::vector<NaturalLoop> &loops,
            const NaturalLoop *parent, LoopId parentId, uint32_t depth) {
  for (const NaturalLoop &loop : loops) {
    if (parent && !isInside(loop, *parent))
      continue;
    // Of this level: in no loop but those that the parent is in, and the parent.
    const auto around = std::ranges::count_if(
        loops, [&](const NaturalLoop &outer) { return isInside(loop, outer); });
    if (around != depth - 1)
      continue;
    const auto id = static_cast<LoopId>(program.loops.size());
    const Block &header = program.blocks[loop.header];
    program.loops.push_back({function, static_cast<BlockId>(loop.header), parentId, depth,
                             program.operations[index(header.firstOp)].line});
    for (const uint32_t block : loop.body)
      program.blocks[block].loop = id; // those inside overwrite it
    append(program, function, loops, &loop, id, depth + 1);
  }
}

} // namespace

void findNaturalLoops(Program &program) {
  for (size_t id = 0; id < program.functions.size(); ++id)
    append(program, static_cast<FunctionId>(id), loopsOf(program, program.functions[id]), nullptr,
           LoopId::kNone, 1);
}

} // namespace aiwc::test
