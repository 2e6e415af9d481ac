#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::metrics {

/// What may be chosen about the analyses. The profile records what the user chooses.
struct AnalysisOptions {
  /// Of the lines whose reuse is measured: a power of two from 32 to 256.
  uint32_t lineBytes = 64;
  /// Not the user's choice, but for measuring what each family costs: these alone are computed, by
  /// the names of AnalysisSet::families().
  std::optional<std::vector<std::string>> only = std::nullopt;
};

} // namespace aiwc::metrics
