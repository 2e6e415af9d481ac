#include "predict/fitted/launch_demand.h"

#include "common/error.h"
#include "profile/reuse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace aiwc::predict {

using profile::KernelProfile;
using profile::Metric;

namespace {

constexpr std::array kNeeded = {
    Metric::kWorkItems,         Metric::kWorkGroups,          Metric::kTotalInstructionCount,
    Metric::kIptMax,            Metric::kTotalReads,          Metric::kTotalWrites,
    Metric::kBytesReadGlobal,   Metric::kBytesWrittenGlobal,  Metric::kBytesReadConstant,
    Metric::kBytesReadLocal,    Metric::kBytesWrittenLocal,   Metric::kBarriersHit,
    Metric::kFpDiv,             Metric::kFpSpecial,           Metric::kFpOpsF64,
};

/// A share of lanes or segments: 1 where the kernel has no instruction or access that it is of.
double fraction(const KernelProfile &profile, Metric metric) {
  constexpr double kLeast = 1.0 / 64;
  const double value = profile.real(metric);
  return std::isnan(value) ? 1 : std::clamp(value, kLeast, 1.0);
}

double orZero(const KernelProfile &profile, Metric metric) {
  const double value = profile.real(metric);
  return std::isnan(value) ? 0 : value;
}

} // namespace

std::string unusableDemand(const KernelProfile &profile) {
  if (!profile.complete)
    return fmt::format("complete is false ({}): expected a profile of a whole invocation",
                       profile.reason.empty() ? "no reason given" : profile.reason);
  if (profile.reuse.lineBytes == 0)
    return "reuse.line_bytes is 0: expected a profile with reuse distances";
  for (const Metric metric : kNeeded)
    if (std::holds_alternative<std::monostate>(profile[metric]))
      return fmt::format("metrics.{} has no value: expected a number",
                         profile::info(metric).key);
  for (const Metric metric : {Metric::kWorkItems, Metric::kWorkGroups})
    if (profile.count(metric) == 0)
      return fmt::format("metrics.{} is 0: expected 1 or more", profile::info(metric).key);
  return {};
}

LaunchDemand demandOf(const KernelProfile &profile) {
  if (const std::string found = unusableDemand(profile); !found.empty())
    throw Error(fmt::format("kernel {}: {}", profile.provenance.kernel, found));
  const auto real = [&](Metric metric) { return profile.real(metric); };
  LaunchDemand demand;
  demand.workItems = real(Metric::kWorkItems);
  demand.workGroups = real(Metric::kWorkGroups);
  demand.workGroupSize = demand.workItems / demand.workGroups;
  demand.instructions = real(Metric::kTotalInstructionCount);
  demand.itemInstructions = real(Metric::kIptMax);
  demand.accesses = real(Metric::kTotalReads) + real(Metric::kTotalWrites);
  demand.globalBytes = real(Metric::kBytesReadGlobal) + real(Metric::kBytesWrittenGlobal) +
                       real(Metric::kBytesReadConstant);
  demand.localBytes = real(Metric::kBytesReadLocal) + real(Metric::kBytesWrittenLocal);
  demand.barriers = real(Metric::kBarriersHit) / demand.workItems;
  demand.specialOperations = real(Metric::kFpDiv) + real(Metric::kFpSpecial);
  demand.doubleOperations = real(Metric::kFpOpsF64);
  demand.contendedAtomics = orZero(profile, Metric::kAtomicContentionMax);
  demand.hostBytes =
      orZero(profile, Metric::kHostToDeviceBytes) + orZero(profile, Metric::kDeviceToHostBytes);
  demand.hostTransfers = orZero(profile, Metric::kHostToDeviceTransfers) +
                         orZero(profile, Metric::kDeviceToHostTransfers);
  demand.laneUtilization = {
      fraction(profile, Metric::kLaneUtilization8), fraction(profile, Metric::kLaneUtilization16),
      fraction(profile, Metric::kLaneUtilization32), fraction(profile, Metric::kLaneUtilization64)};
  demand.coalescing = {fraction(profile, Metric::kCoalescing16),
                       fraction(profile, Metric::kCoalescing32),
                       fraction(profile, Metric::kCoalescing64)};
  demand.profile = &profile;
  return demand;
}

LaunchDemand LaunchDemand::scaled(double share) const {
  LaunchDemand part = *this;
  for (double LaunchDemand::*sum :
       {&LaunchDemand::workItems, &LaunchDemand::workGroups, &LaunchDemand::instructions,
        &LaunchDemand::accesses, &LaunchDemand::globalBytes, &LaunchDemand::localBytes,
        &LaunchDemand::specialOperations, &LaunchDemand::doubleOperations,
        &LaunchDemand::contendedAtomics})
    part.*sum *= share;
  part.share_ = share_ * share;
  return part;
}

double LaunchDemand::missedBytes(uint64_t bytes) const {
  return static_cast<double>(profile::slowAccesses(*profile, bytes)) *
         static_cast<double>(profile->reuse.lineBytes) * share_;
}

} // namespace aiwc::predict
