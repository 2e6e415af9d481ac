#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace aiwc::profile {

/// The loops of a profile as a table: source line, depth, entries, trips, dependence; "" for none.
std::string loopTable(const KernelProfile &profile);

/// What the table of lines is asked for.
struct LineView {
  /// Of the cache beyond which accesses count as misses (profile/reuse.h: fully associative LRU).
  uint64_t cacheBytes = uint64_t{32} << 10U;
  unsigned lanes = 32;     ///< of the lane groups whose idle lanes count: 8, 16, 32 or 64
  std::string_view source; ///< text of the kernel, printed beside the lines; empty: none
};

/// What happened where: the cache's misses and the idle lanes of all lines together, then a row per
/// source line, most instructions first, with the line's share of the instructions, floating-point
/// operations, bytes, misses, idle lane-instructions and mispredicted branches. A profile of before
/// misses and idle lanes were counted by line has neither, and says so.
std::string lineTable(const KernelProfile &profile, const LineView &view = {});

} // namespace aiwc::profile
