#pragma once

#include "eod/common/application.h"
#include "eod/gem/surface.h"

#include <cstdint>
#include <vector>

namespace aiwc::eod::gem {

/// Relative permittivities.
struct Dielectrics {
  double inside = 1;
  double outside = 80;
};

/// The potential at a vertex is coulomb * sum(charge / distance) - shift, in kcal/(mol e).
struct Coefficients {
  double coulomb;
  double shift;
};

/// The analytical approximation of the linear Poisson equation (no salt) outside a molecule of any
/// shape (Fenley, Gordon, Onufriev, J. Chem. Phys. 2008):
///
///   phi = sum_i q_i / (eps_out (1 + alpha beta)) [(1 + alpha) / d_i - alpha (1 - beta) / r]
///
/// with beta = eps_in / eps_out, d_i the distance from the charge and r = A + p, A the molecule's
/// electrostatic size and p the vertex's distance from the van der Waals surface. It is Kirkwood's
/// series for a sphere with l / (l + 1) = alpha in all terms beyond the monopole's, so that the sum
/// is closed; alpha = 0.571412 (Sigalov, Fenley, Onufriev, J. Chem. Phys. 2006).
Coefficients coefficients(const Molecule &molecule, const Dielectrics &dielectrics);

/// Replays the sum in double precision, for all vertices up to kAllPairs pairs of vertex and atom,
/// else for evenly drawn ones. The device rounds the distance's reciprocal (8 roundings at most,
/// with rsqrt's 2 ulp), the product with the charge, and adds in any order: |error| <= gamma_m
/// (|coulomb| sum(|charge| / distance) + |shift|), gamma_m = m u / (1 - m u), m = atoms + 16, u =
/// 2^-24.
inline constexpr uint64_t kAllPairs = 50'000'000;
Verdict checkPotential(const Molecule &molecule, const Surface &surface,
                       const Coefficients &coefficients, const std::vector<float> &potential,
                       uint64_t seed);

} // namespace aiwc::eod::gem
