#include "advice/rules/rule.h"
#include "predict/fitted/compute_unit.h"
#include "profile/local_memory.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> occupancy(const ExaminedLaunch &launch) {
  const LaunchDemand &demand = launch.demand();
  constexpr double kFew = 0.25;      // of the groups of lanes that a unit can hold
  constexpr double kSmallGroup = 64; // work-items
  const double localBytes = demand.localArrayBytes;
  bool tooLarge = false; // work-groups, for a device with as many units
  double parts = 1;      // into which local arrays are divided, so that enough groups fit
  Finding finding;
  for (const DeviceProfile &device : launch.devices()) {
    if (!predict::isGpu(device) || demand.workItems < device[Parameter::kCores])
      continue; // a CPU has other limits; or kFewWorkItems says what to do
    const predict::Residency without = predict::residencyOf(device, demand.workGroupSize);
    if (demand.workGroups < without.units && demand.workGroupSize > kSmallGroup) {
      tooLarge = true;
      finding.evidence.push_back(
          {0, fmt::format("{} has {} for {}", device.id, plural(without.units, "compute unit"),
                          plural(demand.workGroups, "work-group"))});
      continue;
    }
    const predict::Residency held = predict::residencyOf(device, demand.workGroupSize, localBytes);
    if (held.groups >= without.groups || demand.workGroups <= held.residentGroups() ||
        held.residentLaneGroups() >= kFew * held.laneGroups)
      continue;
    while (parts < localBytes &&
           predict::residencyOf(device, demand.workGroupSize, localBytes / parts)
                   .residentLaneGroups() <
               std::min(kFew * held.laneGroups, without.residentLaneGroups()))
      parts *= 2;
    finding.evidence.push_back(
        {0,
         fmt::format("a compute unit of {} has {} of local memory: {} at a time, {} of the "
                     "lanes that it can hold",
                     device.id,
                     text::formatBytes(static_cast<uint64_t>(predict::localMemoryOfUnit(device))),
                     plural(held.groups, "work-group"),
                     percent(held.residentLaneGroups() / held.laneGroups))});
  }
  const bool tooMuchLocal = !tooLarge && parts > 1;
  if (!tooLarge && !tooMuchLocal)
    return std::nullopt;
  const auto arrays = profile::localArrays(launch.profile());
  std::vector<Weighed> places;
  if (tooMuchLocal)
    for (const auto &[name, row] : arrays)
      places.push_back(
          {static_cast<double>(row->footprint),
           {row->line, fmt::format("{}: {} of local memory for each work-group", arrayOf(*row),
                                   text::formatBytes(row->footprint))}});
  std::vector<Evidence> evidence = heaviest(std::move(places));
  std::ranges::move(finding.evidence, std::back_inserter(evidence));
  finding.evidence = std::move(evidence);
  if (tooMuchLocal) {
    const auto largest = std::ranges::max_element(
        arrays, {}, [](const auto &array) { return array.second->footprint; });
    finding.problem = fmt::format(
        "Work-groups of {} take {} of local memory, so that few of them fit on a compute unit at a "
        "time, and nothing else computes while their work-items wait.",
        plural(demand.workGroupSize, "work-item"),
        text::formatBytes(static_cast<uint64_t>(localBytes)));
    finding.remedy =
        fmt::format("Make {} smaller (a smaller tile, smaller elements, a part of it after "
                    "another), or let more work-items share it in larger work-groups.",
                    largest == arrays.end() ? "local arrays" : arrayOf(*largest->second));
  } else {
    finding.problem = fmt::format(
        "{} of {} leave compute units without work, though there are enough "
        "work-items for all.",
        plural(demand.workGroups, "work-group"), plural(demand.workGroupSize, "work-item"));
    finding.remedy = launch.leavesLocalSizeOpen()
                         ? "Give a small local size (there is none), such as 64 or 128."
                         : "Use smaller work-groups, of 64 or 128 work-items.";
  }
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &) {
    if (tooMuchLocal) {
      changed.localArrayBytes = 0;
      return;
    }
    const double smaller = changed.workGroupSize / kSmallGroup;
    changed.workGroups *= smaller;
    changed.workGroupSize = kSmallGroup;
    changed.groupInstructions /= smaller;
  });
  launch.addLikely(finding.gains, [&](LaunchDemand &changed, const DeviceProfile &) {
    if (!tooMuchLocal)
      return false;
    changed.localArrayBytes /= parts;
    changed.barriers += 2 * parts; // before and after each part
    return true;
  });
  return ifWorth(std::move(finding));
}

} // namespace

const Definition kOccupancy = {
    RuleInfo{
        Rule::kOccupancy, "occupancy", "Compute units that are not full",
        "There are fewer work-groups than compute units though there are enough work-items, or "
        "the local memory of work-groups leaves three quarters of a unit's lanes empty."},
    occupancy};

} // namespace aiwc::advice::rule
