#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> integerDivision(const ExaminedLaunch &launch) {
  const double divisions = launch.sumOverLines(&LineRow::divisionsByConstants);
  constexpr double kNotable = 0.02;
  if (divisions < kNotable * launch.demand().instructions)
    return std::nullopt;
  constexpr double kInstructions = predict::hardware::kIntegerDivision;
  Finding finding;
  finding.problem = fmt::format(
      "{} of the instructions are integer divisions or remainders by a value that all work-items "
      "share and the compiler does not know; a GPU needs some {:.0f} instructions for each.",
      percent(divisions / launch.demand().instructions), kInstructions);
  finding.remedy = "Launch in two or three dimensions instead of taking an index apart, define the "
                   "divisor at compile time (-D), or use shifts and masks where it is a power of "
                   "two.";
  finding.evidence = launch.heaviestLines(&LineRow::divisionsByConstants, [&](const LineRow &row) {
    return fmt::format(
        "{} for each work-item",
        plural(static_cast<double>(row.divisionsByConstants) / launch.demand().workItems,
               "division"));
  });
  finding.gains = launch.gainsIf(
      [](LaunchDemand &changed, const DeviceProfile &) { changed.integerDivisions = 0; });
  ExaminedLaunch::allLikely(finding.gains);
  return gainless(std::move(finding));
}

} // namespace

const Definition kIntegerDivision = {
    RuleInfo{Rule::kIntegerDivision, "integer-division",
             "Integer division by a constant of the launch",
             "Integer divisions and remainders by values that are the same in all work-items, but "
             "not known to the compiler, are 2 % of the instructions or more."},
    integerDivision};

} // namespace aiwc::advice::rule
