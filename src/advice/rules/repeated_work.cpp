#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> repeatedWork(const ExaminedLaunch &launch) {
  const double repeated = launch.sumOverLines(&LineRow::repeatedOps);
  constexpr double kNotable = 0.02;
  if (launch.demand().workItems < 2 || repeated < launch.demand().workItems ||
      repeated < kNotable * launch.demand().instructions)
    return std::nullopt;
  const double all = launch.demand().divisions + launch.demand().specialOperations;
  Finding finding;
  finding.problem = fmt::format(
      "Each work-item computes {} or divisions that have the same operands in all work-items: {} "
      "of all that the kernel computes.",
      plural(repeated / launch.demand().workItems, "function"),
      percent(std::min(1.0, repeated / std::max(1.0, all))));
  finding.remedy = "Compute these values once: on the host, and pass them as arguments or as a "
                   "table in constant memory.";
  finding.change.kind = Change::Kind::kPassValues;
  finding.evidence = launch.heaviestLines(&LineRow::repeatedOps, [&](const LineRow &row) {
    return fmt::format("{} for each work-item",
                       plural(static_cast<double>(row.repeatedOps) / launch.demand().workItems,
                              "function or division", "functions or divisions"));
  });
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &) {
    const double left = 1 - std::min(1.0, repeated / std::max(1.0, all));
    changed.keepDivisions(left);
    changed.keepSpecial(left);
    withoutInstructions(changed, repeated);
  });
  launch.addLikely(finding.gains, [&](LaunchDemand &changed, const DeviceProfile &) {
    constexpr double kOfRead = 2;  // instructions: the address and the load from a table
    constexpr double kElement = 4; // bytes
    const double left = 1 - std::min(1.0, repeated / std::max(1.0, all));
    changed.keepDivisions(left);
    changed.keepSpecial(left);
    withInstructions(changed, (kOfRead - 1) * repeated);
    // All work-items read one element.
    for (double LaunchDemand::*share :
         {&LaunchDemand::jointAccesses, &LaunchDemand::uniformAccesses})
      changed.*share =
          (changed.*share * changed.accesses + repeated) / (changed.accesses + repeated);
    changed.accesses += repeated;
    changed.loads += repeated;
    changed.globalBytes += kElement * repeated;
    return true;
  });
  return gainless(std::move(finding));
}

} // namespace

const Definition kRepeatedWork = {
    RuleInfo{Rule::kRepeatedWork, "repeated-work", "Work repeated by every work-item",
             "Mathematical functions or divisions whose operands follow from arguments, constants "
             "and loop counters, and are the same in all work-items, are 2 % of the instructions "
             "or more."},
    repeatedWork};

} // namespace aiwc::advice::rule
