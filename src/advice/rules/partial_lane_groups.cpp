#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> partialLaneGroups(const ExaminedLaunch &launch) {
  constexpr double kWidth = 32;
  constexpr double kGroup = 64;
  const double share = launch.filled(kWidth);
  if (share >= 0.9 || launch.demand().workItems < kGroup)
    return std::nullopt;
  Finding finding;
  finding.problem = fmt::format("Work-groups of {} fill only {} of the lanes of groups of 32.",
                                rounded(launch.demand().workGroupSize), percent(share));
  finding.remedy =
      launch.leavesLocalSizeOpen()
          ? "Round the global size up to a multiple of 64 and let the surplus work-items return: "
            "the application gives no local size (NULL), and then the size of a work-group "
            "divides the global size."
          : "Choose a local size that is a multiple of 64, or let the driver choose (NULL); "
            "round the global size up and let the surplus work-items return.";
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &) {
    for (size_t i = 0; i < changed.laneUtilization.size(); ++i)
      changed.laneUtilization[i] = std::min(
          1.0, changed.laneUtilization[i] / launch.filled(8.0 * static_cast<double>(1U << i)));
    const double before = changed.workGroupSize;
    changed.workGroups = std::ceil(changed.workItems / kGroup);
    changed.workGroupSize = changed.workItems / changed.workGroups;
    changed.groupInstructions *= std::max(1.0, changed.workGroupSize / before);
  });
  ExaminedLaunch::allLikely(finding.gains);
  return ifWorth(std::move(finding));
}

} // namespace

const Definition kPartialLaneGroups = {
    RuleInfo{Rule::kPartialLaneGroups, "partial-lane-groups", "Work-groups that fill no lane group",
             "The work-group size is not a multiple of 32: more than a tenth of the lanes have no "
             "work-item."},
    partialLaneGroups};

} // namespace aiwc::advice::rule
