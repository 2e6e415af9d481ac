#include "../support/random.h"
#include "common/error.h"
#include "predict/makespan.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <numeric>

using aiwc::predict::minimalMakespan;
using aiwc::test::Random;

namespace {

/// Finish times by device, then pieces; that of no piece is 0.
using Table = std::vector<std::vector<double>>;

double makespanOf(const Table &table, const std::vector<uint64_t> &division) {
  double makespan = 0;
  for (size_t device = 0; device < table.size(); ++device)
    makespan = std::max(makespan, table[device][division[device]]);
  return makespan;
}

struct Optimum {
  double makespan = 0;
  size_t devices = 0; ///< the fewest that reach it
};

/// Looks at all compositions of `left` pieces over the devices from `device` on.
void enumerate(const Table &table, size_t device, uint64_t left, std::vector<uint64_t> &division,
               Optimum &best) {
  if (device + 1 == table.size()) {
    division[device] = left;
    const double makespan = makespanOf(table, division);
    const auto devices = static_cast<size_t>(
        std::ranges::count_if(division, [](uint64_t pieces) { return pieces > 0; }));
    if (best.devices == 0 || makespan < best.makespan)
      best = {makespan, devices};
    else if (makespan == best.makespan)
      best.devices = std::min(best.devices, devices);
    return;
  }
  for (division[device] = 0; division[device] <= left; ++division[device])
    enumerate(table, device + 1, left - division[device], division, best);
}

Optimum bruteForce(const Table &table, uint64_t pieces) {
  Optimum best;
  std::vector<uint64_t> division(table.size());
  enumerate(table, 0, pieces, division, best);
  return best;
}

/// Finish times that do not fall, with plateaus (a device with idle cores), jumps at the first
/// piece (a launch) and ties between devices.
Table randomTable(Random &random, size_t devices, uint64_t pieces) {
  Table table(devices);
  for (auto &row : table) {
    row = {0};
    double time = static_cast<double>(random.oneIn(2) ? random.below(20) : 0);
    const uint64_t step = random.between(1, 6);
    for (uint64_t i = 0; i < pieces; ++i)
      row.push_back(time += static_cast<double>(random.oneIn(3) ? 0 : random.below(step + 1)));
  }
  if (random.oneIn(4))
    table.back() = table.front();
  return table;
}

std::vector<uint64_t> divide(const Table &table, uint64_t pieces) {
  return minimalMakespan(pieces, table.size(), [&](size_t device, uint64_t count) {
    CHECK((count >= 1 && count <= pieces));
    return table[device][count];
  });
}

} // namespace

TEST_CASE("no division has a smaller makespan, and none of that makespan fewer devices") {
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    const size_t devices = random.between(1, 4);
    const uint64_t pieces = random.between(1, devices < 4 ? 16 : 10);
    const Table table = randomTable(random, devices, pieces);
    const std::vector<uint64_t> division = divide(table, pieces);
    const Optimum best = bruteForce(table, pieces);
    CAPTURE(round, devices, pieces, division);
    REQUIRE(std::accumulate(division.begin(), division.end(), uint64_t{0}) == pieces);
    REQUIRE(makespanOf(table, division) == best.makespan);
    REQUIRE(static_cast<size_t>(std::ranges::count_if(
                division, [](uint64_t count) { return count > 0; })) == best.devices);
  }
}

TEST_CASE("a device that is slower everywhere never gets more, an equal one the same to a piece") {
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    const uint64_t pieces = random.between(1, 40);
    Table table = randomTable(random, 3, pieces);
    for (size_t i = 1; i <= pieces; ++i)
      table[1][i] = table[0][i] + static_cast<double>(round % 2 * random.below(3));
    for (size_t i = 1; i <= pieces; ++i) // does not fall
      table[1][i] = std::max(table[1][i], table[1][i - 1]);
    const std::vector<uint64_t> division = divide(table, pieces);
    CAPTURE(round, pieces, division);
    CHECK(division[1] <= division[0]);
    if (table[1] == table[0] && division[1] > 0)
      CHECK(division[0] - division[1] <= 1);
  }
}

TEST_CASE("many pieces need few looks at a finish time") {
  // Speeds 1, 2 and 3: a third of the work of the last device is two thirds of the second's ...
  uint64_t looks = 0;
  const uint64_t pieces = 6'000'000'000'000;
  const auto division = minimalMakespan(pieces, 3, [&](size_t device, uint64_t count) {
    ++looks;
    return static_cast<double>(count) / static_cast<double>(device + 1);
  });
  CHECK(division == std::vector<uint64_t>{pieces / 6, pieces / 3, pieces / 2});
  // log2(pieces) = 43 rounds per device, each of two searches per device of at most 43 looks.
  CHECK(looks < 3 * 43 * 3 * 2 * 43);
}

TEST_CASE("all pieces are given away if finish times are no numbers or decrease") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto given = [](const std::vector<uint64_t> &division) {
    return std::accumulate(division.begin(), division.end(), uint64_t{0});
  };
  CHECK(given(minimalMakespan(10, 2, [&](size_t, uint64_t) { return nan; })) == 10);
  const auto onlySecond = [&](size_t device, uint64_t pieces) {
    return device == 1 ? static_cast<double>(pieces) : nan;
  };
  CHECK(minimalMakespan(10, 2, onlySecond) == std::vector<uint64_t>{0, 10});
  const auto decreasing = [](size_t, uint64_t pieces) { return 1 / static_cast<double>(pieces); };
  CHECK(given(minimalMakespan(10, 2, decreasing)) == 10);
}

TEST_CASE("no work and no devices are refused") {
  const auto never = [](size_t, uint64_t) -> double { throw std::logic_error("not to be asked"); };
  CHECK_THROWS_AS(minimalMakespan(0, 2, never), aiwc::Error);
  CHECK_THROWS_AS(minimalMakespan(3, 0, never), aiwc::Error);
}
