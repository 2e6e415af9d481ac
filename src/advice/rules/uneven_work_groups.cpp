#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> unevenWorkGroups(const ExaminedLaunch &launch) {
  const double mean = launch.demand().instructions / launch.demand().workGroups;
  if (launch.demand().workGroups < 2 || launch.demand().groupInstructions < 2 * mean)
    return std::nullopt;
  if (kIdleWorkItems.find(launch))
    return std::nullopt; // its remedy spreads the work, too
  Finding finding;
  finding.problem = fmt::format("The heaviest work-group executes {}, {:.1f} times the mean.",
                                plural(launch.demand().groupInstructions, "instruction"),
                                launch.demand().groupInstructions / mean);
  finding.remedy = "Divide the work evenly: by its amount instead of its index, or let "
                   "work-groups fetch the next piece when they are done.";
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &) {
    changed.groupInstructions = mean;
    changed.itemInstructions = changed.instructions / changed.workItems;
  });
  return ifWorth(std::move(finding));
}

} // namespace

const Definition kUnevenWorkGroups = {
    RuleInfo{Rule::kUnevenWorkGroups, "uneven-work-groups", "Uneven work-groups",
             "One work-group executes more than twice as many instructions as the mean."},
    unevenWorkGroups};

} // namespace aiwc::advice::rule
