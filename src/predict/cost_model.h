/// The seam between what is asked (cost, rank, split) and how it is answered.
#pragma once

#include "predict/device_profile.h"
#include "profile/kernel_profile.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace aiwc::predict {

/// The terms of a cost; what a kernel is bound by is the largest of them.
enum class Term : uint8_t { kCompute, kFastMemory, kSlowMemory, kLatency, kSynchronization };
inline constexpr size_t kTermCount = 5;
std::string_view toString(Term term); ///< "compute", "fast memory", ...

/// What one kernel invocation costs on one device.
struct Cost {
  std::array<double, kTermCount> terms{}; ///< s, by Term; finite, not negative
  double seconds = 0;                     ///< their sum
  Term boundBy = Term::kCompute;

  double operations = 0;       ///< W, or all operations where the work is not floating point
  bool floatingPoint = true;   ///< whether `operations` are floating-point ones
  double slowBytes = 0;        ///< Q_s L
  double fastBytes = 0;        ///< Q_f L
  double upperBoundGflops = 0; ///< operations / seconds / 1e9
  double intensity = 0;        ///< operations per byte of slow memory; infinite without any
  double rooflineGflops = 0;   ///< min(n_p pi0, intensity beta_s)
};

class CostModel {
public:
  virtual ~CostModel() = default;
  virtual std::string_view name() const = 0;
  /// The cost of `share`, in (0, 1], of the work-groups of `kernel` on `device`. What grows with
  /// the work-groups (level widths, traffic) is scaled, what does not (depth, synchronisation)
  /// stays. Thread-safe. Throws Error, naming the kernel or device and what it lacks, for a profile
  /// that is incomplete or without a metric, and for a device without a parameter that the model
  /// needs.
  virtual Cost cost(const profile::KernelProfile &kernel, const DeviceProfile &device,
                    double share) const = 0;
  Cost cost(const profile::KernelProfile &kernel, const DeviceProfile &device) const {
    return cost(kernel, device, 1);
  }
};

} // namespace aiwc::predict
