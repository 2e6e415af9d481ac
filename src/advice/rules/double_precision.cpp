#include "advice/rules/rule.h"
#include "profile/reuse.h"

#include <map>

namespace aiwc::advice::rule {
namespace {

/// Of global and constant memory, in accesses as wide as one double, if the kernel computes with
/// doubles only: then they are most likely of doubles.
double bytesOfDoubles(const ExaminedLaunch &launch) {
  constexpr double kOnly = 0.9;
  if (launch.demand().doubleOperations < kOnly * launch.demand().floatOperations())
    return 0;
  double bytes = 0;
  for (const AccessRow &row : launch.accesses())
    if (row.space != MemorySpace::kLocal && row.accesses > 0 && row.bytes % row.accesses == 0 &&
        row.bytes / row.accesses % sizeof(double) == 0)
      bytes += static_cast<double>(row.bytes);
  return bytes;
}

/// What caches miss if the same accesses touch only this share of the lines.
profile::CacheMisses missesOfFewerLines(const KernelProfile &profile, double share) {
  KernelProfile fewer;
  fewer.reuse = profile.reuse;
  fewer.reuse.coldAccesses =
      static_cast<uint64_t>(share * static_cast<double>(profile.reuse.coldAccesses));
  for (profile::FoundAccesses &found : fewer.reuse.found)
    found.distance = static_cast<uint64_t>(share * static_cast<double>(found.distance));
  std::map<uint64_t, uint64_t> distances;
  distances[0] = profile.reuse.coldAccesses - fewer.reuse.coldAccesses;
  for (const auto &[lowest, accesses] : profile.histograms.reuseDistances)
    distances[profile::reuseBin(static_cast<uint64_t>(share * static_cast<double>(lowest)))] +=
        accesses;
  fewer.histograms.reuseDistances.assign(distances.begin(), distances.end());
  return profile::CacheMisses(fewer);
}

std::optional<Finding> doublePrecision(const ExaminedLaunch &launch) {
  const double doubles = launch.demand().doubleOperations;
  const double accidental = launch.sumOverLines(&LineRow::accidentalDoubles);
  constexpr double kMost = 0.9;
  if (doubles == 0 || accidental > kMost * doubles) // that rule says what to do
    return std::nullopt;
  Finding finding;
  finding.problem =
      fmt::format("{} of the floating-point operations have 64 bits.",
                  percent(launch.demand().doubleOperations / launch.real("fp_ops"_metric)));
  finding.remedy = "Compute in single precision where the result allows it, or only the "
                   "differences and sums that need more digits in double precision.";
  finding.evidence = launch.heaviestLines(&LineRow::fpOps, [&](const LineRow &row) {
    return fmt::format(
        "{} of the floating-point operations",
        percent(static_cast<double>(row.fpOps) / std::max(1.0, launch.real("fp_ops"_metric))));
  });
  const auto compute = [](LaunchDemand &changed, const DeviceProfile &) {
    changed.toSinglePrecision(changed.doubleOperations);
    changed.doubleConversions = 0;
    return true;
  };
  // At most, what is stored is single precision, too.
  const double halved = bytesOfDoubles(launch) / 2;
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &device) {
    compute(changed, device);
    const double left = 1 - halved / std::max(1.0, changed.globalBytes);
    changed.globalBytes *= left;
    changed.constantBytes *= left;
    changed.cacheMisses = missesOfFewerLines(launch.profile(), left);
  });
  launch.addLikely(finding.gains, compute);
  return launch.ifWorthInLarger(std::move(finding));
}

} // namespace

const Definition kDoublePrecision = {
    RuleInfo{Rule::kDoublePrecision, "double-precision", "Slow double precision",
             "64-bit floating-point operations take a large part of the time."},
    doublePrecision};

} // namespace aiwc::advice::rule
