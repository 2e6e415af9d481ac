#include "advice/rules/rule.h"
#include "profile/kernel_profile.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> serialLoop(const ExaminedLaunch &launch) {
  if (launch.profile().count("work_items"_metric) != 1)
    return std::nullopt;
  std::vector<Weighed> places;
  uint64_t trips = 0;
  double allTrips = 0;
  for (const profile::LoopRow &loop : launch.profile().histograms.loops) {
    constexpr uint64_t kWorthwhile = 16;
    if (loop.carriesDependence != false || loop.carriesValue || loop.maxTrips < kWorthwhile)
      continue;
    trips = std::max(trips, loop.maxTrips);
    allTrips += static_cast<double>(loop.trips);
    places.push_back(
        {static_cast<double>(loop.trips),
         {loop.line, fmt::format("{} of up to {}, none of which reads what another "
                                 "one wrote",
                                 plural(static_cast<double>(loop.entries), "loop"),
                                 plural(static_cast<double>(loop.maxTrips), "iteration"))}});
  }
  if (places.empty())
    return std::nullopt;
  Finding finding;
  finding.problem =
      fmt::format("One work-item executes {}, all there are, while the iterations "
                  "of a loop do not depend on each other.",
                  plural(profile::machineInstructions(launch.profile()), "instruction"));
  finding.remedy = "Make the iterations work-items: replace the loop's counter by get_global_id; "
                   "sums over them become reductions.";
  finding.evidence = heaviest(std::move(places));
  // The step of the counter, its test and the branch: the work-item's id takes their place.
  constexpr double kOfCounter = 3;
  finding.gains = launch.gainsOfSpreading(static_cast<double>(trips), kOfCounter * allTrips);
  return launch.ifWorthInLarger(std::move(finding));
}

} // namespace

const Definition kSerialLoop = {
    RuleInfo{Rule::kSerialLoop, "serial-loop", "A serial loop without dependence",
             "A launch of one work-item executes a loop whose iterations do not depend on each "
             "other."},
    serialLoop};

} // namespace aiwc::advice::rule
