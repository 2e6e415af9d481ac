/// The keys of the compact form, which docs/embedding.md lists: what its writer and reader share.
#pragma once

#include "profile/metric.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aiwc::embed {

/// Metrics that stand in a row of the catalogue and are written as one list.
struct MetricList {
  std::string_view key;
  profile::Metric first;
  size_t count;
  /// Whether a prediction or the summary's first look needs it. The others are left out where
  /// there is no room for all.
  bool essential;
};

namespace fields {
using enum profile::Metric;

inline constexpr std::array<MetricList, 51> kMetricLists = {{
    {"total_instruction_count", kTotalInstructionCount, 1, true},
    {"fp_ops", kFpOps, 1, true},
    {"fp_add_mul_div_special", kFpAdd, 4, true},
    {"fp_ops_f16_f32_f64", kFpOpsF16, 3, true},
    {"int_ops", kIntOps, 1, true},
    {"instruction_mix_factor", kInstructionMixFactor, 1, true},
    {"work_items", kWorkItems, 1, true},
    {"work_groups", kWorkGroups, 1, true},
    {"work_group_size", kWorkGroupSize, 1, true},
    {"barriers_hit", kBarriersHit, 1, true},
    {"asap_fp_depth_parallelism", kAsapFpDepth, 2, true},
    {"asap_depth_parallelism", kAsapDepth, 2, true},
    {"lane_utilization_8_16_32_64", kLaneUtilization8, 4, true},
    {"lane_utilization_fp_8_16_32_64", kLaneUtilizationFp8, 4, true},
    {"coalescing_16_32_64", kCoalescing16, 3, true},
    {"coalescing_measured", kCoalescingMeasured, 1, true},
    {"atomic_contention_max", kAtomicContentionMax, 1, true},
    {"sync_points", kSyncPoints, 1, true},
    {"memory_footprint", kMemoryFootprint, 1, true},
    {"footprint_bytes", kFootprintBytes, 1, true},
    {"total_reads", kTotalReads, 1, true},
    {"total_writes", kTotalWrites, 1, true},
    {"bytes_read_global_local_constant", kBytesReadGlobal, 3, true},
    {"bytes_written_global_local_constant", kBytesWrittenGlobal, 3, true},
    {"host_to_device_bytes_transfers", kHostToDeviceBytes, 2, true},
    {"device_to_host_bytes_transfers", kDeviceToHostBytes, 2, true},
    {"opcode_90", kOpcode90, 1, false},
    {"freedom_to_reorder", kFreedomToReorder, 1, false},
    {"itb_min_median_max", kItbMin, 3, false},
    {"ipt_min_median_max", kIptMin, 3, false},
    {"load_imbalance", kLoadImbalance, 1, false},
    {"simd_width_max_mean_sd", kSimdWidthMax, 3, false},
    {"simd_operand_sum", kSimdOperandSum, 1, false},
    {"granularity", kGranularity, 1, false},
    {"barriers_per_instruction", kBarriersPerInstruction, 1, false},
    {"instructions_per_operand", kInstructionsPerOperand, 1, false},
    {"memory_footprint_90", kMemoryFootprint90, 1, false},
    {"unique_reads", kUniqueReads, 1, false},
    {"unique_writes", kUniqueWrites, 1, false},
    {"unique_read_write_ratio", kUniqueReadWriteRatio, 1, false},
    {"reread_ratio", kRereadRatio, 1, false},
    {"rewrite_ratio", kRewriteRatio, 1, false},
    {"private_accesses", kPrivateAccesses, 1, false},
    {"global_memory_address_entropy", kGlobalMemoryAddressEntropy, 1, false},
    {"local_memory_address_entropy_1_to_10", kLocalMemoryAddressEntropy1, 10, false},
    {"parallel_spatial_locality_0_to_10", kParallelSpatialLocality0, 11, false},
    {"parallel_spatial_locality_measured", kParallelSpatialLocalityMeasured, 1, false},
    {"unique_branches", kUniqueBranches, 1, false},
    {"unique_branches_90", kUniqueBranches90, 1, false},
    {"yokota_branch_entropy", kYokotaBranchEntropy, 1, false},
    {"linear_branch_entropy", kLinearBranchEntropy, 1, false},
}};
} // namespace fields

using fields::kMetricLists;

} // namespace aiwc::embed
