/// Coalescing of traces whose values follow from the definitions with pen and paper.
#include "metrics/hand_trace.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace aiwc;
using namespace aiwc::test;
using profile::KernelProfile;
using trace::AddressSpace;
using trace::Program;

namespace {

constexpr auto kGlobal = AddressSpace::kGlobal;
constexpr auto kLocal = AddressSpace::kLocal;

/// coalescing_{16, 32, 64}
std::vector<double> coalescing(const KernelProfile &profile) {
  return {profile.real("coalescing_16"_metric), profile.real("coalescing_32"_metric),
          profile.real("coalescing_64"_metric)};
}

} // namespace

TEST_CASE("lanes side by side need the segments that they touch", "[coalescing]") {
  for (const uint32_t items : {1u, 7u, 16u, 64u, 256u})
    REQUIRE(coalescing(loadOnce(items, [](uint64_t i) { return 4 * i; })) ==
            std::vector<double>{1, 1, 1});
  // In any order
  REQUIRE(coalescing(loadOnce(64, [](uint64_t i) { return 4 * (i ^ 5); })) ==
          std::vector<double>{1, 1, 1});
  REQUIRE(coalescing(loadOnce(64, [](uint64_t i) { return 4 * (63 - i); })) ==
          std::vector<double>{1, 1, 1});
}

TEST_CASE("a misaligned row of lanes touches a segment more", "[coalescing]") {
  // 16 lanes: 64 bytes, every second time across a boundary; 32 and 64: 2 for 1 and 3 for 2.
  REQUIRE(coalescing(loadOnce(64, [](uint64_t i) { return 4 * i + 4; })) ==
          std::vector<double>{4.0 / 6, 2.0 / 4, 2.0 / 3});
}

TEST_CASE("lanes a segment apart touch one each", "[coalescing]") {
  REQUIRE(coalescing(loadOnce(64, [](uint64_t i) { return 128 * i; })) ==
          std::vector<double>{1.0 / 16, 1.0 / 32, 2.0 / 64});
}

TEST_CASE("lanes that read the same need it once", "[coalescing]") {
  REQUIRE(coalescing(loadOnce(64, [](uint64_t) { return 8; })) == std::vector<double>{1, 1, 1});
  // 100 bytes each, a byte apart: bytes 0 to 114, and 16 to 130: 1 + 1 segments for 1 + 2; all
  // together 131 bytes in 2 segments
  REQUIRE(coalescing(loadOnce(
              32, [](uint64_t i) { return i; }, 100)) == std::vector<double>{2.0 / 3, 1, 1});
}

TEST_CASE("the pixels that a linear filter reads count together", "[coalescing]") {
  // Lanes side by side read 2 x 2 pixels of 4 bytes; w lanes touch w + 1 pixels of each of two
  // rows.
  const Program program = loadingProgram(trace::MemoryKind::kImage);
  constexpr uint64_t pitch = 4096;
  HandTrace trace(program);
  trace.group(64);
  for (uint32_t item = 0; item < 64; ++item) {
    const auto pixel = [&](uint64_t x, uint64_t y) {
      return read(kGlobal, 1, y * pitch + 4 * (item + x), 4);
    };
    trace.item(item).block(0, {pixel(0, 0), pixel(1, 0), pixel(0, 1), pixel(1, 1)}).block(1);
  }
  // 16 lanes: 2 x 68 bytes, which fit 2 segments of 128; each row touches 1 or, from the middle of
  // a segment, 2. 32 lanes: 2 x 132 bytes in 3, 2 per row. 64 lanes: 2 x 260 bytes in 5, 3 per row.
  REQUIRE(coalescing(measure(trace, 64)) == std::vector<double>{8.0 / 12, 6.0 / 8, 5.0 / 6});
}

TEST_CASE("only the same execution of the same instruction is one lanes make together",
          "[coalescing]") {
  const Program program = loadingProgram();
  const auto row = [](uint32_t item, uint64_t k) {
    return read(kGlobal, 1, (k * 16 + item) * 128, 4);
  };
  HandTrace trace(program);
  trace.group(16);
  for (uint32_t item = 0; item < 16; ++item) { // the work-item's k-th load: its own segment
    trace.item(item);
    for (uint64_t k = 0; k <= item; ++k)
      trace.block(0, {row(item, k)});
    trace.block(1);
  }
  trace.barrier();
  for (uint32_t item = 0; item < 16; ++item) // all the same, if it were not for the barrier
    trace.item(item).block(2).block(0, {row(0, 0)});
  const KernelProfile profile = measure(trace, 16);
  // 16 loads in lockstep, of 16, 15, ... 1 lanes, then one that is perfect
  REQUIRE(profile.real("coalescing_16"_metric) == (16.0 + 1) / (16 * 17 / 2 + 1));
  REQUIRE(profile.real("coalescing_measured"_metric) == 1);
}

