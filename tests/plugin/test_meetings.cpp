// Which work-items of a sub-group have met, and what they get from one another.

#include "simulator/meetings.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

using namespace aiwc::simulator;

namespace {

Lane waiting(Exchange exchange, uint32_t value, uint32_t argument = 0, uint32_t mask = 0,
             uint32_t place = 0, uint32_t width = 32) {
  Lane lane;
  lane.waits = true;
  lane.meeting = {exchange, value, argument, width, mask, 32, place};
  return lane;
}

Lane finished() {
  Lane lane;
  lane.hasFinished = true;
  return lane;
}

/// Lane i passes 100 + i.
std::vector<Lane> warp(Exchange exchange, uint32_t argument, uint32_t width = 32) {
  std::vector<Lane> lanes;
  for (uint32_t i = 0; i < 32; ++i)
    lanes.push_back(waiting(exchange, 100 + i, argument, 0xffffffff, 0, width));
  return lanes;
}

/// Who goes on now; they do.
std::vector<uint32_t> whoGoesOn(std::vector<Lane> &lanes) {
  std::vector<uint32_t> result;
  for (uint32_t i = 0; i < lanes.size(); ++i)
    if (lanes[i].leaves())
      result.push_back(i);
  return result;
}

} // namespace

TEST_CASE("Shuffles read the lanes that CUDA's programming guide defines") {
  // For every width, distance and lane, written down from the definition.
  for (uint32_t width = 1; width <= 32; width *= 2)
    for (const uint32_t argument : {0U, 1U, 3U, 5U, 16U, 31U, 32U, 40U}) {
      std::vector<Lane> index = warp(Exchange::kIndex, argument, width);
      std::vector<Lane> up = warp(Exchange::kUp, argument, width);
      std::vector<Lane> down = warp(Exchange::kDown, argument, width);
      std::vector<Lane> across = warp(Exchange::kXor, argument, width);
      for (std::vector<Lane> *lanes : {&index, &up, &down, &across})
        REQUIRE(meet(*lanes));
      for (uint32_t i = 0; i < 32; ++i) {
        const uint32_t first = i / width * width, last = first + width - 1;
        CAPTURE(width, argument, i);
        CHECK(index[i].result == 100 + first + argument % width);
        CHECK(up[i].result == 100 + (i >= first + argument ? i - argument : i));
        CHECK(down[i].result == 100 + (i + argument <= last ? i + argument : i));
        // A lane of an earlier segment can be read, one of a later segment not.
        const uint32_t other = i ^ argument;
        CHECK(across[i].result == 100 + (other <= last ? other : i));
      }
    }
}

TEST_CASE("Votes, matches and reductions are over the lanes of the mask") {
  const uint32_t mask = 0x80f0;
  const auto resultOf = [&](Exchange exchange, auto valueOf) {
    std::vector<Lane> lanes;
    for (uint32_t i = 0; i < 32; ++i)
      lanes.push_back((mask >> i & 1) != 0 ? waiting(exchange, valueOf(i), 0, mask) : finished());
    REQUIRE(meet(lanes));
    return lanes[15].result;
  };
  // Lanes 4 to 7 and 15.
  const auto value = [](uint32_t i) { return i == 5 ? uint32_t(-3) : i; };
  CHECK(resultOf(Exchange::kBallot, [](uint32_t i) { return i % 2; }) == 0x80a0);
  CHECK(resultOf(Exchange::kMatch, [](uint32_t i) { return i % 4; }) == 0x8080); // 3 and 3
  CHECK(resultOf(Exchange::kAdd, value) == 4 - 3 + 6 + 7 + 15);
  CHECK(resultOf(Exchange::kMinSigned, value) == uint32_t(-3));
  CHECK(resultOf(Exchange::kMinUnsigned, value) == 4);
  CHECK(resultOf(Exchange::kMaxSigned, value) == 15);
  CHECK(resultOf(Exchange::kMaxUnsigned, value) == uint32_t(-3));
  CHECK(resultOf(Exchange::kAnd, [](uint32_t i) { return i | 64; }) == 64 + (4 & 5 & 6 & 7 & 15));
  CHECK(resultOf(Exchange::kOr, [](uint32_t i) { return i; }) == 15);
  CHECK(resultOf(Exchange::kXorAll, [](uint32_t i) { return i; }) == (4 ^ 5 ^ 6 ^ 7 ^ 15));
}

