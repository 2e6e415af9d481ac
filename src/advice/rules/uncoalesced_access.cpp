#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> uncoalescedAccess(const ExaminedLaunch &launch) {
  const double needed = launch.profile().real("coalescing_32"_metric);
  if (!(needed < 0.5))
    return std::nullopt;
  double bytes = 0;
  for (const AccessRow &row : launch.accesses())
    if (row.space != MemorySpace::kLocal)
      bytes += static_cast<double>(row.bytes);
  std::vector<Weighed> places;
  bool walks = false;
  bool strides = false;
  for (const AccessRow &row : launch.accesses()) {
    if (row.space == MemorySpace::kLocal || row.accesses == 0)
      continue;
    const auto element = static_cast<int64_t>(row.bytes / row.accesses);
    // Neighbours that read one address, or elements side by side, are well served.
    if (row.laneStride && std::abs(*row.laneStride) <= element)
      continue;
    const double share = static_cast<double>(row.bytes) / bytes;
    constexpr double kNotable = 0.02;
    if (share < kNotable)
      continue;
    std::string how;
    if (row.laneStride)
      how = fmt::format("neighbours are {} apart",
                        plural(static_cast<double>(std::abs(*row.laneStride)), "byte"));
    else if (row.dataDependent)
      how = "addresses are read from memory";
    else
      how = "neighbours are at no fixed distance";
    const bool ownPart =
        row.loopStride && std::abs(*row.loopStride) <= element && *row.loopStride != 0;
    if (ownPart)
      how += ", each work-item steps through consecutive elements of its own";
    walks = walks || ownPart;
    strides = strides || row.laneStride.has_value();
    places.push_back({share,
                      {row.line, fmt::format("{} {}: {} of the bytes; {}",
                                             row.kind == AccessKind::kRead ? "read of" : "write of",
                                             arrayOf(row), percent(share), how)}});
  }
  Finding finding;
  finding.rule = Rule::kUncoalescedAccess;
  finding.problem = fmt::format(
      "Each 32 neighbouring work-items touch {:.1f} times as many 128-byte segments of memory as "
      "they need.",
      1 / needed);
  const profile::Size3 &group = launch.profile().provenance.localSize;
  const bool narrow = launch.profile().provenance.workDim > 1 && group[0] < 32;
  finding.remedy =
      places.empty() && narrow
          ? fmt::format("Rows of a work-group are {} work-items wide, so that 32 of them access "
                        "several rows of memory: {}.",
                        group[0],
                        launch.leavesLocalSizeOpen()
                            ? "the application gives no local size (NULL), and then the size of "
                              "a work-group divides the global size; round its rows up to a "
                              "multiple of 32 and let the surplus work-items return"
                            : "make work-groups 32 wide or wider")
      : strides ? "Exchange the indices, so that get_global_id(0) steps through consecutive "
                  "elements, store the array transposed, or copy a tile into local memory."
      : walks   ? "Let neighbouring work-items take neighbouring elements: give a row to a "
                  "work-group instead of a work-item, or store the array transposed."
                : "Order the indices, so that neighbouring work-items access neighbouring "
                  "elements, or copy what is used again into local memory.";
  finding.evidence = heaviest(std::move(places));
  finding.gains = launch.gainsIf([](LaunchDemand &changed, const DeviceProfile &) {
    changed.coalescing = {1, 1, 1};
    changed.jointAccesses = 1; // a CPU loads them as a vector
  });
  return ifWorth(std::move(finding));
}

} // namespace

const Definition kUncoalescedAccess = {
    RuleInfo{
        Rule::kUncoalescedAccess, "uncoalesced-access", "Uncoalesced access",
        "Neighbouring work-items access memory that is far apart: groups of 32 touch more than "
        "twice as many segments of 128 bytes as they need."},
    uncoalescedAccess};

} // namespace aiwc::advice::rule
