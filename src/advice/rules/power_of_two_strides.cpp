#include "advice/rules/rule.h"

namespace aiwc::advice::rule {
namespace {

/// Lines at multiples of this distance compete for the few places of one set of an L1 cache of
/// 64 sets of 64 bytes, and for a part of the sets of a larger cache.
constexpr int64_t kPage = 4096;

bool isOnPages(const std::optional<int64_t> &stride) {
  return stride && *stride != 0 && *stride % kPage == 0;
}

/// Whether a CPU loads lines that others of its work-items need as well, and loses them before:
/// each work-item goes down a column, or neighbours lie in one.
bool losesLines(const AccessRow &row, const predict::LaunchDemand &demand) {
  constexpr uint64_t kPlaces = 16; // more than a set has
  constexpr int64_t kLine = 64;
  if (row.space == MemorySpace::kLocal || row.dataDependent || !row.laneStride ||
      row.footprint < kPlaces * static_cast<uint64_t>(kPage))
    return false;
  // All work-items, or those of a work-group between barriers, step together through an array of
  // one dimension, which has no columns.
  const double element =
      row.accesses > 0 ? static_cast<double>(row.bytes) / static_cast<double>(row.accesses) : 0;
  const double step = row.loopStride ? static_cast<double>(std::abs(*row.loopStride)) : 0;
  const bool isFlat = step == demand.workItems * element ||
                      (demand.barriers > 0 && step == demand.workGroupSize * element);
  const bool downColumn =
      !isFlat && std::abs(*row.laneStride) < kLine && isOnPages(row.loopStride) &&
      row.footprint >= kPlaces * static_cast<uint64_t>(std::abs(*row.loopStride));
  // A work-item that steps through a row of its own uses the whole line itself.
  const bool ownRow = row.loopStride && *row.loopStride != 0;
  return downColumn || (isOnPages(row.laneStride) && !ownRow);
}

std::optional<Finding> powerOfTwoStrides(const ExaminedLaunch &launch) {
  constexpr double kNotable = 0.25;
  if (std::ranges::all_of(launch.devices(), predict::isGpu))
    return std::nullopt; // they spread addresses over channels by more of their bits
  double all = 0;
  double bytes = 0;
  std::vector<Weighed> places;
  for (const AccessRow &row : launch.accesses()) {
    if (row.space == MemorySpace::kLocal)
      continue;
    all += static_cast<double>(row.bytes);
    if (!losesLines(row, launch.demand()))
      continue;
    bytes += static_cast<double>(row.bytes);
    const bool isLane = isOnPages(row.laneStride);
    const auto stride = static_cast<double>(std::abs(isLane ? *row.laneStride : *row.loopStride));
    places.push_back({static_cast<double>(row.bytes),
                      {row.line, fmt::format("{} {}: {} are {} apart, {} times 4 KiB",
                                             row.kind == AccessKind::kRead ? "read of" : "write of",
                                             arrayOf(row), isLane ? "neighbours" : "iterations",
                                             plural(stride, "byte"),
                                             rounded(stride / static_cast<double>(kPage)))}});
  }
  if (all == 0 || bytes < kNotable * all)
    return std::nullopt;
  Finding finding;
  finding.problem = fmt::format("{} of the bytes are accessed in columns whose rows are a multiple "
                                "of 4 KiB apart. Their lines "
                                "fall into one set of a CPU's cache, which loses them before the "
                                "next work-items use the rest "
                                "of them.",
                                percent(bytes / all));
  finding.remedy = "Make the rows longer by a line of 64 bytes, so that they are no multiple of "
                   "4 KiB: allocate them with a pitch, and give the kernel that instead of the "
                   "width.";
  finding.evidence = heaviest(std::move(places));
  finding.isCosted = false; // the predicted time knows of sizes of caches only
  return finding;
}

} // namespace

const Definition kPowerOfTwoStrides = {
    RuleInfo{
        Rule::kPowerOfTwoStrides, "power-of-two-strides",
        "Columns whose rows are a multiple of 4 KiB",
        "On a CPU, a quarter of the bytes or more are accessed in columns with strides that are "
        "a multiple of 4096 bytes, so that lines compete for one set of the cache."},
    powerOfTwoStrides};

} // namespace aiwc::advice::rule
