/// The parts of a profile that are alike, by the key under which JSON, messages and comparisons
/// name them. Like the catalogue of metrics, this is what readers and writers are driven by.
#pragma once

#include "profile/kernel_profile.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

namespace aiwc::profile {

template <typename Class, typename Type> struct Field {
  std::string_view key;
  Type Class::*member;
};

inline constexpr std::array<Field<Provenance, std::string>, 8> kTextFields = {{
    {"kernel", &Provenance::kernel},
    {"source_kind", &Provenance::sourceKind},
    {"source_hash", &Provenance::sourceHash},
    {"build_options", &Provenance::buildOptions},
    {"engine", &Provenance::engine},
    {"tool_version", &Provenance::toolVersion},
    {"oclgrind_version", &Provenance::oclgrindVersion},
    {"llvm_version", &Provenance::llvmVersion},
}};

/// Behind `engine`, where it is not empty.
inline constexpr Field<Provenance, std::string> kEngineReasonField = {"engine_reason",
                                                                      &Provenance::engineReason};

/// In work-items; x first, 1 in the dimensions that the NDRange does not have (0 for the offset).
inline constexpr std::array<Field<Provenance, Size3>, 3> kSizeFields = {{
    {"global_offset", &Provenance::globalOffset},
    {"global_size", &Provenance::globalSize},
    {"local_size", &Provenance::localSize},
}};

/// Of profiles of sampled work-groups, both.
inline constexpr std::array<Field<Provenance, uint64_t>, 2> kSampleFields = {{
    {"sampled_groups", &Provenance::sampledGroups},
    {"total_groups", &Provenance::totalGroups},
}};

inline constexpr std::array<Field<Reuse, uint64_t>, 2> kReuseCountFields = {{
    {"line_bytes", &Reuse::lineBytes},
    {"cold_accesses", &Reuse::coldAccesses},
}};

/// A key that profiles had before version 0.1, when reuse could be measured for a sample of the
/// lines. Readers accept the value that means "all lines" and refuse any other.
struct LineSampleField {
  std::string_view key;
  double ofAllLines;
};

inline constexpr std::array<LineSampleField, 2> kLineSampleFields = {{
    {"sample_rate", 1},
    {"error_bound", 0},
}};

/// The message that refuses `value`; `name` is what the message calls the field.
inline std::string notOfAllLines(const LineSampleField &field, std::string_view name,
                                 double value) {
  return fmt::format("{} is {:g}: expected {:g}, since reuse is no longer measured for a sample of "
                     "the lines",
                     name, value, field.ofAllLines);
}

/// All but `opcodes`, whose values are names, and the tables of loops and lines.
inline constexpr std::array<Field<Histograms, Histogram>, 7> kHistogramFields = {{
    {"instructions_to_barrier", &Histograms::instructionsToBarrier},
    {"instructions_per_thread", &Histograms::instructionsPerThread},
    {"simd_widths", &Histograms::simdWidths},
    {"address_accesses", &Histograms::addressAccesses},
    {"branch_executions", &Histograms::branchExecutions},
    {"asap_fp_levels", &Histograms::asapFpLevels},
    {"reuse_distances", &Histograms::reuseDistances},
}};

/// The counts of a line's row, in the order in which they are written.
inline constexpr std::array<Field<LineRow, uint64_t>, 6> kLineFields = {{
    {"line", &LineRow::line},
    {"instructions", &LineRow::instructions},
    {"fp_ops", &LineRow::fpOps},
    {"bytes", &LineRow::bytes},
    {"branches", &LineRow::branches},
    {"mispredictions", &LineRow::mispredictions},
}};

/// Those that rows of older profiles do not have; `reuse_distances` stands behind them.
inline constexpr std::array<Field<LineRow, uint64_t>, 5> kLineReuseAndLaneFields = {{
    {"idle_lanes_8", &LineRow::idleLanes8},
    {"idle_lanes_16", &LineRow::idleLanes16},
    {"idle_lanes_32", &LineRow::idleLanes32},
    {"idle_lanes_64", &LineRow::idleLanes64},
    {"cold_accesses", &LineRow::coldAccesses},
}};

/// The counts of a loop's row; they stand between its function and its dependences.
inline constexpr std::array<Field<LoopRow, uint64_t>, 6> kLoopFields = {{
    {"line", &LoopRow::line},
    {"depth", &LoopRow::depth},
    {"entries", &LoopRow::entries},
    {"trips", &LoopRow::trips},
    {"min_trips", &LoopRow::minTrips},
    {"max_trips", &LoopRow::maxTrips},
}};

} // namespace aiwc::profile
