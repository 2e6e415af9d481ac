#pragma once

#include <cstdint>
#include <vector>

namespace aiwc::eod::cfd {

inline constexpr uint32_t kFaces = 4;
/// What a face has on its other side where it has no element there.
inline constexpr int32_t kWing = -1;
inline constexpr int32_t kFarField = -2;

/// Tetrahedra. Arrays are face by face, a number of all elements side by side.
struct Mesh {
  uint32_t elements = 0;
  /// Element, kWing or kFarField beyond face f of element e, at f * elements + e.
  std::vector<int32_t> neighbour;
  /// The normal of face f of element e points out of e and is as long as the face is large: its
  /// component a is at (3 f + a) * elements + e.
  std::vector<float> normal;
  std::vector<double> volume; ///< of the elements, in cells of the grid
};

/// The first `elements` tetrahedra of a box of cells, six to a cell (Kuhn 1960), cell by cell. The
/// vertices inside of the box are moved at random, and the middle of its floor is bent upwards:
/// that is the wing, if there is to be one; all other faces that have no neighbour are far field.
/// Coordinates are multiples of 1/64 of a cell, which makes the normals exact: those of an element
/// add up to zero, and both sides of a face have opposite ones, to the bit.
Mesh boxMesh(uint32_t elements, bool wing, uint64_t seed);

} // namespace aiwc::eod::cfd
