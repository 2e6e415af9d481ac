#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

/// Whether the access goes to one place of the work-item's own in each iteration of a loop.
bool staysInLoop(const AccessRow &row) {
  return row.space == MemorySpace::kGlobal && row.loop > 0 && row.loopStride == 0 &&
         row.laneStride != 0 && !row.dataDependent;
}

std::optional<Finding> memorySums(const ExaminedLaunch &launch) {
  double accesses = 0;
  double reads = 0; // of them
  double bytes = 0;
  std::vector<Weighed> places;
  for (const AccessRow &write : launch.accesses()) {
    if (write.kind != AccessKind::kWrite || !staysInLoop(write))
      continue;
    const auto add = [&](const AccessRow &row) {
      accesses += static_cast<double>(row.accesses);
      if (row.kind == AccessKind::kRead)
        reads += static_cast<double>(row.accesses);
      bytes += static_cast<double>(row.bytes);
    };
    // The compiler may keep what it has written for the next read.
    const auto isItsRead = [&](const AccessRow &row) {
      return row.kind == AccessKind::kRead && row.array == write.array && row.loop == write.loop &&
             row.laneStride == write.laneStride && staysInLoop(row);
    };
    add(write);
    for (const AccessRow &row : launch.accesses())
      if (isItsRead(row) && row.line == write.line)
        add(row);
    places.push_back(
        {static_cast<double>(write.accesses),
         {write.line,
          fmt::format("{} is written {} in a loop, by each work-item at one place", arrayOf(write),
                      plural(static_cast<double>(write.accesses), "time"))}});
  }
  constexpr double kNotable = 0.1;
  if (accesses < kNotable * launch.demand().accesses || accesses == 0)
    return std::nullopt;
  Finding finding;
  finding.problem = fmt::format(
      "{} of the accesses keep a value up to date in memory, iteration by iteration, where "
      "a register could hold it.",
      percent(accesses / launch.demand().accesses));
  finding.remedy =
      "Add up in a private variable, and store it after the loop. Compilers cannot: the "
      "array may be the one that is read.";
  finding.evidence = heaviest(std::move(places));
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &) {
    changed.withoutLoads(reads);
    changed.withoutStores(accesses - reads);
    changed.globalBytes = std::max(0.0, changed.globalBytes - bytes);
    withoutInstructions(changed, accesses);
  });
  ExaminedLaunch::allLikely(finding.gains);
  return gainless(std::move(finding));
}

} // namespace

const Definition kMemorySums = {
    RuleInfo{Rule::kMemorySums, "memory-sums", "Sums kept in memory",
             "In a loop, each work-item writes one place of global memory again and again, in a "
             "tenth of the accesses or more."},
    memorySums};

} // namespace aiwc::advice::rule
