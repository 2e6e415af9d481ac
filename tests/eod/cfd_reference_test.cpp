#include "eod/cfd/cfd_reference.h"
#include "programs.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace aiwc::eod;
using cfd::boxMesh;
using cfd::kFaces;
using cfd::kVariables;
using cfd::Mesh;
using cfd::Variables;

namespace {

struct State {
  float density, x, y, z, energy;
  float pressure() const { return 0.4f * (energy - (x * x + y * y + z * z) / (2 * density)); }
  float sound() const { return std::sqrt(1.4f * pressure() / density); }
};

State stateAt(const float *variables, size_t element, size_t elements) {
  return {variables[element], variables[elements + element], variables[2 * elements + element],
          variables[3 * elements + element], variables[4 * elements + element]};
}

/// In single precision, element by element: what a device does. `stages` of them per time step.
Variables solve(const Mesh &mesh, Variables flow, uint32_t iterations, float courant = 0.8f,
                uint32_t stages = cfd::kStages) {
  const size_t n = mesh.elements;
  const auto stream = cfd::freeStream();
  const auto normal = [&](uint32_t face, size_t e, uint32_t axis) {
    return mesh.normal[(3 * face + axis) * n + e];
  };
  const auto through = [&](const State &s, uint32_t face, size_t e) {
    return (s.x * normal(face, e, 0) + s.y * normal(face, e, 1) + s.z * normal(face, e, 2)) /
           s.density;
  };
  const auto wave = [&](const State &s, uint32_t face, size_t e) {
    float square = 0;
    for (uint32_t axis = 0; axis < 3; ++axis)
      square += normal(face, e, axis) * normal(face, e, axis);
    return std::abs(through(s, face, e)) + s.sound() * std::sqrt(square);
  };
  for (uint32_t i = 0; i < iterations; ++i) {
    const Variables old = flow;
    for (uint32_t divisor = stages; divisor > 0; --divisor) {
      const Variables now = flow;
      for (size_t e = 0; e < n; ++e) {
        const State before = stateAt(old.data(), e, n);
        const State here = stateAt(now.data(), e, n);
        float waves = 0;
        std::array<float, kVariables> lost{};
        for (uint32_t face = 0; face < kFaces; ++face) {
          waves += wave(before, face, e);
          const int32_t other = mesh.neighbour[face * n + e];
          if (other == cfd::kWing) {
            for (uint32_t axis = 0; axis < 3; ++axis)
              lost[1 + axis] += here.pressure() * normal(face, e, axis);
            continue;
          }
          const State there = other == cfd::kFarField ? stateAt(stream.data(), 0, 1)
                                                      : stateAt(now.data(), other, n);
          const float fastest = std::max(wave(here, face, e), wave(there, face, e));
          for (const auto &[state, sign] : {std::pair{here, 1.0f}, std::pair{there, -1.0f}}) {
            const float factor = (through(state, face, e) + sign * fastest) / 2;
            const float push = state.pressure() / 2;
            lost[0] += factor * state.density;
            lost[1] += factor * state.x + push * normal(face, e, 0);
            lost[2] += factor * state.y + push * normal(face, e, 1);
            lost[3] += factor * state.z + push * normal(face, e, 2);
            lost[4] += factor * state.energy + push * through(state, face, e);
          }
        }
        for (size_t v = 0; v < kVariables; ++v)
          flow[v * n + e] = old[v * n + e] - courant / waves / divisor * lost[v];
      }
    }
  }
  return flow;
}

} // namespace

TEST_CASE("the normals of every element add up to zero, exactly; every volume is positive") {
  for (uint32_t elements : {1, 6, 7, 128, 1284}) {
    const Mesh mesh = boxMesh(elements, true, elements);
    double volume = 0;
    for (size_t e = 0; e < elements; ++e) {
      for (size_t axis = 0; axis < 3; ++axis) {
        float sum = 0;
        for (size_t face = 0; face < kFaces; ++face)
          sum += mesh.normal[(3 * face + axis) * elements + e];
        CHECK(sum == 0.0f);
      }
      CHECK(mesh.volume[e] > 0);
      volume += mesh.volume[e];
    }
    CHECK(volume < (elements + 5) / 6); // cells, less what the wing takes
    CHECK(volume > 0.8 * elements / 6 - 1);
  }
}

