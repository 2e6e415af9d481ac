#include "advice/rules/rule.h"

#include <map>
#include <string>
#include <utility>

namespace aiwc::advice::rule {
namespace {

/// Whether neighbours may find in a tile what the access reads: not what only data tells, nor what
/// a work-item reads again for itself, nor one element that all read.
bool canBeShared(const AccessRow &row) {
  if (row.space == MemorySpace::kLocal || row.kind != AccessKind::kRead || row.dataDependent)
    return false;
  const bool walks = row.loopStride && *row.loopStride != 0;
  const bool ownAgain = row.loopStride == 0 && row.laneStride != 0;
  // Constant memory serves one element to all at once.
  const bool oneElement = row.laneStride == 0 && (!walks || row.space == MemorySpace::kConstant);
  return !ownAgain && !oneElement;
}

/// Such reads of an array in one loop, or outside of loops.
struct Reads {
  uint64_t bytes = 0;
  uint64_t footprint = 0; ///< of the read that touches most
};
using ReadsByArray = std::map<std::pair<std::string, uint64_t>, Reads>;

/// Only neighbours whose elements lie side by side read what another read of the array has read;
/// rows of a matrix that a work-item steps through are its own.
bool hasNeighbours(const AccessRow &row) {
  constexpr int64_t kSideBySide = 64;
  return row.laneStride && std::abs(*row.laneStride) <= kSideBySide;
}

ReadsByArray readsOf(const std::vector<AccessRow> &accesses) {
  ReadsByArray arrays;
  for (const AccessRow &row : accesses)
    if (canBeShared(row) && hasNeighbours(row)) {
      Reads &reads = arrays[{row.array, row.loop}];
      reads.bytes += row.bytes;
      reads.footprint = std::max(reads.footprint, row.footprint);
    }
  return arrays;
}

double timesRead(const Reads &reads) {
  return static_cast<double>(reads.bytes) /
         static_cast<double>(std::max<uint64_t>(1, reads.footprint));
}

/// Bytes of the cache lines that these accesses, those of a tile, are the first of their
/// work-groups to touch, at least.
double firstRead(const ExaminedLaunch &launch, const std::vector<const AccessRow *> &inTile) {
  std::map<uint64_t, double> others; // line of the source with accesses of the tile -> further ones
  for (const AccessRow *row : inTile)
    others[row->line] -= static_cast<double>(row->accesses);
  for (const AccessRow &row : launch.accesses())
    if (const auto line = others.find(row.line);
        row.space != MemorySpace::kLocal && line != others.end())
      line->second += static_cast<double>(row.accesses);
  double lines = 0;
  for (const LineRow &row : launch.profile().histograms.lines)
    if (const auto line = others.find(row.line); line != others.end())
      lines += std::max(0.0, static_cast<double>(row.groupLines) - line->second);
  return lines * launch.demand().lineBytes;
}

std::optional<Finding> untiledReads(const ExaminedLaunch &launch) {
  constexpr double kUsesLocal = 0.1; // of the bytes of global memory
  constexpr double kTwice = 2;
  constexpr double kOften = 4; // a cost also where the model has no large one
  const LaunchDemand &demand = launch.demand();
  const double lines = launch.sumOverLines(&LineRow::groupLines) * demand.lineBytes;
  if (demand.localBytes > kUsesLocal * demand.globalBytes || demand.workGroupSize < 16 ||
      lines == 0)
    return std::nullopt;
  double shared = 0; // bytes
  double sharedAccesses = 0;
  std::vector<const AccessRow *> inTile;
  std::vector<Weighed> places;
  bool isStencil = true;
  const ReadsByArray arrays = readsOf(launch.accesses());
  for (const AccessRow &row : launch.accesses()) {
    if (!canBeShared(row))
      continue;
    const Reads alone{row.bytes, row.footprint};
    const auto together = arrays.find({row.array, row.loop});
    const Reads &reads = hasNeighbours(row) && together != arrays.end() ? together->second : alone;
    if (timesRead(reads) < kTwice)
      continue;
    isStencil = isStencil && row.idiom == profile::Idiom::kStencil;
    inTile.push_back(&row);
    shared += static_cast<double>(row.bytes);
    sharedAccesses += static_cast<double>(row.accesses);
    places.push_back(
        {static_cast<double>(row.bytes),
         {row.line, fmt::format("read of {}: {}; each of its {} is read {:.0f} times in all",
                                arrayOf(row), text::formatBytes(row.bytes),
                                text::formatBytes(reads.footprint), timesRead(reads))}});
  }
  constexpr double kMost = 0.5;
  if (shared < kMost * demand.globalBytes)
    return std::nullopt;
  const double rest = demand.globalBytes - shared;
  const double tiles = std::max({lines - rest, firstRead(launch, inTile), lines / 4});
  if (shared < kTwice * tiles)
    return std::nullopt;
  Finding finding;
  finding.problem = fmt::format(
      "Work-groups read {} from global memory, but only about {} of different data each for "
      "itself: "
      "their work-items read the same data about {:.0f} times, and none of it goes through local "
      "memory.",
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
  launch.addLikely(finding.gains, [&](LaunchDemand &changed, const DeviceProfile &device) {
    if (!predict::isGpu(device))
      return false;
    // Each work-item copies an element of each tile, between two barriers.
    constexpr double kOfCopy = 4; // instructions: two addresses, a load and a store
    const double element = shared / sharedAccesses;
    const double copies = tiles / element;
    changed.globalBytes = rest + tiles;
    changed.localBytes += shared + tiles;
    changed.accesses += 2 * copies;
    changed.loads += copies;
    changed.loadRounds += copies;
    changed.barriers += 2 * std::max(1.0, copies / changed.workItems);
    withInstructions(changed, kOfCopy * copies);
    return true;
  });
  return shared < kOften * tiles && !isStencil ? launch.ifWorthInLarger(std::move(finding))
                                               : gainless(std::move(finding));
}

} // namespace

const Definition kUntiledReads = {
    RuleInfo{Rule::kUntiledReads, "untiled-reads", "Data that neighbours read again",
             "Work-groups read the same data twice or more, at addresses that are no data, "
             "and use no local memory."},
    untiledReads};

} // namespace aiwc::advice::rule
