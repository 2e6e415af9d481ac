#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

/// The launch if each work-item computed `side` x `side` results, so that what it reads of a row or
/// a column in local memory serves `side` of them. `fewer` times as few work-items do that.
void useTiles(LaunchDemand &demand, double localReads, double side, double fewer) {
  // Instructions: the address of a read, and itself; of two reads in an iteration, the counter, its
  // test and the branch.
  constexpr double kOfRead = 2, kOfLoop = 3;
  const double gone = localReads * (1 - 1 / side);
  demand.localBytes *= 1 / side;
  demand.withoutLoads(gone);
  withoutInstructions(demand, kOfRead * gone + kOfLoop / 2 * localReads * (1 - 1 / side / side));
  demand.workItems /= fewer;
  demand.workGroups /= fewer;
  demand.itemInstructions *= fewer;
  demand.groupInstructions *= fewer;
}

/// Whether an iteration of the loop around the access, each time that a work-item executes it,
/// makes several accesses from this place: of an inner loop that the compiler has unrolled.
bool isOfUnrolledLoop(const ExaminedLaunch &launch, const AccessRow &row) {
  const auto &loops = launch.profile().histograms.loops;
  const auto around = std::ranges::find(loops, row.loop, &profile::LoopRow::line);
  return around != loops.end() && row.accesses >= 2 * around->trips;
}

std::optional<Finding> registerTiles(const ExaminedLaunch &launch) {
  const LaunchDemand &demand = launch.demand();
  if (std::ranges::any_of(demand.matrixOps, [](double of) { return of > 0; }))
    return std::nullopt; // fragments are tiles
  double reads = 0;
  std::vector<Weighed> places;
  for (const AccessRow &row : launch.accesses()) {
    if (row.space != MemorySpace::kLocal || row.kind != AccessKind::kRead || row.loop == 0 ||
        row.dataDependent || (row.loopStride.value_or(0) == 0 && !isOfUnrolledLoop(launch, row)))
      continue;
    reads += static_cast<double>(row.accesses);
    places.push_back({static_cast<double>(row.bytes),
                      {row.line, fmt::format("read of {}: {} of local memory", arrayOf(row),
                                             text::formatBytes(row.bytes))}});
  }
  constexpr double kMost = 0.5; // of all accesses
  // Operations for each read: 1.6 where one factor is read as vectors of 4, 2 in tiles of 2 x 2.
  constexpr double kFewUses = 1.75;
  constexpr double kConflicts = 2; // that rule comes first
  // Of integers, without the counter of the loop and its test, for two reads in an iteration.
  const bool isOfFloats = predict::isFloatingPoint(launch.profile());
  const double operations =
      isOfFloats ? demand.floatOperations() : std::max(0.0, demand.integerOperations - reads);
  if (places.size() < 2 || reads < kMost * demand.accesses || demand.bankTurns >= kConflicts ||
      operations > kFewUses * reads)
    return std::nullopt;
  Finding finding;
  finding.problem =
      fmt::format("The inner loop reads {} of local memory for each {} operation: local memory, "
                  "not arithmetic, decides how long it takes.",
                  plural(reads / std::max(1.0, operations), "value"),
                  isOfFloats ? "floating-point" : "integer");
  finding.remedy = "Let each work-item compute several results, such as 4 x 4, from values that it "
                   "reads into private variables once: each read then serves four of them.";
  finding.evidence = heaviest(std::move(places));
  // At most as large tiles as leave all units work; likely, the smallest ones.
  constexpr double kLargest = 8, kSmallest = 2;
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &device) {
    const double units =
        predict::isGpu(device) ? predict::computeUnitOf(device).count : device[Parameter::kCores];
    useTiles(changed, reads, kLargest,
             std::clamp(changed.workGroups / units, 1.0, kLargest * kLargest));
  });
  launch.addLikely(finding.gains, [&](LaunchDemand &changed, const DeviceProfile &) {
    useTiles(changed, reads, kSmallest, std::min(kSmallest * kSmallest, changed.workGroups));
    return true;
  });
  return gainless(std::move(finding));
}

} // namespace

const Definition kRegisterTiles = {
    RuleInfo{Rule::kRegisterTiles, "register-tiles", "Local memory read for each operation",
             "In a loop, at least half of the accesses read local memory, two times "
             "or more for three operations."},
    registerTiles};

} // namespace aiwc::advice::rule
