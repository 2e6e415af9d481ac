/// What a file of a rule consists of, and what rules ask of a launch.
#pragma once

#include "advice/findings.h"
#include "advice/lanes.h"
#include "advice/words.h"
#include "predict/costed_launch.h"
#include "predict/fitted/compute_unit.h"
#include "predict/widened.h"
#include "profile/access_row.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <utility>

namespace aiwc::advice::rule {

using predict::DeviceProfile;
using predict::LaunchDemand;
using predict::Parameter;
using profile::AccessKind;
using profile::AccessRow;
using profile::KernelProfile;
using profile::LineRow;
using profile::MemorySpace;
using profile::Metric;

/// The evidence of largest weight first, at most three.
struct Weighed {
  double weight;
  Evidence evidence;
};
inline std::vector<Evidence> heaviest(std::vector<Weighed> all) {
  constexpr size_t kMost = 3;
  std::ranges::stable_sort(all, std::ranges::greater{}, &Weighed::weight);
  std::vector<Evidence> result;
  for (size_t i = 0; i < std::min(all.size(), kMost); ++i)
    result.push_back(std::move(all[i].evidence));
  return result;
}

/// "value", or what it is called without a name.
inline std::string arrayOf(const AccessRow &row) {
  return row.array.empty() ? "unnamed memory" : text::printable(row.array, 60);
}

/// Multiplies the instructions of all work-items, evenly.
inline void multiplyInstructions(LaunchDemand &demand, double by) {
  for (double LaunchDemand::*part :
       {&LaunchDemand::instructions, &LaunchDemand::itemInstructions,
        &LaunchDemand::groupInstructions, &LaunchDemand::integerOperations,
        &LaunchDemand::wideIntegerOperations, &LaunchDemand::integerProducts,
        &LaunchDemand::wideIntegerProducts, &LaunchDemand::halfOperations,
        &LaunchDemand::singleOperations})
    demand.*part *= by;
}

/// Takes this many instructions of all work-items away.
inline void withoutInstructions(LaunchDemand &demand, double instructions) {
  multiplyInstructions(demand, std::max(0.05, 1 - instructions / demand.instructions));
}

/// Adds so many instructions to those of all work-items.
inline void withInstructions(LaunchDemand &demand, double instructions) {
  multiplyInstructions(demand, 1 + instructions / demand.instructions);
}

/// A launch with its predicted times on the devices, as rules look at it.
class ExaminedLaunch {
public:
  ExaminedLaunch(const KernelProfile &profile, std::span<const DeviceProfile> devices,
                 const predict::FittedCostModel &model)
      : profile_(profile), devices_(devices), model_(model), demand_(predict::demandOf(profile)) {
    for (const DeviceProfile &device : devices)
      costs_.push_back(model.cost(demand_, device));
  }

  const KernelProfile &profile() const { return profile_; }
  std::span<const DeviceProfile> devices() const { return devices_; }
  const predict::FittedCostModel &model() const { return model_; }
  /// Of the launch as it is, by device.
  const std::vector<predict::Cost> &costs() const { return costs_; }
  double real(Metric metric) const {
    const double value = profile_.real(metric);
    return std::isnan(value) ? 0 : value;
  }
  const LaunchDemand &demand() const { return demand_; }
  const std::vector<AccessRow> &accesses() const {
    static const std::vector<AccessRow> kNone;
    return profile_.accesses ? *profile_.accesses : kNone;
  }

