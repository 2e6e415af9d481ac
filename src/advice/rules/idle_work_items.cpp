#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

/// Work-items that return at once, and what the others do.
struct Split {
  double idle = 0, idleInstructions = 0; ///< of all of them
  double busy = 0, busyInstructions = 0;
  uint64_t most = 0; ///< instructions of one that returns at once
};

Split splitOf(const profile::Histogram &instructions) {
  Split split;
  if (instructions.empty())
    return split;
  // Ids, a comparison or two, and the return.
  split.most = instructions.front().first + instructions.front().first / 2;
  for (const auto &[value, items] : instructions) {
    const auto count = static_cast<double>(items);
    double &number = value <= split.most ? split.idle : split.busy;
    double &sum = value <= split.most ? split.idleInstructions : split.busyInstructions;
    number += count;
    sum += count * static_cast<double>(value);
  }
  return split;
}

std::optional<Finding> idleWorkItems(const ExaminedLaunch &launch) {
  constexpr uint64_t kAtOnce = 24; // instructions
  constexpr double kMany = 1.0 / 3;
  const Split split = splitOf(launch.profile().histograms.instructionsPerThread);
  const double all = split.idle + split.busy;
  if (split.most == 0 || split.most > kAtOnce || split.busy == 0 || split.idle < kMany * all ||
      split.busyInstructions / split.busy < 2 * static_cast<double>(split.most))
    return std::nullopt;
  Finding finding;
  finding.rule = Rule::kIdleWorkItems;
  finding.problem =
      fmt::format("{} of the work-items return after at most {}; the others execute {} each.",
                  percent(split.idle / all), plural(static_cast<double>(split.most), "instruction"),
                  rounded(split.busyInstructions / split.busy));
  finding.remedy = "Launch as many work-items as there is work: give the kernel the range that is "
                   "left, or a list of what has to be done.";
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &) {
    const double left = split.busy / all;
    withoutInstructions(changed, split.idleInstructions);
    changed.workItems *= left;
    changed.workGroups = std::max(1.0, std::ceil(changed.workGroups * left));
    for (size_t i = 0; i < changed.laneUtilization.size(); ++i)
      changed.laneUtilization[i] =
          std::max(changed.laneUtilization[i], launch.filled(8.0 * static_cast<double>(1U << i)));
  });
  return ifWorth(std::move(finding));
}

} // namespace

const Definition kIdleWorkItems = {
    RuleInfo{Rule::kIdleWorkItems, "idle-work-items", "More work-items than work",
             "A third of the work-items or more return after 24 instructions or fewer, and the "
             "others execute more than twice as many."},
    idleWorkItems};

} // namespace aiwc::advice::rule
