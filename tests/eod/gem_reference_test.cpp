#include "eod/gem/gem_reference.h"
#include "programs.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace aiwc::eod;
using gem::Molecule;
using gem::Surface;

namespace {

constexpr double kCoulomb = 332.06371; // kcal ångström / (mol e^2)

double distance(const PqrAtom &a, double x, double y, double z) {
  return std::sqrt((a.x - x) * (a.x - x) + (a.y - y) * (a.y - y) + (a.z - z) * (a.z - z));
}

/// What a device computes.
std::vector<float> potentials(const Molecule &molecule, const Surface &surface,
                              const gem::Coefficients &coefficients) {
  std::vector<float> result;
  for (size_t v = 0; v < surface.x.size(); ++v) {
    float sum = 0;
    for (const PqrAtom &atom : molecule) {
      const float dx = surface.x[v] - atom.x;
      const float dy = surface.y[v] - atom.y;
      const float dz = surface.z[v] - atom.z;
      sum += atom.charge / std::sqrt(dx * dx + dy * dy + dz * dz);
    }
    result.push_back(static_cast<float>(coefficients.coulomb) * sum -
                     static_cast<float>(coefficients.shift));
  }
  return result;
}

} // namespace

TEST_CASE("an ion: the potential is that of Born, q / (eps_out r), whatever is inside") {
  const Molecule ion{{1, 2, 3, -2, 1.6f}};
  const Surface surface = gem::accessibleSurface(ion, 50);
  for (double inside : {1.0, 4.0, 80.0}) {
    const auto coefficients = gem::coefficients(ion, {.inside = inside, .outside = 80});
    const double distance = 1.6f + gem::kProbe;
    const double potential = coefficients.coulomb * -2 / distance - coefficients.shift;
    CHECK(potential == Approx(kCoulomb * -2 / (80 * distance)).epsilon(1e-12));
    for (float value : potentials(ion, surface, coefficients))
      CHECK(value == Approx(potential).epsilon(1e-5));
  }
}

TEST_CASE("without a dielectric boundary the potential is Coulomb's") {
  const auto coefficients = gem::coefficients(gem::globule(50, 1), {.inside = 4, .outside = 4});
  CHECK(coefficients.coulomb == Approx(kCoulomb / 4));
  CHECK(coefficients.shift == 0);
}

TEST_CASE("a neutral molecule has no monopole, so nothing is subtracted") {
  const Molecule dipole{{0, 0, 0, 1, 1}, {2, 0, 0, -1, 1}};
  const auto coefficients = gem::coefficients(dipole, {});
  CHECK(coefficients.shift == 0);
  // 2 / (1 + ...) would be the metal-like limit: (1 + alpha) / (1 + alpha beta) < 2
  CHECK(coefficients.coulomb == Approx(kCoulomb / 80 * 1.571412 / (1 + 0.571412 / 80)));
}

TEST_CASE("the electrostatic size of a ball is its radius, wherever it is") {
  CHECK(gem::electrostaticSize({{5, -6, 7, 0, 2}}) == Approx(2));
  CHECK(gem::electrostaticSize({{5, -6, 7, 0, 0}}) == 0);
  // Balls of radius 1 at -a and a on the x axis: moments 2/5, 2/5 + a^2, 2/5 + a^2.
  const double determinant = 0.4 * 9.4 * 9.4;
  CHECK(gem::electrostaticSize({{-3, 0, 0, 0, 1}, {3, 0, 0, 0, 1}}) ==
        Approx(std::sqrt(2.5 * std::cbrt(determinant))));
}

TEST_CASE("a globule: as many atoms as asked for, none too close, charges of amino acids") {
  for (uint32_t atoms : {1, 2, 24, 102, 1000}) {
    const Molecule molecule = gem::globule(atoms, 3);
    REQUIRE(molecule.size() == atoms);
    for (size_t i = 0; i < atoms; ++i)
      for (size_t j = 0; j < i; ++j)
        if (distance(molecule[i], molecule[j].x, molecule[j].y, molecule[j].z) < 1.2)
          FAIL("atoms " << i << " and " << j << " are too close");
  }
  // Net charge and size of a protein: 100 to 150 cubic ångström per residue of 16 atoms.
  const Molecule molecule = gem::globule(16000, 1);
  CHECK(std::abs(gem::totalCharge(molecule)) < 100);
  const double size = gem::electrostaticSize(molecule);
  CHECK(4.18879 * size * size * size / 1000 > 100);
  CHECK(4.18879 * size * size * size / 1000 < 200);
}

TEST_CASE("whole residues have whole charges") {
  // Beginnings of the same chain: at the ends of residues the charge is an integer.
  int whole = 0;
  for (uint32_t atoms = 1; atoms <= 200; ++atoms) {
    const double charge = gem::totalCharge(gem::globule(atoms, 5));
    whole += std::abs(charge - std::round(charge)) < 1e-5;
  }
  CHECK(whole >= 8);
}

