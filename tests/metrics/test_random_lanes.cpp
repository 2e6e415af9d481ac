/// Random loads of many work-items in related patterns: rows, columns, tiles and gathers, with some
/// work-items missing. Random programs rarely make such patterns.
#include "hand_trace.h"
#include "support/cases.h"
#include "support/random.h"

#include <array>
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

constexpr uint32_t kParts = 4;

/// Loads a vector in parts, in a loop.
Program partsProgram() {
  ProgramBuilder builder;
  const auto load = [&](uint32_t joinedTo) {
    return builder.op(
        "load",
        {.memory = MemoryKind::kLoad, .space = AddressSpace::kGlobal, .joinedTo = joinedTo});
  };
  builder.function("kernel");
  std::vector<trace::Operation> operations{load(trace::Operation::kAlone)};
  while (operations.size() < kParts)
    operations.push_back(load(0));
  operations.push_back(builder.op("br"));
  builder.block(operations, BlockEnd::kBranch, {BlockId{0}, BlockId{1}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
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

/// load, add, store, load, multiply by the first sum, store
Program chainProgram() {
  ProgramBuilder builder;
  const auto load =
      builder.op("load", {.memory = MemoryKind::kLoad, .space = AddressSpace::kGlobal});
  const auto store =
      builder.op("store", {.memory = MemoryKind::kStore, .space = AddressSpace::kGlobal});
  const auto value = [](uint32_t number) { return trace::Operand{trace::ValueId{number}}; };
  builder.function("kernel");
  builder.block({builder.reading(load, {}, trace::ValueId{0}),
                 builder.reading(builder.op("fadd", {.fpAdd = 1, .fpBits = 32}), {value(0)},
                                 trace::ValueId{1}),
                 builder.reading(store, {value(1)}), builder.reading(load, {}, trace::ValueId{2}),
                 builder.reading(builder.op("fmul", {.fpMul = 1, .fpBits = 32}),
                                 {value(1), value(2)}, trace::ValueId{3}),
                 builder.reading(store, {value(3)})},
                BlockEnd::kBarrier);
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{0}});
  return builder.build();
}

/// Where the work-items of a group access a buffer, mostly near each other.
struct Place {
  explicit Place(Random &random)
      : space(random.oneOf<AddressSpace>({AddressSpace::kGlobal, AddressSpace::kGlobal,
                                          AddressSpace::kLocal, AddressSpace::kPrivate})),
        buffer(random.between(1, 2)), base(1024 + random.oneOf<uint64_t>({0, 0, 4, 8, 64, 256})),
        perItem(random.oneOf<uint64_t>({0, 2, 4, 4, 4, 8, 16})),
        perRow(random.oneOf<uint64_t>({0, 4, 64, 256})), row(random.oneOf<uint64_t>({8, 16, 1000})),
        size(random.oneOf<uint32_t>({2, 4, 4, 4, 8})) {}

  /// The same place, or one beside it, where a work-item meets its neighbour's accesses.
  Place near(Random &random) const {
    Place other = *this;
    other.base += random.oneOf<uint64_t>({0, 0, 0, 4, 8, 16}) * perItem / 4;
    other.base -= random.oneOf<uint64_t>({0, 0, 0, 4, 8, 16}) * perItem / 4;
    other.perRow += random.oneOf<uint64_t>({0, 0, 0, 0, 4, 64});
    return other;
  }

  Access access(bool writes, uint32_t item, uint32_t opOffset) const {
    const uint64_t offset = base + item % row * perItem + item / row * perRow;
    Access made = writes ? write(space, buffer, offset, size) : read(space, buffer, offset, size);
    made.opOffset = opOffset;
    return made;
  }

  AddressSpace space;
  uint64_t buffer, base, perItem, perRow, row;
  uint32_t size;
};

} // namespace

