#pragma once

#include "eod/cfd/mesh.h"
#include "eod/common/application.h"

#include <array>
#include <cstdint>
#include <vector>

namespace aiwc::eod::cfd {

/// Density, three components of momentum, energy per volume.
inline constexpr uint32_t kVariables = 5;
inline constexpr uint32_t kStages = 3; ///< of a time step

/// The undisturbed flow: density 1.4 and pressure 1, so that sound travels at 1; Mach 1.2, towards
/// the floor at an angle whose tangent is 20 / 99.
std::array<float, kVariables> freeStream();

/// Variable v of element e is at v * elements + e.
using Variables = std::vector<float>;

/// The free stream in every element.
Variables uniformFlow(uint32_t elements);
/// The free stream, with density, velocity and pressure of each element changed by up to 5 %.
Variables disturbedFlow(uint32_t elements, uint64_t seed);

/// The allowed difference per stage between single and double precision: kRoundings u, u = 2^-24,
/// relative to the variable's size or, if that is larger, its size in the free stream (for
/// momentum: density times the sum of the speeds of sound and of the flow). At a Courant number of
/// 0.8, a stage subtracts about as much as an element holds: four fluxes, each with an error of
/// some twenty roundings (an OpenCL division has up to 2.5 ulp, a square root up to 3) of a few
/// times its share, and the step, with some ten. The scheme is dissipative, so errors add up and do
/// not grow.
inline constexpr double kRoundings = 64;
double tolerance(uint32_t iterations);

/// Whether `result` is what `initial` becomes after the iterations, by a replay in double
/// precision. The replay visits each face once and moves its flux from one side to the other.
Verdict checkReplay(const Mesh &mesh, const Variables &initial, uint32_t iterations,
                    const Variables &result);

/// Whether the flow is the free stream everywhere. On a mesh without a wing it must stay so,
/// because the normals of a closed element add up to zero.
Verdict checkUniform(const Mesh &mesh, uint32_t iterations, const Variables &result);

} // namespace aiwc::eod::cfd