  /// Of a change after which the launch costs `after` on the device.
  Gain gainFrom(size_t device, const predict::Cost &after) const {
    const double factor = after.seconds > 0 ? costs_[device].seconds / after.seconds : 1.0;
    const predict::Interval range = model_.ratioInterval(devices_[device], costs_[device], after);
    // A repaired kernel executes a few instructions less or more.
    constexpr double kOther = 1.1;
    const predict::Interval wider =
        factor == 1 ? predict::Interval{1, 1}
                    : predict::widened({range.low / factor, range.high / factor}, 1, kOther);
    return {.device = devices_[device].id,
            .factor = factor,
            .factorRange = {factor * wider.low, factor * wider.high}};
  }
  /// On each device, if the launch asked for what `change` makes of its demand.
  template <typename Change> std::vector<Gain> gainsIf(const Change &change) const {
    std::vector<Gain> gains;
    for (size_t i = 0; i < devices_.size(); ++i) {
      LaunchDemand changed = demand_;
      change(changed, devices_[i]);
      gains.push_back(gainFrom(i, model_.cost(changed, devices_[i])));
    }
    return gains;
  }
  /// Adds what is likely to the gains on the devices for which `change` makes of the demand what
  /// the repaired launch asks for, all of it; it returns false for others.
  template <typename Change> void addLikely(std::vector<Gain> &gains, const Change &change) const {
    for (size_t i = 0; i < gains.size(); ++i) {
      LaunchDemand changed = demand_;
      if (!change(changed, devices_[i]))
        continue;
      const Gain likely = gainFrom(i, model_.cost(changed, devices_[i]));
      gains[i].likely = std::min(likely.factor, gains[i].factor);
      gains[i].likelyRange = likely.factorRange;
    }
  }
  /// Where nothing takes the place of what the change takes away.
  static void allLikely(std::vector<Gain> &gains) {
    for (Gain &gain : gains) {
      gain.likely = gain.factor;
      gain.likelyRange = gain.factorRange;
    }
  }
  /// The part of the predicted time with this key, s.
  double partSeconds(size_t device, std::string_view key) const {
    return costs_[device].parts[placeOf(key)];
  }
  /// The sum of several parts, s.
  double partSeconds(size_t device, std::initializer_list<std::string_view> keys) const {
    double sum = 0;
    for (const std::string_view key : keys)
      sum += partSeconds(device, key);
    return sum;
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

  /// The finding, if one of its gains is worth it; without gains if it only would be in a launch
  /// beside whose work its start is short, as in those of larger inputs. For costs that grow with
  /// the input; not for those of launches that are too small.
  std::optional<Finding> ifWorthInLarger(Finding finding) const {
    constexpr double kMuch = 1.5; // of what the work-items do
    if (finding.largestGain() >= kLeastGain)
      return finding;
    for (size_t i = 0; i < finding.gains.size(); ++i) {
      const double work = costs_[i].seconds - partSeconds(i, "launch");
      if (factorOf(work, costs_[i].seconds * (1 - 1 / finding.gains[i].factor)) < kMuch)
        continue;
      finding.gains.clear();
      finding.problem +=
          " In this launch, starting the kernel takes so long that it does not show; "
          "in a larger one it would.";
      return finding;
    }
    return std::nullopt;
  }

  bool leavesLocalSizeOpen() const { return profile_.provenance.localSizeLeftOpen; }

  double filled(double lanes) const { return filledLanes(demand().workGroupSize, lanes); }

  /// On each device, if at most `mostWorkItems` shared the work, as many as keep it busy, and
  /// `without` of the instructions were not executed.
  std::vector<Gain> gainsOfSpreading(double mostWorkItems, double without = 0) const {
    return gainsIf([&](LaunchDemand &changed, const DeviceProfile &device) {
      const double left = 1 - std::min(0.5, without / changed.instructions);
      multiplyInstructions(changed, left);
      constexpr double kLeastInstructions = 8; // of a work-item
      constexpr double kGroup = 64;
      const bool gpu = predict::isGpu(device);
      const double busy = gpu ? changed.workItems : changed.workGroups;
      const double most = std::min(changed.itemInstructions / kLeastInstructions,
                                   mostWorkItems / changed.workItems);
      // A GPU computes for some while others wait.
      const double fills = gpu ? lanesHeld(device) : device[Parameter::kCores];
      const double times = std::max(1.0, std::min(fills / busy, most));
      changed.workItems *= times;
      changed.itemInstructions /= times;
      changed.workGroups =
          gpu ? std::max(changed.workGroups,
                         std::ceil(changed.workItems / std::max(changed.workGroupSize, kGroup)))
              : changed.workGroups * times;
      changed.workGroupSize = changed.workItems / changed.workGroups;
      changed.groupInstructions = changed.instructions / changed.workGroups;
      for (size_t i = 0; i < changed.laneUtilization.size(); ++i)
        changed.laneUtilization[i] = std::min(
            1.0, changed.laneUtilization[i] / filled(8.0 * static_cast<double>(1U << i)) *
                     filledLanes(changed.workGroupSize, 8.0 * static_cast<double>(1U << i)));
    });
  }

private:
  /// Lanes that the units of a GPU hold at a time.
  static double lanesHeld(const DeviceProfile &device) {
    const predict::ComputeUnit unit = predict::computeUnitOf(device);
    return unit.count * unit.laneGroups * device[Parameter::kLaneWidth];
  }
  size_t placeOf(std::string_view key) const {
    const auto parts = model_.parts();
    return static_cast<size_t>(std::ranges::find(parts, key, &predict::TermInfo::key) -
                               parts.begin());
  }
  const KernelProfile &profile_;
  std::span<const DeviceProfile> devices_;
  const predict::FittedCostModel &model_;
  LaunchDemand demand_;
  std::vector<predict::Cost> costs_;
};

/// The finding, if one of its gains is worth it in this very launch.
inline std::optional<Finding> ifWorth(Finding finding) {
  if (finding.largestGain() < kLeastGain)
    return std::nullopt;
  return finding;
}
/// The finding, without gains if none is worth it: the model has no term for all of the cost.
inline std::optional<Finding> gainless(Finding finding) {
  if (finding.largestGain() < kLeastGain)
    finding.gains.clear();
  return finding;
}

/// All launches of a run in their order, as rules about the application look at them.
class ExaminedRun {
public:
  struct Times { ///< on one device, s
    double kernels = 0;
    double starts = 0; ///< the part of `kernels` that starting them takes
    double transfers = 0;
  };

