// Tiling and grouping against its definition.

#include "eod/common/error.h"
#include "matrices.h"
#include "support/random.h"
#include "tiling.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

using namespace aiwc::irregular;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

struct Position {
  uint32_t row, column;
};

bool shares(const Position &a, const Position &b, Conflict conflict) {
  if (a.row == b.row || a.column == b.column)
    return true;
  return conflict == Conflict::kNode && (a.row == b.column || a.column == b.row);
}

/// No two of them share what they must not.
bool conflictFree(const std::vector<Position> &positions, Conflict conflict) {
  for (size_t i = 0; i < positions.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (shares(positions[i], positions[j], conflict))
        return false;
  return true;
}

/// The positions in a group's lanes.
std::vector<Position> groupOf(const Tiling &tiling, uint32_t group) {
  std::vector<Position> positions;
  for (uint32_t lane = group * kLanes; lane < (group + 1) * kLanes; ++lane)
    if (tiling.nonZeros[lane] != kIdle)
      positions.push_back({tiling.rows[lane], tiling.columns[lane]});
  return positions;
}

/// First fit by the definition: the groups of the non-zeros of a tile, each a list of positions.
std::vector<std::vector<Position>> firstFit(const std::vector<Position> &positions,
                                            Conflict conflict) {
  std::vector<std::vector<Position>> groups;
  for (const Position &position : positions) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto &members) {
      return members.size() < kLanes &&
             std::none_of(members.begin(), members.end(), [&](const Position &member) {
               return shares(member, position, conflict);
             });
    });
    if (group == groups.end())
      group = groups.insert(group, std::vector<Position>{});
    group->push_back(position);
  }
  return groups;
}

/// Everything that a tiling promises.
void checkTiling(const Matrix &matrix, uint32_t edge, Conflict conflict) {
  CAPTURE(matrix.rows, matrix.columns, matrix.nonZeros(), edge, conflict == Conflict::kNode);
  const Tiling tiling = tile(matrix, edge, conflict);
  const Indices rowOf = rowsOfNonZeros(matrix);

  // Every non-zero has one lane, with its row and column.
  std::vector<unsigned> lanes(matrix.nonZeros());
  REQUIRE(tiling.rows.size() == size_t{kLanes} * tiling.groupBegins.back());
  REQUIRE(tiling.columns.size() == tiling.rows.size());
  REQUIRE(tiling.nonZeros.size() == tiling.rows.size());
  for (size_t lane = 0; lane < tiling.rows.size(); ++lane) {
    const uint32_t nonZero = tiling.nonZeros[lane];
    if (nonZero == kIdle) {
      CHECK((tiling.rows[lane] == kIdle && tiling.columns[lane] == kIdle));
      continue;
    }
    REQUIRE(nonZero < matrix.nonZeros());
    ++lanes[nonZero];
    CHECK(
        (tiling.rows[lane] == rowOf[nonZero] && tiling.columns[lane] == matrix.columnOf[nonZero]));
  }
  for (size_t i = 0; i < lanes.size(); ++i) {
    const bool left = conflict == Conflict::kNode && rowOf[i] == matrix.columnOf[i];
    REQUIRE(lanes[i] == (left ? 0 : 1));
  }

  // Tiles of a round share nothing; the groups of a tile are those of first fit.
  REQUIRE(tiling.roundBegins.front() == 0);
  REQUIRE(tiling.roundBegins.back() + 1 == tiling.groupBegins.size());
  for (size_t round = 0; round + 1 < tiling.roundBegins.size(); ++round) {
    std::vector<Position> tiles;
    REQUIRE(tiling.roundBegins[round] < tiling.roundBegins[round + 1]);
    for (uint32_t at = tiling.roundBegins[round]; at < tiling.roundBegins[round + 1]; ++at) {
      REQUIRE(tiling.groupBegins[at] < tiling.groupBegins[at + 1]);
      const Position some = groupOf(tiling, tiling.groupBegins[at]).front();
      const Position place = {some.row / edge, some.column / edge};
      tiles.push_back(place);
      std::vector<Position> inTile;
      for (size_t i = 0; i < rowOf.size(); ++i)
        if (lanes[i] > 0 && rowOf[i] / edge == place.row &&
            matrix.columnOf[i] / edge == place.column)
          inTile.push_back({rowOf[i], matrix.columnOf[i]});
      const auto expected = firstFit(inTile, conflict);
      REQUIRE(expected.size() == tiling.groupBegins[at + 1] - tiling.groupBegins[at]);
      for (size_t i = 0; i < expected.size(); ++i) {
        const auto group = groupOf(tiling, tiling.groupBegins[at] + static_cast<uint32_t>(i));
        CHECK(conflictFree(group, conflict));
        CHECK(std::equal(group.begin(), group.end(), expected[i].begin(), expected[i].end(),
                         [](const Position &a, const Position &b) {
                           return a.row == b.row && a.column == b.column;
                         }));
      }
    }
    CHECK(conflictFree(tiles, conflict));
  }
}

} // namespace

