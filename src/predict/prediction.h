/// What an application costs on each of several devices, from the profiles of its invocations.
#pragma once

#include "predict/cost_model.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

/// One kernel invocation, and where it was read from: errors name it.
struct Invocation {
  Invocation(std::string file, const profile::KernelProfile &profile);

  std::string file;
  KernelWork work;
  bool sampled = false; ///< whether a sample of its work-groups was characterised
  uint64_t simulatorErrors = 0;
};

/// A device to predict for, which may be a made-up variant of another.
struct Candidate {
  DeviceProfile device;
  std::string whatIf;   ///< what was changed, as the user wrote it; empty for a device as it is
  bool mayBeOut = true; ///< where it lacks a parameter: rule it out, or else refuse
};

/// Invocations, summed, on one device.
struct Entry {
  /// Every term, count and byte the sum of those of the invocations; the bounds follow from these,
  /// the roofline's being what all reach if each runs at its own. The factors are not set.
  Cost cost;
  double transferSeconds = 0; ///< the exposed part of the transfers
  double seconds = 0;         ///< cost and transfers
  size_t rank = 0;     ///< among the devices that are not ruled out, from 1; equals share one
  double relative = 1; ///< seconds over those of the best
  /// J. TDP while the device computes or moves data; while it waits (latency, synchronisation,
  /// transfers) idle power, or TDP where that is not known: then an upper bound. None without a
  /// TDP.
  std::optional<double> energyJoules;

  /// The largest of the cost's terms and "transfers".
  std::string_view boundBy() const;
};

struct DevicePrediction {
  Candidate candidate;
  /// What it lacks for one or other of the kernels; then it is ruled out and has no entries.
  std::vector<Parameter> lacking;
  std::vector<Entry> kernels; ///< in the order of Prediction::kernels
  Entry application;

  bool ruledOut() const { return !lacking.empty(); }
};

struct PredictedKernel {
  std::string name;
  uint64_t invocations = 0;
  /// Of these, how many were characterised by a sample of their work-groups.
  uint64_t sampled = 0;
  /// Of these, during how many the simulator reported errors, and how many errors these were.
  uint64_t withErrors = 0, simulatorErrors = 0;
};

struct Prediction {
  std::string model;
  double exposedTransfers = 0;           ///< R
  std::vector<PredictedKernel> kernels;  ///< in the order of their first invocations
  std::vector<DevicePrediction> devices; ///< in the order that they were given in
};

/// What one invocation costs on one device, as an entry of its own: rank 1 and the cost with its
/// factors. For schedulers: makes no copies, and takes little longer than the model. Throws what
/// `model` does, MissingParameter for a device without the link that transfers need, and Error for
/// a profile that does not tell these and an `exposed` out of range.
Entry predictOne(const KernelWork &work, const DeviceProfile &device, const CostModel &model,
                 double exposed = 0);

/// Costs every invocation on every device. `exposed`, R in [0, 1], is the share of the host
/// transfers' time that nothing hides (the data transfer ratio of [idiom-models §VIII]); with 0 a
/// device needs no host link. Kernel launches cost what the model's synchronisation says.
///
/// Throws Error, `FILE: FIELD is VALUE: expected ...`, for a profile that the model cannot use; for
/// a device that lacks a parameter and may not be ruled out; for R out of range; and where nothing
/// is asked: no invocations, or no devices.
Prediction predict(std::span<const Invocation> invocations, std::span<const Candidate> devices,
                   const CostModel &model, double exposed = 0);

} // namespace aiwc::predict
