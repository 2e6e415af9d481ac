/// The metrics there are: one enumerator and one catalogue row each. Writers, readers, `aiwc
/// metrics` and `aiwc diff` are all driven by the catalogue; the definitions are those of
/// docs/metrics.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace aiwc::profile {

enum class Metric : uint16_t {
  // Compute
  kOpcode90,
  kTotalInstructionCount,
  kFpAdd,
  kFpMul,
  kFpDiv,
  kFpSpecial,
  kFpOps,
  kFpOpsF16,
  kFpOpsF32,
  kFpOpsF64,
  kIntOps,
  kInstructionMixFactor,
  kFreedomToReorder,
  // Parallelism
  kWorkItems,
  kWorkGroups,
  kWorkGroupSize,
  kBarriersHit,
  kItbMin,
  kItbMedian,
  kItbMax,
  kIptMin,
  kIptMedian,
  kIptMax,
  kLoadImbalance,
  kSimdWidthMax,
  kSimdWidthMean,
  kSimdWidthSd,
  kSimdOperandSum,
  kGranularity,
  kBarriersPerInstruction,
  kInstructionsPerOperand,
  kAsapFpDepth,
  kAsapFpParallelism,
  kAsapDepth,
  kAsapParallelism,
  kLaneUtilization8, // ... 4 in a row: lane groups of 8, 16, 32, 64
  kLaneUtilization16,
  kLaneUtilization32,
  kLaneUtilization64,
  kLaneUtilizationFp8, // ... 4 in a row
  kLaneUtilizationFp16,
  kLaneUtilizationFp32,
  kLaneUtilizationFp64,
  kAtomicContentionMax,
  kSyncPoints,
  // Memory
  kMemoryFootprint,
  kMemoryFootprint90,
  kUniqueReads,
  kUniqueWrites,
  kUniqueReadWriteRatio,
  kTotalReads,
  kTotalWrites,
  kRereadRatio,
  kRewriteRatio,
  kPrivateAccesses,
  kBytesReadGlobal,
  kBytesReadLocal,
  kBytesReadConstant,
  kBytesWrittenGlobal,
  kBytesWrittenLocal,
  kBytesWrittenConstant,
  kFootprintBytes,
  kGlobalMemoryAddressEntropy,
  kLocalMemoryAddressEntropy1, // ... 10 in a row: skipped least significant bits
  kLocalMemoryAddressEntropy2,
  kLocalMemoryAddressEntropy3,
  kLocalMemoryAddressEntropy4,
  kLocalMemoryAddressEntropy5,
  kLocalMemoryAddressEntropy6,
  kLocalMemoryAddressEntropy7,
  kLocalMemoryAddressEntropy8,
  kLocalMemoryAddressEntropy9,
  kLocalMemoryAddressEntropy10,
  kCoalescing16, // ... 3 in a row: lane groups of 16, 32, 64
  kCoalescing32,
  kCoalescing64,
  kCoalescingMeasured,
  kParallelSpatialLocality0, // ... 11 in a row: skipped least significant bits
  kParallelSpatialLocality1,
  kParallelSpatialLocality2,
  kParallelSpatialLocality3,
  kParallelSpatialLocality4,
  kParallelSpatialLocality5,
  kParallelSpatialLocality6,
  kParallelSpatialLocality7,
  kParallelSpatialLocality8,
  kParallelSpatialLocality9,
  kParallelSpatialLocality10,
  kParallelSpatialLocalityMeasured,
  kHostToDeviceBytes,
  kHostToDeviceTransfers,
  kDeviceToHostBytes,
  kDeviceToHostTransfers,
  // Control
  kUniqueBranches,
  kUniqueBranches90,
  kYokotaBranchEntropy,
  kLinearBranchEntropy,
};

inline constexpr size_t kMetricCount = static_cast<size_t>(Metric::kLinearBranchEntropy) + 1;

enum class Category : uint8_t { kCompute, kParallelism, kMemory, kControl };

/// "Compute", "Parallelism", "Memory", "Control".
std::string_view toString(Category category);

/// What a metric's values are. A count is a non-negative integer, exact to 64 bits.
enum class MetricType : uint8_t { kCount, kReal };

struct MetricInfo {
  Metric metric;
  std::string_view key;  ///< machine-readable, as in docs/metrics.md; the JSON key
  std::string_view name; ///< the AIWC literature's; the key where the literature has none
  Category category;
  MetricType type;
  std::string_view unit;       ///< "bytes", "bits", "instructions", ...; empty for a pure number
  std::string_view definition; ///< one or two sentences
};

/// Every metric, in the order of the enumeration.
std::span<const MetricInfo> catalogue();
const MetricInfo &info(Metric metric);
/// By key; nullptr where there is none.
const MetricInfo *findMetric(std::string_view key);

/// A metric's value. `std::monostate` says that it has none: it was not computed, or its
/// definition gives none (a ratio to zero). JSON has `null` for it, CSV `NaN`.
using Value = std::variant<std::monostate, uint64_t, double>;

/// The value as a double; NaN where it has none.
double toDouble(const Value &value);

} // namespace aiwc::profile
