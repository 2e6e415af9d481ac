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
    uint64_t bytes = 0, read = 0, written = 0; ///< distinct ones of each access
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
    if (stride > kLargest || (row.loopStride && *row.loopStride != 0))
      continue;
    Fields &fields = arrays[{row.array, stride}];
    fields.accesses += static_cast<double>(row.accesses);
    fields.bytes += row.bytes;
    (row.kind == AccessKind::kRead ? fields.read : fields.written) += row.footprint;
  }
  constexpr double kSeveral = 1.5;
  uint64_t ofStructures = 0;
  for (const auto &[key, fields] : arrays) {
    const auto touched = static_cast<double>(std::max(fields.read, fields.written));
    const bool ownOne = 2 * touched > workItems * static_cast<double>(key.second);
    ofStructures += ownOne && fields.accesses > kSeveral * workItems ? fields.bytes : 0;
  }
  return all > 0 && 2 * ofStructures > all;
}

/// The accesses of cache lines if the elements that the launch touches lie side by side: no line is
/// fetched for a part of it. No value where it uses all of them already, and where what it touches
/// is only known of a part of its work-groups.
std::optional<profile::CacheMisses> packedAccesses(const ExaminedLaunch &launch) {
  const KernelProfile &profile = launch.profile();
  const profile::Provenance &provenance = profile.provenance;
  if (provenance.sampled() || provenance.extrapolated() || !provenance.scaledFrom.empty())
    return std::nullopt;
  std::map<std::string, uint64_t> local; // array -> bytes
  for (const AccessRow &row : launch.accesses())
    if (row.space == MemorySpace::kLocal)
      local[row.array] = std::max(local[row.array], row.footprint);
  uint64_t touched = profile.count("footprint_bytes"_metric);
  for (const auto &[array, bytes] : local)
    touched -= std::min(touched, bytes);
  KernelProfile packed;
  packed.reuse = profile.reuse;
  packed.histograms.reuseDistances = profile.histograms.reuseDistances;
  const uint64_t lines = touched / profile.reuse.lineBytes + 1;
  if (lines >= profile.reuse.coldAccesses)
    return std::nullopt;
  // The first accesses of the other lines now find the line that a neighbour has fetched.
  profile::Histogram &distances = packed.histograms.reuseDistances;
  if (distances.empty() || distances.front().first > 0)
    distances.insert(distances.begin(), {0, 0});
  distances.front().second += profile.reuse.coldAccesses - lines;
  for (profile::FoundAccesses &found : packed.reuse.found) // launches before are packed, too
    found.distance =
        static_cast<uint64_t>(static_cast<double>(found.distance) * static_cast<double>(lines) /
                              static_cast<double>(profile.reuse.coldAccesses));
  packed.reuse.coldAccesses = lines;
  return profile::CacheMisses(packed);
}

/// Whether most of what is fetched is not used.
bool isSparse(const ExaminedLaunch &launch, const std::optional<profile::CacheMisses> &packed) {
  constexpr uint64_t kAnyCache = uint64_t{1} << 60;
  return packed && 2 * (*packed)(kAnyCache) < launch.demand().cacheMisses(kAnyCache);
}

/// What a repair does to the accesses whose neighbours are far apart.
enum class Repair : uint8_t {
  kUnknown,
  kSideBySide, ///< neighbours access neighbouring elements
  kExchange,   ///< the same, and the accesses that were side by side get the distance
  kTile,       ///< the same, and what they move goes through local memory
};

/// Segments of 128 bytes that groups of `lanes` touch with this access: at least, as it is, and
/// with neighbouring elements for the work-items of a row of the work-group, `width` wide.
struct Segments {
  double needed = 0, touched = 0, sideBySide = 0;
};
Segments segmentsOf(const AccessRow &row, double lanes, double width) {
  constexpr double kSegment = 128;
  const auto accesses = static_cast<double>(row.accesses);
  const double element = static_cast<double>(row.bytes) / accesses;
  const double needed = std::ceil(lanes * element / kSegment);
  const double apart = row.laneStride ? std::abs(static_cast<double>(*row.laneStride)) : kSegment;
  const double each = std::max(1.0, std::ceil(element / kSegment)); // of one lane
  const double touched =
      std::max(needed, std::min(lanes * each, std::ceil(lanes * apart / kSegment)));
  const double inRow = std::min(lanes, std::max(1.0, width));
  const double sideBySide =
      std::max(needed, std::ceil(lanes / inRow) * std::ceil(inRow * element / kSegment));
  return {accesses / lanes * needed, accesses / lanes * touched, accesses / lanes * sideBySide};
}

bool isSideBySide(const AccessRow &row) {
  return row.laneStride &&
         std::abs(*row.laneStride) <= static_cast<int64_t>(row.bytes / row.accesses);
}