TEST_CASE(
    "random loads and stores of many lanes: the implementation equals its brute-force reference",
    "[random]") {
  const Program program = chainProgram();
  for (uint64_t seed = 1; seed <= cases(600); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    HandTrace trace(program);
    const auto items = static_cast<uint32_t>(random.between(1, 140));
    trace.group(items);
    Place last(random);
    for (uint64_t intervals = random.between(1, 4); intervals > 0; --intervals) {
      const Place first = random.oneIn(2) ? last : Place(random);
      const Place second = random.oneIn(3) ? first.near(random) : Place(random);
      const Place third = random.oneIn(2) ? second.near(random) : Place(random);
      const Place fourth = random.oneIn(2) ? second.near(random) : first.near(random);
      last = fourth.near(random);
      for (uint32_t item = 0; item < items; ++item)
        trace.item(item).block(0, {first.access(false, item, 0), second.access(true, item, 2),
                                   third.access(false, item, 3), fourth.access(true, item, 5)});
      trace.barrier();
    }
    measure(trace, items);
  }
}

TEST_CASE(
    "lanes that step and meet in every way: the implementation equals its brute-force reference") {
  const Program program = chainProgram();
  const auto placeOf = [](uint32_t item, int64_t perItem, uint32_t row) {
    // A row begins where the one before ends, at its last element.
    return 4096 + item % row * perItem + item / row * perItem * (row - 1);
  };
  for (const int64_t stored : {-8, -4, 0, 4, 8})
    for (const int64_t loaded : {-8, -4, 0, 4, 8})
      for (const int64_t distance : {-16, -12, -8, -4, 0, 4, 8, 12, 16})
        for (const uint32_t size : {4, 8})
          for (const uint32_t row : {3, 1000}) {
            CAPTURE(stored, loaded, distance, size, row);
            constexpr uint32_t kItems = 7;
            HandTrace trace(program);
            trace.group(kItems);
            for (uint32_t item = 0; item < kItems; ++item) {
              const auto to = static_cast<uint64_t>(placeOf(item, stored, row));
              const auto from = static_cast<uint64_t>(placeOf(item, loaded, row) + distance);
              std::vector<Access> accesses = {read(AddressSpace::kGlobal, 1, from, size),
                                              write(AddressSpace::kGlobal, 1, to, 12 - size),
                                              read(AddressSpace::kGlobal, 1, from, size),
                                              write(AddressSpace::kGlobal, 2, 4 * item)};
              for (size_t i = 0; i < accesses.size(); ++i)
                accesses[i].opOffset = std::array<uint32_t, 4>{0, 2, 3, 5}[i] & 0xff;
              trace.item(item).block(0, accesses);
            }
            measure(trace, kItems);
          }
}

TEST_CASE("random patterns of many lanes: the implementation equals its brute-force reference",
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

TEST_CASE(
    "random vectors that lanes load in parts: the implementation equals its brute-force reference",
    "[random]") {
  const Program program = partsProgram();
  for (uint64_t seed = 1; seed <= cases(300); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    HandTrace trace(program);
    const auto items = static_cast<uint32_t>(random.between(1, 140));
    trace.group(items);
    Pattern first(random);
    first.size = random.oneOf<uint32_t>({1, 4, 4, 8});
    const uint64_t step = random.oneIn(4) ? random.below(12) : first.size; // of parts
    std::vector<uint64_t> order{0, 1, 2, 3};
    if (random.oneIn(2))
      random.shuffle(order);
    const uint64_t stray = random.oneOf<uint64_t>({0, 0, 1}); // per cent, elsewhere
    const uint64_t times = random.between(1, 3);
    for (uint32_t item = 0; item < items; ++item) {
      trace.item(item);
      for (uint64_t k = 0; k < times; ++k) {
        const uint64_t offset = first.offset(random, item, k);
        std::vector<Access> parts;
        for (uint32_t part = 0; part < kParts; ++part) {
          const uint64_t further = random.percent(stray) ? random.below(200) : 0;
          parts.push_back(
              read(AddressSpace::kGlobal, 1, offset + order[part] * step + further, first.size));
          parts.back().opOffset = part & 3;
        }
        trace.block(0, parts);
      }
      trace.block(1);
    }
    measure(trace, items);
  }
}
