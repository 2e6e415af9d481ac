// Checks Dominators against the definition: a dominates b if no path from the function's entry to b
// avoids a.

#include "metrics/asap/dominators.h"
#include "support/random_trace.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

using namespace aiwc::trace;
using aiwc::metrics::Dominators;
using aiwc::test::Random;

namespace {

std::vector<BlockId> successorsInFunction(const Program &program, BlockId from) {
  const Block &block = program.block(from);
  const auto listed = program.successorsOf(block);
  std::vector<BlockId> all(listed.begin(), listed.end());
  if (block.end == BlockEnd::kFallThrough || block.end == BlockEnd::kCall ||
      block.end == BlockEnd::kBarrier)
    all.push_back(static_cast<BlockId>(index(from) + 1));
  return all;
}

/// The blocks that can be reached from `entry` without entering `avoided`.
std::vector<bool> reached(const Program &program, BlockId entry, BlockId avoided) {
  std::vector<bool> seen(program.blocks.size());
  std::vector<BlockId> left;
  if (entry != avoided)
    left.push_back(entry);
  while (!left.empty()) {
    const BlockId block = left.back();
    left.pop_back();
    if (seen[index(block)])
      continue;
    seen[index(block)] = true;
    for (const BlockId next : successorsInFunction(program, block))
      if (next != avoided)
        left.push_back(next);
  }
  return seen;
}

} // namespace

TEST_CASE("dominators are the blocks that no way avoids, and stand before what they dominate") {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const Program program =
        aiwc::test::randomProgram(random, aiwc::test::randomShape(random)).program;
    const Dominators dominators(program);
    std::vector<size_t> place(program.blocks.size(), SIZE_MAX);
    for (size_t i = 0; i < dominators.order().size(); ++i)
      place[index(dominators.order()[i])] = i;
    for (uint32_t a = 0; a < program.blocks.size(); ++a) {
      const BlockId entry = program.function(program.blocks[a].function).entry;
      const std::vector<bool> all = reached(program, entry, BlockId::kNone);
      const std::vector<bool> without = reached(program, entry, BlockId{a});
      CHECK((place[a] != SIZE_MAX) == all[a]);
      for (uint32_t b = 0; b < program.blocks.size(); ++b) {
        const bool sameFunction = program.blocks[a].function == program.blocks[b].function;
        const bool expected = a == b || (sameFunction && all[a] && all[b] && !without[b]);
        REQUIRE(dominators.dominates(BlockId{a}, BlockId{b}) == expected);
        if (expected && all[a])
          REQUIRE(place[a] <= place[b]);
      }
    }
  }
}
