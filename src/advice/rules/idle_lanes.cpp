#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> idleLanes(const ExaminedLaunch &launch) {
  constexpr double kWidth = 32;
  const double utilization = launch.profile().real("lane_utilization_32"_metric);
  if (!(utilization / launch.filled(kWidth) < 0.75))
    return std::nullopt;
  if (kIdleWorkItems.find(launch))
    return std::nullopt; // its remedy leaves no lane that waits for those
  const double idle = launch.sumOverLines(&LineRow::idleLanes32);
  Finding finding;
  finding.rule = Rule::kIdleLanes;
  finding.problem =
      fmt::format("Where 32 work-items execute in lockstep, {} of the lanes wait for others.",
                  percent(1 - utilization / launch.filled(kWidth)));
  finding.remedy = "Give neighbouring work-items the same amount of work and the same branches: "
                   "sort the work by length or by kind, or share long work among a group.";
  finding.evidence = launch.heaviestLines(&LineRow::idleLanes32, [&](const LineRow &row) {
    return fmt::format("{} of the idle lanes",
                       percent(static_cast<double>(row.idleLanes32) / idle));
  });
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &) {
    constexpr std::array<double, 4> kWidths = {8, 16, 32, 64};
    for (size_t i = 0; i < kWidths.size(); ++i)
      changed.laneUtilization[i] = std::max(changed.laneUtilization[i], launch.filled(kWidths[i]));
    changed.itemInstructions = changed.instructions / changed.workItems;
  });
  return ifWorth(std::move(finding));
}

} // namespace

const Definition kIdleLanes = {
    RuleInfo{Rule::kIdleLanes, "idle-lanes", "Idle lanes",
             "Work-items that execute in lockstep take different paths: more than a quarter of the "
             "lanes of full groups of 32 wait."},
    idleLanes};

} // namespace aiwc::advice::rule
