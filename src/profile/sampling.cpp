#include "profile/sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace aiwc::profile {

namespace {

constexpr std::array<std::string_view, 3> kErrorWords = {"lower_bound", "upper_bound", "sample"};

} // namespace

Estimate estimateOf(Metric metric) {
  switch (metric) {
  case Metric::kWorkItems:
  case Metric::kWorkGroups:
  case Metric::kWorkGroupSize:
  case Metric::kGranularity:
  case Metric::kSyncPoints: // there is more than one work-group, so that the NDRange is parallel
  case Metric::kHostToDeviceBytes:
  case Metric::kHostToDeviceTransfers:
  case Metric::kDeviceToHostBytes:
  case Metric::kDeviceToHostTransfers:
    return Estimate::kExact;
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
  case Metric::kTotalReads:
  case Metric::kTotalWrites:
  case Metric::kPrivateAccesses:
  case Metric::kBytesReadGlobal:
  case Metric::kBytesReadLocal:
  case Metric::kBytesReadConstant:
  case Metric::kBytesWrittenGlobal:
  case Metric::kBytesWrittenLocal:
  case Metric::kBytesWrittenConstant:
    return Estimate::kTotal;
  case Metric::kItbMax:
  case Metric::kIptMax:
  case Metric::kLoadImbalance:
  case Metric::kSimdWidthMax:
  case Metric::kAsapFpDepth:
  case Metric::kAsapDepth:
  case Metric::kAtomicContentionMax:
  case Metric::kMemoryFootprint:
  case Metric::kUniqueReads:
  case Metric::kUniqueWrites:
  case Metric::kFootprintBytes:
  case Metric::kUniqueBranches:
    return Estimate::kLowerBound;
  case Metric::kItbMin:
  case Metric::kIptMin:
  case Metric::kAsapFpParallelism: // the work over a depth that may be larger
  case Metric::kAsapParallelism:
    return Estimate::kUpperBound;
  case Metric::kMemoryFootprint90:
  case Metric::kUniqueReadWriteRatio:
  case Metric::kRereadRatio:
  case Metric::kRewriteRatio:
    return Estimate::kSample;
  default:
    return metric >= Metric::kGlobalMemoryAddressEntropy &&
                   metric <= Metric::kLocalMemoryAddressEntropy10
               ? Estimate::kSample
               : Estimate::kMean;
  }
}

std::string_view errorWord(Estimate estimate) {
  switch (estimate) {
  case Estimate::kLowerBound:
    return kErrorWords[0];
  case Estimate::kUpperBound:
    return kErrorWords[1];
  case Estimate::kSample:
    return kErrorWords[2];
  default:
    return {};
  }
}

bool isErrorWord(std::string_view word) {
  return std::ranges::find(kErrorWords, word) != kErrorWords.end();
}

std::string sampledGroupsText(const Provenance &provenance) {
  return provenance.sampled()
             ? fmt::format("{} of {}", provenance.sampledGroups, provenance.totalGroups)
             : std::string();
}

std::string errorText(const KernelProfile &profile, Metric metric) {
  const double value = profile.real(metric);
  if (!profile.provenance.sampled() || std::isnan(value))
    return {};
  switch (estimateOf(metric)) {
  case Estimate::kExact:
    return {};
  case Estimate::kLowerBound:
    return "at least";
  case Estimate::kUpperBound:
    return "at most";
  case Estimate::kSample:
    return "of the sample";
  default:
    break;
  }
  const double error = profile.standardError(metric);
  if (std::isnan(error))
    return "+- ?";
  if (error == 0)
    return "+- 0";
  return value == 0 ? fmt::format("+- {:.2g}", error)
                    : fmt::format("+- {:.2g} %", 100 * error / std::abs(value));
}

} // namespace aiwc::profile
