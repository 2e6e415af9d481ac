#include "profile/scaling.h"

#include <array>
#include <cstddef>

namespace aiwc::profile {

namespace {

bool isBetween(Metric metric, Metric first, Metric last) {
  return metric >= first && metric <= last;
}

} // namespace

std::string_view toString(Scaling scaling) {
  constexpr std::array<std::string_view, 6> kNames = {"launch",    "work-items", "stays",
                                                      "logarithm", "derived",    "unknown"};
  return kNames[static_cast<size_t>(scaling)];
}

Scaling scalingOf(Metric metric) {
  switch (metric) {
  case Metric::kWorkItems:
  case Metric::kWorkGroups:
  case Metric::kWorkGroupSize:
    return Scaling::kLaunch;
  case Metric::kTotalInstructionCount:
  case Metric::kFpAdd:
  case Metric::kFpMul:
  case Metric::kFpDiv:
  case Metric::kFpSpecial:
  case Metric::kFpOps:
  case Metric::kFpOpsF16:
  case Metric::kFpOpsF32:
  case Metric::kFpOpsF64:
  case Metric::kIntOps:
  case Metric::kBarriersHit:
  case Metric::kSimdOperandSum:
  case Metric::kMemoryFootprint:
  case Metric::kMemoryFootprint90:
  case Metric::kUniqueReads:
  case Metric::kUniqueWrites:
  case Metric::kTotalReads:
  case Metric::kTotalWrites:
  case Metric::kPrivateAccesses:
  case Metric::kBytesReadGlobal:
  case Metric::kBytesReadLocal:
  case Metric::kBytesReadConstant:
  case Metric::kBytesWrittenGlobal:
  case Metric::kBytesWrittenLocal:
  case Metric::kBytesWrittenConstant:
  case Metric::kFootprintBytes:
  case Metric::kHostToDeviceBytes:
  case Metric::kDeviceToHostBytes:
    return Scaling::kWorkItems;
  case Metric::kInstructionMixFactor:
  case Metric::kLoadImbalance:
  case Metric::kSimdWidthMean:
  case Metric::kGranularity:
  case Metric::kBarriersPerInstruction:
  case Metric::kInstructionsPerOperand:
  case Metric::kAsapFpParallelism:
  case Metric::kAsapParallelism:
  case Metric::kUniqueReadWriteRatio:
  case Metric::kRereadRatio:
  case Metric::kRewriteRatio:
    return Scaling::kDerived;
  case Metric::kAtomicContentionMax:
    return Scaling::kUnknown;
  default:
    return isBetween(metric, Metric::kGlobalMemoryAddressEntropy,
                     Metric::kLocalMemoryAddressEntropy10)
               ? Scaling::kLogarithm
               : Scaling::kStays;
  }
}

bool dependsOnWorkGroups(Metric metric) {
  switch (metric) {
  case Metric::kBarriersHit:
  case Metric::kItbMin:
  case Metric::kItbMedian:
  case Metric::kItbMax:
  case Metric::kBarriersPerInstruction:
  case Metric::kAtomicContentionMax: // of local memory, in a group
  case Metric::kYokotaBranchEntropy: // histories begin anew in each group
  case Metric::kLinearBranchEntropy:
    return true;
  default:
    // Depths are those of the deepest group; what is in local memory is a group's.
    return isBetween(metric, Metric::kAsapFpDepth, Metric::kLaneUtilizationFp64) ||
           isBetween(metric, Metric::kMemoryFootprint, Metric::kUniqueReadWriteRatio) ||
           isBetween(metric, Metric::kRereadRatio, Metric::kRewriteRatio) ||
           metric == Metric::kBytesReadLocal || metric == Metric::kBytesWrittenLocal ||
           isBetween(metric, Metric::kFootprintBytes, Metric::kParallelSpatialLocalityMeasured);
  }
}

bool isFraction(Metric metric) {
  switch (metric) {
  case Metric::kInstructionMixFactor:
  case Metric::kGranularity:
  case Metric::kRereadRatio:
  case Metric::kRewriteRatio:
  case Metric::kYokotaBranchEntropy:
  case Metric::kLinearBranchEntropy:
    return true;
  default:
    return isBetween(metric, Metric::kLaneUtilization8, Metric::kLaneUtilizationFp64) ||
           isBetween(metric, Metric::kCoalescing16, Metric::kParallelSpatialLocalityMeasured);
  }
}

} // namespace aiwc::profile