TEST_CASE("molecules depend on the seed alone") {
  const auto x = [](uint64_t seed) { return gem::globule(300, seed)[299].x; };
  CHECK(x(1) == x(1));
  CHECK(x(1) != x(2));
}

TEST_CASE("every vertex is at the probe's distance from an atom, and from no atom nearer") {
  const Molecule molecule = gem::globule(400, 2);
  const Surface surface = gem::accessibleSurface(molecule, 1234);
  REQUIRE(surface.x.size() == 1234);
  for (size_t v = 0; v < surface.x.size(); ++v) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const PqrAtom &atom : molecule)
      nearest =
          std::min(nearest, distance(atom, surface.x[v], surface.y[v], surface.z[v]) - atom.radius);
    CHECK(nearest == Approx(gem::kProbe).margin(1e-4));
  }
}

TEST_CASE("dots on a sphere are spread evenly: the first moments vanish") {
  const Surface surface = gem::accessibleSurface({{0, 0, 0, 1, 1}}, 1000);
  double x = 0, y = 0, z = 0;
  for (size_t v = 0; v < 1000; ++v) {
    x += surface.x[v];
    y += surface.y[v];
    z += surface.z[v];
  }
  CHECK(std::abs(x) < 10);
  CHECK(std::abs(y) < 10);
  CHECK(std::abs(z) < 10);
}

TEST_CASE("atoms that coincide, without radius or far apart have a surface") {
  CHECK(gem::accessibleSurface({{0, 0, 0, 1, 1}, {0, 0, 0, -1, 1}}, 7).x.size() == 7);
  CHECK(gem::accessibleSurface({{-10000, 0, 0, 1, 0}, {10000, 0, 0, -1, 0}}, 7).x.size() == 7);
}

TEST_CASE("a sum in single precision passes, wrong potentials fail") {
  const Molecule molecule = gem::globule(500, 1);
  const Surface surface = gem::accessibleSurface(molecule, 300);
  const auto coefficients = gem::coefficients(molecule, {});
  const std::vector<float> right = potentials(molecule, surface, coefficients);
  CHECK(gem::checkPotential(molecule, surface, coefficients, right, 1).passed);
  for (size_t v = 0; v < right.size(); v += 7) {
    std::vector<float> wrong = right;
    wrong[v] += 0.01f;
    CHECK_FALSE(gem::checkPotential(molecule, surface, coefficients, wrong, 1).passed);
    wrong[v] = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(gem::checkPotential(molecule, surface, coefficients, wrong, 1).passed);
  }
  // An atom left out, and the shift forgotten.
  Molecule fewer = molecule;
  fewer.pop_back();
  CHECK_FALSE(gem::checkPotential(molecule, surface, coefficients,
                                  potentials(fewer, surface, coefficients), 1)
                  .passed);
  CHECK_FALSE(gem::checkPotential(molecule, surface, coefficients,
                                  potentials(molecule, surface, {coefficients.coulomb, 0}), 1)
                  .passed);
}

TEST_CASE("beyond kAllPairs the vertices are sampled") {
  const Molecule molecule = gem::globule(20000, 1);
  const Surface surface{std::vector<float>(5000, 500), std::vector<float>(5000, 0),
                        std::vector<float>(5000, 0)};
  const auto coefficients = gem::coefficients(molecule, {});
  const Surface one{{500}, {0}, {0}};
  std::vector<float> right(5000, potentials(molecule, one, coefficients)[0]);
  const Verdict verdict = gem::checkPotential(molecule, surface, coefficients, right, 1);
  CHECK(verdict.passed);
  CHECK_THAT(verdict.finding, Catch::Contains("1667 of 5000 vertices")); // one of every three
  for (size_t v = 300; v < 303; ++v)
    right[v] += 1;
  CHECK_FALSE(gem::checkPotential(molecule, surface, coefficients, right, 1).passed);
}

TEST_CASE("--list of gem: 16 bytes for every atom and every vertex") {
  const test::Outcome outcome = test::run("gem", "--list");
  REQUIRE(outcome.status == 0);
  CHECK(test::listed(outcome.out, "tiny", 3) == Approx(31.3));
  CHECK(test::listed(outcome.out, "small", 3) == Approx(252));
  CHECK(test::listed(outcome.out, "medium", 3) == Approx(7498));
  CHECK(test::listed(outcome.out, "large", 3) == Approx(10970));
  CHECK_THAT(outcome.out, Catch::Contains("permittivity 1 inside, 80 outside"));
}

TEST_CASE("gem refuses what has no potential") {
  test::checkRefused("gem", {{"--atoms 0", "expected 1 to 16000000"},
                             {"--vertices 0", "expected 1 to 1000000000"},
                             {"--vertices 4294967295", "expected 1 to 1000000000"},
                             {"--inside 0", "expected permittivities"},
                             {"--outside nan", "expected permittivities"},
                             {"--input /nonexistent.pqr", "cannot be read"},
                             {"--input /dev/null", "expected ATOM or HETATM"},
                             {"--atoms 80 --size tiny", "excludes"}});
}
