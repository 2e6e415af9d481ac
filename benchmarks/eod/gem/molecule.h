#pragma once

#include "eod/formats/pqr.h"

#include <cstdint>
#include <vector>

namespace aiwc::eod::gem {

/// Ångström and elementary charges.
using Molecule = std::vector<PqrAtom>;

/// A protein's worth of structure: residues with the elements of the twenty amino acids along a
/// self-avoiding chain that fills a compact globule (a random Hamiltonian path on a lattice), at a
/// protein's density; charges by element that add up to the residue's charge, -1, 0 or 1. No two
/// atoms are closer than 1.2 ångström.
Molecule globule(uint32_t atoms, uint64_t seed);

/// The radius of the homogeneous ball whose tensor of inertia has the determinant that the
/// molecule's has, with atoms as balls of density 1 (Sigalov, Fenley, Onufriev, J. Chem. Phys.
/// 2006), ångström. 0 for atoms without a radius.
double electrostaticSize(const Molecule &molecule);

double totalCharge(const Molecule &molecule);

} // namespace aiwc::eod::gem
