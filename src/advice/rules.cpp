#include "advice/findings.h"
#include "advice/lanes.h"
#include "advice/words.h"
#include "predict/costed_launch.h"
#include "profile/access_row.h"
#include "profile/reuse.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace aiwc::advice {

using predict::DeviceProfile;
using predict::LaunchDemand;
using predict::Parameter;
using profile::AccessKind;
using profile::AccessRow;
using profile::KernelProfile;
using profile::LineRow;
using profile::MemorySpace;
using profile::Metric;

namespace {

constexpr std::array kRules = {
    RuleInfo{
        Rule::kUncoalescedAccess, "uncoalesced-access", "Uncoalesced access",
        "Neighbouring work-items access memory that is far apart: groups of 32 touch more than "
        "twice as many segments of 128 bytes as they need."},
    RuleInfo{Rule::kIdleLanes, "idle-lanes", "Idle lanes",
             "Work-items that execute in lockstep take different paths: more than a quarter of the "
             "lanes of full groups of 32 wait."},
    RuleInfo{Rule::kPartialLaneGroups, "partial-lane-groups", "Work-groups that fill no lane group",
             "The work-group size is not a multiple of 32: more than a tenth of the lanes have no "
             "work-item."},
    RuleInfo{Rule::kFewWorkItems, "few-work-items", "Too few work-items",
             "A device has more lanes than the launch has work-items, or more cores than it has "
             "work-groups."},
    RuleInfo{Rule::kSerialLoop, "serial-loop", "A serial loop without dependence",
             "A launch of one work-item executes a loop whose iterations do not depend on each "
             "other."},
    RuleInfo{Rule::kUnevenWorkGroups, "uneven-work-groups", "Uneven work-groups",
             "One work-group executes more than twice as many instructions as the mean."},
    RuleInfo{Rule::kContendedAtomics, "contended-atomics", "Contended atomics",
             "Many atomic operations go to one address, one after the other."},
    RuleInfo{Rule::kLaunchBound, "launch-bound", "Launch takes longer than the work",
             "Starting the kernel takes more than half of its time."},
    RuleInfo{Rule::kTransfers, "transfers", "Transfers between host and device",
             "Copying between host and device takes longer than the launch."},
    RuleInfo{Rule::kCacheTooSmall, "cache-too-small", "A working set just above a cache",
             "A cache of at most four times the size would miss at least a tenth of the accesses "
             "less."},
    RuleInfo{Rule::kDoublePrecision, "double-precision", "Slow double precision",
             "64-bit floating-point operations take a large part of the time."},
    RuleInfo{Rule::kUnpredictableBranches, "unpredictable-branches", "Unpredictable branches",
             "Branches whose outcome their history does not tell are frequent: a processor "
             "predicts more than one in a hundred instructions wrong."},
    RuleInfo{Rule::kPrivateArrays, "private-arrays", "Private arrays in memory",
             "Arrays of each work-item that are not kept in registers are accessed as often as "
             "other memory."},
    RuleInfo{Rule::kBankConflicts, "bank-conflicts", "Bank conflicts",
             "Neighbouring work-items access local memory in the same one of 32 banks of four "
             "bytes."},
    RuleInfo{Rule::kRedundantBarriers, "redundant-barriers", "Barriers that order nothing",
             "Work-items meet at barriers, but write no memory that others of the group read."},
    RuleInfo{Rule::kWorkGroupSize, "work-group-size", "A local size that is not the best",
             "Another local size was characterised, and is predicted to be faster."},
};

/// The evidence of largest weight first, at most three.
struct Weighed {
  double weight;
  Evidence evidence;
};
std::vector<Evidence> heaviest(std::vector<Weighed> all) {
  constexpr size_t kMost = 3;
  std::ranges::stable_sort(all, std::ranges::greater{}, &Weighed::weight);
  std::vector<Evidence> result;
  for (size_t i = 0; i < std::min(all.size(), kMost); ++i)
    result.push_back(std::move(all[i].evidence));
  return result;
}

/// "value", or what it is called without a name.
std::string arrayOf(const AccessRow &row) {
  return row.array.empty() ? "unnamed memory" : text::printable(row.array, 60);
}

class Rules {
public:
  Rules(const KernelProfile &profile, std::span<const DeviceProfile> devices,
        const predict::FittedCostModel &model)
      : profile_(profile), devices_(devices), model_(model), demand_(predict::demandOf(profile)) {
    for (const DeviceProfile &device : devices)
      costs_.push_back(model.cost(demand_, device));
  }

