#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

/// What the code of the device on which it costs most keeps in memory.
std::optional<Finding> inTargetCode(const ExaminedLaunch &launch) {
  Finding finding;
  finding.gains = launch.gainsIf(
      [](LaunchDemand &changed, const DeviceProfile &) { changed.scratchBytes = {}; });
  const auto most = std::ranges::max_element(finding.gains, {}, &Gain::factor);
  if (most == finding.gains.end() || most->factor < kLeastGain)
    return std::nullopt;
  const DeviceProfile &device = launch.devices()[static_cast<size_t>(most - finding.gains.begin())];
  const size_t family = *predict::targetFamilyOf(device);
  const LaunchDemand &demand = launch.demand();
  const bool hasArrays = demand.privateAccesses > 0;
  if (!hasArrays)
    finding.title = "Spilled registers";
  finding.problem = fmt::format(
      "Code for {} ({}) {} {} of each work-item{}, and each work-item reads and writes {} there.",
      device.vendor, profile::kTargetFamilies[family], hasArrays ? "keeps" : "spills",
      plural(demand.stackBytes[family], "byte"),
      hasArrays ? " in memory, arrays and spilled registers" : "",
      plural(demand.scratchBytes[family] / demand.workItems, "byte"));
  finding.remedy = fmt::format(
      "{} less, or declare how many work-items a group has with `{}`: fewer leave more "
      "registers to each.",
      hasArrays ? "Make arrays shorter, or unroll the loops over them, so that all indices are "
                  "constants. Else unroll"
                : "Unroll",
      launch.profile().provenance.sourceKind == "cuda" ? "__launch_bounds__"
                                                       : "reqd_work_group_size");
  return finding;
}

std::optional<Finding> privateArrays(const ExaminedLaunch &launch) {
  const auto &targets = launch.profile().targets;
  if (std::ranges::any_of(targets, [](const auto &code) { return code && code->stackBytes > 0; }))
    return inTargetCode(launch);
  if (std::ranges::all_of(targets, [](const auto &code) { return code.has_value(); }))
    return std::nullopt; // registers hold the arrays
  if (launch.demand().privateAccesses < launch.demand().accesses ||
      launch.demand().privateAccesses == 0)
    return std::nullopt;
  constexpr double kMany = 1000; // a larger ratio says nothing
  const double ratio = launch.demand().privateAccesses / std::max(1.0, launch.demand().accesses);
  Finding finding;
  finding.problem = fmt::format(
      "Each work-item makes {} to arrays of its own, {} to other memory. Whether a device keeps "
      "them in registers is not known: `aiwc run --targets` compiles the kernel for GPUs to find "
      "out.",
      plural(launch.demand().privateAccesses / launch.demand().workItems, "access", "accesses"),
      ratio > kMany ? "and hardly any" : fmt::format("{} for each access", rounded(ratio)));
  finding.remedy = "If it does not, unroll the loops over them, so that all indices are constants, "
                   "make them shorter, or keep them in local memory.";
  finding.isCosted = false;
  return finding;
}

} // namespace

const Definition kPrivateArrays = {
    RuleInfo{Rule::kPrivateArrays, "private-arrays", "Private arrays in memory",
             "Arrays of each work-item that are not kept in registers are accessed as often as "
             "other memory."},
    privateArrays};

} // namespace aiwc::advice::rule
