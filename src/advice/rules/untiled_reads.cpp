#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

/// Whether neighbours may find in a tile what the access reads: not what only data tells, nor what
/// a work-item reads again for itself, nor one element that all read.
bool canBeShared(const AccessRow &row) {
  if (row.space == MemorySpace::kLocal || row.kind != AccessKind::kRead || row.dataDependent)
    return false;
  const bool walks = row.loopStride && *row.loopStride != 0;
  const bool ownAgain = row.loopStride == 0 && row.laneStride != 0;
  const bool oneElement = row.laneStride == 0 && !walks;
  return !ownAgain && !oneElement && row.bytes >= 2 * row.footprint;
}

std::optional<Finding> untiledReads(const ExaminedLaunch &launch) {
  constexpr double kUsesLocal = 0.1; // of the bytes of global memory
  constexpr double kTwice = 2;
  constexpr double kOften = 4; // a cost also where the model has no large one
  const LaunchDemand &demand = launch.demand();
  const double lines = launch.sumOverLines(&LineRow::groupLines) * demand.lineBytes;
  if (demand.localBytes > kUsesLocal * demand.globalBytes || demand.workGroupSize < 16 ||
      lines == 0 || demand.globalBytes < kTwice * lines)
    return std::nullopt;
  double shared = 0;
  std::vector<Weighed> places;
  for (const AccessRow &row : launch.accesses()) {
    if (!canBeShared(row))
      continue;
    shared += static_cast<double>(row.bytes);
    places.push_back(
        {static_cast<double>(row.bytes),
         {row.line, fmt::format("read of {}: {} of {}, which are read {:.0f} times", arrayOf(row),
                                text::formatBytes(row.bytes), text::formatBytes(row.footprint),
                                static_cast<double>(row.bytes) /
                                    static_cast<double>(std::max<uint64_t>(1, row.footprint)))}});
  }
  constexpr double kMost = 0.5;
  if (shared < kMost * demand.globalBytes)
    return std::nullopt;
  const double rest = demand.globalBytes - shared;
  const double tiles = std::max(lines - rest, lines / 4);
  if (shared < kTwice * tiles)
    return std::nullopt;
  Finding finding;
  finding.rule = Rule::kUntiledReads;
  finding.problem = fmt::format(
      "Work-groups read {} from global memory, but only {} of different data each for itself: "
      "their work-items read the same data {:.0f} times, and none of it goes through local memory.",
      text::formatBytes(static_cast<uint64_t>(shared)),
      text::formatBytes(static_cast<uint64_t>(tiles)), shared / tiles);
  finding.remedy =
      "Let the work-group copy a tile into local memory, wait at a barrier, and compute "
      "from there, tile after tile. This may cost time on CPUs.";
  finding.evidence = heaviest(std::move(places));
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &device) {
    if (!predict::isGpu(device)) // its caches hold the tile
      return;
    changed.globalBytes = rest + tiles;
    changed.localBytes += shared;
  });
  return shared < kOften * tiles ? ifWorth(std::move(finding)) : gainless(std::move(finding));
}

} // namespace

const Definition kUntiledReads = {
    RuleInfo{Rule::kUntiledReads, "untiled-reads", "Data that neighbours read again",
             "Work-groups read the same data twice or more, at addresses that are no data, "
             "and use no local memory."},
    untiledReads};

} // namespace aiwc::advice::rule
