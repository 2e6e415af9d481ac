#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> accidentalDouble(const ExaminedLaunch &launch) {
  const double operations = launch.sumOverLines(&LineRow::accidentalDoubles);
  const double conversions = launch.sumOverLines(&LineRow::accidentalConversions);
  // Below, compilers and people lose nothing.
  constexpr double kNotable = 0.01;
  if (operations == 0 || operations + conversions < kNotable * launch.demand().instructions)
    return std::nullopt;
  Finding finding;
  finding.problem = fmt::format(
      "{} calculate in 64 bits what begins as 32-bit floats or integers and ends as floats, "
      "and need {}.",
      plural(operations, "operation"), plural(conversions, "conversion"));
  finding.remedy = "Write constants with an f (1e-4f instead of 1e-4), or cast them to float: one "
                   "that is double makes its whole expression double.";
  std::vector<Weighed> places;
  for (const LineRow &row : launch.profile().histograms.lines)
    if (row.line > 0 && row.accidentalDoubles + row.accidentalConversions > 0)
      places.push_back(
          {static_cast<double>(row.accidentalDoubles + row.accidentalConversions),
           {row.line,
            (row.accidentalDoubles > 0
                 ? plural(static_cast<double>(row.accidentalDoubles), "operation") + " in 64 bits, "
                 : "") +
                plural(static_cast<double>(row.accidentalConversions), "conversion")}});
  finding.evidence = heaviest(std::move(places));
  finding.change.kind = Change::Kind::kFloatLiterals;
  for (const LineRow &row : launch.profile().histograms.lines)
    if (row.accidentalDoubles + row.accidentalConversions > 0)
      finding.change.lines.push_back(row.line);
  const auto asFloats = [&](LaunchDemand &changed, const DeviceProfile &) {
    changed.toSinglePrecision(operations);
    changed.doubleConversions = std::max(0.0, changed.doubleConversions - conversions);
    withoutInstructions(changed, conversions);
    return true;
  };
  finding.gains = launch.gainsIf(asFloats);
  launch.addLikely(finding.gains, asFloats); // nothing takes their place
  return gainless(std::move(finding));
}

} // namespace

const Definition kAccidentalDouble = {
    RuleInfo{Rule::kAccidentalDouble, "accidental-double", "Accidental double precision",
             "Values that begin and end as 32-bit floats are calculated in 64 bits, by 1 % of the "
             "instructions or more."},
    accidentalDouble};

} // namespace aiwc::advice::rule
