/// What the source lines of a kernel did, over all of its launches that were characterised.
#pragma once

#include "profile/kernel_profile.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::views {

using profile::KernelProfile;
using profile::Metric;
using profile::Value;

/// The counts of one source line, summed over the launches.
struct LineCounts {
  uint64_t line = 0;         ///< 0: instructions and accesses without a known line
  uint64_t instructions = 0; ///< such as machines have (docs/metrics.md)
  uint64_t fpOps = 0;
  uint64_t bytes = 0;            ///< read and written in global, constant and local memory
  uint64_t cacheAccesses = 0;    ///< of lines of global and constant memory
  uint64_t cacheMisses = 0;      ///< those that miss a cache of `LineOptions::cacheBytes`
  uint64_t idleLanes = 0;        ///< idle lane-instructions in groups of `LineOptions::lanes`
  uint64_t branches = 0;         ///< executions of conditional branches and switches
  uint64_t mispredictions = 0;   ///< those that the best guess per branch and history gets wrong
  uint64_t laneInstructions = 0; ///< all of the IR, as `idleLanes` counts them

  bool operator==(const LineCounts &) const = default;
};

/// A count of a line that has a name: the key of JSON and CSV, and of `LineOptions::sort`.
struct LineCountField {
  std::string_view key;
  uint64_t LineCounts::*member;
};

/// In the order in which they are written.
inline constexpr std::array<LineCountField, 9> kLineCountFields = {{
    {"line", &LineCounts::line},
    {"instructions", &LineCounts::instructions},
    {"fp_ops", &LineCounts::fpOps},
    {"bytes", &LineCounts::bytes},
    {"cache_accesses", &LineCounts::cacheAccesses},
    {"cache_misses", &LineCounts::cacheMisses},
    {"idle_lanes", &LineCounts::idleLanes},
    {"branches", &LineCounts::branches},
    {"mispredictions", &LineCounts::mispredictions},
}};

/// Their keys.
std::vector<std::string> lineKeys();

struct LineOptions {
  /// Size of the cache whose misses are counted (fully associative, LRU: profile/reuse.h). It is
  /// empty when a launch begins.
  uint64_t cacheBytes = uint64_t{32} << 10U;
  unsigned lanes = 32; ///< size of the lane groups for idle lanes: 8, 16, 32 or 64
  /// Key of the count that orders the lines, largest first; "line" for the order of the source,
  /// with what has no known line at the end.
  std::string sort = "instructions";
};

struct LineListing {
  std::string sourceKind;        ///< of all launches, or empty
  std::vector<LineCounts> lines; ///< in the order of LineOptions::sort
  LineCounts all;                ///< their sums; `line` is 0
  uint64_t workItems = 0;        ///< of all launches
  /// Size of the cache lines, bytes; 0 if the launches differ in it or it is unknown.
  uint64_t cacheLineBytes = 0;
};

/// The lines of all `launches`, which are of one kernel. Throws Error for a `sort` that is no key.
LineListing lineListing(std::span<const KernelProfile *const> launches,
                        const LineOptions &options = {});

/// What `lineTable` prints beside the counts.
struct LineTableLook {
  std::string_view source = ""; ///< of the kernel; empty: not printed
  size_t columns = 100;         ///< text::characters in a line
};

/// The lines as a table. Each count has two columns: the line's share of all lines, and a rate:
/// instructions, floating-point operations and bytes per work-item, misses of 100 cache accesses,
/// idle lanes of 100, mispredictions of 100 branches. Counts that no line has are left out. The
/// source stands beside the counts where at least 40 characters are left for it, else below them.
std::string lineTable(const LineListing &listing, const LineOptions &options = {},
                      const LineTableLook &look = {});

} // namespace aiwc::views
