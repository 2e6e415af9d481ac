#include "eod/gem/surface.h"

#include "eod/common/error.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace aiwc::eod::gem {
namespace {

struct Point {
  double x;
  double y;
  double z;
};

double squaredDistance(const Point &a, const Point &b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z);
}

struct Sphere {
  Point centre;
  double squaredRadius;
};

/// Finds the atoms that can cover a point: cubes as wide as the largest sphere.
class Neighbours {
public:
  explicit Neighbours(const Molecule &molecule) {
    for (const PqrAtom &atom : molecule)
      edge_ = std::max(edge_, atom.radius + kProbe);
    for (uint32_t i = 0; i < molecule.size(); ++i)
      cubes_[key(cube(molecule[i].x), cube(molecule[i].y), cube(molecule[i].z))].push_back(i);
  }

  /// The spheres that may overlap the atom's, those of the nearest atoms first: they cover most.
  std::vector<Sphere> of(const Molecule &molecule, uint32_t self) const {
    std::vector<std::pair<double, uint32_t>> near;
    const PqrAtom &atom = molecule[self];
    const Point centre{atom.x, atom.y, atom.z};
    for (int64_t z = cube(atom.z) - 2; z <= cube(atom.z) + 2; ++z)
      for (int64_t y = cube(atom.y) - 2; y <= cube(atom.y) + 2; ++y)
        for (int64_t x = cube(atom.x) - 2; x <= cube(atom.x) + 2; ++x) {
          const auto here = cubes_.find(key(x, y, z));
          if (here == cubes_.end())
            continue;
          for (uint32_t other : here->second) {
            const PqrAtom &found = molecule[other];
            const double reach = atom.radius + found.radius + 2 * kProbe;
            const double distance = squaredDistance(centre, {found.x, found.y, found.z});
            if (other != self && distance < reach * reach)
              near.emplace_back(distance, other);
          }
        }
    std::ranges::sort(near);
    std::vector<Sphere> spheres;
    for (const auto &[distance, other] : near) {
      const PqrAtom &found = molecule[other];
      const double radius = found.radius + kProbe;
      // Atoms that coincide do not cover each other.
      spheres.push_back({{found.x, found.y, found.z}, radius * radius * (1 - 1e-9)});
    }
    return spheres;
  }

private:
  int64_t cube(double coordinate) const {
    return static_cast<int64_t>(std::floor(coordinate / edge_));
  }
  /// Coordinates are limited to 2^20 cubes either way.
  static uint64_t key(int64_t x, int64_t y, int64_t z) {
    constexpr int64_t kHalf = 1 << 20;
    return static_cast<uint64_t>(((x + kHalf) << 42) + ((y + kHalf) << 21) + (z + kHalf));
  }

  double edge_ = kProbe;
  std::unordered_map<uint64_t, std::vector<uint32_t>> cubes_;
};

/// `count` points spread evenly on the unit sphere, on a spiral. The golden angle's sine and cosine
/// are given, and those of its multiples follow by rotation, so that no library's last bit matters.
std::vector<Point> spiral(uint32_t count) {
  constexpr double kCosine = -0.7373688780783197;
  constexpr double kSine = 0.6754902942615238;
  std::vector<Point> points;
  double c = 1;
  double s = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const double z = 1 - (2.0 * i + 1) / count;
    const double radius = std::sqrt(1 - z * z);
    points.push_back({radius * c, radius * s, z});
    const double next = c * kCosine - s * kSine;
    s = s * kCosine + c * kSine;
    c = next;
  }
  return points;
}

std::vector<Point> exposedDots(const Molecule &molecule, const Neighbours &neighbours,
                               const std::vector<Point> &sphere) {
  std::vector<Point> dots;
  for (uint32_t i = 0; i < molecule.size(); ++i) {
    const std::vector<Sphere> near = neighbours.of(molecule, i);
    const PqrAtom &atom = molecule[i];
    const double radius = atom.radius + kProbe;
    size_t last = 0; // what covered the previous dot often covers the next
    for (const Point &unit : sphere) {
      const Point dot{atom.x + radius * unit.x, atom.y + radius * unit.y, atom.z + radius * unit.z};
      const auto covers = [&](size_t k) {
        return squaredDistance(dot, near[k].centre) < near[k].squaredRadius;
      };
      bool covered = last < near.size() && covers(last);
      for (size_t k = 0; !covered && k < near.size(); ++k)
        if (covers(k)) {
          covered = true;
          last = k;
        }
      if (!covered)
        dots.push_back(dot);
    }
  }
  return dots;
}

} // namespace

Surface accessibleSurface(const Molecule &molecule, uint32_t vertices) {
  constexpr uint32_t kFirstTry = 24;
  const Neighbours neighbours(molecule);
  // What a coarse sphere exposes says how fine it has to be.
  const size_t exposed = exposedDots(molecule, neighbours, spiral(kFirstTry)).size();
  uint64_t perAtom = static_cast<uint64_t>(vertices) * kFirstTry / std::max<size_t>(exposed, 1) + 1;
  std::vector<Point> dots;
  for (int attempt = 0; attempt < 40; ++attempt, perAtom += perAtom / 4 + 1) {
    perAtom = std::min<uint64_t>(perAtom, std::max<uint64_t>(vertices, 1 << 20));
    dots = exposedDots(molecule, neighbours, spiral(static_cast<uint32_t>(perAtom)));
    if (dots.size() >= vertices)
      break;
  }
  if (dots.size() < vertices)
    throw Error("the molecule's surface has no room for the vertices: expected fewer --vertices");
  Surface surface;
  for (uint64_t v = 0; v < vertices; ++v) {
    const Point &dot = dots[v * dots.size() / vertices];
    surface.x.push_back(static_cast<float>(dot.x));
    surface.y.push_back(static_cast<float>(dot.y));
    surface.z.push_back(static_cast<float>(dot.z));
  }
  return surface;
}

} // namespace aiwc::eod::gem
