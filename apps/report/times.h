/// The predicted times of kernels as pages have them: numbers that a page only adds up and
/// compares, so that no page evaluates a model.
#pragma once

#include "predict/correlated_errors.h"
#include "predict/costed_launch.h"
#include "predict/fitted/fitted_cost_model.h"
#include "predict/fitted/launch_demand.h"
#include "report/json_parts.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::report {

/// Of launches on a device. Those of several kernels are the sums of theirs.
struct DeviceTimes {
  predict::Cost cost{};
  double transferSeconds = 0;  ///< of all transfers, if no other work hides them
  predict::Interval hidden{};  ///< 80 % interval of the time without transfers
  predict::Interval exposed{}; ///< and with all of them
  double memoryBytes = 0;      ///< that the device's caches have to fetch
};

/// The launches of a kernel, each profile prepared once.
class KernelTimes {
public:
  /// Keeps a reference to `model`, and none to the profiles.
  KernelTimes(const Usable &usable, const predict::FittedCostModel &model);

  /// What the times need and `device` does not have.
  predict::Missing missing(const predict::DeviceProfile &device) const;
  /// As `aiwc predict` has them, to rounding. O(different launches). Throws MissingParameter.
  DeviceTimes on(const predict::DeviceProfile &device) const;
  /// Whether all profiles say what the host moves; if not, `transferSeconds` is 0.
  bool transfersKnown() const { return transfersKnown_; }
  /// The shares of the accesses of cache lines that caches of these sizes miss, with which each
  /// launch begins empty; without accesses none.
  std::vector<double> missRatios(std::span<const uint64_t> cacheBytes) const;

private:
  struct Kind {
    predict::CostedLaunch launch;
    predict::LaunchDemand demand;
    double launches; ///< that have this profile and this error factor
    double errorFactor;
  };
  std::vector<Kind> kinds_;
  bool transfersKnown_ = true;
};

/// What the launches of a kernel that were measured say of its times, as `aiwc predict` has it.
class MeasuredKernel {
public:
  MeasuredKernel() = default;
  /// Of the kernel's measured launches on those of `devices`. Keeps a reference to `model`.
  MeasuredKernel(const ReportedKernel &kernel, const Usable &usable, const KernelTimes &times,
                 std::span<const predict::DeviceProfile> devices,
                 const predict::FittedCostModel &model);

  /// Conditions the times on a device, which may be changed.
  void condition(DeviceTimes &times, const predict::DeviceProfile &device, bool isChanged) const;
  /// Of the device's error in standard deviations, the part that each measured device explains:
  /// the covariance that is left of two devices is their correlation without the product of these.
  std::vector<double> explained(const predict::DeviceProfile &device, bool isChanged) const;
  /// {device: measured launches}
  Json json() const;

private:
  struct On {
    predict::DeviceProfile device;
    size_t launches = 0;
    predict::ObservedError error;
    double deviation = 0; ///< of what is predicted
  };
  struct Follows {
    double mean = 0, deviation = 1;
    std::vector<double> explained = {};
    const On *itself = nullptr; ///< where the device is a measured one
  };
  Follows followsOn(const predict::DeviceProfile &device, bool isChanged) const;

  std::vector<On> on_;
  const predict::FittedCostModel *model_ = nullptr;
};

/// Devices with one change.
struct ChangedDevices {
  WhatIf whatIf;
  std::vector<predict::DeviceProfile> devices; ///< but for those that do not allow the change
};

/// With half and twice of each parameter that decides times, then with each of `more`. Throws
/// Error if a device does not allow one of `more`.
std::vector<ChangedDevices> changedDevices(std::span<const predict::DeviceProfile> devices,
                                           std::span<const WhatIf> more);

/// Of each device its times, as numbers in microseconds and bytes:
///   [parts of the model..., memory bytes, low, high]
/// and, where the host moves something, [..., transfers, low, high] of the time with them. 0 for a
/// device on which the kernel is not launched; null for one that lacks a parameter. They follow
/// from what was `measured` on other devices, or on the same ones but for a change.
Json timesJson(const ReportedKernel &kernel, const KernelTimes &times,
               std::span<const predict::DeviceProfile> devices,
               const predict::FittedCostModel &model, const MeasuredKernel &measured = {},
               bool areChanged = false);
/// MeasuredKernel::explained of each device; empty if nothing was measured.
Json explainedJson(const MeasuredKernel &measured, std::span<const predict::DeviceProfile> devices,
                   bool areChanged);

/// How `launch` is divided among any of the first kMostDivided of `devices`, and among all of them,
/// and when each ends that does all of it: by their ids, "i9-13900k,rtx4090", as
///   [dimension, makespan, work-groups of the first, when it ends, ...]
/// in microseconds. `exposed`: with all transfers, which must be known; else without.
Json splitsJson(const profile::KernelProfile &launch,
                std::span<const predict::DeviceProfile> devices, bool exposed,
                const predict::FittedCostModel &model);
inline constexpr size_t kMostDivided = 5; ///< 31 sets of devices

/// `value` with so many significant digits, as short as it can be; null if it is not finite.
Json rounded(double value, int digits = 6);

} // namespace aiwc::report
