// Races inside of a warp, on random traces, against their definition: a byte's accesses since the
// last barrier are a list.

#include "plugin/warp_races.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <random>
#include <vector>

using namespace aiwc::trace;
using aiwc::plugin::WarpRaces;

namespace {

constexpr uint32_t kWarp = 4, kItems = 10;
constexpr uint32_t kLine = 100; ///< of the first operation

struct Ignored final : ChunkConsumer {
  void beginGroup(const Program &, const Group &) override { ++groups; }
  void consume(const Chunk &chunk) override { accesses += chunk.accesses.size(); }
  void endGroup() override {}
  size_t groups = 0, accesses = 0;
};

/// One block, whose operation k is in line kLine + k.
Program program(uint32_t operations) {
  Program result;
  for (uint32_t k = 0; k < operations; ++k) {
    Operation operation;
    operation.line = kLine + k;
    operation.memory = MemoryKind::kStore;
    operation.space = AddressSpace::kLocal;
    result.operations.push_back(operation);
  }
  Block block;
  block.firstOp = OpId{0};
  block.opCount = operations;
  result.blocks.push_back(block);
  return result;
}

template <typename T> uint32_t size(const std::vector<T> &all) {
  return static_cast<uint32_t>(all.size());
}

struct Use {
  uint32_t item;
  bool write;
  bool isOwn = false; ///< a read of what the work-item has written itself
};

/// The definition.
bool isRace(const std::vector<Use> &before, const Use &use) {
  const auto isOther = [&](const Use &one) {
    return one.item != use.item && one.item / kWarp == use.item / kWarp;
  };
  if (use.write)
    return std::ranges::any_of(
        before, [&](const Use &one) { return !one.write && !one.isOwn && isOther(one); });
  for (auto one = before.rbegin(); one != before.rend(); ++one)
    if (one->write)
      return isOther(*one);
  return false;
}

} // namespace

TEST_CASE("the first race of a random trace is found, and no other") {
  constexpr uint32_t kOperations = 3;
  const Program code = program(kOperations);
  std::mt19937 random(7);
  const auto below = [&](uint32_t end) {
    return std::uniform_int_distribution<uint32_t>(0, end - 1)(random);
  };
  size_t racing = 0;
  for (int round = 0; round < 4000; ++round) {
    Ignored next;
    WarpRaces::Found races;
    WarpRaces found(next, kWarp, races, [](uint32_t) {});
    std::optional<uint32_t> expected;
    const uint32_t bytes = 4 + below(200);
    size_t passed = 0;
    for (uint32_t group = 0; group < 2; ++group) {
      found.beginGroup(code, {group, kItems});
      std::map<uint64_t, std::vector<Use>> uses;
      for (uint32_t interval = 0; interval < 3; ++interval) {
        std::vector<BlockEvent> events;
        std::vector<Access> accesses;
        std::vector<Run> runs;
        const auto pass = [&](ChunkEnd end) {
          found.consume({code, events, accesses, runs, end});
          passed += accesses.size();
          events.clear();
          accesses.clear();
          runs.clear();
        };
        for (uint32_t item = 0; item < kItems; ++item) {
          Run run{item, RunEnd::kBarrier, size(events), 0, size(accesses), 0};
          for (uint32_t k = below(3); k > 0; --k) {
            Access access{below(bytes), 1U << below(4)};
            access.opOffset = below(kOperations);
            access.space = index(below(5) > 0 ? AddressSpace::kLocal : AddressSpace::kGlobal);
            access.write = below(2);
            access.atomic = below(6) == 0;
            accesses.push_back(access);
            events.push_back({BlockId{0}, size(accesses)});
            if (access.addressSpace() != AddressSpace::kLocal || access.atomic)
              continue;
            for (uint64_t at = access.address; at < access.address + access.size; ++at) {
              if (isRace(uses[at], {item, access.write == 1}) && !expected)
                expected = kLine + access.opOffset;
              const auto last =
                  std::ranges::find_if(uses[at].rbegin(), uses[at].rend(), &Use::write);
              const bool isOwn = last != uses[at].rend() && last->item == item;
              uses[at].push_back({item, access.write == 1, isOwn});
            }
          }
          run.eventEnd = size(events);
          run.accessEnd = size(accesses);
          runs.push_back(run);
          if (below(6) == 0)
            pass(ChunkEnd::kFull);
        }
        pass(interval == 2 ? ChunkEnd::kGroupEnd
                           : std::array{ChunkEnd::kBarrier, ChunkEnd::kMeeting}[below(2)]);
        uses.clear();
      }
      found.endGroup();
    }
    INFO("round " << round);
    REQUIRE(races.line() == expected);
    REQUIRE((next.groups == 2 && next.accesses == passed));
    racing += expected.has_value();
  }
  REQUIRE((racing > 400 && racing < 3600)); // both are tested
}