TEST_CASE("A sub-group of 128 lanes has four words of votes") {
  std::vector<Lane> lanes;
  for (uint32_t i = 0; i < 128; ++i) {
    lanes.push_back(waiting(Exchange::kBallot, i == 70 || i == 33, i / 32));
    lanes.back().meeting.lanes = 128;
  }
  REQUIRE(meet(lanes));
  CHECK(lanes[0].result == 0);
  CHECK(lanes[32].result == 1U << 1);
  CHECK(lanes[64].result == 1U << 6);
  CHECK(lanes[127].result == 0);
}

TEST_CASE("Lanes that name each other meet when none of them is missing, wherever they wait") {
  std::vector<Lane> lanes(32, finished());
  lanes[0] = waiting(Exchange::kIndex, 7, 1, 0xf, 10);
  lanes[1] = waiting(Exchange::kIndex, 8, 0, 0xf, 3); // another call
  lanes[2] = Lane();                                  // at a barrier of the group
  lanes[4] = waiting(Exchange::kIndex, 9, 5, 0x30, 20);
  lanes[5] = waiting(Exchange::kIndex, 6, 4, 0x30, 20);
  REQUIRE(meet(lanes));
  CHECK(whoGoesOn(lanes) == std::vector<uint32_t>{4, 5});
  CHECK(lanes[4].result == 6);
  lanes[4] = lanes[5] = finished();
  lanes[2] = waiting(Exchange::kIndex, 5, 0, 0xf, 4);
  // Lane 3 has finished. The others go on by their places, with what they had when they met.
  for (const uint32_t lane : {1U, 2U, 0U}) {
    REQUIRE(meet(lanes));
    CHECK(whoGoesOn(lanes) == std::vector<uint32_t>{lane});
    CHECK(lanes[lane].result == (lane == 0 ? 8 : 7));
    lanes[lane] = waiting(Exchange::kIndex, 50, 1, 0xf, 10); // arrives again
  }
  REQUIRE(meet(lanes));
  CHECK(whoGoesOn(lanes) == std::vector<uint32_t>{0, 1, 2});
  CHECK_FALSE(meet(lanes));
}

TEST_CASE("If lanes of a mask do not come, those meet that wait at the first place") {
  std::vector<Lane> lanes(4);
  lanes[0] = waiting(Exchange::kAdd, 1, 0, 0xf, 5);
  lanes[1] = waiting(Exchange::kAdd, 2, 0, 0xf, 4);
  lanes[2] = waiting(Exchange::kAdd, 4, 0, 0xf, 4);
  REQUIRE(meet(lanes));
  CHECK(whoGoesOn(lanes) == std::vector<uint32_t>{1, 2});
  CHECK(lanes[1].result == 6);
}

TEST_CASE("Lanes that have left a loop wait for those inside") {
  std::vector<Lane> lanes(3);
  lanes[0] = waiting(Exchange::kBallot, 1, 0, 0, 2); // behind the loop
  lanes[1] = waiting(Exchange::kAdd, 10, 0, 0, 1);
  lanes[2] = waiting(Exchange::kAdd, 20, 0, 0, 1);
  REQUIRE(meet(lanes));
  CHECK(whoGoesOn(lanes) == std::vector<uint32_t>{1, 2});
  CHECK(lanes[2].result == 30);
}

