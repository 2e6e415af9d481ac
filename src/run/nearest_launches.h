/// What represents the launches of a run that were not characterised: the characterised launch of
/// their kernel that is nearest to each.
#pragma once

#include "run/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::run {

/// How many launches of a kernel of this name a run has, and what is known of them.
struct KernelCoverage {
  std::string kernel;
  uint64_t launches = 0;
  uint64_t characterised = 0;
  uint64_t represented = 0; ///< by one of these (Launch::representative)
  uint64_t estimated = 0;   ///< nearest to one of these (Launch::nearestTo)
  uint64_t counted = 0;     ///< of the estimated ones: their instructions are known
  bool sameWork = true; ///< whether each estimated one has the sizes and arguments of the nearest
  /// Of the estimated launches, if all are counted: by how much the instructions of the nearest
  /// ones are off, the sum of the differences over the sum of the instructions. Otherwise the same
  /// of the characterised launches, each estimated from the nearest other one. None if there is
  /// only one.
  std::optional<double> error;
};

/// Whether a characterised launch may represent one that was counted, and that differs from it in
/// bounds and offsets only: their instructions differ by at most a twentieth, and each number among
/// their arguments by at most a factor of two (of the number plus one).
bool isNear(const Launch &characterised, const Launch &counted);
/// By how many instructions the two may differ, at most `instructions`.
constexpr uint64_t nearRange(uint64_t instructions) {
  constexpr uint64_t kPart = 20;
  return instructions / kPart;
}

/// Gives each counted launch without a profile that of the characterised launch that is nearest in
/// instructions and arguments, among those with the same sizes that differ in the same arguments
/// (Launch::differsIn): sets Launch::nearestTo, and what is known of launches with a profile.
void standInForCounted(Run &run);

/// Does the same, and gives each other launch without a profile that of the nearest characterised
/// launch of the kernel that ran to its end, if there is one, with instructions in proportion to
/// the work-items; a local size of 0, which a device chose and did not tell, becomes the largest
/// that divides the global size and the nearest one's local size. The nearest is the one with the
/// same local size, if there is one; among these, with the most similar global size; among these,
/// with the most similar arguments; among equal ones, the nearest in the order of the launches.
/// Returns the kernels in the order of their first launches. Takes time in proportion to the
/// launches times the characterised launches that differ in sizes or arguments.
std::vector<KernelCoverage> estimateFromNearest(Run &run);

} // namespace aiwc::run
