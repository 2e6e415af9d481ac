#include "eod/cfd/cfd_reference.h"

#include "eod/common/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace aiwc::eod::cfd {
namespace {

constexpr double kGamma = 1.4;
constexpr double kCourant = 0.8;
constexpr double kDensity = 1.4;
constexpr double kPressure = 1;
constexpr double kMach = 1.2;
constexpr std::array<double, 3> kDirection{99 / 101.0, 0, -20 / 101.0};
constexpr std::array<std::string_view, kVariables> kNames{"density", "momentum x", "momentum y",
                                                          "momentum z", "energy"};

using Vector = std::array<double, 3>;
using Conserved = std::array<double, kVariables>;

Conserved conserved(double density, const Vector &velocity, double pressure) {
  double motion = 0;
  Conserved result{density};
  for (size_t axis = 0; axis < 3; ++axis) {
    result[axis + 1] = density * velocity[axis];
    motion += 0.5 * density * velocity[axis] * velocity[axis];
  }
  result[4] = pressure / (kGamma - 1) + motion;
  return result;
}

double pressureOf(const Conserved &u) {
  return (kGamma - 1) * (u[4] - (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (2 * u[0]));
}

/// Of the flow through a face, volume per time.
double throughFace(const Conserved &u, const Vector &normal) {
  return (u[1] * normal[0] + u[2] * normal[1] + u[3] * normal[2]) / u[0];
}

double waveAcross(const Conserved &u, const Vector &normal) {
  const double area = std::hypot(normal[0], normal[1], normal[2]);
  return std::abs(throughFace(u, normal)) + std::sqrt(kGamma * pressureOf(u) / u[0]) * area;
}

Conserved physicalFlux(const Conserved &u, const Vector &normal) {
  const double volume = throughFace(u, normal);
  const double pressure = pressureOf(u);
  Conserved flux;
  for (size_t v = 0; v < kVariables; ++v)
    flux[v] = u[v] * volume;
  for (size_t axis = 0; axis < 3; ++axis)
    flux[axis + 1] += pressure * normal[axis];
  flux[4] += pressure * volume;
  return flux;
}

Conserved rusanovFlux(const Conserved &from, const Conserved &to, const Vector &normal) {
  const double fastest = std::max(waveAcross(from, normal), waveAcross(to, normal));
  const Conserved a = physicalFlux(from, normal);
  const Conserved b = physicalFlux(to, normal);
  Conserved flux;
  for (size_t v = 0; v < kVariables; ++v)
    flux[v] = (a[v] + b[v]) / 2 - fastest / 2 * (to[v] - from[v]);
  return flux;
}

Vector normalOf(const Mesh &mesh, uint32_t face, uint32_t element) {
  Vector normal;
  for (size_t axis = 0; axis < 3; ++axis)
    normal[axis] = mesh.normal[(3 * face + axis) * mesh.elements + element];
  return normal;
}

class Replay {
public:
  Replay(const Mesh &mesh, const Variables &initial) : mesh_(mesh), flow_(mesh.elements) {
    for (uint32_t e = 0; e < mesh.elements; ++e)
      for (size_t v = 0; v < kVariables; ++v)
        flow_[e][v] = initial[v * mesh.elements + e];
    std::ranges::copy(freeStream(), farField_.begin());
  }

  void step() {
    const std::vector<Conserved> before = flow_;
    std::vector<double> factor(mesh_.elements);
    for (uint32_t e = 0; e < mesh_.elements; ++e) {
      double waves = 0;
      for (uint32_t face = 0; face < kFaces; ++face)
        waves += waveAcross(flow_[e], normalOf(mesh_, face, e));
      factor[e] = kCourant / waves;
    }
    for (uint32_t stage = 0; stage < kStages; ++stage) {
      const std::vector<Conserved> lost = losses();
      for (uint32_t e = 0; e < mesh_.elements; ++e)
        for (size_t v = 0; v < kVariables; ++v)
          flow_[e][v] = before[e][v] - factor[e] / (kStages - stage) * lost[e][v];
    }
  }

  const std::vector<Conserved> &flow() const { return flow_; }

private:
  std::vector<Conserved> losses() const {
    std::vector<Conserved> lost(mesh_.elements, Conserved{});
    for (uint32_t e = 0; e < mesh_.elements; ++e)
      for (uint32_t face = 0; face < kFaces; ++face) {
        const int32_t other = mesh_.neighbour[size_t{face} * mesh_.elements + e];
        if (other >= 0 && static_cast<uint32_t>(other) < e)
          continue; // done from the other side
        const Vector normal = normalOf(mesh_, face, e);
        Conserved flux{};
        if (other == kWing)
          for (size_t axis = 0; axis < 3; ++axis)
            flux[axis + 1] = pressureOf(flow_[e]) * normal[axis];
        else
          flux = rusanovFlux(flow_[e], other == kFarField ? farField_ : flow_[other], normal);
        for (size_t v = 0; v < kVariables; ++v) {
          lost[e][v] += flux[v];
          if (other >= 0)
            lost[other][v] -= flux[v];
        }
      }
    return lost;
  }

  const Mesh &mesh_;
  std::vector<Conserved> flow_;
  Conserved farField_;
};

/// Compares with `expected(element)`.
template <typename Expected>
Verdict compare(const Mesh &mesh, uint32_t iterations, const Variables &result, Expected expected,
                std::string_view with) {
  const auto stream = freeStream();
  const double momentum = kDensity * (1 + kMach);
  const Conserved scale{stream[0], momentum, momentum, momentum, stream[4]};
  const double allowed = tolerance(iterations);
  double worst = 0;
  for (uint32_t e = 0; e < mesh.elements; ++e)
    for (size_t v = 0; v < kVariables; ++v) {
      const double wanted = expected(e)[v];
      const double found = result[v * mesh.elements + e];
      const double error = std::abs(found - wanted) / std::max(std::abs(wanted), scale[v]);
      if (!(error <= allowed))
        return {false, fmt::format("{} of element {}: {}, {} has {}, allowed {:.2g} relative",
                                   kNames[v], e, found, with, wanted, allowed)};
      worst = std::max(worst, error);
    }
  return {true, fmt::format("{} elements after {} iterations, largest relative difference from {} "
                            "{:.2g}, allowed {:.2g}",
                            mesh.elements, iterations, with, worst, allowed)};
}

} // namespace

std::array<float, kVariables> freeStream() {
  Vector velocity;
  for (size_t axis = 0; axis < 3; ++axis)
    velocity[axis] = kMach * kDirection[axis];
  const Conserved exact = conserved(kDensity, velocity, kPressure);
  std::array<float, kVariables> rounded;
  for (size_t v = 0; v < kVariables; ++v)
    rounded[v] = static_cast<float>(exact[v]);
  return rounded;
}

Variables uniformFlow(uint32_t elements) {
  Variables result;
  for (float value : freeStream())
    result.insert(result.end(), elements, value);
  return result;
}

Variables disturbedFlow(uint32_t elements, uint64_t seed) {
  Random random(~seed);
  const auto disturbance = [&] { return 0.05 * random.uniform(-1, 1); };
  Variables result(size_t{kVariables} * elements);
  for (uint32_t e = 0; e < elements; ++e) {
    const double density = kDensity * (1 + disturbance());
    const double pressure = kPressure * (1 + disturbance());
    Vector velocity;
    for (size_t axis = 0; axis < 3; ++axis)
      velocity[axis] = kMach * (kDirection[axis] + disturbance());
    const Conserved exact = conserved(density, velocity, pressure);
    for (size_t v = 0; v < kVariables; ++v)
      result[v * elements + e] = static_cast<float>(exact[v]);
  }
  return result;
}

double tolerance(uint32_t iterations) {
  return kRoundings * 0x1p-24 * kStages * iterations;
}

Verdict checkReplay(const Mesh &mesh, const Variables &initial, uint32_t iterations,
                    const Variables &result) {
  Replay replay(mesh, initial);
  for (uint32_t i = 0; i < iterations; ++i)
    replay.step();
  return compare(
      mesh, iterations, result, [&](uint32_t e) -> const Conserved & { return replay.flow()[e]; },
      "a serial replay");
}

Verdict checkUniform(const Mesh &mesh, uint32_t iterations, const Variables &result) {
  Conserved stream;
  std::ranges::copy(freeStream(), stream.begin());
  return compare(
      mesh, iterations, result, [&](uint32_t) -> const Conserved & { return stream; },
      "the free stream");
}

} // namespace aiwc::eod::cfd
