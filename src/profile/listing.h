#pragma once

#include "profile/kernel_profile.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace aiwc::profile {

/// The loops of a profile as a table: source line, depth, entries, trips, dependence. "" if there
/// are no loops.
std::string loopTable(const KernelProfile &profile);

/// The idioms of a profile and their accesses as two tables (docs/metrics.md, "Idioms"): a row per
/// idiom and loop, then a row per access, by source line. For an older profile, which has no
/// accesses, a line that says so.
std::string idiomTable(const KernelProfile &profile);
/// The same as a JSON object with the members `idioms` and `accesses`; both are null for such a
/// profile. `indent`: blanks in front of every line but the first.
std::string idiomJson(const KernelProfile &profile, size_t indent = 0);

/// Options of `lineTable`.
struct LineView {
  /// Size of the cache whose misses are counted (fully associative, LRU: profile/reuse.h).
  uint64_t cacheBytes = uint64_t{32} << 10U;
  unsigned lanes = 32;     ///< size of the lane groups for idle lanes: 8, 16, 32 or 64
  std::string_view source; ///< the kernel's source, printed beside the rows; may be empty
};

/// The source lines of a profile as a table: first the cache misses and idle lanes of all lines
/// together, then one row per source line, most instructions first. A row has the line's share of
/// the instructions, floating-point operations, bytes, misses, idle lane-instructions and
/// mispredicted branches. For an older profile, which has no misses and idle lanes per line, the
/// table says so instead.
std::string lineTable(const KernelProfile &profile, const LineView &view = {});

} // namespace aiwc::profile