TEST_CASE("Groups and rounds are conflict-free, and have every non-zero once") {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    Random random(seed);
    const auto rows = static_cast<uint32_t>(random.between(1, 90));
    const auto columns = static_cast<uint32_t>(random.between(1, 90));
    const Matrix any = irregularMatrix(rows, columns, seed);
    const Matrix square = irregularMatrix(rows, rows, seed);
    for (const uint32_t edge : {1U, 3U, 16U, 50U, 1000U}) {
      checkTiling(any, edge, Conflict::kRowOrColumn);
      checkTiling(square, edge, Conflict::kRowOrColumn);
      checkTiling(square, edge, Conflict::kNode);
    }
  }
}

TEST_CASE("A diagonal fills the lanes") {
  std::vector<std::pair<uint32_t, uint32_t>> diagonal;
  for (uint32_t i = 0; i < 64; ++i)
    diagonal.emplace_back(i, i);
  const Lanes lanes = lanesOf(tile(patternOf(64, 64, diagonal), 64, Conflict::kRowOrColumn));
  CHECK(lanes.groups == 4);
  CHECK(lanes.utilisation() == 1);
}

TEST_CASE("A row or a column has a group per non-zero") {
  for (const auto &[rows, columns] : {std::pair(1U, 40U), {40U, 1U}}) {
    const Lanes lanes = lanesOf(tile(densePattern(rows, columns), 64, Conflict::kRowOrColumn));
    CHECK(lanes.groups == 40);
    CHECK(lanes.utilisation() == 1.0 / kLanes);
  }
}

// First fit in a dense table takes for (i, j) the smallest number that is neither to its left nor
// above: i xor j, the sum of nim. In 16 rows of 16, each number occurs 16 times, so no group is
// full before its last non-zero.
TEST_CASE("A dense square is grouped as the sums of nim") {
  const Tiling tiling = tile(densePattern(16, 16), 16, Conflict::kRowOrColumn);
  CHECK(lanesOf(tiling).groups == 16);
  CHECK(lanesOf(tiling).utilisation() == 1);
  for (uint32_t lane = 0; lane < tiling.rows.size(); ++lane)
    CHECK((tiling.rows[lane] ^ tiling.columns[lane]) == lane / kLanes);
}

TEST_CASE("The rounds of a dense square of tiles are the sums of nim") {
  const Tiling tiling = tile(densePattern(16, 16), 4, Conflict::kRowOrColumn);
  REQUIRE(lanesOf(tiling).tiles == 16);
  REQUIRE(lanesOf(tiling).rounds == 4);
  for (uint32_t round = 0; round < 4; ++round)
    for (uint32_t at = tiling.roundBegins[round]; at < tiling.roundBegins[round + 1]; ++at) {
      const uint32_t lane = kLanes * tiling.groupBegins[at];
      CHECK((tiling.rows[lane] / 4 ^ tiling.columns[lane] / 4) == round);
    }
}

// In a star, every edge has the hub; in a path 0-1-2-..., an edge shares a node with the next.
TEST_CASE("Edges that share a node are in different groups") {
  std::vector<std::pair<uint32_t, uint32_t>> star, path;
  for (uint32_t i = 1; i < 33; ++i) {
    star.emplace_back(i % 2 == 0 ? 0 : i, i % 2 == 0 ? i : 0); // either end is the hub
    path.emplace_back(i - 1, i);
  }
  CHECK(lanesOf(tile(patternOf(33, 33, star), 64, Conflict::kNode)).groups == 32);
  CHECK(lanesOf(tile(patternOf(33, 33, path), 64, Conflict::kNode)).groups == 2);
  CHECK(lanesOf(tile(patternOf(33, 33, path), 64, Conflict::kRowOrColumn)).groups == 2);
  // Tiles of one node: a tile per edge, and their rounds are those of the edges.
  CHECK(lanesOf(tile(patternOf(33, 33, star), 1, Conflict::kNode)).rounds == 32);
  CHECK(lanesOf(tile(patternOf(33, 33, path), 1, Conflict::kNode)).rounds == 2);
  CHECK(lanesOf(tile(patternOf(33, 33, path), 1, Conflict::kRowOrColumn)).rounds == 1);
}

TEST_CASE("Too many tiles are refused") {
  const Matrix matrix = patternOf(kMostBlocks * 2 + 1, 5, {{0, 0}, {7, 3}});
  CHECK_NOTHROW(tile(matrix, 3, Conflict::kRowOrColumn));
  CHECK_THROWS_WITH(tile(matrix, 2, Conflict::kRowOrColumn),
                    Contains("16385 of them lie side by side: expected at most 16384") &&
                        Contains("at least 3"));
}
