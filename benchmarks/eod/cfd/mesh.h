#pragma once

#include <cstdint>
#include <vector>

namespace aiwc::eod::cfd {

inline constexpr uint32_t kFaces = 4;
/// The neighbour of a face that has no element on its other side.
inline constexpr int32_t kWing = -1;
inline constexpr int32_t kFarField = -2;

/// A mesh of tetrahedra. Arrays are ordered by face, with the values of all elements for one face
/// next to each other.
struct Mesh {
  uint32_t elements = 0;
  /// Element, kWing or kFarField beyond face f of element e, at f * elements + e.
  std::vector<int32_t> neighbour;
  /// The normal of face f of element e points out of e, and its length is the face's area. Its
  /// component a is at (3 f + a) * elements + e.
  std::vector<float> normal;
  std::vector<double> volume; ///< of the elements, in cells of the grid
};

/// The first `elements` tetrahedra of a box of cells, six to a cell (Kuhn 1960), cell by cell.
/// Vertices inside the box are moved at random. If there is a wing, it is the middle of the floor,
/// bent upwards; all other faces without a neighbour are far field. Coordinates are multiples of
/// 1/64 of a cell, so that normals are exact: those of an element add up to zero, and the two sides
/// of a face have exactly opposite normals.
Mesh boxMesh(uint32_t elements, bool wing, uint64_t seed);

} // namespace aiwc::eod::cfd
