#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> unpredictableBranches(const ExaminedLaunch &launch) {
  const double wrong = launch.sumOverLines(&LineRow::mispredictions);
  if (wrong < 0.01 * launch.demand().instructions)
    return std::nullopt;
  Finding finding;
  finding.isCosted = false;
  finding.problem = fmt::format(
      "{} of all instructions are branches that a CPU which knows their history predicts wrong, "
      "at some 15 cycles each.",
      percent(wrong / launch.demand().instructions));
  finding.remedy = "Compute both sides and select() the result, or order the data so that equal "
                   "outcomes come together.";
  finding.evidence = launch.heaviestLines(&LineRow::mispredictions, [](const LineRow &row) {
    const auto branches = static_cast<double>(row.branches);
    return fmt::format("{} of {} outcomes come unexpected",
                       percent(static_cast<double>(row.mispredictions) / branches),
                       rounded(branches));
  });
  return gainless(std::move(finding));
}

} // namespace

const Definition kUnpredictableBranches = {
    RuleInfo{Rule::kUnpredictableBranches, "unpredictable-branches", "Unpredictable branches",
             "Branches whose outcome their history does not tell are frequent: a processor "
             "predicts more than one in a hundred instructions wrong."},
    unpredictableBranches};

} // namespace aiwc::advice::rule
