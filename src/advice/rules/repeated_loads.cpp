#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

/// Whether each iteration of a loop reads the same place again.
bool isRepeated(const AccessRow &row) {
  return row.space == MemorySpace::kGlobal && row.kind == AccessKind::kRead && row.loop > 0 &&
         row.loopStride == 0 && !row.dataDependent && !row.array.empty();
}

/// What loads ask of a launch.
struct Loads {
  double number = 0, bytes = 0;
  double fetched = 0; ///< bytes of the segments that work-items in lockstep touch
  double joint = 0;   ///< loads that neighbours make of one place, or of neighbouring ones
  double uniform = 0; ///< of these, of one place
};

/// `spare` of the row's loads.
Loads loadsOf(const AccessRow &row, double spare) {
  constexpr double kSegment = 128;
  const double size = static_cast<double>(row.bytes) / static_cast<double>(row.accesses);
  // Without a stride, neighbours are far apart.
  const double stride = row.laneStride ? std::abs(static_cast<double>(*row.laneStride)) : kSegment;
  const double used = std::clamp(stride > 0 ? size / stride : 1.0, size / kSegment, 1.0);
  return {spare, spare * size, spare * size / used, stride <= size ? spare : 0,
          stride == 0 ? spare : 0};
}

/// Takes the loads away; what is left may be less coalesced, or vector accesses to a smaller part.
void without(const Loads &loads, LaunchDemand &demand) {
  const double accesses = std::max(1.0, demand.accesses - loads.number);
  const double bytes = std::max(1.0, demand.globalBytes - loads.bytes);
  for (double &coalescing : demand.coalescing)
    if (coalescing > 0)
      coalescing = bytes / std::max(bytes, demand.globalBytes / coalescing - loads.fetched);
  const auto left = [&](double share, double gone) {
    return std::clamp((demand.accesses * share - gone) / accesses, 0.0, 1.0);
  };
  demand.jointAccesses = left(demand.jointAccesses, loads.joint);
  demand.uniformAccesses = left(demand.uniformAccesses, loads.uniform);
  demand.withoutLoads(loads.number);
  demand.globalBytes = bytes;
  withoutInstructions(demand, loads.number);
}

std::optional<Finding> repeatedLoads(const ExaminedLaunch &launch) {
  const auto isChanged = [&](const std::string &array) {
    return std::ranges::any_of(launch.accesses(), [&](const AccessRow &row) {
      return row.array == array && row.kind != AccessKind::kRead;
    });
  };
  Loads loads;
  std::vector<Weighed> places;
  Finding finding;
  for (const AccessRow &row : launch.accesses()) {
    if (!isRepeated(row) || isChanged(row.array))
      continue;
    // Each work-item needs the value once; how often it enters the loop is not known.
    const double all = static_cast<double>(row.accesses);
    const Loads spare = loadsOf(row, std::max(0.0, all - launch.demand().workItems));
    for (double Loads::*part :
         {&Loads::number, &Loads::bytes, &Loads::fetched, &Loads::joint, &Loads::uniform})
      loads.*part += spare.*part;
    places.push_back({all,
                      {row.line, fmt::format("{} is read {} in a loop, at a place that stays",
                                             arrayOf(row), plural(all, "time"))}});
    finding.change.lines.push_back(row.line);
    finding.change.arrays.push_back(row.array);
  }
  constexpr double kNotable = 0.1;
  if (loads.number == 0 || loads.number < kNotable * launch.demand().accesses)
    return std::nullopt;
  finding.problem = fmt::format(
      "{} of the accesses read what the iteration before has read: compilers cannot keep the "
      "value, because the array may be one that the loop writes.",
      percent(loads.number / launch.demand().accesses));
  finding.remedy =
      "Load the value before the loop into a private variable, or declare the pointers "
      "restrict, if they never overlap.";
  finding.change.kind = Change::Kind::kHoistLoads;
  finding.evidence = heaviest(std::move(places));
  const auto loadedOnce = [&](LaunchDemand &changed, const DeviceProfile &) {
    without(loads, changed);
    return true;
  };
  finding.gains = launch.gainsIf(loadedOnce);
  launch.addLikely(finding.gains, loadedOnce); // a register takes their place
  return ifWorth(std::move(finding));
}

} // namespace

const Definition kRepeatedLoads = {
    RuleInfo{Rule::kRepeatedLoads, "repeated-loads", "Loads that each iteration repeats",
             "In a loop, each work-item reads one place of global memory again and again that no "
             "work-item writes, in a tenth of the accesses or more."},
    repeatedLoads};

} // namespace aiwc::advice::rule
