/// The interface between the users of costs (cost, rank, split) and the model that computes them.
#pragma once

#include "predict/device_profile.h"
#include "predict/kernel_work.h"
#include "profile/kernel_profile.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

/// The terms of a cost. A kernel is bound by the largest of them.
enum class Term : uint8_t { kCompute, kFastMemory, kSlowMemory, kLatency, kSynchronization };
inline constexpr size_t kTermCount = 5;
std::string_view toString(Term term); ///< "compute", "fast memory", ...

/// The cost of one kernel invocation on one device.
struct Cost {
  std::array<double, kTermCount> terms{}; ///< s, by Term; finite, not negative
  double seconds = 0;                     ///< their sum
  Term boundBy = Term::kCompute;

  double operations = 0;       ///< W, or all operations if the work is not floating point
  bool floatingPoint = true;   ///< whether `operations` are floating-point ones
  double slowBytes = 0;        ///< Q_s L
  double fastBytes = 0;        ///< Q_f L
  double upperBoundGflops = 0; ///< operations / seconds / 1e9
  double intensity = 0;        ///< operations per byte of slow memory; infinite without any
  double rooflineGflops = 0;   ///< min(n_p pi0, intensity beta_s)

  // Factors that the terms were computed with
  double coreGflops = 0;      ///< pi0 of the kernel's mix of precisions
  double laneUtilization = 1; ///< f_v at the device's lane width, in (0, 1]
  double instructionMix = 1;  ///< f_im, in [1/2, 1]
  double coalescing = 1;      ///< at the device's lane width, in (0, 1]
  /// Whether single precision was costed at the double-precision rate because the device's profile
  /// has no single-precision rate. The cost is then an upper bound.
  bool doubleRateForSingle = false;
};

class CostModel {
public:
  virtual ~CostModel() = default;
  virtual std::string_view name() const = 0;
  /// Why `work` cannot be costed on any device, as `FIELD is VALUE: expected ...`; empty if it can.
  /// Missing device parameters are not reported here but by `lacking`.
  virtual std::string unusable(const KernelWork &work) const;
  /// The parameters that the cost of `work` needs and `device` does not have, in the order of
  /// `Parameter`.
  virtual std::vector<Parameter> lacking(const KernelWork &work, const DeviceProfile &device) const;
  /// The cost of `share`, a fraction in (0, 1], of the work-groups of `work` on `device`.
  /// Quantities that grow with the number of work-groups (level widths, traffic) are scaled by it;
  /// those that do not (depth, synchronisation) are kept. Thread-safe. Throws Error, naming the
  /// kernel or device and what is missing, for a profile that is incomplete or lacks a metric, and
  /// for a device without a parameter that the model needs.
  virtual Cost cost(const KernelWork &work, const DeviceProfile &device, double share) const = 0;

  // The same for a profile; each call derives the profile's work again.
  std::string unusable(const profile::KernelProfile &kernel) const;
  std::vector<Parameter> lacking(const profile::KernelProfile &kernel,
                                 const DeviceProfile &device) const;
  Cost cost(const profile::KernelProfile &kernel, const DeviceProfile &device,
            double share = 1) const;
};

} // namespace aiwc::predict
