// A work-item waits if it has accessed one address so often and nothing else between, in chunks
// that it fills alone.

#include "plugin/warp_races.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace aiwc::trace;
using aiwc::plugin::WarpRaces;

namespace {

struct Counted final : ChunkConsumer {
  void beginGroup(const Program &, const Group &) override { ++groups; }
  void consume(const Chunk &chunk) override { accesses += chunk.accesses.size(); }
  void endGroup() override { ++ends; }
  uint64_t groups = 0, ends = 0, accesses = 0;
};

/// A block of two operations, in lines 7 and 8.
Program program() {
  Program result;
  result.operations.resize(2);
  result.operations[0].line = 7;
  result.operations[1].line = 8;
  Block block;
  block.firstOp = OpId{0};
  block.opCount = 2;
  result.blocks.push_back(block);
  return result;
}

struct Watched {
  Counted next;
  std::vector<uint32_t> lines; ///< told
  WarpRaces::Found found;
  WarpRaces waits{next, 32, found, [this](uint32_t line) { lines.push_back(line); }};
  Program code = program();

  /// One event for each access, of one work-item.
  void add(const std::vector<Access> &accesses, uint32_t item = 3) {
    std::vector<BlockEvent> events;
    for (uint32_t i = 0; i < accesses.size(); ++i)
      events.push_back({BlockId{0}, i + 1});
    const auto count = static_cast<uint32_t>(accesses.size());
    const std::vector<Run> runs = {{.item = item, .eventEnd = count, .accessEnd = count}};
    waits.consume({code, events, accesses, runs});
  }
};

constexpr uint32_t kPart = 1 << 16;
constexpr uint64_t kParts = WarpRaces::kMostPolls / kPart;

std::vector<Access> reads(uint64_t address) {
  return std::vector<Access>(kPart, Access{.address = address, .size = 4, .opOffset = 1});
}

} // namespace

TEST_CASE("reads of one address are told once, when they are enough") {
  Watched watched;
  watched.waits.beginGroup(watched.code, {});
  for (uint64_t i = 0; i + 1 < kParts; ++i)
    watched.add(reads(64));
  CHECK(watched.lines.empty());
  watched.add(reads(64));
  CHECK(watched.lines == std::vector<uint32_t>{8});
  watched.add(reads(64));
  CHECK(watched.lines.size() == 1);
  watched.waits.endGroup();
  CHECK((watched.next.groups == 1 && watched.next.ends == 1));
  CHECK(watched.next.accesses == (kParts + 1) * kPart);
}

TEST_CASE("a loop of atomics waits, too") {
  Watched watched;
  std::vector<Access> tries = reads(64);
  for (uint32_t i = 0; i < kPart; ++i) {
    tries[i].atomic = 1;
    tries[i].write = i % 2;
  }
  for (uint64_t i = 0; i < kParts; ++i)
    watched.add(tries);
  CHECK(watched.lines.size() == 1);
}

TEST_CASE("who does anything else does not wait") {
  const std::vector<Access> same = reads(64);
  std::vector<Access> stores = same, others = same;
  stores[kPart / 2].write = 1;
  others[kPart / 2].address = 68;
  const auto isToldAfter = [&](const auto &between) {
    Watched watched;
    for (uint64_t i = 0; i + 1 < kParts; ++i)
      watched.add(same);
    between(watched);
    watched.add(same);
    return !watched.lines.empty();
  };
  CHECK(isToldAfter([](Watched &) {}));
  CHECK_FALSE(isToldAfter([&](Watched &watched) { watched.add(stores); }));
  CHECK_FALSE(isToldAfter([&](Watched &watched) { watched.add(others); }));
  CHECK_FALSE(isToldAfter([&](Watched &watched) { watched.add(reads(68)); }));
  CHECK_FALSE(isToldAfter([&](Watched &watched) { watched.add({}); }));
  CHECK_FALSE(isToldAfter([&](Watched &watched) { watched.add(same, 4); }));
  CHECK_FALSE(isToldAfter([&](Watched &watched) { watched.waits.beginGroup(watched.code, {}); }));
}
