#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

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
  finding.remedy = fmt::format(
      "Combine within a work-item, then within the work-group in a local array, with barriers "
      "between the steps, and let work-item 0 make one atomic operation on {} for each work-group.",
      isKnown ? arrayOf(*most) : "the address");
  finding.evidence = heaviest(std::move(places));
  finding.gains = launch.gainsIf(
      [](LaunchDemand &changed, const DeviceProfile &) { changed.contendedAtomics = 0; });
  return launch.ifWorthInLarger(std::move(finding));
}

} // namespace

const Definition kContendedAtomics = {
    RuleInfo{Rule::kContendedAtomics, "contended-atomics", "Contended atomics",
             "Many atomic operations go to one address, one after the other."},
    contendedAtomics};

} // namespace aiwc::advice::rule
