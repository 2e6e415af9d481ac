/// What represents the launches of a run that were not characterised: the characterised launch of
/// their kernel that is nearest to each.
#pragma once

#include "run/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::run {

/// How many launches of a kernel a run has, and what is known of them.
struct KernelCoverage {
  KernelKey key;
  std::string
      label; ///< the name, "k of source 3880bea3 with -DN=4" if there are several of this name
  uint64_t launches = 0;
  uint64_t characterised = 0;
  uint64_t represented = 0; ///< by one of these (Launch::representative)
  uint64_t estimated = 0;   ///< nearest to one of these (Launch::nearestTo)
  bool sameWork = true; ///< whether each estimated one has the sizes and arguments of the nearest
  /// If some are estimated: by how much the instructions of the characterised launches would be
  /// off, each estimated from the nearest other one: the sum of the differences over the sum of the
  /// instructions. None if there is only one.
  std::optional<double> error = {};
};

/// Gives each launch without a profile that of the nearest characterised launch of the kernel that
/// ran to its end, if there is one: sets Launch::nearestTo, and what is known of launches with a
/// profile, with instructions in proportion to the work-items; a local size of 0, which a device
/// chose and did not tell, becomes the largest that divides the global size and the nearest one's
/// local size. Where the code of both is known, or else the source, only a launch of the same one
/// represents it. The nearest is the one with the same local size, if there is one; among these,
/// with the most similar global size; among these, with the most similar arguments; among equal
/// ones, the nearest in the order of the launches. Returns the kernels in the order of their first
/// launches. Takes time in proportion to the launches times the characterised launches that differ
/// in sizes or arguments.
std::vector<KernelCoverage> estimateFromNearest(Run &run);

} // namespace aiwc::run
