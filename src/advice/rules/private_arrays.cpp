#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> privateArrays(const ExaminedLaunch &launch) {
  if (launch.demand().privateAccesses < launch.demand().accesses ||
      launch.demand().privateAccesses == 0)
    return std::nullopt;
  Finding finding;
  finding.rule = Rule::kPrivateArrays;
  finding.problem =
      fmt::format("Work-items make {} to arrays of their own, {:.1f} for each access to other "
                  "memory. A GPU keeps such arrays in memory, not in registers.",
                  plural(launch.demand().privateAccesses, "access", "accesses"),
                  launch.demand().privateAccesses / std::max(1.0, launch.demand().accesses));
  finding.remedy = "Unroll the loops over them, so that all indices are constants, make them "
                   "shorter, or keep them in local memory.";
  finding.gains = launch.gainsIf([](LaunchDemand &changed, const DeviceProfile &) {
    constexpr double kInstructions = 2; // of an access: its address, and itself
    withoutInstructions(
        changed, std::min(0.9 * changed.instructions, kInstructions * changed.privateAccesses));
    changed.privateAccesses = 0;
  });
  return gainless(std::move(finding));
}

} // namespace

const Definition kPrivateArrays = {
    RuleInfo{Rule::kPrivateArrays, "private-arrays", "Private arrays in memory",
             "Arrays of each work-item that are not kept in registers are accessed as often as "
             "other memory."},
    privateArrays};

} // namespace aiwc::advice::rule
