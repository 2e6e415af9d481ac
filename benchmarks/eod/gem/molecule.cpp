#include "eod/gem/molecule.h"

#include "eod/common/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace aiwc::eod::gem {
namespace {

/// A residue within a chain: its elements and charge at pH 7.
struct Residue {
  std::string_view elements;
  int charge;
};

// Glycine, alanine, serine, cysteine, threonine, valine, leucine, isoleucine, methionine, proline,
// phenylalanine, tyrosine, tryptophan, aspartate, glutamate, asparagine, glutamine, histidine,
// lysine, arginine.
constexpr std::array<Residue, 20> kResidues{{
    {"NCCOHHH", 0},
    {"NCCOCHHHHH", 0},
    {"NCCOCOHHHHH", 0},
    {"NCCOCSHHHHH", 0},
    {"NCCOCOCHHHHHHH", 0},
    {"NCCOCCCHHHHHHHHH", 0},
    {"NCCOCCCCHHHHHHHHHHH", 0},
    {"NCCOCCCCHHHHHHHHHHH", 0},
    {"NCCOCCSCHHHHHHHHH", 0},
    {"NCCOCCCHHHHHHH", 0},
    {"NCCOCCCCCCCHHHHHHHHH", 0},
    {"NCCOCCCCCCCOHHHHHHHHH", 0},
    {"NCCOCCCCNCCCCCHHHHHHHHHH", 0},
    {"NCCOCCOOHHHH", -1},
    {"NCCOCCCOOHHHHHH", -1},
    {"NCCOCCONHHHHHH", 0},
    {"NCCOCCCONHHHHHHHH", 0},
    {"NCCOCCNCNCHHHHHHH", 0},
    {"NCCOCCCCNHHHHHHHHHHHHH", 1},
    {"NCCOCCCNCNNHHHHHHHHHHHHH", 1},
}};

struct Element {
  float radius; ///< Bondi's van der Waals radii, ångström
  float charge; ///< typical of force fields; carbon takes what is missing
};

Element elementOf(char name) {
  switch (name) {
  case 'H':
    return {1.2f, 0.15f};
  case 'N':
    return {1.55f, -0.45f};
  case 'O':
    return {1.52f, -0.5f};
  case 'S':
    return {1.8f, -0.2f};
  default:
    return {1.7f, 0};
  }
}

struct Site {
  int x;
  int y;
  int z;
};

/// Up to a factor.
double volume(const PqrAtom &atom) {
  return static_cast<double>(atom.radius) * atom.radius * atom.radius;
}

/// A path through `length` sites of a box that is close to a cube, line by line, there and back.
std::vector<Site> windingPath(uint32_t length) {
  int edge = 1;
  while (static_cast<uint64_t>(edge) * edge * edge < length)
    ++edge;
  std::vector<Site> path;
  path.reserve(length);
  for (int z = 0; path.size() < length; ++z)
    for (int row = 0; row < edge && path.size() < length; ++row) {
      const int y = z % 2 ? edge - 1 - row : row;
      for (int column = 0; column < edge && path.size() < length; ++column)
        path.push_back({(z * edge + row) % 2 ? edge - 1 - column : column, y, z});
    }
  return path;
}

/// Backbite moves (Mansfield, J. Chem. Phys. 1982): an end of the path connects to a neighbour of
/// its site, and the loop that closes is opened behind it, which reverses a piece. The path keeps
/// visiting every one of its sites once.
void randomise(std::vector<Site> &path, Random &random) {
  constexpr std::array<Site, 6> kSteps{
      {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}};
  constexpr size_t kMovesPerSite = 4;
  constexpr size_t kMostMoves = 40000; // each costs time in proportion to the path's length
  const size_t moves = std::min(kMovesPerSite * path.size(), kMostMoves);
  for (size_t move = 0; move < moves; ++move) {
    if (random.below(2))
      std::ranges::reverse(path);
    const Site &step = kSteps[random.below(6)];
    const Site target{path.back().x + step.x, path.back().y + step.y, path.back().z + step.z};
    const auto found = std::ranges::find_if(path, [&](const Site &site) {
      return site.x == target.x && site.y == target.y && site.z == target.z;
    });
    if (found != path.end())
      std::reverse(found + 1, path.end());
  }
}

/// Adds a residue's atoms at nodes of a grid inside its cell of the lattice, in random order and
/// off the node by up to an eighth of the grid's spacing; stops at `atoms` of them.
void addResidue(Molecule &molecule, const Residue &residue, const Site &site, uint32_t atoms,
                Random &random) {
  constexpr float kCell = 5.1f; // 134 cubic ångström, a residue's average volume in proteins
  constexpr uint32_t kNodes = 3;
  constexpr float kSpacing = kCell / kNodes;
  std::array<uint8_t, kNodes * kNodes * kNodes> nodes{};
  for (uint32_t i = 0; i < nodes.size(); ++i)
    nodes[i] = static_cast<uint8_t>(i);
  float charge = 0;
  for (char name : residue.elements)
    charge += elementOf(name).charge;
  const auto carbons = static_cast<float>(std::ranges::count(residue.elements, 'C'));
  const float share = (static_cast<float>(residue.charge) - charge) / carbons;
  uint32_t used = 0;
  for (char name : residue.elements) {
    if (molecule.size() == atoms)
      return;
    std::swap(nodes[used], nodes[used + random.below(nodes.size() - used)]);
    const uint32_t node = nodes[used++];
    const auto place = [&](int cell, uint32_t index) {
      return static_cast<float>(cell) * kCell +
             kSpacing * (static_cast<float>(index) + random.uniform(-0.125f, 0.125f));
    };
    const float x = place(site.x, node % kNodes);
    const float y = place(site.y, node / kNodes % kNodes);
    const float z = place(site.z, node / kNodes / kNodes);
    const Element element = elementOf(name);
    molecule.push_back({x, y, z, element.charge + (name == 'C' ? share : 0), element.radius});
  }
}

} // namespace

