/// The interface between the users of predicted times (predict, rank, split, map) and the models
/// that compute them. A model prepares the profile of a launch once; the result then costs any
/// share of the launch on any device.
#pragma once

#include "predict/cost_term.h"
#include "predict/device_profile.h"
#include "predict/host_link.h"
#include "profile/kernel_profile.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

/// A part that a model computes by itself. Several may belong to one Term.
struct TermInfo {
  std::string_view key;  ///< in JSON and CSV
  std::string_view name; ///< for people
  Term term;
};
inline constexpr size_t kMostParts = 16; ///< of any model

/// The time of one kernel invocation on one device.
struct Cost {
  std::array<double, kTermCount> terms{}; ///< s, by Term; finite, not negative
  std::array<double, kMostParts> parts{}; ///< s, by the model's parts; the sums by Term are `terms`
  double seconds = 0;                     ///< the sum of either
  size_t boundBy = 0;                     ///< the largest part
  double leastSeconds = 0;                ///< what the device's peak rates allow, 0 if unknown

  /// Computes `terms`, `seconds` and `boundBy` from the parts. O(parts).
  void sumParts(std::span<const TermInfo> rows);
};

/// The limits of an 80 % interval, of a time or as factors of a predicted time.
struct Interval {
  double low = 1, high = 1;
};

/// Of a normal distribution, half of an 80 % interval in standard deviations.
inline constexpr double kHalfInterval = 1.2816;

/// What a prediction needs of a device and the device's profile does not have.
struct Missing {
  std::vector<Parameter> parameters; ///< in the order of `Parameter`, each once
  std::vector<std::string> curves;   ///< of measurements: "measurements.idioms.stream", each once

  bool empty() const { return parameters.empty() && curves.empty(); }
  void add(Parameter parameter);
  void add(const Missing &more);
  /// The keys, as in device profiles: parameters, then curves.
  std::vector<std::string> keys() const;
  /// Throws MissingParameter, `device ID: no KEY, which this prediction needs: ...`, for the first
  /// of them; does nothing if there are none.
  void require(const DeviceProfile &device) const;
};

/// What a model derived from the profile of one launch, and the costs that follow from it.
/// Thread-safe. It may keep a reference to its model, but none to the profile.
class LaunchCosts {
public:
  virtual ~LaunchCosts() = default;
  virtual Missing missing(const DeviceProfile &device) const = 0;
  /// The cost of `share`, a fraction in (0, 1], of the work-groups on `device`, the launch
  /// included. Quantities that grow with the number of work-groups (level widths, traffic) are
  /// scaled by it; those that do not (depth, launch) are kept. Throws MissingParameter if anything
  /// is missing, and Error for a parameter out of its range.
  virtual Cost on(const DeviceProfile &device, double share) const = 0;
  /// How the launch differs from all that the model was fitted to, in words; none by default.
  virtual std::vector<std::string> outsideTrainingRange() const { return {}; }
};

class CostModel {
public:
  virtual ~CostModel() = default;
  virtual std::string_view name() const = 0;
  /// The parts of its times, at most kMostParts; static.
  virtual std::span<const TermInfo> parts() const = 0;
  /// Why the model cannot cost the profile's launch on any device, as `FIELD is VALUE: expected
  /// ...`: the profile is incomplete or lacks a metric. Empty if it can.
  virtual std::string whyNot(const profile::KernelProfile &profile) const = 0;
  /// Derives from the profile what the costs need; `whyNot` must be empty.
  virtual std::unique_ptr<const LaunchCosts>
  prepare(const profile::KernelProfile &profile) const = 0;

  /// The limits in seconds of a time that is predicted as `cost` and transfers. They hold 80 % of
  /// the times of applications that the model was not fitted to. Those of several launches are the
  /// sums of theirs. None by default: the model does not know how far it is off.
  virtual std::optional<Interval> interval(const DeviceProfile &device, const Cost &cost,
                                           double transferSeconds = 0) const;
  /// The correlation, in [0, 1), of the errors ln(measured / predicted) of one launch on two
  /// devices: what makes a kernel slower than predicted on one device mostly does so on others. 0
  /// by default.
  virtual double errorCorrelation() const;
  /// That of these two devices; by default that of any two.
  virtual double errorCorrelation(const DeviceProfile &a, const DeviceProfile &b) const;
  /// Whether times of this very device were used to make the model.
  virtual bool knows(const DeviceProfile &device) const;
  /// The time in seconds of the traffic between host and device if none of it overlaps with other
  /// work. By default that of host_link.h, with its errors, of any memory.
  virtual double transferSeconds(const HostTraffic &traffic, const DeviceProfile &device,
                                 HostMemory memory = HostMemory::kPageable) const;
  /// The parameters that `transferSeconds` needs and `device` does not have.
  virtual Missing missingForTransfers(const HostTraffic &traffic,
                                      const DeviceProfile &device) const;
};

} // namespace aiwc::predict