  ExaminedRun(std::span<const KernelProfile *const> launches,
              std::span<const DeviceProfile> devices, const predict::FittedCostModel &model);

  std::span<const KernelProfile *const> launches() const { return launches_; }
  std::span<const DeviceProfile> devices() const { return devices_; }
  const std::vector<Times> &times() const { return times_; } ///< by device
  /// Whether all launches tell what the host moves; otherwise the transfers below are 0.
  bool transfersKnown() const { return transfersKnown_; }
  const predict::HostTraffic &writes() const { return writes_; }
  const predict::HostTraffic &reads() const { return reads_; }
  /// Reads of a few bytes after which the host launches again: a flag or a sum that it waits for.
  const predict::HostTraffic &roundTrips() const { return roundTrips_; }
  double transferSeconds(const predict::HostTraffic &traffic, size_t device) const {
    return model_.transferSeconds(traffic, devices_[device]);
  }

  /// On each device, how many times faster the run is without this many of its seconds. Transfers
  /// count with the run if `withTransfers`.
  template <typename Saved>
  std::vector<Gain> gainsOf(const Saved &saved, bool withTransfers) const {
    std::vector<Gain> gains;
    for (size_t i = 0; i < devices_.size(); ++i) {
      const double all = times_[i].kernels + (withTransfers ? times_[i].transfers : 0);
      const double seconds = std::clamp(saved(i), 0.0, all);
      gains.push_back({devices_[i].id, seconds < all ? all / (all - seconds) : 1, seconds});
    }
    return gains;
  }

private:
  std::span<const KernelProfile *const> launches_;
  std::span<const DeviceProfile> devices_;
  const predict::FittedCostModel &model_;
  std::vector<Times> times_;
  bool transfersKnown_ = true;
  predict::HostTraffic writes_;
  predict::HostTraffic reads_{.direction = predict::Direction::kToHost};
  predict::HostTraffic roundTrips_{.direction = predict::Direction::kToHost};
};

struct Definition {
  RuleInfo info;
  /// What the rule finds in a launch by itself; null for a rule about the application.
  std::optional<Finding> (*find)(const ExaminedLaunch &launch);
  /// What the rule finds in a run; null for a rule about kernels.
  std::optional<Finding> (*findInRun)(const ExaminedRun &run) = nullptr;
};

#define AIWC_RULE(Name) extern const Definition k##Name;
AIWC_ALL_RULES(AIWC_RULE)
#undef AIWC_RULE

} // namespace aiwc::advice::rule