TEST_CASE("coalescing is about work-items and global memory", "[coalescing]") {
  const Program program = loadingProgram();
  HandTrace trace(program);
  trace.group(4);
  for (uint32_t item = 0; item < 4; ++item)
    trace.item(item).block(
        0, {read(kLocal, 1, 128 * item), read(AddressSpace::kConstant, 1, 128 * item)});
  trace.groupCopies({read(kGlobal, 1, 0), read(kGlobal, 1, 1000)});
  const KernelProfile profile = measure(trace, 4);
  for (const double value : coalescing(profile))
    REQUIRE(std::isnan(value));
  REQUIRE(std::isnan(profile.real("coalescing_measured"_metric)));
  REQUIRE(profile.real("parallel_spatial_locality_0"_metric) == 1);
}

TEST_CASE("eight lanes share, continue or scatter their accesses", "[coalescing]") {
  const auto share = [](const KernelProfile &profile) {
    return std::vector<double>{profile.real("uniform_accesses"_metric),
                               profile.real("consecutive_accesses"_metric)};
  };
  using Shares = std::vector<double>;
  CHECK(share(loadOnce(64, [](uint64_t) { return 40; })) == Shares{1, 0});
  CHECK(share(loadOnce(64, [](uint64_t i) { return 4 * i; })) == Shares{0, 1});
  CHECK(share(loadOnce(64, [](uint64_t i) { return 4 * i + 2; })) == Shares{0, 1}); // misaligned
  CHECK(share(loadOnce(64, [](uint64_t i) { return 4 * (63 - i); })) == Shares{0, 0});
  CHECK(share(loadOnce(64, [](uint64_t i) { return 8 * i; })) == Shares{0, 0});
  CHECK(share(loadOnce(
            64, [](uint64_t i) { return 8 * i; }, 8)) == Shares{0, 1});
  // Rows of eight and of four: only groups of eight count.
  CHECK(share(loadOnce(64, [](uint64_t i) { return i / 8 * 256 + i % 8 * 4; })) == Shares{0, 1});
  CHECK(share(loadOnce(64, [](uint64_t i) { return i / 4 * 256 + i % 4 * 4; })) == Shares{0, 0});
  CHECK(share(loadOnce(64, [](uint64_t i) { return i / 8 * 256; })) == Shares{1, 0});
  CHECK(share(loadOnce(64, [](uint64_t i) { return i < 8 ? 0 : 4 * i; })) ==
        Shares{8.0 / 64, 56.0 / 64});
  // A ninth lane shares with nobody.
  CHECK(share(loadOnce(9, [](uint64_t) { return 40; })) == Shares{8.0 / 9, 0});
  CHECK(share(loadOnce(1, [](uint64_t) { return 40; })) == Shares{0, 0});
}

TEST_CASE("lanes that do not take part are left out, whatever the memory", "[coalescing]") {
  const Program program = loadingProgram();
  for (const AddressSpace space : {kGlobal, kLocal, AddressSpace::kConstant}) {
    HandTrace trace(program);
    trace.group(8);
    for (const uint32_t item : {1u, 4u, 6u}) // 0, 4, 8: each after the one before
      trace.item(item).block(0, {read(space, 1, item == 1 ? 0 : item == 4 ? 4 : 8, 4)});
    const KernelProfile profile = measure(trace, 8);
    CHECK(profile.real("consecutive_accesses"_metric) == 1);
    CHECK(profile.real("uniform_accesses"_metric) == 0);
  }
  HandTrace alone(program);
  alone.group(8).item(0).block(0, {read(AddressSpace::kPrivate, 1, 0)});
  CHECK(std::isnan(measure(alone, 8).real("uniform_accesses"_metric)));
}

TEST_CASE("several accesses of one execution are one where they touch", "[coalescing]") {
  const Program program = loadingProgram();
  const auto lanes = [&](uint64_t second) {
    HandTrace trace(program);
    trace.group(8);
    for (uint32_t item = 0; item < 8; ++item)
      trace.item(item).block(0, {read(kGlobal, 1, 8 * item), read(kGlobal, 1, 8 * item + second)});
    return measure(trace, 8).real("consecutive_accesses"_metric);
  };
  CHECK(lanes(4) == 1); // the two halves of eight bytes
  CHECK(lanes(0) == 0); // the same four bytes again: lanes are eight apart
  CHECK(lanes(64) == 0);
}
