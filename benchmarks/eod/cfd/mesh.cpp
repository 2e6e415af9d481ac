#include "eod/cfd/mesh.h"

#include "eod/common/random.h"

#include <algorithm>
#include <array>

namespace aiwc::eod::cfd {
namespace {

constexpr int32_t kUnitsPerCell = 64;
constexpr uint32_t kTetrahedraPerCell = 6;
/// Of the vertices inside, in each direction: small enough for every volume to stay positive.
constexpr uint32_t kMostMoved = 6;
constexpr uint32_t kHeightOfWing = 16;

using IntegerVector = std::array<int32_t, 3>;
using Tetrahedron = std::array<uint32_t, 4>; ///< numbers of vertices

IntegerVector operator-(const IntegerVector &a, const IntegerVector &b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

IntegerVector cross(const IntegerVector &a, const IntegerVector &b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

int64_t dot(const IntegerVector &a, const IntegerVector &b) {
  return int64_t{a[0]} * b[0] + int64_t{a[1]} * b[1] + int64_t{a[2]} * b[2];
}

/// A box of `edge` by `edge` by `layers` cells, and the coordinates of its vertices.
class Box {
public:
  Box(uint32_t cells, uint64_t seed) {
    while (uint64_t{edge_} * edge_ * edge_ < cells)
      ++edge_;
    layers_ = (cells + edge_ * edge_ - 1) / (edge_ * edge_);
    Random random(seed);
    for (uint32_t z = 0; z <= layers_; ++z)
      for (uint32_t y = 0; y <= edge_; ++y)
        for (uint32_t x = 0; x <= edge_; ++x)
          vertices_.push_back(place({x, y, z}, random));
  }

  const IntegerVector &vertex(uint32_t number) const { return vertices_[number]; }

  /// Tetrahedron `which` of a cell goes from its lowest to its highest corner along three edges,
  /// one in each direction, in the order of the permutation `which`.
  Tetrahedron tetrahedron(uint32_t cell, uint32_t which) const {
    constexpr std::array<std::array<uint32_t, 3>, kTetrahedraPerCell> kPermutations{
        {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
    std::array<uint32_t, 3> corner{cell % edge_, cell / edge_ % edge_, cell / (edge_ * edge_)};
    Tetrahedron result{number(corner)};
    for (uint32_t i = 0; i < 3; ++i) {
      ++corner[kPermutations[which][i]];
      result[i + 1] = number(corner);
    }
    return result;
  }

  /// Whether the vertex is on the wing: the middle half of the floor, all of it where that is
  /// small.
  bool onWing(uint32_t vertex) const {
    const uint32_t inRow = vertex % (edge_ + 1);
    return vertex < (edge_ + 1) * (edge_ + 1) && inRow >= edge_ / 4 && inRow <= edge_ - edge_ / 4;
  }

private:
  uint32_t number(const std::array<uint32_t, 3> &at) const {
    return at[0] + (edge_ + 1) * (at[1] + (edge_ + 1) * at[2]);
  }

  IntegerVector place(const std::array<uint32_t, 3> &at, Random &random) const {
    IntegerVector result;
    bool inside = at[2] > 0 && at[2] < layers_;
    for (size_t axis = 0; axis < 3; ++axis) {
      result[axis] = static_cast<int32_t>(at[axis]) * kUnitsPerCell;
      inside &= axis == 2 || (at[axis] > 0 && at[axis] < edge_);
    }
    if (inside)
      for (int32_t &coordinate : result)
        coordinate += static_cast<int32_t>(random.below(2 * kMostMoved + 1)) -
                      static_cast<int32_t>(kMostMoved);
    if (onWing(number(at))) { // a parabola, 0 at the edges of the wing
      const uint32_t begin = edge_ / 4;
      const uint32_t width = edge_ - 2 * begin;
      const uint32_t from = at[0] - begin;
      result[2] +=
          static_cast<int32_t>(4 * kHeightOfWing * from * (width - from) / (width * width));
    }
    return result;
  }

  uint32_t edge_ = 1;
  uint32_t layers_ = 1;
  std::vector<IntegerVector> vertices_;
};

/// A side of a face: its vertices, sorted, and 4 * element + the face's number there.
struct Side {
  std::array<uint32_t, 3> vertices;
  uint32_t place;
  bool operator<(const Side &other) const {
    return vertices != other.vertices ? vertices < other.vertices : place < other.place;
  }
};

/// Twice the face's area, in square units, away from the vertex opposite to it.
IntegerVector outwards(const Box &box, const Tetrahedron &corners, uint32_t face) {
  const IntegerVector &apex = box.vertex(corners[face]);
  const IntegerVector &a = box.vertex(corners[(face + 1) % 4]);
  const IntegerVector normal =
      cross(box.vertex(corners[(face + 2) % 4]) - a, box.vertex(corners[(face + 3) % 4]) - a);
  return dot(normal, a - apex) > 0 ? normal : IntegerVector{-normal[0], -normal[1], -normal[2]};
}

} // namespace

Mesh boxMesh(uint32_t elements, bool wing, uint64_t seed) {
  const Box box((elements + kTetrahedraPerCell - 1) / kTetrahedraPerCell, seed);
  const size_t stride = elements;
  Mesh mesh{elements, std::vector<int32_t>(kFaces * stride, kFarField),
            std::vector<float>(3 * kFaces * stride), std::vector<double>(stride)};
  std::vector<Side> sides;
  sides.reserve(kFaces * stride);
  for (uint32_t element = 0; element < elements; ++element) {
    const Tetrahedron corners =
        box.tetrahedron(element / kTetrahedraPerCell, element % kTetrahedraPerCell);
    for (uint32_t face = 0; face < kFaces; ++face) {
      const IntegerVector normal = outwards(box, corners, face);
      constexpr float kToArea = 0.5f / (kUnitsPerCell * kUnitsPerCell);
      for (size_t axis = 0; axis < 3; ++axis)
        mesh.normal[(3 * face + axis) * stride + element] =
            static_cast<float>(normal[axis]) * kToArea;
      Side side{{corners[(face + 1) % 4], corners[(face + 2) % 4], corners[(face + 3) % 4]},
                kFaces * element + face};
      std::ranges::sort(side.vertices);
      if (wing && std::ranges::all_of(side.vertices, [&](uint32_t v) { return box.onWing(v); }))
        mesh.neighbour[face * stride + element] = kWing;
      sides.push_back(side);
    }
    const IntegerVector height = box.vertex(corners[1]) - box.vertex(corners[0]);
    constexpr double kCell = double{kUnitsPerCell} * kUnitsPerCell * kUnitsPerCell;
    mesh.volume[element] =
        static_cast<double>(dot(outwards(box, corners, 0), height)) / (6 * kCell);
  }

  std::sort(sides.begin(), sides.end());
  for (size_t i = 0; i + 1 < sides.size(); ++i)
    if (sides[i].vertices == sides[i + 1].vertices) {
      const uint32_t a = sides[i].place;
      const uint32_t b = sides[i + 1].place;
      mesh.neighbour[a % kFaces * stride + a / kFaces] = static_cast<int32_t>(b / kFaces);
      mesh.neighbour[b % kFaces * stride + b / kFaces] = static_cast<int32_t>(a / kFaces);
    }
  return mesh;
}

} // namespace aiwc::eod::cfd
