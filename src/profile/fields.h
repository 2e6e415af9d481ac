/// Tables of a profile's fields, grouped by type: the key of each field and its member. JSON,
/// messages and comparisons use these keys; readers and writers iterate over these tables, as they
/// do over the catalogue of metrics.
#pragma once

#include "profile/kernel_profile.h"

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

/// What made a profile, written after the identity of the launch.
inline constexpr std::array<Field<Provenance, std::string>, 3> kVersionFields = {{
    {"tool_version", &Provenance::toolVersion},
    {"oclgrind_version", &Provenance::oclgrindVersion},
    {"llvm_version", &Provenance::llvmVersion},
}};

/// Written after them, unless they are empty.
inline constexpr std::array<Field<Provenance, std::string>, 2> kOriginFields = {{
    {"scaled_from", &Provenance::scaledFrom},
    {"extrapolated_from", &Provenance::extrapolatedFrom},
}};

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

inline constexpr std::array<Field<PrivateTraffic, uint64_t>, 2> kPrivateTrafficFields = {{
    {"stack_bytes", &PrivateTraffic::stackBytes},
    {"scratch_bytes", &PrivateTraffic::scratchBytes},
}};

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

/// The counts of a line's row, in the order in which they are written; `reuse_distances` follows.
inline constexpr std::array<Field<LineRow, uint64_t>, 11> kLineFields = {{
    {"line", &LineRow::line},
    {"instructions", &LineRow::instructions},
    {"fp_ops", &LineRow::fpOps},
    {"bytes", &LineRow::bytes},
    {"branches", &LineRow::branches},
    {"mispredictions", &LineRow::mispredictions},
    {"idle_lanes_8", &LineRow::idleLanes8},
    {"idle_lanes_16", &LineRow::idleLanes16},
    {"idle_lanes_32", &LineRow::idleLanes32},
    {"idle_lanes_64", &LineRow::idleLanes64},
    {"cold_accesses", &LineRow::coldAccesses},
}};

/// Likewise, those that are written if they are not 0.
inline constexpr std::array<Field<LineRow, uint64_t>, 9> kRareLineFields = {{
    {"group_lines", &LineRow::groupLines},
    {"accidental_doubles", &LineRow::accidentalDoubles},
    {"accidental_conversions", &LineRow::accidentalConversions},
    {"repeated_ops", &LineRow::repeatedOps},
    {"constant_powers", &LineRow::constantPowers},
    {"divisions_by_constants", &LineRow::divisionsByConstants},
    {"wide_index_products", &LineRow::wideIndexProducts},
    {"wide_index_divisions", &LineRow::wideIndexDivisions},
    {"pseudo_instructions", &LineRow::pseudoInstructions},
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