TEST_CASE("a cell of one edge is cut into six tetrahedra of the same volume") {
  const Mesh mesh = boxMesh(6, false, 1);
  for (double volume : mesh.volume)
    CHECK(volume == Approx(1 / 6.0));
  uint32_t inside = 0;
  for (int32_t other : mesh.neighbour)
    inside += other >= 0;
  CHECK(inside == 2 * 6); // around the diagonal of the cube: six shared faces
}

TEST_CASE("neighbours are mutual and have opposite normals, exactly") {
  const uint32_t elements = 1284;
  const Mesh mesh = boxMesh(elements, true, 1);
  uint32_t inside = 0;
  for (uint32_t e = 0; e < elements; ++e)
    for (uint32_t face = 0; face < kFaces; ++face) {
      const int32_t other = mesh.neighbour[face * elements + e];
      if (other < 0)
        continue;
      ++inside;
      REQUIRE(static_cast<uint32_t>(other) < elements);
      uint32_t back = 0;
      for (uint32_t f = 0; f < kFaces; ++f) {
        bool opposite = mesh.neighbour[f * elements + other] == static_cast<int32_t>(e);
        for (size_t axis = 0; axis < 3; ++axis)
          opposite &= mesh.normal[(3 * f + axis) * elements + other] ==
                      -mesh.normal[(3 * face + axis) * elements + e];
        back += opposite;
      }
      CHECK(back == 1);
    }
  CHECK(inside > 0.8 * kFaces * elements); // most faces have an element on both sides
}

TEST_CASE("the wing is on the floor, and there where it is asked for") {
  const uint32_t elements = 1284; // cells of 6 by 6 by 6; the floor's middle 4 by 6
  const Mesh mesh = boxMesh(elements, true, 1);
  uint32_t wing = 0;
  for (size_t i = 0; i < mesh.neighbour.size(); ++i)
    if (mesh.neighbour[i] == cfd::kWing) {
      ++wing;
      const size_t e = i % elements;
      CHECK(e / 6 < 36);                                               // of the lowest layer
      CHECK(mesh.normal[(3 * (i / elements) + 2) * elements + e] < 0); // down
    }
  CHECK(wing == 2 * 4 * 6);
  for (int32_t other : boxMesh(elements, false, 1).neighbour)
    CHECK(other != cfd::kWing);
}

TEST_CASE("meshes and flows depend on the seed alone") {
  CHECK(boxMesh(300, true, 1).normal == boxMesh(300, true, 1).normal);
  CHECK(boxMesh(300, true, 1).normal != boxMesh(300, true, 2).normal);
  CHECK(cfd::disturbedFlow(30, 1) == cfd::disturbedFlow(30, 1));
  CHECK(cfd::disturbedFlow(30, 1) != cfd::disturbedFlow(30, 2));
}

TEST_CASE("the free stream: density 1.4, pressure 1, Mach 1.2") {
  const auto stream = cfd::freeStream();
  const State state = stateAt(stream.data(), 0, 1);
  CHECK(state.density == 1.4f);
  CHECK(state.pressure() == Approx(1).epsilon(1e-6));
  CHECK(state.sound() == Approx(1).epsilon(1e-6));
  CHECK(std::hypot(state.x, state.y, state.z) / 1.4f == Approx(1.2).epsilon(1e-6));
}

TEST_CASE("a lighter element in the free stream is mixed with it as by hand") {
  // Where velocity and pressure are the same on both sides the flux through all faces takes
  // (density there - density here) / 2 times the sum of the waves, which are those of the lighter
  // gas, in which sound is faster.
  const Mesh mesh = boxMesh(1, false, 1);
  const auto stream = cfd::freeStream();
  const double start = 1.0;
  Variables initial;
  for (float value : stream)
    initial.push_back(static_cast<float>(value * start / 1.4));
  const double motion = 0.5 * 1.2 * 1.2; // energy of motion per mass
  initial[4] = static_cast<float>(1 / 0.4 + motion * start);
  const auto waves = [&](double density) {
    double sum = 0;
    for (size_t face = 0; face < kFaces; ++face) {
      const double x = mesh.normal[3 * face];
      const double y = mesh.normal[3 * face + 1];
      const double z = mesh.normal[3 * face + 2];
      sum +=
          std::abs(1.2 * (99 * x - 20 * z) / 101) + std::sqrt(1.4 / density) * std::hypot(x, y, z);
    }
    return sum;
  };
  double density = start;
  for (int divisor : {3, 2, 1})
    density = start + 0.8 / waves(start) / divisor * (1.4 - density) / 2 * waves(density);
  Variables expected;
  for (float value : stream)
    expected.push_back(static_cast<float>(value * density / 1.4));
  expected[4] = static_cast<float>(1 / 0.4 + motion * density);
  CHECK(cfd::checkReplay(mesh, initial, 1, expected).passed);
  expected[0] *= 1.0001f;
  CHECK_FALSE(cfd::checkReplay(mesh, initial, 1, expected).passed);
}

