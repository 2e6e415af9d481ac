#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

constexpr double kWord = 4; // bytes that a lane moves at once at least

std::optional<Finding> narrowAccesses(const ExaminedLaunch &launch) {
  constexpr double kMost = 0.5;
  double all = 0;
  double narrow = 0;
  double saved = 0;
  std::vector<Weighed> places;
  for (const AccessRow &row : launch.accesses()) {
    if (row.space == MemorySpace::kLocal || row.kind == AccessKind::kAtomic || row.accesses == 0)
      continue;
    const auto accesses = static_cast<double>(row.accesses);
    const double element = static_cast<double>(row.bytes) / accesses;
    all += accesses;
    if (element >= kWord || !row.laneStride ||
        static_cast<double>(std::abs(*row.laneStride)) != element)
      continue;
    narrow += accesses;
    saved += accesses * (1 - element / kWord);
    places.push_back({accesses,
                      {row.line, fmt::format("{} {}: {} at a time",
                                             row.kind == AccessKind::kRead ? "read of" : "write of",
                                             arrayOf(row), plural(element, "byte"))}});
  }
  if (narrow < kMost * all || narrow == 0)
    return std::nullopt;
  Finding finding;
  finding.rule = Rule::kNarrowAccesses;
  finding.problem = fmt::format(
      "{} of the accesses to memory move less than four bytes, side by side: 32 neighbours need a "
      "quarter or half of what the hardware moves for them at once.",
      percent(narrow / all));
  finding.remedy = "Let a work-item take several neighbouring elements, and move them as a vector "
                   "(uchar4, vload4, vstore4).";
  finding.evidence = heaviest(std::move(places));
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &device) {
    if (!predict::isGpu(device)) // compilers make vectors of neighbouring work-items
      return;
    changed.accesses -= saved;
    withoutInstructions(changed, saved);
  });
  return ifWorth(std::move(finding));
}

} // namespace

const Definition kNarrowAccesses = {
    RuleInfo{Rule::kNarrowAccesses, "narrow-accesses", "Accesses narrower than a word",
             "Half of the accesses to memory or more move less than four bytes, and those of "
             "neighbouring work-items lie side by side."},
    narrowAccesses};

} // namespace aiwc::advice::rule
