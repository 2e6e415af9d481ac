// Sizes of buffers that were made up and turned out too small.
#include "kernel_launch/growth.h"

#include <catch2/catch.hpp>

using namespace aiwc::kernel_launch;

namespace {

constexpr uint64_t kFirst = uint64_t{1} << 48;

SimulatorError readOf(uint64_t address, uint64_t bytes = 4) {
  SimulatorError error;
  error.access = SimulatorError::Access{false, bytes, "global", address};
  return error;
}

/// A launch with buffers of 8 floats, 8 int4 and structures, at 1, 2 and 3 << 48.
struct ThreeBuffers {
  Signature signature{"k",
                      {{"x", "float", Parameter::Space::kBuffer, 0},
                       {"v", "int4", Parameter::Space::kBuffer, 0},
                       {"s", "Pair", Parameter::Space::kBuffer, 0}}};
  std::vector<Argument> arguments{3};
  std::vector<uint64_t> addresses{kFirst, 2 * kFirst, 3 * kFirst};
  ThreeBuffers() {
    for (size_t i = 0; i < 3; ++i) {
      arguments[i].kind = Argument::Kind::kBuffer;
      arguments[i].bytes.resize(i == 1 ? 128 : 32);
    }
  }
  std::vector<uint64_t> needed(const std::vector<SimulatorError> &errors) const {
    return neededValues(errors, {signature, arguments, addresses, "k.cl", "work-item"});
  }
  std::vector<std::string> grown(const std::vector<SimulatorError> &errors,
                                 const std::vector<bool> &growable = {true, true, true}) const {
    return grownCounts(errors, false, {signature, arguments, addresses, "k.cl", "work-item"},
                       growable, sizesOf("8", "", ""));
  }
};

using Counts = std::vector<std::string>;

} // namespace

TEST_CASE("a buffer needs the values up to the last byte that is accessed") {
  const ThreeBuffers launch;
  CHECK(launch.needed({}) == std::vector<uint64_t>{0, 0, 0});
  // Elements 8 and 20 of x; the last int of element 8 of v; bytes 32 to 39 of the structures.
  CHECK(launch.needed({readOf(kFirst + 32), readOf(kFirst + 80), readOf(2 * kFirst + 140),
                       readOf(3 * kFirst + 32, 8)}) == std::vector<uint64_t>{21, 9, 40});
  // A vector that begins within the buffer; before the begin of a buffer, nothing is needed.
  CHECK(launch.needed({readOf(kFirst + 28, 16), readOf(2 * kFirst - 4)}) ==
        std::vector<uint64_t>{11, 0, 0});
}

TEST_CASE("where the need is known, the count is that, as a product of the global size if it is") {
  const Sizes line = sizesOf("8", "", ""), image = sizesOf("8x4", "", "");
  CHECK(countFor(64, false, line) == "gx*gx");
  CHECK(countFor(63, false, line) == "63");
  CHECK(countFor(16, false, line) == "2*items");
  CHECK(countFor(64, false, image) == "gx*gx");
  CHECK(countFor(16, false, image) == "gy*gy");
  CHECK(countFor(60, false, image) == "(gx+2)*(gy+2)");
  CHECK(countFor(240, false, sizesOf("8x4x2", "", "")) == "(gx+2)*(gy+2)*(gz+2)");
}

TEST_CASE("where a launch was ended early, the count leaves room, and is never too small") {
  const Sizes line = sizesOf("8", "", "");
  CHECK(countFor(9, true, line) == "4*items");
  CHECK(countFor(33, true, line) == "gx*gx");
  CHECK(countFor(65, true, line) == "16*items");
  CHECK(countFor(1 << 20, true, line) == "1048576");
  CHECK(countFor(33, true, sizesOf("8x4", "", "")) == "(gx+2)*(gy+2)");
  for (const char *global : {"8", "100", "8x4", "3x100", "8x4x2", "1M"}) {
    const Sizes sizes = sizesOf(global, "", "");
    for (const bool isPart : {false, true})
      for (uint64_t needed = 1; needed < uint64_t{1} << 40; needed = needed * 3 + 1)
        CHECK(numberOf(countFor(needed, isPart, sizes), sizes) >= static_cast<int64_t>(needed));
  }
}

TEST_CASE("only buffers of numbers grow whose size was left open, and none beyond 1 GiB") {
  const ThreeBuffers launch;
  const std::vector<SimulatorError> errors = {readOf(kFirst + 80), readOf(2 * kFirst + 128, 16),
                                              readOf(3 * kFirst + 32)};
  CHECK(launch.grown(errors) == Counts{"21", "9", ""});
  CHECK(launch.grown(errors, {false, true, true}) == Counts{"", "9", ""});
  CHECK(launch.grown({readOf(kFirst + kMostGrownBytes - 4)}) ==
        Counts{std::to_string(kMostGrownBytes / 4), "", ""});
  CHECK(launch.grown({readOf(kFirst + kMostGrownBytes)}) == Counts{"", "", ""});
}
