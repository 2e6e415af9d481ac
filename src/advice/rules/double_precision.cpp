#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> doublePrecision(const ExaminedLaunch &launch) {
  const double doubles = launch.demand().doubleOperations;
  const double accidental = launch.sumOverLines(&LineRow::accidentalDoubles);
  constexpr double kMost = 0.9;
  if (doubles == 0 || accidental > kMost * doubles) // that rule says what to do
    return std::nullopt;
  Finding finding;
  finding.rule = Rule::kDoublePrecision;
  finding.problem =
      fmt::format("{} of the floating-point operations have 64 bits.",
                  percent(launch.demand().doubleOperations / launch.real("fp_ops"_metric)));
  finding.remedy = "Compute in single precision where the result allows it, or only the "
                   "differences and sums that need more digits in double precision.";
  finding.evidence = launch.heaviestLines(&LineRow::fpOps, [&](const LineRow &row) {
    return fmt::format(
        "{} of the floating-point operations",
        percent(static_cast<double>(row.fpOps) / std::max(1.0, launch.real("fp_ops"_metric))));
  });
  const auto asFloats = [](LaunchDemand &changed, const DeviceProfile &device) {
    withoutInstructions(changed, moreForDoubles(changed.doubleOperations, device));
    changed.singleOperations += changed.doubleOperations;
    changed.doubleOperations = 0;
    changed.doubleConversions = 0;
    return true;
  };
  finding.gains = launch.gainsIf(asFloats);
  launch.addLikely(finding.gains, asFloats); // as many operations, of 32 bits
  return launch.ifWorthInLarger(std::move(finding));
}

} // namespace

const Definition kDoublePrecision = {
    RuleInfo{Rule::kDoublePrecision, "double-precision", "Slow double precision",
             "64-bit floating-point operations take a large part of the time."},
    doublePrecision};

} // namespace aiwc::advice::rule
