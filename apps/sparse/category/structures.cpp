#include "structures.h"

#include "sparse/random.h"

#include <fmt/format.h>

#include <cmath>

namespace {

using namespace aiwc::sparse;

double between(double least, double most, Random &random) {
  return least + (most - least) * random.unit();
}
double logBetween(double least, double most, Random &random) {
  return std::exp(between(std::log(least), std::log(most), random));
}

std::optional<double> parameterOf(Shape shape, uint32_t rows, double perRow, Random &random) {
  switch (shape) {
  case Shape::kBanded: // a full band, up to a tenth of the matrix
    return std::ceil(logBetween(perRow, std::max(2 * perRow, 0.1 * rows), random));
  case Shape::kBlock:
    return std::round(logBetween(2, 64, random));
  case Shape::kMeshUnordered:
  case Shape::kMeshReordered:
    return random.unit() < 0.5 ? 2 : 3;
  case Shape::kPowerLaw:
    return between(2, 3.5, random);
  case Shape::kRmat:
    return between(0.3, 0.7, random);
  case Shape::kSmallWorld:
    return logBetween(0.001, 1, random);
  case Shape::kUniform:
  case Shape::kMesh2d:
  case Shape::kMesh3d:
    break;
  }
  return {};
}

} // namespace

std::vector<TrainingStructure> trainingStructures(uint64_t perShape, uint64_t seed) {
  Random random(seed);
  std::vector<TrainingStructure> all;
  for (const ShapeInfo &info : shapes())
    for (uint64_t i = 0; i < perShape; ++i) {
      const double perRow = logBetween(3, 40, random);
      const auto rows = static_cast<uint32_t>(logBetween(3e4, 3e6, random) / perRow);
      Structure structure{.shape = info.shape,
                          .rows = rows,
                          .nonZerosPerRow = perRow,
                          .seed = random(),
                          .parameter = parameterOf(info.shape, rows, perRow, random),
                          .values = false};
      all.push_back(
          {structure,
           fmt::format("{} {} {:.1f}{}", info.name, rows, perRow,
                       structure.parameter ? fmt::format(" {:.3g}", *structure.parameter) : "")});
    }
  return all;
}
