#pragma once

#include "eod/gem/molecule.h"

#include <cstdint>
#include <vector>

namespace aiwc::eod::gem {

/// The radius of a water molecule: the surface is where its centre can get, ångström.
inline constexpr double kProbe = 1.4;

/// The three coordinates of every vertex.
struct Surface {
  std::vector<float> x;
  std::vector<float> y;
  std::vector<float> z;
};

/// Exactly `vertices` dots on the solvent-accessible surface (Shrake, Rupley, J. Mol. Biol. 1973):
/// at distance radius + kProbe of an atom and not nearer to any other. Evenly spread: every atom
/// gets the same number of dots on its sphere, and what is left of them is thinned out evenly.
Surface accessibleSurface(const Molecule &molecule, uint32_t vertices);

} // namespace aiwc::eod::gem
