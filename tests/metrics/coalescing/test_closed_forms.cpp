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

namespace {

/// Work-item i loads elements of 4 bytes from byte stride * i of a buffer: those at `places`, in
/// parts of a vector access, or each with an instruction of its own.
KernelProfile loadElements(uint32_t items, uint64_t stride, const std::vector<uint64_t> &places,
                           bool joined, AddressSpace space = kGlobal) {
  ProgramBuilder builder;
  builder.function("kernel");
  std::vector<trace::Operation> operations;
  for (size_t i = 0; i < places.size(); ++i)
    operations.push_back(
        builder.op("load", {.memory = trace::MemoryKind::kLoad,
                            .space = space,
                            .joinedTo = joined && i > 0 ? 0 : trace::Operation::kAlone}));
  builder.block(operations, trace::BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(items);
  for (uint32_t item = 0; item < items; ++item) {
    std::vector<trace::Access> accesses;
    for (size_t i = 0; i < places.size(); ++i) {
      accesses.push_back(read(space, 1, stride * item + 4 * places[i], 4));
      accesses.back().opOffset = i & 0xff;
    }
    trace.item(item).block(0, accesses);
  }
  return measure(trace, items);
}

std::vector<uint64_t> firstElements(uint64_t count) {
  std::vector<uint64_t> places;
  for (uint64_t place = 0; place < count; ++place)
    places.push_back(place);
  return places;
}

} // namespace

TEST_CASE("a vector access needs the segments that it touches, in one part or several",
          "[coalescing]") {
  for (const uint64_t elements : {1, 2, 4, 8, 16}) {
    CAPTURE(elements);
    const auto bytes = static_cast<uint32_t>(4 * elements);
    for (const KernelProfile &profile : {loadOnce(
                                             64, [&](uint64_t i) { return bytes * i; }, bytes),
                                         loadElements(64, bytes, firstElements(elements), true)}) {
      CHECK(coalescing(profile) == std::vector<double>{1, 1, 1});
      CHECK(profile.real("consecutive_accesses"_metric) == 1);
      CHECK(profile.real("uniform_accesses"_metric) == 0);
      CHECK(profile.real("coalescing_measured"_metric) == 1);
    }
    // Each element by itself: w lanes touch the segments of all elements, and need their own.
    const KernelProfile apart = loadElements(64, bytes, firstElements(elements), false);
    const auto segments = [](uint64_t lanes, uint64_t each) {
      return static_cast<double>((lanes * each + 127) / 128);
    };
    CHECK(coalescing(apart) == std::vector<double>{segments(16, 4) / segments(16, bytes),
                                                   segments(32, 4) / segments(32, bytes),
                                                   segments(64, 4) / segments(64, bytes)});
    CHECK(apart.real("consecutive_accesses"_metric) == (elements == 1 ? 1 : 0));
  }
}

TEST_CASE("the parts of a vector access count in any order, and once", "[coalescing]") {
  for (const std::vector<uint64_t> &places :
       std::vector<std::vector<uint64_t>>{{3, 2, 1, 0}, {2, 0, 3, 1}, {0, 0, 1, 2, 3}}) {
    const KernelProfile profile = loadElements(64, 16, places, true);
    CHECK(coalescing(profile) == std::vector<double>{1, 1, 1});
    CHECK(profile.real("consecutive_accesses"_metric) == 1);
  }
  // All lanes the same vector
  CHECK(loadElements(64, 0, {1, 0}, true).real("uniform_accesses"_metric) == 1);
}

TEST_CASE("elements of a vector that nobody needs are not needed", "[coalescing]") {
  // Two of four elements: half of the bytes of each segment. The first and the last leave a gap.
  for (const std::vector<uint64_t> &places :
       std::vector<std::vector<uint64_t>>{{0, 1}, {0, 3}, {3, 1}}) {
    const KernelProfile profile = loadElements(64, 16, places, true);
    CHECK(coalescing(profile) == std::vector<double>{0.5, 0.5, 0.5});
    CHECK(profile.real("consecutive_accesses"_metric) == 0);
  }
  // Vectors of 4 elements, of which each lane has the second: 1 of 2, 1 of 4 and 2 of 8 segments
  CHECK(coalescing(loadElements(64, 16, {1}, true)) == std::vector<double>{0.5, 0.25, 0.25});
}

TEST_CASE("what a copy reads and what it writes count apart", "[coalescing]") {
  const Program program = loadingProgram(trace::MemoryKind::kCopy);
  HandTrace trace(program);
  trace.group(64);
  for (uint32_t item = 0; item < 64; ++item) // vectors side by side to every second place
    trace.item(item).block(0, {read(kGlobal, 1, 16 * item, 16), write(kGlobal, 2, 32 * item, 16)});
  const KernelProfile profile = measure(trace, 64);
  // w lanes read w / 8 segments and write to w / 4.
  CHECK(coalescing(profile) == std::vector<double>{2.0 / 3, 2.0 / 3, 2.0 / 3});
  CHECK(profile.real("consecutive_accesses"_metric) == 0.5);
}

TEST_CASE("vector accesses to local memory are vector accesses too", "[coalescing]") {
  const KernelProfile lanes = loadElements(8, 8, {0, 1}, true, AddressSpace::kLocal);
  CHECK(lanes.real("consecutive_accesses"_metric) == 1);
  CHECK(std::isnan(lanes.real("coalescing_32"_metric))); // of local memory
}

TEST_CASE("lanes take turns at the banks of local memory", "[coalescing]") {
  const Program program = loadingProgram();
  const auto efficiency = [&](uint64_t distance, uint32_t size = 4, uint32_t items = 64) {
    HandTrace trace(program);
    trace.group(items);
    for (uint32_t item = 0; item < items; ++item)
      trace.item(item).block(0, {read(kLocal, 1, distance * item, size)});
    return measure(trace, items).real("bank_efficiency"_metric);
  };
  CHECK(efficiency(4) == 1);
  CHECK(efficiency(0) == 1);    // one word for all
  CHECK(efficiency(1, 1) == 1); // four lanes share a word
  CHECK(efficiency(8) == 1.0 / 2);
  CHECK(efficiency(128) == 1.0 / 32);
  CHECK(efficiency(128, 4, 4) == 1.0 / 4); // as many turns as lanes
  CHECK(efficiency(132) == 1);             // rows that are padded
  CHECK(efficiency(16, 16) == 1);          // 128 words need four turns, and take them
  CHECK(efficiency(32, 16) == 1.0 / 2);
  // Rows of 16 lanes, 32 words apart: two lanes in each of 16 banks.
  HandTrace rows(program);
  rows.group(32);
  for (uint32_t item = 0; item < 32; ++item)
    rows.item(item).block(0, {read(kLocal, 1, 128 * (item / 16) + 4 * (item % 16))});
  CHECK(measure(rows, 32).real("bank_efficiency"_metric) == 1.0 / 2);
  CHECK(std::isnan(loadOnce(64, [](uint64_t i) { return 4 * i; }).real("bank_efficiency"_metric)));
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
