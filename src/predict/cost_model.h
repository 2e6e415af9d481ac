/// The interface between the users of predicted times (predict, rank, split, map) and the models
/// that compute them.
#pragma once

#include "predict/cost_term.h"
#include "predict/device_profile.h"
#include "predict/kernel_work.h"
#include "profile/kernel_profile.h"

#include <array>
#include <cstdint>
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

  // Only of a model with `rates`
  double operations = 0;       ///< W, or all operations if the work is not floating point
  bool floatingPoint = true;   ///< whether `operations` are floating-point ones
  double slowBytes = 0;        ///< Q_s L
  double fastBytes = 0;        ///< Q_f L
  double upperBoundGflops = 0; ///< operations / seconds / 1e9
  double intensity = 0;        ///< operations per byte of slow memory; infinite without any
  double rooflineGflops = 0;   ///< min(n_p pi0, intensity beta_s)

  // Factors that the terms were computed with, likewise
  double coreGflops = 0;      ///< pi0 of the kernel's mix of precisions
  double laneUtilization = 1; ///< f_v at the device's lane width, in (0, 1]
  double instructionMix = 1;  ///< f_im, in [1/2, 1]
  double coalescing = 1;      ///< at the device's lane width, in (0, 1]
  /// Whether single precision was costed at the double-precision rate because the device's profile
  /// has no single-precision rate. The cost is then an upper bound.
  bool doubleRateForSingle = false;
};

/// The limits of an 80 % interval, of a time in seconds or as factors of a predicted time.
struct Interval {
  double low = 1, high = 1;
};

class CostModel {
public:
  virtual ~CostModel() = default;
  virtual std::string_view name() const = 0;
  /// The parts of its times, at most kMostParts. By default one for each Term.
  virtual std::span<const TermInfo> parts() const;
  /// The limits of measured over predicted times; they hold 80 % of the times of applications that
  /// the model was not fitted to. None by default: the model does not know how far it is off.
  virtual std::optional<Interval> interval(const DeviceProfile &device) const;
  /// Whether times of this very device were used to make the model.
  virtual bool knows(const DeviceProfile &device) const;
  /// How the kernel differs from all that the model was fitted to, in words; none by default.
  virtual std::vector<std::string> unlike(const KernelWork &work) const;
  /// Whether costs have operations, bytes and the rates computed from them.
  virtual bool rates() const { return false; }
  /// The time in seconds of the traffic between host and device if none of it overlaps with other
  /// work. By default that of host_link.h, with its errors.
  virtual double transferSeconds(const HostTraffic &traffic, const DeviceProfile &device) const;
  /// The parameters that `transferSeconds` needs and `device` does not have.
  virtual std::vector<Parameter> lackingForTransfers(const HostTraffic &traffic,
                                                     const DeviceProfile &device) const;
  /// Why `work` cannot be costed on any device, as `FIELD is VALUE: expected ...`; empty if it can.
  /// Missing device parameters are not reported here but by `lacking`.
  virtual std::string unusable(const KernelWork &work) const;
  /// The parameters that the cost of `work` needs and `device` does not have, in the order of
  /// `Parameter`.
  virtual std::vector<Parameter> lacking(const KernelWork &work, const DeviceProfile &device) const;
  /// The measured curves that the cost of `work` needs and `device` does not have, as keys of its
  /// file: "measurements.idioms.stream". None by default.
  virtual std::vector<std::string> lackingCurves(const KernelWork &work,
                                                 const DeviceProfile &device) const;
  /// The cost of `share`, a fraction in (0, 1], of the work-groups of `work` on `device`, the
  /// launch included. Quantities that grow with the number of work-groups (level widths, traffic)
  /// are scaled by it; those that do not (depth, launch) are kept. Thread-safe. Throws Error,
  /// naming the kernel or device and what is missing, for a profile that is incomplete or lacks a
  /// metric, and for a device without a parameter that the model needs.
  virtual Cost cost(const KernelWork &work, const DeviceProfile &device, double share) const = 0;

  // The same for a profile; each call derives the profile's work again.
  std::string unusable(const profile::KernelProfile &kernel) const;
  std::vector<Parameter> lacking(const profile::KernelProfile &kernel,
                                 const DeviceProfile &device) const;
  Cost cost(const profile::KernelProfile &kernel, const DeviceProfile &device,
            double share = 1) const;

protected:
  /// Throws Error unless `share` is in (0, 1].
  static void requireShare(const KernelWork &work, double share);
};

} // namespace aiwc::predict
