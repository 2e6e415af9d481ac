#include "eod/gem/gem_reference.h"

#include "eod/common/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aiwc::eod::gem {

Coefficients coefficients(const Molecule &molecule, const Dielectrics &dielectrics) {
  constexpr double kCoulomb = 332.06371; // kcal ångström / (mol e^2)
  constexpr double kAlpha = 0.571412;
  const double beta = dielectrics.inside / dielectrics.outside;
  const double common = kCoulomb / (dielectrics.outside * (1 + kAlpha * beta));
  const double distance = electrostaticSize(molecule) + kProbe;
  return {common * (1 + kAlpha), common * kAlpha * (1 - beta) / distance * totalCharge(molecule)};
}

Verdict checkPotential(const Molecule &molecule, const Surface &surface,
                       const Coefficients &coefficients, const std::vector<float> &potential,
                       uint64_t seed) {
  const double roundings = (static_cast<double>(molecule.size()) + 16) * 0x1p-24;
  const double gamma = roundings / (1 - roundings);
  const size_t vertices = surface.x.size();
  const size_t step = vertices * molecule.size() / kAllPairs + 1;
  Random random(seed);
  size_t checked = 0;
  double worst = 0;
  double low = INFINITY;
  double high = -INFINITY;
  for (size_t first = 0; first < vertices; first += step, ++checked) {
    const auto choice = static_cast<uint32_t>(std::min(step, vertices - first));
    const size_t v = first + random.below(choice);
    double sum = 0;
    double magnitude = 0;
    for (const PqrAtom &atom : molecule) {
      const double dx = static_cast<double>(surface.x[v]) - atom.x;
      const double dy = static_cast<double>(surface.y[v]) - atom.y;
      const double dz = static_cast<double>(surface.z[v]) - atom.z;
      const double term = atom.charge / std::sqrt(dx * dx + dy * dy + dz * dz);
      sum += term;
      magnitude += std::abs(term);
    }
    const double expected = coefficients.coulomb * sum - coefficients.shift;
    const double bound =
        gamma * (std::abs(coefficients.coulomb) * magnitude + std::abs(coefficients.shift));
    const double error = std::abs(potential[v] - expected);
    if (!(error <= bound))
      return {false, fmt::format("vertex {}: potential {} instead of {}, allowed error {:.2g}", v,
                                 potential[v], expected, bound)};
    worst = std::max(worst, error == 0 ? 0 : error / bound);
    low = std::min(low, expected);
    high = std::max(high, expected);
  }
  return {true, fmt::format("{} of {} vertices, {:.3f} to {:.3f} kcal/(mol e), largest error "
                            "{:.2g} of the rounding bound",
                            checked, vertices, low, high, worst)};
}

} // namespace aiwc::eod::gem