  std::vector<Finding> all() {
    uncoalescedAccess();
    idleLanes();
    partialLaneGroups();
    if (!serialLoop())
      fewWorkItems();
    unevenWorkGroups();
    contendedAtomics();
    launchBound();
    cacheTooSmall();
    doublePrecision();
    unpredictableBranches();
    privateArrays();
    bankConflicts();
    redundantBarriers();
    std::ranges::stable_sort(findings_, [](const Finding &a, const Finding &b) {
      return std::pair(a.gains.empty(), -a.largestGain()) <
             std::pair(b.gains.empty(), -b.largestGain());
    });
    return std::move(findings_);
  }

private:
  double real(Metric metric) const {
    const double value = profile_.real(metric);
    return std::isnan(value) ? 0 : value;
  }
  const LaunchDemand &demand() const { return demand_; }
  const std::vector<AccessRow> &accesses() const {
    static const std::vector<AccessRow> kNone;
    return profile_.accesses ? *profile_.accesses : kNone;
  }

  /// Adds the finding if one of its gains is worth it, or if it has none by design.
  void add(Finding finding, bool gainless = false) {
    const bool worth = finding.largestGain() >= kLeastGain;
    if (!worth && gainless)
      finding.gains.clear(); // the model sees none, but has no term for all of the cost
    if (worth || gainless)
      findings_.push_back(std::move(finding));
  }

  Gain gainFrom(size_t device, double seconds) const {
    return {devices_[device].id,
            seconds > 0 ? std::max(1.0, costs_[device].seconds / seconds) : 1.0};
  }
  /// On each device, if the launch asked for what `change` makes of its demand.
  template <typename Change> std::vector<Gain> gainsIf(const Change &change) const {
    std::vector<Gain> gains;
    for (size_t i = 0; i < devices_.size(); ++i) {
      LaunchDemand changed = demand_;
      change(changed, devices_[i]);
      gains.push_back(gainFrom(i, model_.cost(changed, devices_[i]).seconds));
    }
    return gains;
  }
  /// The part of the predicted time with this key, s.
  double partSeconds(size_t device, std::string_view key) const {
    const auto parts = model_.parts();
    return costs_[device].parts[static_cast<size_t>(
        std::ranges::find(parts, key, &predict::TermInfo::key) - parts.begin())];
  }
  /// The source lines with the largest counts; `text(row)` says what was observed there.
  template <typename Text>
  std::vector<Evidence> heaviestLines(uint64_t LineRow::*count, const Text &text) const {
    std::vector<Weighed> places;
    for (const LineRow &row : profile_.histograms.lines)
      if (row.line > 0 && row.*count > 0)
        places.push_back({static_cast<double>(row.*count), {row.line, text(row)}});
    return heaviest(std::move(places));
  }
  double sumOverLines(uint64_t LineRow::*count) const {
    double sum = 0;
    for (const LineRow &row : profile_.histograms.lines)
      sum += static_cast<double>(row.*count);
    return sum;
  }

