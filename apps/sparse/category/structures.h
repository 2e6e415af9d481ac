/// The matrices that the tree is trained on.
#pragma once

#include "sparse/generate.h"

#include <cstdint>
#include <string>
#include <vector>

/// A structure with random parameters, and a name for it.
struct TrainingStructure {
  aiwc::sparse::Structure structure;
  std::string name;
};

/// `perShape` structures of each shape: 3 * 10^4 to 3 * 10^6 non-zeros and 3 to 40 of them per row,
/// even on a logarithmic scale; the shape's parameter in a usual range.
std::vector<TrainingStructure> trainingStructures(uint64_t perShape, uint64_t seed);
