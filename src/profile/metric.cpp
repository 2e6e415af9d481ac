#include "profile/metric.h"

#include <algorithm>
#include <array>
#include <limits>

namespace aiwc::profile {

namespace {

using enum Category;
using enum MetricType;
using enum Metric;

// Wording shared by the ten levels, which differ in k alone.
constexpr std::string_view kLmaeDefinition =
    "Entropy of the accessed addresses after their k least significant bits are dropped, address "
    "space and buffer kept apart. How fast it falls with k tells the spatial locality.";

constexpr std::string_view kLaneUtilizationDefinition =
    "SIMT efficiency of lanes that reconverge perfectly: per basic block and lane group, the "
    "lanes' instructions over the width times the most of any lane; 1 where all lanes do the same.";
constexpr std::string_view kLaneUtilizationFpDefinition =
    "SIMT efficiency as lane_utilization, floating-point operations alone.";
constexpr std::string_view kCoalescingDefinition =
    "128-byte segments of global memory that the lanes of a lane group need at least when they "
    "execute a memory instruction together, over those they touch; 1 is best.";
constexpr std::string_view kPslDefinition =
    "Entropy of what the k-th accesses of a work-group's work-items address, least significant "
    "bits dropped, over log2 of the work-group size; mean over k. 0: all work-items access the "
    "same, 1: each its own.";

constexpr std::array<MetricInfo, kMetricCount> kCatalogue = {{
    {kOpcode90, "opcode_90", "Opcode", kCompute, kCount, "opcodes",
     "Smallest k such that the k most frequent LLVM opcodes cover at least 90 % of the "
     "instructions."},
    {kTotalInstructionCount, "total_instruction_count", "Total Instruction Count", kCompute, kCount,
     "instructions", "Executed LLVM IR instructions of the kernel and of the functions it calls."},
    {kFpAdd, "fp_add", "fp_add", kCompute, kCount, "operations",
     "Floating-point additions and subtractions, a vector counting its lanes; a fused "
     "multiply-add counts one here and one in fp_mul."},
    {kFpMul, "fp_mul", "fp_mul", kCompute, kCount, "operations",
     "Floating-point multiplications, a vector counting its lanes; a fused multiply-add counts one "
     "here and one in fp_add."},
    {kFpDiv, "fp_div", "fp_div", kCompute, kCount, "operations",
     "Floating-point divisions and remainders, a vector counting its lanes."},
    {kFpSpecial, "fp_special", "fp_special", kCompute, kCount, "operations",
     "Calls of builtin mathematical functions and square roots, a vector counting its lanes."},
    {kFpOps, "fp_ops", "fp_ops", kCompute, kCount, "operations",
     "All floating-point operations, W: the sum of fp_add, fp_mul, fp_div and fp_special."},
    {kFpOpsF16, "fp_ops_f16", "fp_ops_f16", kCompute, kCount, "operations",
     "Floating-point operations on 16-bit values."},
    {kFpOpsF32, "fp_ops_f32", "fp_ops_f32", kCompute, kCount, "operations",
     "Floating-point operations on 32-bit values."},
    {kFpOpsF64, "fp_ops_f64", "fp_ops_f64", kCompute, kCount, "operations",
     "Floating-point operations on 64-bit values."},
    {kIntOps, "int_ops", "int_ops", kCompute, kCount, "operations",
     "Integer arithmetic, logic, shift and compare operations, a vector counting its lanes."},
    {kInstructionMixFactor, "instruction_mix_factor", "instruction_mix_factor", kCompute, kReal, "",
     "(additions + multiplications) / (2 max(additions, multiplications)), floating point: 1 where "
     "they balance or there are none, 1/2 where only one kind occurs."},
    {kFreedomToReorder, "freedom_to_reorder", "Freedom to Reorder", kCompute, kReal, "instructions",
     "Mean number of instructions of a work-item between two consecutive memory instructions."},

    {kWorkItems, "work_items", "Work-items", kParallelism, kCount, "work-items",
     "Work-items executed."},
    {kWorkGroups, "work_groups", "work_groups", kParallelism, kCount, "work-groups",
     "Work-groups executed."},
    {kWorkGroupSize, "work_group_size", "work_group_size", kParallelism, kCount, "work-items",
     "Work-items of a work-group: the product of the local size."},
    {kBarriersHit, "barriers_hit", "Total Barriers Hit", kParallelism, kCount, "barriers",
     "Barrier calls executed, summed over work-items."},
    {kItbMin, "itb_min", "Min Instructions To Barrier", kParallelism, kCount, "instructions",
     "Fewest instructions that a work-item executes from its begin or a barrier to the next "
     "barrier or its end."},
    {kItbMedian, "itb_median", "Median Instructions To Barrier", kParallelism, kReal,
     "instructions",
     "Median number of instructions that a work-item executes from its begin or a barrier to the "
     "next barrier or its end."},
    {kItbMax, "itb_max", "Max Instructions To Barrier", kParallelism, kCount, "instructions",
     "Most instructions that a work-item executes from its begin or a barrier to the next barrier "
     "or its end."},
    {kIptMin, "ipt_min", "Min Instructions Per Thread", kParallelism, kCount, "instructions",
     "Fewest instructions that a work-item executes."},
    {kIptMedian, "ipt_median", "Median Instructions Per Thread", kParallelism, kReal,
     "instructions", "Median number of instructions that a work-item executes."},
    {kIptMax, "ipt_max", "Max Instructions Per Thread", kParallelism, kCount, "instructions",
     "Most instructions that a work-item executes."},
    {kLoadImbalance, "load_imbalance", "load_imbalance", kParallelism, kCount, "instructions",
     "Difference between the most and the fewest instructions that a work-item executes."},
    {kSimdWidthMax, "simd_width_max", "Max SIMD Width", kParallelism, kCount, "elements",
     "Largest number of data items that an instruction operates on; 1 for scalars."},
    {kSimdWidthMean, "simd_width_mean", "Mean SIMD Width", kParallelism, kReal, "elements",
     "Mean number of data items that an instruction operates on."},
    {kSimdWidthSd, "simd_width_sd", "SD SIMD Width", kParallelism, kReal, "elements",
     "Population standard deviation of the number of data items that an instruction operates on."},
    {kSimdOperandSum, "simd_operand_sum", "SIMD Operand Sum", kParallelism, kCount, "elements",
     "Data items operated on, summed over instructions."},
    {kGranularity, "granularity", "Granularity", kParallelism, kReal, "", "1 / work-items."},
    {kBarriersPerInstruction, "barriers_per_instruction", "Barriers Per Instruction", kParallelism,
     kReal, "",
     "(Barriers hit + work-items) / instructions: the end of a work-item is its implicit barrier."},
    {kInstructionsPerOperand, "instructions_per_operand", "Instructions Per Operand", kParallelism,
     kReal, "", "Instructions / SIMD operand sum."},
    {kAsapFpDepth, "asap_fp_depth", "asap_fp_depth", kParallelism, kCount, "levels",
     "D: the longest chain of floating-point operations that depend on each other, through values "
     "or memory; the largest of any work-group."},
    {kAsapFpParallelism, "asap_fp_parallelism", "asap_fp_parallelism", kParallelism, kReal,
     "operations",
     "Floating-point operations / asap_fp_depth: how many, on average, could run at "
     "once if nothing but data held them up."},
    {kAsapDepth, "asap_depth", "asap_depth", kParallelism, kCount, "levels",
     "The longest chain of instructions that depend on each other, through values or memory, "
     "without phi, br, bitcast, addrspacecast and ret; the largest of any work-group."},
    {kAsapParallelism, "asap_parallelism", "asap_parallelism", kParallelism, kReal, "instructions",
     "Instructions, without phi, br, bitcast, addrspacecast and ret, / asap_depth."},
    {kLaneUtilization8, "lane_utilization_8", "lane_utilization_8", kParallelism, kReal, "",
     kLaneUtilizationDefinition},
    {kLaneUtilization16, "lane_utilization_16", "lane_utilization_16", kParallelism, kReal, "",
     kLaneUtilizationDefinition},
    {kLaneUtilization32, "lane_utilization_32", "lane_utilization_32", kParallelism, kReal, "",
     kLaneUtilizationDefinition},
    {kLaneUtilization64, "lane_utilization_64", "lane_utilization_64", kParallelism, kReal, "",
     kLaneUtilizationDefinition},
    {kLaneUtilizationFp8, "lane_utilization_fp_8", "lane_utilization_fp_8", kParallelism, kReal, "",
     kLaneUtilizationFpDefinition},
    {kLaneUtilizationFp16, "lane_utilization_fp_16", "lane_utilization_fp_16", kParallelism, kReal,
     "", kLaneUtilizationFpDefinition},
    {kLaneUtilizationFp32, "lane_utilization_fp_32", "lane_utilization_fp_32", kParallelism, kReal,
     "", kLaneUtilizationFpDefinition},
    {kLaneUtilizationFp64, "lane_utilization_fp_64", "lane_utilization_fp_64", kParallelism, kReal,
     "", kLaneUtilizationFpDefinition},
    {kAtomicContentionMax, "atomic_contention_max", "atomic_contention_max", kParallelism, kCount,
     "atomics", "Largest number of atomics on one address; on local memory, of one work-group."},
    {kSyncPoints, "sync_points", "sync_points", kParallelism, kCount, "synchronisations",
     "Global synchronisations that a parallel version needs: 1 for an NDRange; for a single "
     "work-item, the trips of loops that carry a memory dependence around loops that carry none."},

    {kMemoryFootprint, "memory_footprint", "Total Memory Footprint", kMemory, kCount, "addresses",
     "Unique addresses accessed in global, constant and local memory."},
    {kMemoryFootprint90, "memory_footprint_90", "90% Memory Footprint", kMemory, kCount,
     "addresses", "Smallest number of addresses that cover at least 90 % of the accesses."},
    {kUniqueReads, "unique_reads", "Unique Reads", kMemory, kCount, "addresses",
     "Unique addresses read."},
    {kUniqueWrites, "unique_writes", "Unique Writes", kMemory, kCount, "addresses",
     "Unique addresses written."},
    {kUniqueReadWriteRatio, "unique_read_write_ratio", "Unique Read/Write Ratio", kMemory, kReal,
     "", "Unique reads / unique writes."},
    {kTotalReads, "total_reads", "Total Reads", kMemory, kCount, "accesses",
     "Reads of global, constant and local memory."},
    {kTotalWrites, "total_writes", "Total Writes", kMemory, kCount, "accesses",
     "Writes of global and local memory."},
    {kRereadRatio, "reread_ratio", "Reread Ratio", kMemory, kReal, "",
     "Unique reads / total reads: the smaller, the more often an address is read again."},
    {kRewriteRatio, "rewrite_ratio", "Rewrite Ratio", kMemory, kReal, "",
     "Unique writes / total writes: the smaller, the more often an address is written again."},
    {kPrivateAccesses, "private_accesses", "private_accesses", kMemory, kCount, "accesses",
     "Reads and writes of private memory, which count nowhere else."},
    {kBytesReadGlobal, "bytes_read_global", "bytes_read_global", kMemory, kCount, "bytes",
     "Bytes read from global memory."},
    {kBytesReadLocal, "bytes_read_local", "bytes_read_local", kMemory, kCount, "bytes",
     "Bytes read from local memory."},
    {kBytesReadConstant, "bytes_read_constant", "bytes_read_constant", kMemory, kCount, "bytes",
     "Bytes read from constant memory."},
    {kBytesWrittenGlobal, "bytes_written_global", "bytes_written_global", kMemory, kCount, "bytes",
     "Bytes written to global memory."},
    {kBytesWrittenLocal, "bytes_written_local", "bytes_written_local", kMemory, kCount, "bytes",
     "Bytes written to local memory."},
    {kBytesWrittenConstant, "bytes_written_constant", "bytes_written_constant", kMemory, kCount,
     "bytes", "Bytes written to constant memory."},
    {kFootprintBytes, "footprint_bytes", "footprint_bytes", kMemory, kCount, "bytes",
     "Distinct bytes touched in global, constant and local memory."},
    {kGlobalMemoryAddressEntropy, "global_memory_address_entropy", "Global Memory Address Entropy",
     kMemory, kReal, "bits",
     "Entropy -sum p log2 p over addresses, p being an address's share of the accesses: log2 n for "
     "n addresses accessed equally often, 0 for a single one."},
    {kLocalMemoryAddressEntropy1, "local_memory_address_entropy_1", "LMAE -- Skipped 1 LSBs",
     kMemory, kReal, "bits", kLmaeDefinition},
    {kLocalMemoryAddressEntropy2, "local_memory_address_entropy_2", "LMAE -- Skipped 2 LSBs",
     kMemory, kReal, "bits", kLmaeDefinition},
    {kLocalMemoryAddressEntropy3, "local_memory_address_entropy_3", "LMAE -- Skipped 3 LSBs",
     kMemory, kReal, "bits", kLmaeDefinition},
    {kLocalMemoryAddressEntropy4, "local_memory_address_entropy_4", "LMAE -- Skipped 4 LSBs",
     kMemory, kReal, "bits", kLmaeDefinition},
    {kLocalMemoryAddressEntropy5, "local_memory_address_entropy_5", "LMAE -- Skipped 5 LSBs",
     kMemory, kReal, "bits", kLmaeDefinition},
    {kLocalMemoryAddressEntropy6, "local_memory_address_entropy_6", "LMAE -- Skipped 6 LSBs",
     kMemory, kReal, "bits", kLmaeDefinition},
    {kLocalMemoryAddressEntropy7, "local_memory_address_entropy_7", "LMAE -- Skipped 7 LSBs",
     kMemory, kReal, "bits", kLmaeDefinition},
    {kLocalMemoryAddressEntropy8, "local_memory_address_entropy_8", "LMAE -- Skipped 8 LSBs",
     kMemory, kReal, "bits", kLmaeDefinition},
    {kLocalMemoryAddressEntropy9, "local_memory_address_entropy_9", "LMAE -- Skipped 9 LSBs",
     kMemory, kReal, "bits", kLmaeDefinition},
    {kLocalMemoryAddressEntropy10, "local_memory_address_entropy_10", "LMAE -- Skipped 10 LSBs",
     kMemory, kReal, "bits", kLmaeDefinition},
    {kCoalescing16, "coalescing_16", "coalescing_16", kMemory, kReal, "", kCoalescingDefinition},
    {kCoalescing32, "coalescing_32", "coalescing_32", kMemory, kReal, "", kCoalescingDefinition},
    {kCoalescing64, "coalescing_64", "coalescing_64", kMemory, kReal, "", kCoalescingDefinition},
    {kCoalescingMeasured, "coalescing_measured", "coalescing_measured", kMemory, kReal, "",
     "Share of the work-items' global accesses that coalescing looked at: 1 where it is exact; "
     "less where an instruction was executed more than 1024 times in a barrier interval, and then "
     "sampled."},
    {kParallelSpatialLocality0, "parallel_spatial_locality_0", "Normed PSL -- Skipped 0 LSBs",
     kMemory, kReal, "", kPslDefinition},
    {kParallelSpatialLocality1, "parallel_spatial_locality_1", "Normed PSL -- Skipped 1 LSBs",
     kMemory, kReal, "", kPslDefinition},
    {kParallelSpatialLocality2, "parallel_spatial_locality_2", "Normed PSL -- Skipped 2 LSBs",
     kMemory, kReal, "", kPslDefinition},
    {kParallelSpatialLocality3, "parallel_spatial_locality_3", "Normed PSL -- Skipped 3 LSBs",
     kMemory, kReal, "", kPslDefinition},
    {kParallelSpatialLocality4, "parallel_spatial_locality_4", "Normed PSL -- Skipped 4 LSBs",
     kMemory, kReal, "", kPslDefinition},
    {kParallelSpatialLocality5, "parallel_spatial_locality_5", "Normed PSL -- Skipped 5 LSBs",
     kMemory, kReal, "", kPslDefinition},
    {kParallelSpatialLocality6, "parallel_spatial_locality_6", "Normed PSL -- Skipped 6 LSBs",
     kMemory, kReal, "", kPslDefinition},
    {kParallelSpatialLocality7, "parallel_spatial_locality_7", "Normed PSL -- Skipped 7 LSBs",
     kMemory, kReal, "", kPslDefinition},
    {kParallelSpatialLocality8, "parallel_spatial_locality_8", "Normed PSL -- Skipped 8 LSBs",
     kMemory, kReal, "", kPslDefinition},
    {kParallelSpatialLocality9, "parallel_spatial_locality_9", "Normed PSL -- Skipped 9 LSBs",
     kMemory, kReal, "", kPslDefinition},
    {kParallelSpatialLocality10, "parallel_spatial_locality_10", "Normed PSL -- Skipped 10 LSBs",
     kMemory, kReal, "", kPslDefinition},
    {kParallelSpatialLocalityMeasured, "parallel_spatial_locality_measured",
     "parallel_spatial_locality_measured", kMemory, kReal, "",
     "Share of the work-items' accesses that parallel spatial locality looked at: 1 where it is "
     "exact; less where a work-item made more than 1024 accesses in a barrier interval, and then "
     "sampled."},
    {kHostToDeviceBytes, "host_to_device_bytes", "host_to_device_bytes", kMemory, kCount, "bytes",
     "Bytes that the host wrote since the previous invocation ended."},
    {kHostToDeviceTransfers, "host_to_device_transfers", "host_to_device_transfers", kMemory,
     kCount, "transfers", "Host writes since the previous invocation ended."},
    {kDeviceToHostBytes, "device_to_host_bytes", "device_to_host_bytes", kMemory, kCount, "bytes",
     "Bytes that the host read until the next invocation began."},
    {kDeviceToHostTransfers, "device_to_host_transfers", "device_to_host_transfers", kMemory,
     kCount, "transfers", "Host reads until the next invocation began."},

    {kUniqueBranches, "unique_branches", "Total Unique Branch Instructions", kControl, kCount,
     "branches", "Static conditional branches and switches that were executed."},
    {kUniqueBranches90, "unique_branches_90", "90% Branch Instructions", kControl, kCount,
     "branches", "Smallest number of them that covers at least 90 % of the branches executed."},
    {kYokotaBranchEntropy, "yokota_branch_entropy", "Yokota Branch Entropy", kControl, kReal, "",
     "Per static branch, Shannon entropy of its 16-outcome history patterns, divided by 16; mean "
     "over branches weighted by executions; 0 to 1."},
    {kLinearBranchEntropy, "linear_branch_entropy", "Average Linear Branch Entropy", kControl,
     kReal, "",
     "Per branch and history pattern, 2 min(p, 1 - p), p being the share of taken outcomes; mean "
     "weighted by executions; 0 where history tells the outcome, 1 for a fair coin."},
}};

constexpr bool inEnumerationOrder() {
  for (size_t i = 0; i < kCatalogue.size(); ++i)
    if (static_cast<size_t>(kCatalogue[i].metric) != i || kCatalogue[i].key.empty())
      return false;
  return true;
}
static_assert(inEnumerationOrder(), "one row per enumerator, in the enumeration's order");

} // namespace

std::string_view toString(Category category) {
  constexpr std::array<std::string_view, 4> kNames = {"Compute", "Parallelism", "Memory",
                                                      "Control"};
  return kNames[static_cast<size_t>(category)];
}

std::span<const MetricInfo> catalogue() {
  return kCatalogue;
}

const MetricInfo &info(Metric metric) {
  return kCatalogue[static_cast<size_t>(metric)];
}

const MetricInfo *findMetric(std::string_view key) {
  const auto *found = std::ranges::find(kCatalogue, key, &MetricInfo::key);
  return found == kCatalogue.end() ? nullptr : found;
}

double toDouble(const Value &value) {
  if (const auto *count = std::get_if<uint64_t>(&value))
    return static_cast<double>(*count);
  if (const auto *real = std::get_if<double>(&value))
    return *real;
  return std::numeric_limits<double>::quiet_NaN();
}

} // namespace aiwc::profile
