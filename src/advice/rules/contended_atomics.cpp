#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

/// Whether the work-items of a group have atomics on different addresses, such as the bins of a
/// histogram.
bool hasManyAddresses(const AccessRow &row) {
  return row.footprint * row.accesses > row.bytes && (row.dataDependent || row.laneStride != 0);
}

std::optional<Finding> contendedAtomics(const ExaminedLaunch &launch) {
  constexpr double kMany = 64;
  if (launch.demand().contendedAtomics < kMany)
    return std::nullopt;
  std::vector<Weighed> places;
  for (const AccessRow &row : launch.accesses())
    if (row.kind == AccessKind::kAtomic)
      places.push_back(
          {static_cast<double>(row.accesses),
           {row.line,
            fmt::format("{} on {}", plural(static_cast<double>(row.accesses) / 2, "atomic"),
                        arrayOf(row))}});
  Finding finding;
  finding.problem = fmt::format("{} atomic operations go to one address.",
                                rounded(launch.demand().contendedAtomics));
  // Of the array that most of them go to, which may be the only one.
  const auto most = std::ranges::max_element(launch.accesses(), {}, [](const AccessRow &row) {
    return row.kind == AccessKind::kAtomic ? row.accesses : 0;
  });
  const bool isKnown = most != launch.accesses().end() && most->kind == AccessKind::kAtomic;
  const std::string array = isKnown ? arrayOf(*most) : "the address";
  finding.remedy =
      isKnown && hasManyAddresses(*most)
          ? fmt::format("Count in a table in local memory, by atomics on it, and after a barrier "
                        "add each of its elements to {} by one atomic operation for each "
                        "work-group, which has to do many times as much as the table has elements.",
                        array)
          : fmt::format("Combine within a work-item, then within the work-group in a local array, "
                        "with barriers between the steps, and let work-item 0 make one atomic "
                        "operation on {} for each work-group.",
                        array);
  finding.evidence = heaviest(std::move(places));
  // GPUs whose compilers join those of neighbouring work-items do nearly as well without it.
  const bool joined = launch.demand().contendedLineAtomics < launch.demand().contendedAtomics;
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &device) {
    changed.contendedAtomics = 0;
    if (!joined || !predict::isGpu(device))
      changed.contendedLineAtomics = 0;
  });
  return launch.ifWorthInLarger(std::move(finding));
}

} // namespace

const Definition kContendedAtomics = {
    RuleInfo{Rule::kContendedAtomics, "contended-atomics", "Contended atomics",
             "Many atomic operations go to one address, one after the other."},
    contendedAtomics};

} // namespace aiwc::advice::rule
