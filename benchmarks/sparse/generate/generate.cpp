#include "generate/generate.h"

#include "common/error.h"
#include "generate/order.h"
#include "generate/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

namespace aiwc::sparse {

namespace {

constexpr double kMostSide = 65536;

constexpr std::array kShapes = {
    ShapeInfo{Shape::kUniform, "uniform", "non-zeros anywhere", "", 0, 0},
    ShapeInfo{Shape::kBanded, "banded", "the diagonal, and non-zeros near it",
              "the most columns between a non-zero and the diagonal", 0, double{kMostRows}},
    ShapeInfo{Shape::kBlock, "block", "dense blocks at random places", "rows of a block", 1,
              kMostSide},
    ShapeInfo{Shape::kMesh2d, "mesh-2d", "a grid and its neighbours", "", 0, 0},
    ShapeInfo{Shape::kMesh3d, "mesh-3d", "the same in space", "", 0, 0},
    ShapeInfo{Shape::kMeshUnordered, "mesh-unordered", "a mesh whose nodes have random numbers",
              "dimensions", 2, 3},
    ShapeInfo{Shape::kMeshReordered, "mesh-reordered",
              "that mesh, renumbered by reverse Cuthill-McKee", "dimensions", 2, 3},
    ShapeInfo{Shape::kPowerLaw, "power-law", "a graph whose degrees have a power law",
              "its exponent", 1.5, 10},
    ShapeInfo{Shape::kRmat, "r-mat", "the recursive model of Chakrabarti et al.",
              "the share of the first quarter", 0.25, 0.9},
    ShapeInfo{Shape::kSmallWorld, "small-world", "a ring with shortcuts",
              "the share of the shortcuts", 0, 1},
};

constexpr uint64_t keyOf(uint64_t row, uint64_t column) {
  return row << 32U | column;
}
constexpr uint32_t rowOf(uint64_t key) {
  return static_cast<uint32_t>(key >> 32U);
}
constexpr uint32_t columnOf(uint64_t key) {
  return static_cast<uint32_t>(key);
}

Matrix emptyMatrix(uint32_t rows) {
  return {.rows = rows,
          .columns = rows,
          .rowBegins = std::vector<uint64_t>(uint64_t{rows} + 1),
          .columnOf = {},
          .values = {}};
}

/// The matrix of positions that increase.
Matrix matrixOfKeys(uint32_t rows, const std::vector<uint64_t> &keys) {
  Matrix matrix = emptyMatrix(rows);
  matrix.columnOf.reserve(keys.size());
  for (const uint64_t key : keys) {
    ++matrix.rowBegins[uint64_t{rowOf(key)} + 1];
    matrix.columnOf.push_back(columnOf(key));
  }
  std::inclusive_scan(matrix.rowBegins.begin(), matrix.rowBegins.end(), matrix.rowBegins.begin());
  return matrix;
}

/// `count` different positions that `draw` returns, in order; fewer if it returns few others.
template <typename Draw> std::vector<uint64_t> distinct(uint64_t count, Draw draw) {
  constexpr uint64_t kDrawsPerPosition = 20;
  uint64_t draws = 0;
  std::vector<uint64_t> keys;
  std::vector<uint64_t> more;
  std::vector<uint64_t> both;
  while (keys.size() < count && draws < kDrawsPerPosition * (count + 100)) {
    const uint64_t missing = count - keys.size();
    draws += missing;
    more.clear();
    for (uint64_t i = 0; i < missing; ++i)
      more.push_back(draw());
    std::sort(more.begin(), more.end());
    more.erase(std::unique(more.begin(), more.end()), more.end());
    both.clear();
    std::set_union(keys.begin(), keys.end(), more.begin(), more.end(), std::back_inserter(both));
    keys.swap(both);
  }
  return keys;
}

/// The symmetric matrix of positions below the diagonal.
Matrix symmetricOfKeys(uint32_t rows, std::vector<uint64_t> keys) {
  const size_t half = keys.size();
  keys.reserve(2 * half);
  for (size_t i = 0; i < half; ++i)
    keys.push_back(keyOf(columnOf(keys[i]), rowOf(keys[i])));
  std::sort(keys.begin() + static_cast<ptrdiff_t>(half), keys.end());
  std::inplace_merge(keys.begin(), keys.begin() + static_cast<ptrdiff_t>(half), keys.end());
  return matrixOfKeys(rows, keys);
}

uint64_t belowDiagonal(uint32_t a, uint32_t b) {
  return keyOf(std::max(a, b), std::min(a, b));
}

uint64_t nonZerosOf(const Structure &structure) {
  return static_cast<uint64_t>(std::llround(structure.rows * structure.nonZerosPerRow));
}

Matrix uniform(const Structure &structure) {
  Random random(structure.seed);
  return matrixOfKeys(structure.rows, distinct(nonZerosOf(structure), [&] {
                        const uint64_t row = random.below(structure.rows);
                        return keyOf(row, random.below(structure.rows));
                      }));
}

/// `count` different numbers below `width`, in order; `always` is one of them.
void choose(uint64_t width, uint64_t count, uint64_t always, Random &random,
            std::vector<uint64_t> &chosen) {
  chosen.clear();
  constexpr uint64_t kSparse = 8;
  if (width < kSparse * count) { // decides about each number (Knuth's algorithm S)
    uint64_t missing = count - 1;
    uint64_t left = width - 1;
    for (uint64_t i = 0; i < width; ++i)
      if (i == always)
        chosen.push_back(i);
      else if (random.below(left--) < missing) {
        chosen.push_back(i);
        --missing;
      }
    return;
  }
  chosen.push_back(always);
  while (chosen.size() < count) {
    while (chosen.size() < count)
      chosen.push_back(random.below(width));
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  }
}

Matrix banded(const Structure &structure) {
  const uint64_t rows = structure.rows;
  const double wanted = structure.parameter.value_or(std::ceil(4 * structure.nonZerosPerRow));
  const auto reach = std::min(static_cast<uint64_t>(wanted), rows - 1);
  Random random(structure.seed);
  Matrix matrix = emptyMatrix(structure.rows);
  matrix.columnOf.reserve(nonZerosOf(structure));
  std::vector<uint64_t> chosen;
  double given = 0; // what the rows so far should have
  for (uint64_t row = 0; row < rows; ++row) {
    const double next = static_cast<double>(row + 1) * structure.nonZerosPerRow;
    const auto degree = static_cast<uint64_t>(std::round(next) - std::round(given));
    given = next;
    const uint64_t first = row - std::min(row, reach);
    const uint64_t width = std::min(row + reach, rows - 1) - first + 1;
    choose(width, std::clamp(degree, uint64_t{1}, width), row - first, random, chosen);
    for (const uint64_t column : chosen)
      matrix.columnOf.push_back(static_cast<uint32_t>(first + column));
    matrix.rowBegins[row + 1] = matrix.columnOf.size();
  }
  return matrix;
}

Matrix block(const Structure &structure) {
  constexpr double kUsualSide = 8;
  const auto side = static_cast<uint64_t>(structure.parameter.value_or(kUsualSide));
  const uint64_t rows = structure.rows;
  const uint64_t grid = (rows + side - 1) / side;
  const uint64_t area = side * side;
  const uint64_t count = std::max(uint64_t{1}, (nonZerosOf(structure) + area / 2) / area);
  Random random(structure.seed);
  const Matrix blocks = matrixOfKeys(static_cast<uint32_t>(grid), distinct(count, [&] {
                                       const uint64_t row = random.below(grid);
                                       return keyOf(row, random.below(grid));
                                     }));
  Matrix matrix = emptyMatrix(structure.rows);
  matrix.columnOf.reserve(blocks.nonZeros() * area);
  for (uint64_t row = 0; row < rows; ++row) {
    for (const uint64_t place : blocks.row(static_cast<uint32_t>(row / side)))
      for (uint64_t column = place * side; column < std::min(rows, (place + 1) * side); ++column)
        matrix.columnOf.push_back(static_cast<uint32_t>(column));
    matrix.rowBegins[row + 1] = matrix.columnOf.size();
  }
  return matrix;
}

struct Offset {
  int64_t z, y, x;
};

/// The points of a grid around 0, in whole shells of one distance, as many as `most` but at least
/// the first two shells.
std::vector<Offset> stencil(int dimensions, double most) {
  // A cube of this reach has more points than the stencil, so that all of its shells are whole.
  const auto reach = static_cast<int64_t>(std::ceil(std::pow(most, 1.0 / dimensions))) + 1;
  const auto distance = [](const Offset &o) { return o.z * o.z + o.y * o.y + o.x * o.x; };
  std::vector<Offset> all;
  const int64_t deep = dimensions == 3 ? reach : 0;
  for (int64_t z = -deep; z <= deep; ++z)
    for (int64_t y = -reach; y <= reach; ++y)
      for (int64_t x = -reach; x <= reach; ++x)
        if (z * z + y * y + x * x <= reach * reach)
          all.push_back({z, y, x});
  std::ranges::sort(all, {}, distance);
  size_t taken = 0;
  for (size_t end = 0; end < all.size();) {
    const int64_t shell = distance(all[end]);
    while (end < all.size() && distance(all[end]) == shell)
      ++end;
    if (shell > 1 && static_cast<double>(end) > most)
      break;
    taken = end;
  }
  all.resize(taken);
  std::ranges::sort(all, {}, [](const Offset &o) { return std::tuple(o.z, o.y, o.x); });
  return all;
}

Matrix mesh(const Structure &structure, int dimensions) {
  const auto rows = static_cast<int64_t>(structure.rows);
  const auto points = [&](int64_t side) {
    return dimensions == 2 ? side * side : side * side * side;
  };
  auto side = static_cast<int64_t>(std::pow(static_cast<double>(rows), 1.0 / dimensions));
  while (points(side) < rows)
    ++side;
  const int64_t height = dimensions == 2 ? (rows + side - 1) / side : side;
  const std::vector<Offset> offsets = stencil(dimensions, structure.nonZerosPerRow);
  Matrix matrix = emptyMatrix(structure.rows);
  matrix.columnOf.reserve(offsets.size() * structure.rows);
  for (int64_t node = 0; node < rows; ++node) {
    const int64_t x = node % side;
    const int64_t y = node / side % height;
    for (const Offset &offset : offsets) {
      const int64_t to = node + (offset.z * height + offset.y) * side + offset.x;
      if (x + offset.x >= 0 && x + offset.x < side && y + offset.y >= 0 && y + offset.y < height &&
          to >= 0 && to < rows)
        matrix.columnOf.push_back(static_cast<uint32_t>(to));
    }
    matrix.rowBegins[static_cast<size_t>(node) + 1] = matrix.columnOf.size();
  }
  return matrix;
}

std::vector<uint32_t> permutation(uint32_t count, Random &random) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  for (uint32_t i = count; i > 1; --i)
    std::swap(numbers[i - 1], numbers[random.below(i)]);
  return numbers;
}

Matrix unorderedMesh(const Structure &structure) {
  constexpr double kSpace = 3;
  Random random(structure.seed);
  return renumbered(mesh(structure, static_cast<int>(structure.parameter.value_or(kSpace))),
                    permutation(structure.rows, random));
}

/// The i-th of n nodes has an expected degree in proportion to (i + 1)^(-1/(exponent - 1)), and a
/// random number.
Matrix powerLaw(const Structure &structure) {
  constexpr double kUsualExponent = 2.5;
  const double slope = 1 - 1 / (structure.parameter.value_or(kUsualExponent) - 1);
  const double end = static_cast<double>(structure.rows) + 1;
  // Inverts the integral of x^(slope - 1) from 1 to end.
  const bool logarithm = std::abs(slope) < 1e-9;
  const double whole = logarithm ? std::log(end) : std::pow(end, slope) - 1;
  Random random(structure.seed);
  const std::vector<uint32_t> numbers = permutation(structure.rows, random);
  const auto node = [&] {
    const double part = random.unit() * whole;
    const double at = logarithm ? std::exp(part) : std::pow(1 + part, 1 / slope);
    return numbers[std::min(static_cast<uint32_t>(at - 1), structure.rows - 1)];
  };
  return symmetricOfKeys(structure.rows, distinct(nonZerosOf(structure) / 2, [&] {
                           uint32_t a = 0;
                           uint32_t b = 0;
                           while (a == b) {
                             a = node();
                             b = node();
                           }
                           return belowDiagonal(a, b);
                         }));
}

Matrix rmat(const Structure &structure) {
  // The shares of Graph500: 0.57, 0.19, 0.19, 0.05. With another first one, the others keep their
  // proportion.
  constexpr double kFirst = 0.57;
  constexpr double kSecond = 0.19;
  const double first = structure.parameter.value_or(kFirst);
  const double second = (1 - first) * kSecond / (1 - kFirst);
  Random random(structure.seed);
  return matrixOfKeys(structure.rows, distinct(nonZerosOf(structure), [&] {
                        for (;;) {
                          uint64_t row = 0;
                          uint64_t column = 0;
                          for (uint64_t size = 1; size < structure.rows; size *= 2) {
                            const double part = random.unit();
                            const bool lower = part >= first + second;
                            const bool right = lower ? part >= first + 2 * second : part >= first;
                            row = 2 * row + (lower ? 1 : 0);
                            column = 2 * column + (right ? 1 : 0);
                          }
                          if (row < structure.rows && column < structure.rows)
                            return keyOf(row, column);
                        }
                      }));
}

Matrix smallWorld(const Structure &structure) {
  constexpr double kUsualShare = 0.1;
  const double share = structure.parameter.value_or(kUsualShare);
  const uint64_t rows = structure.rows;
  const uint64_t edges = nonZerosOf(structure) / 2;
  Random random(structure.seed);
  uint64_t drawn = 0;
  return symmetricOfKeys(structure.rows, distinct(edges, [&] {
                           const uint64_t i = drawn++;
                           const auto node = static_cast<uint32_t>(i % rows);
                           if (i < edges && random.unit() >= share)
                             return belowDiagonal(
                                 node, static_cast<uint32_t>((node + 1 + i / rows) % rows));
                           const uint64_t step = 1 + random.below(rows - 1);
                           return belowDiagonal(node, static_cast<uint32_t>((node + step) % rows));
                         }));
}

Matrix pattern(const Structure &structure) {
  switch (structure.shape) {
  case Shape::kUniform:
    return uniform(structure);
  case Shape::kBanded:
    return banded(structure);
  case Shape::kBlock:
    return block(structure);
  case Shape::kMesh2d:
    return mesh(structure, 2);
  case Shape::kMesh3d:
    return mesh(structure, 3);
  case Shape::kMeshUnordered:
    return unorderedMesh(structure);
  case Shape::kMeshReordered: {
    const Matrix unordered = unorderedMesh(structure);
    return renumbered(unordered, reverseCuthillMcKee(unordered));
  }
  case Shape::kPowerLaw:
    return powerLaw(structure);
  case Shape::kRmat:
    return rmat(structure);
  case Shape::kSmallWorld:
    return smallWorld(structure);
  }
  throw Error("no structure has this number");
}

void check(const Structure &structure) {
  const double perRow = structure.nonZerosPerRow;
  // The nodes of the graphs have no edge to themselves.
  const uint32_t least =
      structure.shape == Shape::kPowerLaw || structure.shape == Shape::kSmallWorld ? 2 : 1;
  if (structure.rows < least || structure.rows > kMostRows)
    throw Error(fmt::format("{} rows: expected {} to {}", structure.rows, least, kMostRows));
  const uint32_t most = structure.rows - (least - 1);
  if (!(perRow > 0) || perRow > most)
    throw Error(
        fmt::format("{} non-zeros per row: expected more than 0, and at most {}", perRow, most));
  if (structure.rows * perRow > static_cast<double>(kMostGenerated))
    throw Error(fmt::format("{} rows of {} non-zeros: expected at most {} non-zeros",
                            structure.rows, perRow, kMostGenerated));
  if (!structure.parameter)
    return;
  const ShapeInfo &info = kShapes.at(static_cast<size_t>(structure.shape));
  const double parameter = *structure.parameter;
  if (info.parameter.empty())
    throw Error(fmt::format("the parameter {} of {}: expected none", parameter, info.name));
  if (!(parameter >= info.least && parameter <= info.most))
    throw Error(fmt::format("the parameter {} of {}: expected {}, from {} to {}", parameter,
                            info.name, info.parameter, info.least, info.most));
  const bool whole = info.shape == Shape::kBanded || info.shape == Shape::kBlock ||
                     info.shape == Shape::kMeshUnordered || info.shape == Shape::kMeshReordered;
  if (whole && parameter != std::floor(parameter))
    throw Error(
        fmt::format("the parameter {} of {}: expected a whole number", parameter, info.name));
}

} // namespace

std::span<const ShapeInfo> shapes() {
  return kShapes;
}

Shape shapeOf(std::string_view name) {
  std::string names;
  for (const ShapeInfo &info : kShapes) {
    if (info.name == name)
      return info.shape;
    names += (names.empty() ? "" : ", ") + std::string(info.name);
  }
  throw Error(fmt::format("the structure {}: expected one of {}", name, names));
}

std::string_view name(Shape shape) {
  return kShapes.at(static_cast<size_t>(shape)).name;
}

Matrix generate(const Structure &structure) {
  check(structure);
  Matrix matrix = pattern(structure);
  if (structure.values) {
    Random random(splitMix64(structure.seed));
    matrix.values.reserve(matrix.nonZeros());
    for (uint64_t i = 0; i < matrix.nonZeros(); ++i)
      matrix.values.push_back(static_cast<float>(2 * random.unit() - 1));
  }
  return matrix;
}

} // namespace aiwc::sparse
