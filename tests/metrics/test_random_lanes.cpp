/// Random loads of many work-items in related patterns: rows, columns, tiles and gathers, with some
/// work-items missing. Random programs rarely make such patterns.
#include "hand_trace.h"
#include "support/cases.h"
#include "support/random.h"

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::test;
using trace::Access;
using trace::AddressSpace;
using trace::BlockEnd;
using trace::BlockId;
using trace::MemoryKind;
using trace::Program;

namespace {

Program loopProgram() {
  ProgramBuilder builder;
  const auto load =
      builder.op("load", {.memory = MemoryKind::kLoad, .space = AddressSpace::kGlobal});
  builder.function("kernel");
  builder.block({load, load, builder.op("br")}, BlockEnd::kBranch, {BlockId{0}, BlockId{1}});
  builder.block({builder.op("call")}, BlockEnd::kBarrier);
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{0}});
  return builder.build();
}

/// How the work-items of a group access a buffer at their k-th load.
struct Pattern {
  explicit Pattern(Random &random)
      : base(random.below(4096)),
        perItem(random.oneOf<uint64_t>({0, 1, 2, 4, 4, 8, 12, 64, 128, 1000, 4096})),
        perRow(random.oneOf<uint64_t>({0, 4, 256, 1000, 4096})),
        perStep(random.oneOf<uint64_t>({0, 4, 64, 128, 5000})),
        row(random.oneOf<uint64_t>({4, 8, 16, 1000})), downwards(random.oneIn(4)),
        disorder(random.oneOf<uint64_t>({0, 0, 0, 3, 100})),
        size(random.oneOf<uint32_t>({1, 4, 4, 4, 8, 16, 200})) {}

  uint64_t offset(Random &random, uint64_t item, uint64_t k) const {
    if (random.percent(disorder))
      return random.below(1 << 16);
    const uint64_t place = item % row * perItem + item / row * perRow;
    return (downwards ? (1 << 22) - place : (1 << 22) + place) + base + k * perStep;
  }

  uint64_t base, perItem, perRow, perStep, row;
  bool downwards;
  uint64_t disorder; ///< per cent
  uint32_t size;
};

void interval(Random &random, HandTrace &trace, uint32_t items) {
  const Pattern first(random), second(random);
  const uint64_t most = random.between(1, 5), missing = random.oneOf<uint64_t>({0, 0, 10, 50});
  const bool uniform = random.oneIn(2);
  const auto space = random.oneIn(5) ? AddressSpace::kLocal : AddressSpace::kGlobal;
  for (uint32_t item = 0; item < items; ++item) {
    trace.item(item);
    const uint64_t times = random.percent(missing) ? 0 : uniform ? most : random.below(most + 1);
    for (uint64_t k = 0; k < times; ++k) {
      Access other = read(random.oneIn(50) ? AddressSpace::kLocal : space, 2,
                          second.offset(random, item, k), second.size);
      other.opOffset = 1;
      trace.block(
          0, {read(AddressSpace::kGlobal, 1, first.offset(random, item, k), first.size), other});
    }
    trace.block(1);
  }
}

} // namespace

TEST_CASE("random patterns of many lanes: the implementation equals its brute-force twin",
          "[random]") {
  const Program program = loopProgram();
  for (uint64_t seed = 1; seed <= cases(120); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    HandTrace trace(program);
    const auto items = static_cast<uint32_t>(random.between(1, 200));
    for (uint64_t groups = random.between(1, 2); groups > 0; --groups) {
      trace.group(items);
      interval(random, trace, items);
      trace.barrier();
      interval(random, trace, items);
      trace.barrier();
    }
    measure(trace, items);
  }
}
