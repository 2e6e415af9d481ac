#include "advice/rules/rule.h"

#include <map>

namespace aiwc::advice::rule {
namespace {

/// Work-items that return at once, and what the others do.
struct Split {
  double idle = 0, idleInstructions = 0; ///< of all of them
  double busy = 0, busyInstructions = 0;
  uint64_t most = 0; ///< instructions of one that returns at once
};

Split splitOf(const profile::Histogram &instructions) {
  Split split;
  if (instructions.empty())
    return split;
  // Ids, a comparison or two, and the return.
  split.most = instructions.front().first + instructions.front().first / 2;
  for (const auto &[value, items] : instructions) {
    const auto count = static_cast<double>(items);
    double &number = value <= split.most ? split.idle : split.busy;
    double &sum = value <= split.most ? split.idleInstructions : split.busyInstructions;
    number += count;
    sum += count * static_cast<double>(value);
  }
  return split;
}

/// Takes out what the work-items that return at once access: their part of the accesses that all
/// work-items make once, such as those of a flag.
void withoutTheirAccesses(LaunchDemand &demand, const ExaminedLaunch &launch, const Split &split) {
  const KernelProfile &profile = launch.profile();
  const double theirs = split.idle / (split.idle + split.busy);
  std::map<uint64_t, bool> ofAll; // line -> whether all work-items make all of its accesses
  for (const AccessRow &row : launch.accesses()) {
    const bool isOfAll =
        row.loop == 0 && static_cast<double>(row.accesses) >= split.idle + split.busy;
    const auto line = ofAll.try_emplace(row.line, true).first;
    line->second = line->second && isOfAll;
    if (!isOfAll)
      continue;
    const double accesses = theirs * static_cast<double>(row.accesses);
    if (row.kind == AccessKind::kRead)
      demand.withoutLoads(accesses);
    else
      demand.withoutStores(accesses);
    const double bytes = theirs * static_cast<double>(row.bytes);
    (row.space == MemorySpace::kLocal ? demand.localBytes : demand.globalBytes) -= bytes;
    if (row.space == MemorySpace::kConstant)
      demand.constantBytes -= bytes;
  }
  KernelProfile others;
  others.reuse = profile.reuse;
  std::map<uint64_t, uint64_t> distances(profile.histograms.reuseDistances.begin(),
                                         profile.histograms.reuseDistances.end());
  const auto reduce = [&](uint64_t &count, uint64_t ofLine) {
    count -= std::min(count, static_cast<uint64_t>(theirs * static_cast<double>(ofLine)));
  };
  for (const LineRow &row : profile.histograms.lines) {
    const auto line = ofAll.find(row.line);
    if (line == ofAll.end() || !line->second)
      continue;
    reduce(others.reuse.coldAccesses, row.coldAccesses);
    for (const auto &[distance, accesses] : row.reuseDistances)
      reduce(distances[distance], accesses);
  }
  others.histograms.reuseDistances.assign(distances.begin(), distances.end());
  demand.cacheMisses = profile::CacheMisses(others);
}

std::optional<Finding> idleWorkItems(const ExaminedLaunch &launch) {
  constexpr uint64_t kAtOnce = 24; // instructions
  constexpr double kMany = 1.0 / 3;
  const Split split = splitOf(launch.profile().histograms.instructionsPerThread);
  const double all = split.idle + split.busy;
  if (split.most == 0 || split.most > kAtOnce || split.busy == 0 || split.idle < kMany * all ||
      split.busyInstructions / split.busy < 2 * static_cast<double>(split.most))
    return std::nullopt;
  Finding finding;
  finding.problem =
      fmt::format("{} of the work-items return after at most {}; the others execute {} each.",
                  percent(split.idle / all), plural(static_cast<double>(split.most), "instruction"),
                  rounded(split.busyInstructions / split.busy));
  finding.remedy =
      "Launch as many work-items as there is work: give the kernel the range that is "
      "left or a list of what has to be done, or let each work-item loop over several.";
  const double group = std::max(1.0, launch.demand().workGroupSize);
  finding.change.kind = Change::Kind::kGridStride;
  finding.change.workItems = static_cast<uint64_t>(group * std::ceil(split.busy / group));
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &) {
    const double left = split.busy / all;
    withoutInstructions(changed, split.idleInstructions);
    withoutTheirAccesses(changed, launch, split);
    changed.workItems *= left;
    changed.workGroups = std::max(1.0, std::ceil(changed.workGroups * left));
    changed.groupInstructions = changed.instructions / changed.workGroups;
    changed.jointAccesses = 1; // what neighbours do together, if all of them have work
    for (size_t i = 0; i < changed.laneUtilization.size(); ++i)
      changed.laneUtilization[i] =
          std::max(changed.laneUtilization[i], launch.filled(8.0 * static_cast<double>(1U << i)));
  });
  return ifWorth(std::move(finding));
}

} // namespace

const Definition kIdleWorkItems = {
    RuleInfo{Rule::kIdleWorkItems, "idle-work-items", "More work-items than work",
             "A third of the work-items or more return after 24 instructions or fewer, and the "
             "others execute more than twice as many."},
    idleWorkItems};

} // namespace aiwc::advice::rule
