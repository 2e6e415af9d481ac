#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::metrics {

/// Options of the analyses. The profile records those that the user can set.
struct AnalysisOptions {
  /// Size of a cache line for reuse distances: a power of two from 32 to 256.
  uint32_t lineBytes = 64;
  /// If set, compute only these families (names as in AnalysisSet::families()). Not a user option:
  /// sampled work-groups divide the families among several sets of analyses.
  std::optional<std::vector<std::string>> only = std::nullopt;
};

} // namespace aiwc::metrics
