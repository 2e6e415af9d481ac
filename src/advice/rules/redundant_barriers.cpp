#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> redundantBarriers(const ExaminedLaunch &launch) {
  if (launch.demand().barriers == 0 || !launch.profile().accesses)
    return std::nullopt;
  const bool alone = launch.demand().workGroupSize == 1;
  // Work-items can only tell each other something through an array that they write and read.
  bool shares = false;
  for (const AccessRow &write : launch.accesses())
    for (const AccessRow &read : launch.accesses())
      shares = shares || (write.kind != AccessKind::kRead && read.kind != AccessKind::kWrite &&
                          write.space == read.space &&
                          (write.array == read.array || write.array.empty() || read.array.empty()));
  if (shares && !alone)
    return std::nullopt;
  Finding finding;
  finding.problem = alone ? fmt::format("Each work-group has one work-item, which meets nobody at "
                                        "its {:.1f} barriers.",
                                        launch.demand().barriers)
                          : fmt::format("Work-items meet at {:.1f} barriers each, but no array is "
                                        "both written and read.",
                                        launch.demand().barriers);
  finding.remedy = "Leave the barriers out. (Arrays that overlap are not recognised: check that "
                   "no two arguments are the same buffer.)";
  finding.gains =
      launch.gainsIf([](LaunchDemand &changed, const DeviceProfile &) { changed.barriers = 0; });
  ExaminedLaunch::allLikely(finding.gains);
  return gainless(std::move(finding));
}

} // namespace

const Definition kRedundantBarriers = {
    RuleInfo{Rule::kRedundantBarriers, "redundant-barriers", "Barriers that order nothing",
             "Work-items meet at barriers, but write no memory that others of the group read."},
    redundantBarriers};

} // namespace aiwc::advice::rule
