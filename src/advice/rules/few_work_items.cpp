#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> fewWorkItems(const ExaminedLaunch &launch) {
  if (kSerialLoop.find(launch))
    return std::nullopt; // its remedy spreads the work, too
  std::vector<Evidence> evidence;
  for (const DeviceProfile &device : launch.devices()) {
    const double cores = device[Parameter::kCores];
    const bool gpu = predict::isGpu(device);
    if (cores <= (gpu ? launch.demand().workItems : launch.demand().workGroups))
      continue;
    evidence.push_back({0, gpu ? fmt::format("{} has {} lanes for {}", device.id, rounded(cores),
                                             plural(launch.demand().workItems, "work-item"))
                               : fmt::format("{} has {} cores for {}", device.id, rounded(cores),
                                             plural(launch.demand().workGroups, "work-group"))});
  }
  if (evidence.empty())
    return std::nullopt;
  Finding finding;
  finding.problem = fmt::format("The launch has {} in {}, too few to keep a device busy.",
                                plural(launch.demand().workItems, "work-item"),
                                plural(launch.demand().workGroups, "work-group"));
  finding.remedy =
      fmt::format("Divide the work into more work-items (a loop inside of the "
                  "kernel, the inner index), {}, or launch independent work "
                  "together.",
                  launch.leavesLocalSizeOpen() ? "give a small local size (there is none)"
                                               : "use smaller work-groups");
  finding.evidence = std::move(evidence);
  finding.gains = launch.gainsOfSpreading(launch.demand().instructions);
  return ifWorth(std::move(finding));
}

} // namespace

const Definition kFewWorkItems = {
    RuleInfo{Rule::kFewWorkItems, "few-work-items", "Too few work-items",
             "A device has more lanes than the launch has work-items, or more cores than it has "
             "work-groups."},
    fewWorkItems};

} // namespace aiwc::advice::rule