Molecule globule(uint32_t atoms, uint64_t seed) {
  Random random(seed);
  std::vector<Residue> residues;
  for (uint64_t count = 0; count < atoms; count += residues.back().elements.size())
    residues.push_back(kResidues[random.below(kResidues.size())]);
  std::vector<Site> path = windingPath(static_cast<uint32_t>(residues.size()));
  randomise(path, random);
  Molecule molecule;
  molecule.reserve(atoms);
  for (size_t i = 0; i < residues.size(); ++i)
    addResidue(molecule, residues[i], path[i], atoms, random);
  return molecule;
}

double electrostaticSize(const Molecule &molecule) {
  double mass = 0;
  double centreX = 0, centreY = 0, centreZ = 0;
  for (const PqrAtom &atom : molecule) {
    const double m = volume(atom);
    mass += m;
    centreX += m * atom.x;
    centreY += m * atom.y;
    centreZ += m * atom.z;
  }
  if (mass == 0)
    return 0;
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  for (const PqrAtom &atom : molecule) {
    const double m = volume(atom) / mass;
    const double x = atom.x - centreX / mass;
    const double y = atom.y - centreY / mass;
    const double z = atom.z - centreZ / mass;
    const double own = 0.4 * atom.radius * atom.radius; // of the ball about itself
    xx += m * (y * y + z * z + own);
    yy += m * (x * x + z * z + own);
    zz += m * (x * x + y * y + own);
    xy -= m * x * y;
    xz -= m * x * z;
    yz -= m * y * z;
  }
  const double determinant =
      xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return std::sqrt(2.5 * std::cbrt(determinant)); // a ball has 2/5 r^2 in every direction
}

double totalCharge(const Molecule &molecule) {
  double sum = 0;
  for (const PqrAtom &atom : molecule)
    sum += atom.charge;
  return sum;
}

} // namespace aiwc::eod::gem
