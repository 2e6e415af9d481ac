#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

/// The share of the lanes that work where work-items are sorted by their instructions, and each
/// `lanes` that follow one another execute in lockstep.
double utilizationIfSorted(const profile::Histogram &instructions, double lanes) {
  double work = 0;
  double slots = 0; // lanes times the instructions of the longest of their group
  double left = 0;  // lanes of the group that is filled
  for (auto row = instructions.rbegin(); row != instructions.rend(); ++row) {
    const auto length = static_cast<double>(row->first);
    auto items = static_cast<double>(row->second);
    work += length * items;
    const double taken = std::min(left, items);
    items -= taken;
    left -= taken;
    const double groups = std::ceil(items / lanes);
    slots += groups * lanes * length;
    left += groups * lanes - items;
  }
  return slots > 0 ? work / slots : 1;
}

/// The loop whose executions differ most in their iterations, together; null if none has more than
/// one and a half times the mean somewhere. Of two loops in a line, the compiler has made at least
/// one out of branches: their iterations are not those of the source.
const profile::LoopRow *unevenLoop(const KernelProfile &profile) {
  const profile::LoopRow *uneven = nullptr;
  const auto spread = [](const profile::LoopRow &loop) {
    return static_cast<double>(loop.maxTrips) * static_cast<double>(loop.entries) -
           static_cast<double>(loop.trips);
  };
  const std::vector<profile::LoopRow> &loops = profile.histograms.loops;
  const auto isOfSource = [&](const profile::LoopRow &loop) {
    return loop.line == 0 || std::ranges::count_if(loops, [&](const profile::LoopRow &other) {
                               return other.line == loop.line && other.function == loop.function;
                             }) == 1;
  };
  for (const profile::LoopRow &loop : loops)
    if (isOfSource(loop) && 2 * spread(loop) > static_cast<double>(loop.trips) &&
        (!uneven || spread(loop) > spread(*uneven)))
      uneven = &loop;
  return uneven;
}

std::optional<Finding> idleLanes(const ExaminedLaunch &launch) {
  constexpr double kWidth = 32;
  const double utilization = launch.profile().real("lane_utilization_32"_metric);
  if (!(utilization / launch.filled(kWidth) < 0.75))
    return std::nullopt;
  if (kIdleWorkItems.find(launch))
    return std::nullopt; // its remedy leaves no lane that waits for those
  const double idle = launch.sumOverLines(&LineRow::idleLanes32);
  Finding finding;
  finding.problem =
      fmt::format("Where 32 work-items execute in lockstep, {} of the lanes wait for others.",
                  percent(1 - utilization / launch.filled(kWidth)));
  finding.remedy =
      launch.demand().barriers > 1
          ? "Let neighbouring work-items take the same branches. Where fewer and fewer of them "
            "work from barrier to barrier, let the first ones do so: l < n in place of "
            "l % (2 * s) == 0, for the elements at 2 * s * l, or by strides that begin at half the "
            "group and are halved."
          : "Give neighbouring work-items the same amount of work and the same branches: "
            "sort the work by length or by kind, or share long work among a group.";
  finding.evidence = launch.heaviestLines(&LineRow::idleLanes32, [&](const LineRow &row) {
    return fmt::format("{} of the idle lanes",
                       percent(static_cast<double>(row.idleLanes32) / idle));
  });
  constexpr std::array<double, 4> kWidths = {8, 16, 32, 64};
  const profile::Histogram &lengths = launch.profile().histograms.instructionsPerThread;
  const double sorted = std::min(launch.filled(kWidth), utilizationIfSorted(lengths, kWidth));
  const profile::LoopRow *loop = unevenLoop(launch.profile());
  constexpr double kWorthSorting = 0.1;
  const bool helpsToSort = loop && !lengths.empty() && sorted - utilization > kWorthSorting;
  if (helpsToSort) {
    finding.remedy = fmt::format(
        "Sort the work by the iterations of the loop{}, which are {} to {}: an array of indices in "
        "that order, read with get_global_id(0), gives 32 neighbours about as many ({} of the "
        "lanes "
        "then work). Or let several work-items share long work.",
        loop->line > 0 ? fmt::format(" in line {}", loop->line) : "", loop->minTrips,
        loop->maxTrips, percent(sorted));
  }
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &) {
    for (size_t i = 0; i < kWidths.size(); ++i)
      changed.laneUtilization[i] = std::max(changed.laneUtilization[i], launch.filled(kWidths[i]));
    changed.itemInstructions = changed.instructions / changed.workItems;
  });
  // The longest work-item stays as long as it is.
  launch.addLikely(finding.gains, [&](LaunchDemand &changed, const DeviceProfile &device) {
    if (!helpsToSort || !predict::isGpu(device))
      return false;
    for (size_t i = 0; i < kWidths.size(); ++i)
      changed.laneUtilization[i] =
          std::max(changed.laneUtilization[i],
                   std::min(launch.filled(kWidths[i]), utilizationIfSorted(lengths, kWidths[i])));
    return true;
  });
  return ifWorth(std::move(finding));
}

} // namespace

const Definition kIdleLanes = {
    RuleInfo{Rule::kIdleLanes, "idle-lanes", "Idle lanes",
             "Work-items that execute in lockstep take different paths: more than a quarter of the "
             "lanes of full groups of 32 wait."},
    idleLanes};

} // namespace aiwc::advice::rule