TEST_CASE("a solution in single precision passes") {
  for (uint32_t elements : {1, 5, 128, 1284})
    for (uint32_t iterations : {1, 3, 20}) {
      const Mesh mesh = boxMesh(elements, true, elements);
      const Variables initial = cfd::disturbedFlow(elements, elements);
      const Verdict verdict =
          cfd::checkReplay(mesh, initial, iterations, solve(mesh, initial, iterations));
      INFO(verdict.finding);
      CHECK(verdict.passed);
    }
}

TEST_CASE("a uniform flow stays uniform without a wing, and does not with one") {
  for (uint32_t elements : {1, 128, 1284}) {
    const Variables uniform = cfd::uniformFlow(elements);
    const Mesh open = boxMesh(elements, false, 1);
    const Variables result = solve(open, uniform, 5);
    CHECK(cfd::checkUniform(open, 5, result).passed);
    CHECK(cfd::checkReplay(open, uniform, 5, result).passed);
    const Mesh wing = boxMesh(elements, true, 1);
    CHECK_FALSE(cfd::checkUniform(wing, 5, solve(wing, uniform, 5)).passed);
  }
}

TEST_CASE("other physics, meshes and numbers of stages fail") {
  const Mesh mesh = boxMesh(128, true, 1);
  const Variables initial = cfd::disturbedFlow(128, 1);
  CHECK_FALSE(cfd::checkReplay(mesh, initial, 3, initial).passed);
  CHECK_FALSE(cfd::checkReplay(mesh, initial, 3, solve(mesh, initial, 2)).passed);
  CHECK_FALSE(cfd::checkReplay(mesh, initial, 3, solve(mesh, initial, 3, 0.801f)).passed);
  CHECK_FALSE(cfd::checkReplay(mesh, initial, 3, solve(mesh, initial, 3, 0.8f, 2)).passed);
  for (size_t i = 0; i < mesh.neighbour.size(); i += 7) {
    Mesh wrong = mesh;
    wrong.neighbour[i] = mesh.neighbour[i] == cfd::kFarField ? cfd::kWing : cfd::kFarField;
    CHECK_FALSE(cfd::checkReplay(mesh, initial, 3, solve(wrong, initial, 3)).passed);
  }
}

TEST_CASE("any wrong number fails, and one that is none") {
  const Mesh mesh = boxMesh(40, true, 1);
  const Variables initial = cfd::disturbedFlow(40, 1);
  const Variables right = solve(mesh, initial, 3);
  for (size_t i = 0; i < right.size(); ++i)
    for (float off : {0.001f, std::numeric_limits<float>::quiet_NaN()}) {
      Variables wrong = right;
      wrong[i] += off;
      CHECK_FALSE(cfd::checkReplay(mesh, initial, 3, wrong).passed);
    }
}

TEST_CASE("--list of cfd: 32 numbers per element") {
  const test::Outcome outcome = test::run("cfd", "--list");
  REQUIRE(outcome.status == 0);
  const std::pair<const char *, double> sizes[] = {
      {"tiny", 128}, {"small", 1284}, {"medium", 45056}, {"large", 193474}};
  for (const auto &[size, elements] : sizes) {
    CHECK(test::listed(outcome.out, size, 2) == Approx((128 * elements + 20) / 1024).margin(0.06));
    CHECK(test::listed(outcome.out, size, 3) == Approx((128 * elements + 20) / 1024).margin(0.06));
  }
}

TEST_CASE("cfd refuses what is no mesh") {
  test::checkRefused("cfd", {{"--elements 0", "expected 1 to 100000000"},
                             {"--elements 100000001", "expected 1 to 100000000"},
                             {"--elements 99999999999", "--elements"},
                             {"--iterations 0", "expected 1 to 1000"},
                             {"--iterations 1001", "expected 1 to 1000"},
                             {"--flow down", "--flow"},
                             {"--elements 80 --size tiny", "excludes"}});
}
