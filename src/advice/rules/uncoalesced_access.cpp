#include "advice/rules/rule.h"

#include <map>
#include <string>

namespace aiwc::advice::rule {
namespace {

/// Whether most of the accesses that are not coalesced go to fields of structures: each work-item
/// has one of its own, and makes several accesses to it, not by walking through it.
bool isOfStructures(const std::vector<AccessRow> &accesses, double workItems) {
  constexpr int64_t kLargest = 256; // bytes
  struct Fields {
    double accesses = 0;
    uint64_t bytes = 0;
  };
  std::map<std::pair<std::string, int64_t>, Fields> arrays;
  uint64_t all = 0;
  for (const AccessRow &row : accesses) {
    if (row.space == MemorySpace::kLocal || row.accesses == 0 || !row.laneStride)
      continue;
    const int64_t stride = std::abs(*row.laneStride);
    if (stride <= static_cast<int64_t>(row.bytes / row.accesses))
      continue;
    all += row.bytes;
    const bool ownOne =
        2 * static_cast<double>(row.footprint) > workItems * static_cast<double>(stride);
    if (stride > kLargest || (row.loopStride && *row.loopStride != 0) || !ownOne)
      continue;
    Fields &fields = arrays[{row.array, stride}];
    fields.accesses += static_cast<double>(row.accesses);
    fields.bytes += row.bytes;
  }
  constexpr double kSeveral = 1.5;
  uint64_t ofStructures = 0;
  for (const auto &[key, fields] : arrays)
    ofStructures += fields.accesses > kSeveral * workItems ? fields.bytes : 0;
  return all > 0 && 2 * ofStructures > all;
}

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
  double coalesced = 0; // bytes of elements side by side
  for (const AccessRow &row : launch.accesses()) {
    if (row.space == MemorySpace::kLocal || row.accesses == 0)
      continue;
    const auto element = static_cast<int64_t>(row.bytes / row.accesses);
    // Neighbours that read one address, or elements side by side, are well served.
    if (row.laneStride && std::abs(*row.laneStride) <= element) {
      if (*row.laneStride != 0)
        coalesced += static_cast<double>(row.bytes);
      continue;
    }
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
  const profile::Provenance &provenance = launch.profile().provenance;
  const profile::Size3 &group = provenance.localSize;
  const bool narrow = provenance.workDim > 1 && group[0] < 32;
  // Exchanging indices would give one access the stride of the other, as in a transposition.
  constexpr double kMuch = 0.3;
  const bool wouldMove = coalesced > kMuch * bytes;
  constexpr std::string_view kTile =
      "Copy a tile into local memory with neighbouring work-items at neighbouring elements, wait "
      "at "
      "a barrier, and read it from there in the other order; to exchange the indices would only "
      "give the stride to the other accesses. This may cost time on CPUs.";
  constexpr std::string_view kExchange = "Exchange the indices, so that get_global_id(0) steps "
                                         "through consecutive elements, store the "
                                         "array transposed, or copy a tile into local memory.";
  constexpr std::string_view kOwnRows = "Let neighbouring work-items take neighbouring elements: "
                                        "give a row to a work-group instead of "
                                        "a work-item, or store the array transposed.";
  constexpr std::string_view kOrder = "Order the indices, so that neighbouring work-items access "
                                      "neighbouring elements, or copy what "
                                      "is used again into local memory.";
  constexpr std::string_view kFields =
      "Store each field of the structures in an array of its own (structure of arrays), so that "
      "neighbouring work-items access neighbouring elements.";
  if (isOfStructures(launch.accesses(), launch.demand().workItems))
    finding.remedy = kFields;
  else if (places.empty() && narrow)
    finding.remedy =
        fmt::format("Rows of a work-group are {} work-items wide, so that 32 of them access "
                    "several rows of memory: {}.",
                    group[0],
                    launch.leavesLocalSizeOpen()
                        ? "the application gives no local size (NULL), and then the size of "
                          "a work-group divides the global size; round its rows up to a "
                          "multiple of 32 and let the surplus work-items return"
                        : "make work-groups 32 wide or wider");
  else
    finding.remedy = strides && wouldMove                ? kTile
                     : strides && provenance.workDim > 1 ? kExchange
                     : strides || walks                  ? kOwnRows
                                                         : kOrder;
  // The host's sizes need no change where both are equal.
  if (finding.remedy == kExchange && provenance.globalSize[2] == 1 &&
      provenance.globalSize[0] == provenance.globalSize[1] && group[0] == group[1])
    finding.change.kind = Change::Kind::kExchangeIds;
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
