#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

constexpr double kWord = 4; // bytes that a lane can move at once at no further cost

/// Bytes of one access if neighbouring work-items make it to neighbouring elements of less than a
/// word; 0 for any other.
double narrowElement(const AccessRow &row) {
  if (row.space == MemorySpace::kLocal || row.accesses == 0 || row.kind == AccessKind::kAtomic ||
      row.dataDependent || !row.laneStride)
    return 0;
  const double element = static_cast<double>(row.bytes) / static_cast<double>(row.accesses);
  return element < kWord && static_cast<double>(std::abs(*row.laneStride)) == element ? element : 0;
}

std::optional<Finding> narrowAccesses(const ExaminedLaunch &launch) {
  double all = 0;    // accesses
  double saved = 0;  // of them, if each moved a word
  double narrow = 0; // of them
  std::vector<Weighed> places;
  for (const AccessRow &row : launch.accesses()) {
    if (row.space == MemorySpace::kLocal)
      continue;
    const auto accesses = static_cast<double>(row.accesses);
    all += accesses;
    const double element = narrowElement(row);
    if (element == 0)
      continue;
    narrow += accesses;
    saved += accesses * (1 - element / kWord);
    places.push_back({accesses,
                      {row.line, fmt::format("{} {}: {} each",
                                             row.kind == AccessKind::kRead ? "read of" : "write of",
                                             arrayOf(row), plural(element, "byte"))}});
  }
  constexpr double kMost = 0.5;
  if (all == 0 || narrow < kMost * all)
    return std::nullopt;
  Finding finding;
  finding.problem = fmt::format("{} of the accesses to memory move less than 4 bytes for each "
                                "work-item, though neighbours take neighbouring elements.",
                                percent(narrow / all));
  finding.remedy = "Let a work-item take several neighbouring elements and move them as a vector "
                   "(uchar4, short2, vload4).";
  finding.evidence = heaviest(std::move(places));
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &) {
    // Fewer work-items, each of which finds its place and accesses memory once for several
    // elements; what it computes stays, element by element.
    constexpr double kOfAccess =
        4; // instructions: the index, the address, the access, a conversion
    const double items = 1 - saved / all;
    const double instructions =
        std::max(items, 1 - kOfAccess * saved / std::max(1.0, changed.instructions));
    changed.workItems *= items;
    changed.workGroups = std::max(1.0, std::ceil(changed.workGroups * items));
    for (double LaunchDemand::*number :
         {&LaunchDemand::accesses, &LaunchDemand::loads, &LaunchDemand::loadRounds})
      changed.*number *= items;
    multiplyInstructions(changed, instructions);
    changed.itemInstructions /= items;
    changed.groupInstructions /= items;
  });
  ExaminedLaunch::allLikely(finding.gains);
  return ifWorth(std::move(finding));
}

} // namespace

const Definition kNarrowAccesses = {
    RuleInfo{Rule::kNarrowAccesses, "narrow-accesses", "Accesses of less than a word",
             "Half of the accesses to memory or more move one or two bytes for each work-item, "
             "and neighbours take neighbouring elements."},
    narrowAccesses};

} // namespace aiwc::advice::rule
