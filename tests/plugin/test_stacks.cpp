// The stacks of compiled work-items: what is promised of each of them can be used, and nothing
// below.

#include "plugin/engine/stacks.h"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>

using aiwc::engine::Stack;
using aiwc::engine::Stacks;

namespace {

constexpr size_t kRuntimeBytes = size_t{256} << 10; ///< for the functions that frames call

/// Whether the byte can be read and written: the kernel refuses to read from any other.
bool isAccessible(const uint8_t *byte) {
  int ends[2] = {-1, -1};
  REQUIRE(pipe(ends) == 0);
  const bool written = write(ends[1], byte, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return written;
}

} // namespace

TEST_CASE("stacks have room for their frames and what these call, and a guard below") {
  const auto [count, frameBytes] = GENERATE(
      table<size_t, size_t>({{1, 0}, {1, 1}, {3, 4096}, {40, 5000}, {64, 1 << 20}, {7, 123457}}));
  Stacks stacks;
  REQUIRE(stacks.provide(count, frameBytes));
  const uint8_t *end = nullptr; // of the stack before
  for (size_t i = 0; i < count; ++i) {
    INFO(i);
    const Stack stack = stacks.at(i);
    const auto *bottom = static_cast<const uint8_t *>(stack.bottom);
    uint8_t *top = stacks.top(i);
    const size_t usable = frameBytes + kRuntimeBytes;
    CHECK(bottom > end);
    CHECK(top <= bottom + stack.size);
    CHECK(top - usable >= bottom);
    CHECK(reinterpret_cast<uintptr_t>(top) % 64 == 0);
    std::fill(top - usable, top, uint8_t{1});
    CHECK(isAccessible(bottom));
    CHECK(isAccessible(bottom + stack.size - 1));
    CHECK(!isAccessible(bottom - 1));
    CHECK(!isAccessible(bottom - 4096));
    end = bottom + stack.size - 1;
  }
}

TEST_CASE("stacks that are there are used again, and large ones are given back") {
  Stacks stacks;
  REQUIRE(stacks.provide(4, 10'000));
  const void *bottom = stacks.at(0).bottom;
  REQUIRE(stacks.provide(3, 9'000));
  CHECK(stacks.at(0).bottom == bottom);
  CHECK(stacks.at(3).bottom > stacks.at(2).bottom);
  stacks.releaseIfLarge();
  CHECK(isAccessible(static_cast<const uint8_t *>(bottom)));
  REQUIRE(stacks.provide(4, 300'000)); // more room, for as many
  CHECK(stacks.top(3) - (300'000 + kRuntimeBytes) >= stacks.at(3).bottom);
  REQUIRE(stacks.provide(200, 300'000)); // more, with as much room
  bottom = stacks.at(199).bottom;
  CHECK(isAccessible(static_cast<const uint8_t *>(bottom)));
  stacks.releaseIfLarge();
  CHECK(!isAccessible(static_cast<const uint8_t *>(bottom)));
}

TEST_CASE("many small stacks and a few large ones may take turns") {
  Stacks stacks;
  REQUIRE(stacks.provide(256, 1000));
  REQUIRE(stacks.provide(16, 20'000));
  const uint64_t generation = stacks.generation();
  for (int i = 0; i < 3; ++i) {
    REQUIRE(stacks.provide(256, 1000));
    REQUIRE(stacks.provide(16, 20'000));
  }
  CHECK(stacks.generation() == generation);
  // Together they would be too large to be kept.
  REQUIRE(stacks.provide(8, 8 << 20));
  CHECK(stacks.provide(1000, 1000));
}

TEST_CASE("so many stacks and so large frames fit, and no more") {
  CHECK(Stacks::fit(Stacks::kMostStacks, Stacks::kMostFrameBytes / Stacks::kMostStacks));
  CHECK(!Stacks::fit(Stacks::kMostStacks, Stacks::kMostFrameBytes / Stacks::kMostStacks + 1));
  CHECK(!Stacks::fit(Stacks::kMostStacks + 1, 1));
  CHECK(Stacks::fit(1, Stacks::kMostFrameBytes));
  CHECK(!Stacks::fit(3, Stacks::kMostFrameBytes / 2));
  Stacks stacks;
  CHECK(!stacks.provide(2, Stacks::kMostFrameBytes));
  CHECK(stacks.provide(2, 1000)); // still usable
}