/// The launch after the repair. Accesses at addresses that are data, or at no fixed distance, stay
/// as they are.
void applyRepair(Repair repair, const ExaminedLaunch &launch, LaunchDemand &changed) {
  const std::vector<AccessRow> &accesses = launch.accesses();
  const auto width = static_cast<double>(launch.profile().provenance.localSize[0]);
  constexpr std::array<double, 3> kLanes = {16, 32, 64};
  for (size_t i = 0; i < kLanes.size(); ++i) {
    double needed = 0;  // segments
    double counted = 0; // that accesses touch by their distances
    double moved = 0;   // of these, by accesses that the repair changes
    double after = 0;   // that these touch then
    for (const AccessRow &row : accesses) {
      if (row.space == MemorySpace::kLocal || row.accesses == 0)
        continue;
      const Segments segments = segmentsOf(row, kLanes[i], width);
      needed += segments.needed;
      counted += segments.touched;
      const bool isApart = row.laneStride && !isSideBySide(row);
      const bool getsDistance = repair == Repair::kExchange && row.laneStride &&
                                *row.laneStride != 0 && isSideBySide(row);
      if (isApart || getsDistance) {
        moved += segments.touched;
        after += isApart ? segments.sideBySide : static_cast<double>(row.accesses);
      }
    }
    if (needed == 0)
      continue;
    // Neighbours in the next row of the work-group may share segments, which only the launch knows.
    const double touched = needed / changed.coalescing[i];
    const double left = touched * (1 - moved / counted);
    changed.coalescing[i] = std::clamp(needed / std::max(needed, left + after), 1.0 / 64, 1.0);
  }
  if (repair != Repair::kTile)
    return;
  constexpr double kOfCopy = 4; // instructions: two addresses, a store and a load of local memory
  double copied = 0;            // accesses
  for (const AccessRow &row : accesses) {
    if (row.space == MemorySpace::kLocal || row.accesses == 0 || !row.laneStride ||
        isSideBySide(row))
      continue;
    copied += static_cast<double>(row.accesses);
    changed.localBytes += 2 * static_cast<double>(row.bytes);
  }
  changed.accesses += 2 * copied;
  changed.loads += copied;
  changed.loadRounds += copied;
  changed.barriers += 1;
  withInstructions(changed, kOfCopy * copied);
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
    if (isSideBySide(row)) {
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
  constexpr std::string_view kPacked =
      "Store side by side what neighbouring work-items access: the array transposed, or these "
      "elements in an array of their own. Of each line that is fetched, the launch uses a part.";
  constexpr std::string_view kFields =
      "Store each field of the structures in an array of its own (structure of arrays), so that "
      "neighbouring work-items access neighbouring elements.";
  const std::optional<profile::CacheMisses> packed = packedAccesses(launch);
  Repair repair = Repair::kUnknown;
  if (isOfStructures(launch.accesses(), launch.demand().workItems)) {
    finding.remedy = kFields;
    repair = Repair::kSideBySide;
  } else if (places.empty() && narrow)
    finding.remedy =
        fmt::format("Rows of a work-group are {} work-items wide, so that 32 of them access "
                    "several rows of memory: {}.",
                    group[0],
                    launch.leavesLocalSizeOpen()
                        ? "the application gives no local size (NULL), and then the size of "
                          "a work-group divides the global size; round its rows up to a "
                          "multiple of 32 and let the surplus work-items return"
                        : "make work-groups 32 wide or wider");
  else if (strides) {
    const bool sparse = isSparse(launch, packed);
    repair = sparse                   ? Repair::kSideBySide
             : wouldMove              ? Repair::kTile
             : provenance.workDim > 1 ? Repair::kExchange
                                      : Repair::kSideBySide;
    finding.remedy = sparse                        ? kPacked
                     : repair == Repair::kTile     ? kTile
                     : repair == Repair::kExchange ? kExchange
                                                   : kOwnRows;
  } else
    finding.remedy = walks ? kOwnRows : kOrder;
  // The host's sizes need no change where both are equal.
  if (finding.remedy == kExchange && provenance.globalSize[2] == 1 &&
      provenance.globalSize[0] == provenance.globalSize[1] && group[0] == group[1])
    finding.change.kind = Change::Kind::kExchangeIds;
  finding.evidence = heaviest(std::move(places));
  finding.gains = launch.gainsIf([&](LaunchDemand &changed, const DeviceProfile &) {
    changed.coalescing = {1, 1, 1};
    changed.jointAccesses = 1; // a CPU loads them as a vector
    if (packed)
      changed.cacheMisses = *packed;
  });
  // A CPU's caches may have served the old order well: what it gains, the profile does not tell.
  launch.addLikely(finding.gains, [&](LaunchDemand &changed, const DeviceProfile &device) {
    if (repair == Repair::kUnknown || !predict::isGpu(device))
      return false;
    applyRepair(repair, launch, changed);
    if (repair == Repair::kSideBySide && packed)
      changed.cacheMisses = *packed;
    return true;
  });
  return launch.ifWorthInLarger(std::move(finding));
}

} // namespace

const Definition kUncoalescedAccess = {
    RuleInfo{
        Rule::kUncoalescedAccess, "uncoalesced-access", "Uncoalesced access",
        "Neighbouring work-items access memory that is far apart: groups of 32 touch more than "
        "twice as many segments of 128 bytes as they need."},
    uncoalescedAccess};

} // namespace aiwc::advice::rule
