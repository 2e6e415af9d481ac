#include "report/json_parts.h"

#include <array>
#include <string_view>

namespace aiwc::report {

namespace {

/// A metric with its name beside a spoke.
struct Axis {
  std::string_view key, name;
};

/// About one metric for each aspect of a kernel.
constexpr auto kFewMetrics = std::to_array<std::string_view>(
    {"opcode_90", "total_instruction_count", "freedom_to_reorder", "work_items", "barriers_hit",
     "itb_median", "simd_operand_sum", "footprint_bytes", "global_memory_address_entropy",
     "local_memory_address_entropy_3", "unique_branches", "yokota_branch_entropy",
     "linear_branch_entropy"});

/// The axes of the thesis's Kiviat diagram (Johnston 2019, section 4.5): parallelism, compute,
/// memory, control.
constexpr std::array<Axis, 21> kKiviatAxes = {{
    {"granularity", "granularity"},
    {"barriers_per_instruction", "barriers per instruction"},
    {"instructions_per_operand", "instructions per operand"},
    {"load_imbalance", "load imbalance"},
    {"opcode_90", "opcodes"},
    {"total_instruction_count", "instructions"},
    {"memory_footprint", "footprint"},
    {"memory_footprint_90", "90 % footprint"},
    {"unique_reads", "unique reads"},
    {"unique_writes", "unique writes"},
    {"unique_read_write_ratio", "unique reads / writes"},
    {"total_reads", "reads"},
    {"total_writes", "writes"},
    {"reread_ratio", "reread ratio"},
    {"rewrite_ratio", "rewrite ratio"},
    {"global_memory_address_entropy", "global address entropy"},
    {"local_memory_address_entropy_3", "local address entropy"},
    {"unique_branches", "branches"},
    {"unique_branches_90", "90 % branches"},
    {"yokota_branch_entropy", "branch entropy"},
    {"linear_branch_entropy", "linear branch entropy"},
}};

/// The metrics of AIWC that the thesis lists (table 4.1), in its order; local memory address
/// entropy is that of addresses without their last three bits.
constexpr auto kThesisMetrics = std::to_array<std::string_view>({"opcode_90",
                                                                 "total_instruction_count",
                                                                 "work_items",
                                                                 "barriers_hit",
                                                                 "itb_min",
                                                                 "itb_max",
                                                                 "itb_median",
                                                                 "ipt_min",
                                                                 "ipt_max",
                                                                 "ipt_median",
                                                                 "simd_width_max",
                                                                 "simd_width_mean",
                                                                 "simd_width_sd",
                                                                 "memory_footprint",
                                                                 "memory_footprint_90",
                                                                 "unique_reads",
                                                                 "unique_writes",
                                                                 "unique_read_write_ratio",
                                                                 "total_reads",
                                                                 "total_writes",
                                                                 "reread_ratio",
                                                                 "rewrite_ratio",
                                                                 "global_memory_address_entropy",
                                                                 "local_memory_address_entropy_3",
                                                                 "unique_branches",
                                                                 "unique_branches_90",
                                                                 "yokota_branch_entropy",
                                                                 "linear_branch_entropy"});

} // namespace

Json fewMetricsJson() {
  return kFewMetrics;
}

Json kiviatAxesJson() {
  Json rows = Json::array();
  for (const Axis &axis : kKiviatAxes)
    rows.push_back({{"key", axis.key}, {"name", axis.name}});
  return rows;
}

Json thesisMetricsJson() {
  return kThesisMetrics;
}

} // namespace aiwc::report
