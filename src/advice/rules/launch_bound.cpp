#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> launchBound(const ExaminedLaunch &launch) {
  Finding finding;
  for (size_t i = 0; i < launch.devices().size(); ++i)
    finding.gains.push_back(
        launch.gainFrom(i, launch.costs()[i].seconds - launch.partSeconds(i, "launch")));
  if (finding.largestGain() < 2)
    return std::nullopt;
  finding.rule = Rule::kLaunchBound;
  finding.problem =
      fmt::format("The launch does so little ({}) that starting it takes much of the time.",
                  plural(launch.demand().instructions, "instruction"));
  finding.remedy = "Do more in a launch: fuse it with the kernels before and after it, compute "
                   "several steps at once, or use larger inputs.";
  return ifWorth(std::move(finding));
}

} // namespace

const Definition kLaunchBound = {RuleInfo{Rule::kLaunchBound, "launch-bound",
                                          "Launch takes longer than the work",
                                          "Starting the kernel takes more than half of its time."},
                                 launchBound};

} // namespace aiwc::advice::rule
