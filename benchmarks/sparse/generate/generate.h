/// Makes sparse matrices of published structures.
#pragma once

#include "sparse/matrix.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace aiwc::sparse {

enum class Shape : uint8_t {
  kUniform,       ///< non-zeros anywhere (Erdős, Rényi)
  kBanded,        ///< the diagonal, and non-zeros near it
  kBlock,         ///< dense blocks at random places of a grid of blocks
  kMesh2d,        ///< a grid's nodes, row by row, and their neighbours
  kMesh3d,        ///< the same in space
  kMeshUnordered, ///< a mesh whose nodes have random numbers
  kMeshReordered, ///< that one in the reverse Cuthill-McKee order
  kPowerLaw,      ///< a symmetric graph whose degrees have a power law (Chung, Lu 2002)
  kRmat,          ///< R-MAT (Chakrabarti, Zhan, Faloutsos 2004)
  kSmallWorld,    ///< a ring with shortcuts (Watts, Strogatz 1998)
};

/// What is known of a shape, and its parameter.
struct ShapeInfo {
  Shape shape;
  std::string_view name;      ///< "power-law"
  std::string_view about;     ///< what it is, for a user
  std::string_view parameter; ///< what its parameter is; empty: it has none
  double least, most;         ///< range of the parameter
};

std::span<const ShapeInfo> shapes();
/// Throws Error if there is no such name.
Shape shapeOf(std::string_view name);
std::string_view name(Shape shape);

struct Structure {
  Shape shape = Shape::kUniform;
  uint32_t rows = 0;         ///< and columns
  double nonZerosPerRow = 0; ///< mean; at most `rows`
  uint64_t seed = 1;
  /// What ShapeInfo says; without it, a usual value: 4 times nonZerosPerRow (banded), 8 (block), 3
  /// (meshes without an order), 2.5 (power law), 0.57 (R-MAT), 0.1 (small world).
  std::optional<double> parameter = {};
  bool values = false; ///< random ones from -1 to 1; else only the pattern
};

/// The most non-zeros that are generated.
inline constexpr uint64_t kMostGenerated = 2'000'000'000;

/// The matrix of a structure, the same on every machine for the same structure (as far as the
/// logarithm and the power of its mathematical library are). The number of non-zeros is
///
/// - rows * nonZerosPerRow, rounded: uniform, power law, R-MAT, small world (an even number for
///   symmetric graphs), unless the places are used up that the shape makes likely;
/// - the same, where the band is as wide as that: banded;
/// - that of the whole blocks nearest to it, without what is outside of the last blocks: block;
/// - as many points of a stencil as that, in whole shells of one distance, at least the neighbours
///   along the axes, and fewer at the border: meshes.
///
/// 10^7 non-zeros take seconds. Throws Error for a number of rows, of non-zeros or a parameter out
/// of range.
Matrix generate(const Structure &structure);

} // namespace aiwc::sparse
