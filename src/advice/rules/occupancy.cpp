#include "advice/rules/rule.h"
#include "predict/fitted/residency.h"

#include <map>
#include <string>

namespace aiwc::advice::rule {
namespace {

/// A local array, and the access that touches most of it.
struct LocalArray {
  uint64_t bytes = 0; ///< the range of addresses: at most its size
  uint64_t line = 0;
};

std::map<std::string, LocalArray> localArraysOf(const ExaminedLaunch &launch) {
  std::map<std::string, LocalArray> arrays;
  for (const AccessRow &row : launch.accesses())
    if (row.space == MemorySpace::kLocal)
      if (LocalArray &array = arrays[arrayOf(row)]; row.footprint > array.bytes)
        array = {row.footprint, row.line};
  return arrays;
}

/// How many times fewer work-groups a compute unit holds than without their local memory, where it
/// then holds less than a quarter of the lanes that it can; else 1.
double crowding(const predict::Residency &held, double localBytes, double unitBytes) {
  constexpr double kFew = 0.25;
  if (localBytes == 0 || unitBytes == 0)
    return 1;
  const double groups = std::max(1.0, std::floor(unitBytes / localBytes));
  const double laneGroups = std::min(held.residentLaneGroups, groups * held.laneGroupsPerGroup);
  return laneGroups < kFew * held.laneGroups ? held.residentLaneGroups / laneGroups : 1;
}

std::optional<Finding> occupancy(const ExaminedLaunch &launch) {
  const LaunchDemand &demand = launch.demand();
  const std::map<std::string, LocalArray> arrays = localArraysOf(launch);
  double localBytes = 0;
  for (const auto &[name, array] : arrays)
    localBytes += static_cast<double>(array.bytes);
  bool tooLarge = false; // work-groups, for a device with as many units
  bool tooMuchLocal = false;
  Finding finding;
  finding.rule = Rule::kOccupancy;
  finding.gains = launch.gainsWithout([&](size_t i) {
    const DeviceProfile &device = launch.devices()[i];
    if (!predict::isGpu(device) || demand.workItems < device[Parameter::kCores])
      return 0.0; // a CPU has other limits; or kFewWorkItems says what to do
    const predict::Residency held = predict::residencyOf(device, demand.workGroupSize);
    if (demand.workGroups < held.units && held.laneGroupsPerGroup >= 2) {
      tooLarge = true;
      finding.evidence.push_back(
          {0, fmt::format("{} has {} for {}", device.id, plural(held.units, "compute unit"),
                          plural(demand.workGroups, "work-group"))});
      return (held.units / demand.workGroups - 1) *
             launch.partSeconds(i, {"instructions", "divisions", "special_functions",
                                    "double_precision", "local_memory"});
    }
    const double unitBytes = predict::localMemoryOfUnit(device);
    const double fewer = crowding(held, localBytes, unitBytes);
    const double wavesWithout = std::max(1.0, demand.workGroups / held.residentGroups());
    const double waves = std::max(1.0, demand.workGroups / held.residentGroups() * fewer);
    if (waves <= wavesWithout)
      return 0.0;
    tooMuchLocal = true;
    finding.evidence.push_back(
        {0,
         fmt::format("a compute unit of {} has {} of local memory: {} at a time, {} of the lanes "
                     "that it can hold",
                     device.id, text::formatBytes(static_cast<uint64_t>(unitBytes)),
                     plural(std::max(1.0, std::floor(unitBytes / localBytes)), "work-group"),
                     percent(held.residentLaneGroups / fewer / held.laneGroups))});
    // Fewer groups of lanes hide less of what each waits for.
    return (waves / wavesWithout - 1) *
           launch.partSeconds(i, {"serial_chain", "latency", "barriers"});
  });
  if (!tooLarge && !tooMuchLocal)
    return std::nullopt;
  std::vector<Weighed> places;
  if (tooMuchLocal)
    for (const auto &[name, array] : arrays)
      places.push_back({static_cast<double>(array.bytes),
                        {array.line, fmt::format("{}: {} of local memory for each work-group", name,
                                                 text::formatBytes(array.bytes))}});
  std::vector<Evidence> evidence = heaviest(std::move(places));
  std::ranges::move(finding.evidence, std::back_inserter(evidence));
  finding.evidence = std::move(evidence);
  if (tooMuchLocal) {
    const auto largest =
        std::ranges::max_element(arrays, {}, [](const auto &array) { return array.second.bytes; });
    finding.problem = fmt::format(
        "Work-groups of {} take {} of local memory, so that few of them fit on a compute unit at a "
        "time, and nothing else computes while their work-items wait.",
        plural(demand.workGroupSize, "work-item"),
        text::formatBytes(static_cast<uint64_t>(localBytes)));
    finding.remedy =
        fmt::format("Make {} smaller (a smaller tile, smaller elements, a part of it after "
                    "another), or let more work-items share it in larger work-groups.",
                    largest->first);
  } else {
    finding.problem = fmt::format(
        "{} of {} leave compute units without work, though there are enough "
        "work-items for all.",
        plural(demand.workGroups, "work-group"), plural(demand.workGroupSize, "work-item"));
    finding.remedy = launch.leavesLocalSizeOpen()
                         ? "Give a small local size (there is none), such as 64 or 128."
                         : "Use smaller work-groups, of 64 or 128 work-items.";
  }
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