  void uncoalescedAccess() {
    const double needed = profile_.real("coalescing_32"_metric);
    if (!(needed < 0.5))
      return;
    double bytes = 0;
    for (const AccessRow &row : accesses())
      if (row.space != MemorySpace::kLocal)
        bytes += static_cast<double>(row.bytes);
    std::vector<Weighed> places;
    bool walks = false;
    bool strides = false;
    for (const AccessRow &row : accesses()) {
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
      places.push_back(
          {share,
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
    const profile::Size3 &group = profile_.provenance.localSize;
    const bool narrow = profile_.provenance.workDim > 1 && group[0] < 32;
    finding.remedy =
        places.empty() && narrow
            ? fmt::format("Rows of a work-group are {} work-items wide, so that 32 of them access "
                          "several rows of memory: {}.",
                          group[0],
                          leavesLocalSizeOpen()
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
    finding.gains = gainsIf([](LaunchDemand &changed, const DeviceProfile &) {
      changed.coalescing = {1, 1, 1};
      changed.jointAccesses = 1; // a CPU loads them as a vector
    });
    add(std::move(finding));
  }

  bool leavesLocalSizeOpen() const { return profile_.provenance.localSizeLeftOpen; }

  double filled(double lanes) const { return filledLanes(demand().workGroupSize, lanes); }

  void idleLanes() {
    constexpr double kWidth = 32;
    const double utilization = profile_.real("lane_utilization_32"_metric);
    if (!(utilization / filled(kWidth) < 0.75))
      return;
    const double idle = sumOverLines(&LineRow::idleLanes32);
    Finding finding;
    finding.rule = Rule::kIdleLanes;
    finding.problem =
        fmt::format("Where 32 work-items execute in lockstep, {} of the lanes wait for others.",
                    percent(1 - utilization / filled(kWidth)));
    finding.remedy = "Give neighbouring work-items the same amount of work and the same branches: "
                     "sort the work by length or by kind, or share long work among a group.";
    finding.evidence = heaviestLines(&LineRow::idleLanes32, [&](const LineRow &row) {
      return fmt::format("{} of the idle lanes",
                         percent(static_cast<double>(row.idleLanes32) / idle));
    });
    finding.gains = gainsIf([&](LaunchDemand &changed, const DeviceProfile &) {
      constexpr std::array<double, 4> kWidths = {8, 16, 32, 64};
      for (size_t i = 0; i < kWidths.size(); ++i)
        changed.laneUtilization[i] = std::max(changed.laneUtilization[i], filled(kWidths[i]));
      changed.itemInstructions = changed.instructions / changed.workItems;
    });
    add(std::move(finding));
  }

  void partialLaneGroups() {
    constexpr double kWidth = 32;
    constexpr double kGroup = 64;
    const double share = filled(kWidth);
    if (share >= 0.9 || demand().workItems < kGroup)
      return;
    Finding finding;
    finding.rule = Rule::kPartialLaneGroups;
    finding.problem = fmt::format("Work-groups of {} fill only {} of the lanes of groups of 32.",
                                  rounded(demand().workGroupSize), percent(share));
    finding.remedy =
        leavesLocalSizeOpen()
            ? "Round the global size up to a multiple of 64 and let the surplus work-items return: "
              "the application gives no local size (NULL), and then the size of a work-group "
              "divides the global size."
            : "Choose a local size that is a multiple of 64, or let the driver choose (NULL); "
              "round the global size up and let the surplus work-items return.";
    finding.gains = gainsIf([&](LaunchDemand &changed, const DeviceProfile &) {
      for (size_t i = 0; i < changed.laneUtilization.size(); ++i)
        changed.laneUtilization[i] =
            std::min(1.0, changed.laneUtilization[i] / filled(8.0 * static_cast<double>(1U << i)));
      const double before = changed.workGroupSize;
      changed.workGroups = std::ceil(changed.workItems / kGroup);
      changed.workGroupSize = changed.workItems / changed.workGroups;
      changed.groupInstructions *= std::max(1.0, changed.workGroupSize / before);
    });
    add(std::move(finding));
  }

  /// On each device, if at most `mostWorkItems` shared the work, as many as keep it busy.
  std::vector<Gain> gainsOfSpreading(double mostWorkItems) const {
    return gainsIf([&](LaunchDemand &changed, const DeviceProfile &device) {
      constexpr double kLeastInstructions = 16; // of a work-item
      constexpr double kGroup = 64;
      const bool gpu = predict::isGpu(device);
      const double busy = gpu ? changed.workItems : changed.workGroups;
      const double most = std::min(changed.itemInstructions / kLeastInstructions,
                                   mostWorkItems / changed.workItems);
      const double times = std::max(1.0, std::min(device[Parameter::kCores] / busy, most));
      changed.workItems *= times;
      changed.itemInstructions /= times;
      changed.workGroups =
          gpu ? std::max(changed.workGroups,
                         std::ceil(changed.workItems / std::max(changed.workGroupSize, kGroup)))
              : changed.workGroups * times;
      changed.workGroupSize = changed.workItems / changed.workGroups;
      changed.groupInstructions = changed.instructions / changed.workGroups;
    });
  }

  void fewWorkItems() {
    std::vector<Evidence> evidence;
    for (const DeviceProfile &device : devices_) {
      const double cores = device[Parameter::kCores];
      const bool gpu = predict::isGpu(device);
      if (cores <= (gpu ? demand().workItems : demand().workGroups))
        continue;
      evidence.push_back({0, gpu ? fmt::format("{} has {} lanes for {}", device.id, rounded(cores),
                                               plural(demand().workItems, "work-item"))
                                 : fmt::format("{} has {} cores for {}", device.id, rounded(cores),
                                               plural(demand().workGroups, "work-group"))});
    }
    if (evidence.empty())
      return;
    Finding finding;
    finding.rule = Rule::kFewWorkItems;
    finding.problem = fmt::format("The launch has {} in {}, too few to keep a device busy.",
                                  plural(demand().workItems, "work-item"),
                                  plural(demand().workGroups, "work-group"));
    finding.remedy = fmt::format("Divide the work into more work-items (a loop inside of the "
                                 "kernel, the inner index), {}, or launch independent work "
                                 "together.",
                                 leavesLocalSizeOpen() ? "give a small local size (there is none)"
                                                       : "use smaller work-groups");
    finding.evidence = std::move(evidence);
    finding.gains = gainsOfSpreading(demand().instructions);
    add(std::move(finding));
  }

  bool serialLoop() {
    if (profile_.count("work_items"_metric) != 1)
      return false;
    std::vector<Weighed> places;
    uint64_t trips = 0;
    for (const profile::LoopRow &loop : profile_.histograms.loops) {
      constexpr uint64_t kWorthwhile = 16;
      if (loop.carriesDependence != false || loop.maxTrips < kWorthwhile)
        continue;
      trips = std::max(trips, loop.maxTrips);
      places.push_back(
          {static_cast<double>(loop.trips),
           {loop.line, fmt::format("{} of up to {}, none of which reads what another "
                                   "one wrote",
                                   plural(static_cast<double>(loop.entries), "loop"),
                                   plural(static_cast<double>(loop.maxTrips), "iteration"))}});
    }
    if (places.empty())
      return false;
    Finding finding;
    finding.rule = Rule::kSerialLoop;
    finding.problem = fmt::format("One work-item executes {}, all there are, while the iterations "
                                  "of a loop do not depend on each other.",
                                  plural(demand().instructions, "instruction"));
    finding.remedy = "Make the iterations work-items: replace the loop's counter by get_global_id.";
    finding.evidence = heaviest(std::move(places));
    finding.gains = gainsOfSpreading(static_cast<double>(trips));
    const bool worth = finding.largestGain() >= kLeastGain;
    add(std::move(finding));
    return worth;
  }

  void unevenWorkGroups() {
    const double mean = demand().instructions / demand().workGroups;
    if (demand().workGroups < 2 || demand().groupInstructions < 2 * mean)
      return;
    Finding finding;
    finding.rule = Rule::kUnevenWorkGroups;
    finding.problem = fmt::format("The heaviest work-group executes {}, {:.1f} times the mean.",
                                  plural(demand().groupInstructions, "instruction"),
                                  demand().groupInstructions / mean);
    finding.remedy = "Divide the work evenly: by its amount instead of its index, or let "
                     "work-groups fetch the next piece when they are done.";
    finding.gains = gainsIf([&](LaunchDemand &changed, const DeviceProfile &) {
      changed.groupInstructions = mean;
      changed.itemInstructions = changed.instructions / changed.workItems;
    });
    add(std::move(finding));
  }

  void contendedAtomics() {
    constexpr double kMany = 64;
    if (demand().contendedAtomics < kMany)
      return;
    std::vector<Weighed> places;
    for (const AccessRow &row : accesses())
      if (row.kind == AccessKind::kAtomic)
        places.push_back(
            {static_cast<double>(row.accesses),
             {row.line,
              fmt::format("{} on {}", plural(static_cast<double>(row.accesses) / 2, "atomic"),
                          arrayOf(row))}});
    Finding finding;
    finding.rule = Rule::kContendedAtomics;
    finding.problem =
        fmt::format("{} atomic operations go to one address.", rounded(demand().contendedAtomics));
    finding.remedy = "Combine within a work-item, then within the work-group in local memory, and "
                     "make one atomic operation per work-group.";
    finding.evidence = heaviest(std::move(places));
    finding.gains =
        gainsIf([](LaunchDemand &changed, const DeviceProfile &) { changed.contendedAtomics = 0; });
    add(std::move(finding));
  }

  void launchBound() {
    Finding finding;
    for (size_t i = 0; i < devices_.size(); ++i)
      finding.gains.push_back(gainFrom(i, costs_[i].seconds - partSeconds(i, "launch")));
    if (finding.largestGain() < 2)
      return;
    finding.rule = Rule::kLaunchBound;
    finding.problem =
        fmt::format("The launch does so little ({}) that starting it takes much of the time.",
                    plural(demand().instructions, "instruction"));
    finding.remedy = "Do more in a launch: fuse it with the kernels before and after it, compute "
                     "several steps at once, or use larger inputs.";
    add(std::move(finding));
  }

  void cacheTooSmall() {
    Finding finding;
    for (size_t i = 0; i < devices_.size(); ++i) {
      const auto cache = static_cast<uint64_t>(devices_[i][Parameter::kCacheCapacity]);
      double factor = 1;
      for (const profile::Knee &knee : profile::workingSetKnees(profile_)) {
        if (knee.cacheBytes <= cache || knee.cacheBytes > 4 * cache)
          continue;
        DeviceProfile larger = devices_[i];
        larger.set(Parameter::kCacheCapacity, static_cast<double>(knee.cacheBytes), "advice");
        factor = gainFrom(i, model_.cost(demand_, larger).seconds).factor;
        finding.evidence.push_back(
            {0, fmt::format("{}: {} of cache miss {} of the accesses, {} would miss {}",
                            devices_[i].id, text::formatBytes(cache),
                            percent(1 - profile::hitRatio(profile_, cache).value_or(1)),
                            text::formatBytes(knee.cacheBytes), percent(knee.missRatio))});
      }
      finding.gains.push_back({devices_[i].id, factor});
    }
    if (finding.evidence.empty())
      return;
    finding.rule = Rule::kCacheTooSmall;
    finding.problem = "What the launch uses again and again is a little larger than a cache.";
    finding.remedy = "Compute block by block, so that a block stays in the cache until it is not "
                     "needed any more, or use smaller elements.";
    add(std::move(finding));
  }

  void doublePrecision() {
    if (demand().doubleOperations == 0)
      return;
    Finding finding;
    finding.rule = Rule::kDoublePrecision;
    finding.problem = fmt::format("{} of the floating-point operations have 64 bits.",
                                  percent(demand_.doubleOperations / real("fp_ops"_metric)));
    finding.remedy = "Compute in single precision where the result allows it; look for constants "
                     "without an f, which make an expression double.";
    finding.evidence = heaviestLines(&LineRow::fpOps, [&](const LineRow &row) {
      return fmt::format(
          "{} of the floating-point operations",
          percent(static_cast<double>(row.fpOps) / std::max(1.0, real("fp_ops"_metric))));
    });
    finding.gains =
        gainsIf([](LaunchDemand &changed, const DeviceProfile &) { changed.doubleOperations = 0; });
    add(std::move(finding));
  }

  void unpredictableBranches() {
    const double wrong = sumOverLines(&LineRow::mispredictions);
    if (wrong < 0.01 * demand().instructions)
      return;
    Finding finding;
    finding.rule = Rule::kUnpredictableBranches;
    finding.problem = fmt::format(
        "{} of all instructions are branches that a CPU which knows their history predicts wrong, "
        "at some 15 cycles each.",
        percent(wrong / demand().instructions));
    finding.remedy = "Compute both sides and select() the result, or order the data so that equal "
                     "outcomes come together.";
    finding.evidence = heaviestLines(&LineRow::mispredictions, [](const LineRow &row) {
      const auto branches = static_cast<double>(row.branches);
      return fmt::format("{} of {} outcomes come unexpected",
                         percent(static_cast<double>(row.mispredictions) / branches),
                         rounded(branches));
    });
    add(std::move(finding), true);
  }

  void privateArrays() {
    if (demand().privateAccesses < demand().accesses || demand().privateAccesses == 0)
      return;
    Finding finding;
    finding.rule = Rule::kPrivateArrays;
    finding.problem =
        fmt::format("Work-items make {} to arrays of their own, {:.1f} for each access to other "
                    "memory. A GPU keeps such arrays in memory, not in registers.",
                    plural(demand().privateAccesses, "access", "accesses"),
                    demand().privateAccesses / std::max(1.0, demand().accesses));
    finding.remedy = "Unroll the loops over them, so that all indices are constants, make them "
                     "shorter, or keep them in local memory.";
    finding.gains = gainsIf([](LaunchDemand &changed, const DeviceProfile &) {
      constexpr double kInstructions = 2; // of an access: its address, and itself
      const double left =
          std::max(0.1, 1 - kInstructions * changed.privateAccesses / changed.instructions);
      changed.privateAccesses = 0;
      for (double LaunchDemand::*part :
           {&LaunchDemand::instructions, &LaunchDemand::itemInstructions,
            &LaunchDemand::groupInstructions})
        changed.*part *= left;
    });
    add(std::move(finding), true);
  }

  void bankConflicts() {
    constexpr int64_t kBanks = 32;
    constexpr int64_t kBankBytes = 4;
    double bytes = 0;
    double serial = 0;
    std::vector<Weighed> places;
    for (const AccessRow &row : accesses()) {
      if (row.space != MemorySpace::kLocal)
        continue;
      const auto weight = static_cast<double>(row.bytes);
      bytes += weight;
      int64_t ways = 1;
      if (row.laneStride && *row.laneStride != 0 && *row.laneStride % kBankBytes == 0)
        ways = std::gcd(std::abs(*row.laneStride) / kBankBytes, kBanks);
      // An element of several banks is read in several turns, whatever its stride.
      const auto words = std::max<int64_t>(
          1, static_cast<int64_t>(row.bytes / std::max<uint64_t>(1, row.accesses)) / kBankBytes);
      ways = std::max<int64_t>(1, ways / words);
      ways = std::min(ways, static_cast<int64_t>(std::max(1.0, demand().workGroupSize)));
      serial += weight * static_cast<double>(ways);
      if (ways > 2)
        places.push_back(
            {weight * static_cast<double>(ways),
             {row.line,
              fmt::format("{}: neighbours are {} apart, {} of them in one "
                          "bank",
                          arrayOf(row),
                          plural(static_cast<double>(std::abs(*row.laneStride)), "byte"), ways)}});
    }
    if (places.empty())
      return;
    const double factor = serial / bytes;
    Finding finding;
    finding.rule = Rule::kBankConflicts;
    finding.problem = fmt::format("On a GPU with 32 banks, accesses to local memory take {:.1f} "
                                  "times as long as without conflicts.",
                                  factor);
    finding.remedy = "Make rows of local arrays one element longer, so that the elements of a "
                     "column lie in different banks.";
    finding.evidence = heaviest(std::move(places));
    // The predicted time knows nothing of conflicts: they add to it.
    for (size_t i = 0; i < devices_.size(); ++i) {
      const double added =
          predict::isGpu(devices_[i]) ? (factor - 1) * partSeconds(i, "local_memory") : 0;
      finding.gains.push_back({devices_[i].id, 1 + added / costs_[i].seconds});
    }
    add(std::move(finding), true);
  }

  void redundantBarriers() {
    if (demand().barriers == 0 || !profile_.accesses)
      return;
    const bool alone = demand().workGroupSize == 1;
    // Work-items can only tell each other something through an array that they write and read.
    bool shares = false;
    for (const AccessRow &write : accesses())
      for (const AccessRow &read : accesses())
        shares =
            shares || (write.kind != AccessKind::kRead && read.kind != AccessKind::kWrite &&
                       write.space == read.space &&
                       (write.array == read.array || write.array.empty() || read.array.empty()));
    if (shares && !alone)
      return;
    Finding finding;
    finding.rule = Rule::kRedundantBarriers;
    finding.problem = alone
                          ? fmt::format("Each work-group has one work-item, which meets nobody at "
                                        "its {:.1f} barriers.",
                                        demand().barriers)
                          : fmt::format("Work-items meet at {:.1f} barriers each, but no array is "
                                        "both written and read.",
                                        demand().barriers);
    finding.remedy = "Leave the barriers out. (Arrays that overlap are not recognised: check that "
                     "no two arguments are the same buffer.)";
    finding.gains =
        gainsIf([](LaunchDemand &changed, const DeviceProfile &) { changed.barriers = 0; });
    add(std::move(finding), true);
  }

  const KernelProfile &profile_;
  std::span<const DeviceProfile> devices_;
  const predict::FittedCostModel &model_;
  LaunchDemand demand_;
  std::vector<predict::Cost> costs_; ///< of the launch as it is, by device
  std::vector<Finding> findings_;
};

} // namespace

std::span<const RuleInfo> rules() {
  return kRules;
}

const RuleInfo &info(Rule rule) {
  return kRules[static_cast<size_t>(rule)];
}

double Finding::largestGain() const {
  double largest = 1;
  for (const Gain &gain : gains)
    largest = std::max(largest, gain.factor);
  return largest;
}

std::vector<Finding> findingsOf(const KernelProfile &profile,
                                std::span<const DeviceProfile> devices,
                                const predict::FittedCostModel &model) {
  return Rules(profile, devices, model).all();
}

std::vector<Finding> applicationFindings(std::span<const KernelProfile *const> launches,
                                         std::span<const DeviceProfile> devices,
                                         const predict::FittedCostModel &model) {
  struct Times {
    double kernels = 0, transfers = 0;
  };
  std::vector<Times> times(devices.size());
  predict::HostTraffic in;
  predict::HostTraffic out;
  for (const KernelProfile *launch : launches) {
    const predict::CostedLaunch costed(*launch, model);
    const auto &[writes, reads, unknown] = costed.traffic;
    if (!unknown.empty())
      return {};
    for (size_t i = 0; i < devices.size(); ++i) {
      times[i].kernels += costed.cost(devices[i]).seconds;
      times[i].transfers += costed.transferSeconds(devices[i]);
    }
    in.bytes += writes.bytes;
    in.transfers += writes.transfers;
    out.bytes += reads.bytes;
    out.transfers += reads.transfers;
  }
  if (std::ranges::none_of(times, [](const Times &time) { return time.transfers > time.kernels; }))
    return {};
  std::vector<std::string> ratios;
  for (size_t i = 0; i < devices.size(); ++i)
    ratios.push_back(fmt::format("{:.2g} times as long on {}",
                                 times[i].transfers / times[i].kernels, devices[i].id));
  Finding finding;
  finding.rule = Rule::kTransfers;
  finding.problem = fmt::format(
      "The host writes {} in {} and reads {} in {}. Compared with the predicted time of {}, that "
      "takes "
      "{}.",
      text::formatBytes(static_cast<uint64_t>(in.bytes)),
      plural(static_cast<double>(in.transfers), "transfer"),
      text::formatBytes(static_cast<uint64_t>(out.bytes)),
      plural(static_cast<double>(out.transfers), "transfer"),
      launches.size() == 1 ? "the launch"
                           : plural(static_cast<double>(launches.size()), "launch", "launches"),
      fmt::join(ratios, ", "));
  finding.remedy = "Leave the data on the device between launches, copy it while a launch "
                   "computes, and join small transfers.";
  for (size_t i = 0; i < devices.size(); ++i)
    finding.gains.push_back({devices[i].id, 1 + times[i].transfers / times[i].kernels});
  return {finding};
}

} // namespace aiwc::advice
