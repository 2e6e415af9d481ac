// Groups of non-zeros without conflicts, against brute force.
#include "sparse/generate.h"
#include "sparse/grouping.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <utility>
#include <vector>

using namespace aiwc::sparse;

namespace {

using Place = std::pair<uint32_t, uint32_t>;

double byDefinition(const Matrix &matrix, uint32_t tile, uint32_t lanes) {
  std::map<Place, std::vector<Place>> tiles; // non-zeros in their order
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (const uint32_t column : matrix.row(row))
      tiles[{row / tile, column / tile}].emplace_back(row, column);
  size_t count = 0;
  for (const auto &[corner, places] : tiles) {
    std::vector<std::vector<Place>> groups;
    for (const Place &place : places) {
      const auto joined = std::ranges::find_if(groups, [&](const std::vector<Place> &group) {
        return group.size() < lanes && std::ranges::none_of(group, [&](const Place &other) {
                 return other.first == place.first || other.second == place.second;
               });
      });
      if (joined == groups.end())
        groups.push_back({place});
      else
        joined->push_back(place);
    }
    count += groups.size();
  }
  return static_cast<double>(matrix.nonZeros()) /
         (static_cast<double>(lanes) * static_cast<double>(count));
}

} // namespace

TEST_CASE("Grouping is first fit within tiles") {
  for (const ShapeInfo &info : shapes())
    for (const auto &[rows, perRow] : {std::pair(130U, 2.0), std::pair(70U, 20.0)}) {
      const Matrix matrix = generate({.shape = info.shape,
                                      .rows = rows,
                                      .nonZerosPerRow = perRow,
                                      .seed = 4,
                                      .parameter = {},
                                      .values = false});
      for (const uint32_t tile : {1U, 7U, 64U, 1000U})
        for (const uint32_t lanes : {1U, 4U, 16U}) {
          INFO(info.name << " " << rows << " " << perRow << " " << tile << " " << lanes);
          CHECK(laneUtilisation(matrix, tile, lanes) == byDefinition(matrix, tile, lanes));
        }
      CHECK(meanLaneUtilisation(matrix) ==
            Approx((byDefinition(matrix, 128, 16) + byDefinition(matrix, 512, 16) +
                    byDefinition(matrix, 2048, 16)) /
                   3));
    }
}

TEST_CASE("Lane utilisation of known matrices") {
  std::vector<Entry> row;
  std::vector<Entry> diagonal;
  for (uint32_t i = 0; i < 160; ++i) {
    row.push_back({3, i, 1});
    diagonal.push_back({i, i, 1});
  }
  // All of a row are in conflict; nothing of a diagonal is.
  CHECK(laneUtilisation(matrixOf(160, 160, row, false), 160) == 1.0 / 16);
  CHECK(laneUtilisation(matrixOf(160, 160, diagonal, false), 160) == 1);
  CHECK(laneUtilisation(matrixOf(160, 160, diagonal, false), 8) == 0.5);
  CHECK(laneUtilisation(matrixOf(5, 5, {}, false), 8) == 1);
}