TEST_CASE("Sub-groups meet apart from one another, and none without waiting lanes") {
  std::vector<Lane> lanes(40, finished());
  CHECK_FALSE(meet(lanes));
  lanes[3] = waiting(Exchange::kAdd, 1, 0, 0xffffffff, 9);
  lanes[33] = waiting(Exchange::kAdd, 2, 0, 0xffffffff, 1);
  REQUIRE(meet(lanes));
  CHECK(whoGoesOn(lanes) == std::vector<uint32_t>{33});
  REQUIRE(meet(lanes));
  CHECK(whoGoesOn(lanes) == std::vector<uint32_t>{3});
  CHECK(lanes[3].result == 1);
  CHECK(lanes[33].result == 2);
}

TEST_CASE("A warp multiplies what its lanes hold, and 0 for lanes that it lacks") {
  // Bytes, 16 x 16 x 16. Lane l has row l / 4 of each 8 rows of the left factor, and column l / 4
  // of each 8 columns of the right one; of the sum, that row and columns 2 (l mod 4) and the next.
  for (const uint32_t present : {32U, 16U}) {
    std::vector<Fragments> fragments(32);
    std::vector<Lane> lanes(32, finished());
    for (uint32_t i = 0; i < present; ++i) {
      fragments[i].left.fill(2);
      fragments[i].right.fill(3);
      fragments[i].sum.fill(0);
      fragments[i].sum[0] = 7; // of the first of eight sums
      lanes[i].arrive(Meeting::multiplication(3 | 16 << 8 | 16 << 16 | 16 << 24, false, 2, 5),
                      &fragments[i]);
    }
    REQUIRE(meet(lanes));
    for (uint32_t i = 0; i < present; ++i) {
      CAPTURE(present, i);
      CHECK(lanes[i].goesOn);
      std::array<int32_t, 8> sums{};
      std::memcpy(sums.data(), fragments[i].sum.data(), sizeof sums);
      // Half a warp has the first four of eight columns.
      const int32_t product = present == 32 || i % 4 < 2 ? 16 * 2 * 3 : 0;
      for (uint32_t element = 0; element < 8; ++element)
        CHECK(sums.at(element) == product + (element == 0 ? 7 : 0));
    }
  }
}

TEST_CASE("Warps of 64 lanes and of 32 wait in one group, and each meets as what it is") {
  std::vector<Lane> lanes;
  for (uint32_t i = 0; i < 192; ++i) { // lanes 64 to 127 at calls of warps of 32
    lanes.push_back(waiting(Exchange::kMatch, i % 64 / 32, 1));
    lanes.back().meeting.lanes = 64;
    if (i / 64 == 1)
      lanes.back().meeting = waiting(Exchange::kBallot, i % 2).meeting;
  }
  REQUIRE(meet(lanes));
  for (uint32_t i = 0; i < 192; ++i) {
    CAPTURE(i);
    CHECK(lanes[i].hasMet);
    // Of the upper 32 lanes, all have the same value as these, and none that of the lower ones.
    CHECK(lanes[i].result == (i / 64 == 1 ? 0xaaaaaaaa : i % 64 < 32 ? 0 : UINT32_MAX));
  }
}

TEST_CASE("A warp of 32 lanes meets beside lanes that wait for the warp of 64 that it is part of") {
  std::vector<Lane> lanes;
  for (uint32_t i = 0; i < 64; ++i) {
    lanes.push_back(waiting(Exchange::kBallot, i % 2));
    lanes.back().meeting.lanes = i < 32 ? 64 : 32;
    lanes.back().meeting.place = i < 32 ? 2 : 1;
  }
  REQUIRE(meet(lanes));
  for (uint32_t i = 32; i < 64; ++i)
    CHECK(lanes[i].result == 0xaaaaaaaa);
}

