/// Tables of a profile's fields, grouped by type: the key of each field and its member. JSON,
/// messages and comparisons use these keys; readers and writers iterate over these tables, as they
/// do over the catalogue of metrics.
#pragma once

#include "profile/kernel_profile.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
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

/// Written after `engine`, unless it is empty.
inline constexpr Field<Provenance, std::string> kEngineReasonField = {"engine_reason",
                                                                      &Provenance::engineReason};

/// Written after `source_hash`, unless it is empty.
inline constexpr Field<Provenance, std::string> kCodeHashField = {"code_hash",
                                                                  &Provenance::codeHash};

/// In work-items, x first. Dimensions that the NDRange does not have are 1 (0 for the offset).
inline constexpr std::array<Field<Provenance, Size3>, 3> kSizeFields = {{
    {"global_offset", &Provenance::globalOffset},
    {"global_size", &Provenance::globalSize},
    {"local_size", &Provenance::localSize},
}};

/// Written after them, if it is true.
inline constexpr Field<Provenance, bool> kLocalSizeLeftOpenField = {"local_size_left_open",
                                                                    &Provenance::localSizeLeftOpen};

/// Only in profiles of sampled work-groups, which have both.
inline constexpr std::array<Field<Provenance, uint64_t>, 2> kSampleFields = {{
    {"sampled_groups", &Provenance::sampledGroups},
    {"total_groups", &Provenance::totalGroups},
}};

/// Written after them, if it is true.
inline constexpr Field<Provenance, bool> kOthersLeftOutField = {"others_left_out",
                                                                &Provenance::othersLeftOut};

inline constexpr std::array<Field<Reuse, uint64_t>, 2> kReuseCountFields = {{
    {"line_bytes", &Reuse::lineBytes},
    {"cold_accesses", &Reuse::coldAccesses},
}};

/// A key of profiles from before version 0.1, which could measure reuse for a sample of the lines.
/// Readers accept only the value that means "all lines".
struct LineSampleField {
  std::string_view key;
  double ofAllLines;
};

inline constexpr std::array<LineSampleField, 2> kLineSampleFields = {{
    {"sample_rate", 1},
    {"error_bound", 0},
}};

/// The error message for a value other than `ofAllLines`; `name` is the field's name in the
/// message.
inline std::string notOfAllLines(const LineSampleField &field, std::string_view name,
                                 double value) {
  return fmt::format("{} is {:g}: expected {:g}, since reuse is no longer measured for a sample of "
                     "the lines",
                     name, value, field.ofAllLines);
}

/// All histograms except `opcodes`, whose values are names. The tables of loops and lines are not
/// here.
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

/// Counts that older profiles do not have; `reuse_distances` follows them.
inline constexpr std::array<Field<LineRow, uint64_t>, 5> kLineReuseAndLaneFields = {{
    {"idle_lanes_8", &LineRow::idleLanes8},
    {"idle_lanes_16", &LineRow::idleLanes16},
    {"idle_lanes_32", &LineRow::idleLanes32},
    {"idle_lanes_64", &LineRow::idleLanes64},
    {"cold_accesses", &LineRow::coldAccesses},
}};

/// The counts of a loop's row, written between its function and its dependences.
inline constexpr std::array<Field<LoopRow, uint64_t>, 6> kLoopFields = {{
    {"line", &LoopRow::line},
    {"depth", &LoopRow::depth},
    {"entries", &LoopRow::entries},
    {"trips", &LoopRow::trips},
    {"min_trips", &LoopRow::minTrips},
    {"max_trips", &LoopRow::maxTrips},
}};

/// The counts of an access's row, between its kind and its strides.
inline constexpr std::array<Field<AccessRow, uint64_t>, 3> kAccessCountFields = {{
    {"accesses", &AccessRow::accesses},
    {"bytes", &AccessRow::bytes},
    {"footprint", &AccessRow::footprint},
}};

inline constexpr std::array<Field<AccessRow, std::optional<int64_t>>, 2> kAccessStrideFields = {{
    {"lane_stride", &AccessRow::laneStride},
    {"loop_stride", &AccessRow::loopStride},
}};

} // namespace aiwc::profile
