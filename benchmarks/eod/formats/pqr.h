#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::eod {

/// An atom as a PQR file has it: ångström and elementary charges.
struct PqrAtom {
  float x;
  float y;
  float z;
  float charge;
  float radius;
};

/// The limits for a PQR file.
struct PqrLimits {
  uint64_t atoms;
  float coordinate; ///< absolute value, ångström
};

/// Reads a PQR file (Dolinsky, Nielsen, McCammon, Baker: PDB2PQR, Nucleic Acids Research 2004):
/// ATOM and HETATM records, the fields separated by blanks, of which the last five are x, y, z,
/// charge and radius. Other lines mean nothing. At least one atom. Stops at the first thing that is
/// not as expected with a UsageError `file:line: what is wrong: what was expected`.
std::vector<PqrAtom> readPqr(const std::string &path, const PqrLimits &limits);

} // namespace aiwc::eod