TEST_CASE("A warp spreads matrices of 16 bits as ldmatrix and movmatrix do") {
  using aiwc::decoding::Spread;
  for (const Spread how : {Spread::kRows, Spread::kColumns, Spread::kTransposed}) {
    std::array<Fragments, 32> fragments{};
    std::array<Fragments *, 32> lanes{};
    const auto halves = [&](size_t lane) {
      std::array<uint16_t, 8> result{};
      std::memcpy(result.data(), fragments[lane].sum.data(), sizeof result);
      return result;
    };
    for (uint16_t lane = 0; lane < 32; ++lane) {
      for (uint16_t i = 0; i < 8; ++i) {
        const uint16_t number = 8 * lane + i;
        std::memcpy(&fragments[lane].sum[2 * i], &number, 2);
      }
      lanes[lane] = lane == 9 ? nullptr : &fragments[lane];
    }
    spread(how, lanes);
    for (size_t lane = 0; lane < 32; ++lane)
      for (size_t i = 0; i < 8; ++i) {
        const size_t row = lane / 4, column = 2 * (lane % 4) + i % 2, matrix = i / 2;
        // The lane that had the element, and its place there.
        const size_t from = how == Spread::kRows      ? 8 * matrix + row
                            : how == Spread::kColumns ? 8 * matrix + column
                                                      : 4 * column + row / 2;
        const size_t at = how == Spread::kRows      ? column
                          : how == Spread::kColumns ? row
                                                    : 2 * matrix + row % 2;
        CAPTURE(lane, i);
        if (lane != 9)
          CHECK(halves(lane)[i] == (from == 9 ? 0 : 8 * from + at));
      }
  }
}

TEST_CASE("Lanes at products of other shapes or types do not meet") {
  std::vector<Fragments> fragments(2);
  std::vector<Lane> lanes(2);
  const auto product = [](uint32_t m, uint32_t n) { return m << 8 | n << 16 | 16 << 24; };
  lanes[0].arrive(Meeting::multiplication(product(32, 8), false, 0, 1), &fragments[0]);
  lanes[1].arrive(Meeting::multiplication(product(8, 32), false, 0, 2), &fragments[1]);
  REQUIRE(meet(lanes));
  CHECK(whoGoesOn(lanes) == std::vector<uint32_t>{0});
  REQUIRE(meet(lanes));
  CHECK(whoGoesOn(lanes) == std::vector<uint32_t>{1});
}

TEST_CASE("A group whose work-items are at one call meets as its lanes one by one would") {
  for (uint32_t exchange = 0; exchange <= static_cast<uint32_t>(Exchange::kXorAll); ++exchange)
    for (const uint32_t mask : {0U, 0xffffffffU, 0x7fffffffU})
      for (const uint32_t lanes : {8U, 32U, 64U})
        for (const size_t items : {size_t{1}, size_t{40}, size_t{256}}) {
          const uint32_t width = std::min(lanes, 16U);
          const Meeting call = {static_cast<Exchange>(exchange), 0, 0, width, 0, lanes, 3};
          std::vector<Lane> group(items);
          std::vector<uint32_t> values, arguments, masks(items, mask), results(items, 77);
          for (uint32_t i = 0; i < items; ++i) {
            values.push_back(i * i);
            arguments.push_back(i * 7 % 19);
            group[i].arrive({call.exchange, values[i], arguments[i], width, mask, lanes, 3});
          }
          const bool isTogether = meetTogether(call, values, arguments, masks, results);
          CAPTURE(exchange, mask, lanes, items);
          CHECK(isTogether == ((exchange == 0 || (exchange >= 3 && exchange <= 6)) &&
                               (mask == 0 || (mask == 0xffffffff && lanes <= 32))));
          if (!isTogether)
            continue;
          REQUIRE(meet(group));
          for (size_t i = 0; i < items; ++i) {
            CHECK(group[i].goesOn);
            CHECK((exchange == 0 || group[i].result == results[i]));
          }
        }
  // A lane that names others waits for none that is there: not decided here.
  const Meeting shuffle = {Exchange::kIndex, 0, 0, 32, 0, 32, 0};
  std::vector<uint32_t> numbers = {1, 2}, masks = {0, 1}, results(2);
  CHECK_FALSE(meetTogether(shuffle, numbers, numbers, masks, results));
}
