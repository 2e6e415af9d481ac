/// Predicts the time of an application on each of several devices, from the profiles of its kernel
/// invocations.
#pragma once

#include "predict/cost_model.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

/// One kernel invocation, and the file that it was read from, which errors name.
struct Invocation {
  Invocation(std::string file, const profile::KernelProfile &profile);

  std::string file;
  KernelWork work;
  std::string sourceHash, buildOptions; ///< of the kernel's program
  bool sampled = false;      ///< whether only a sample of its work-groups was characterised
  bool extrapolated = false; ///< whether from samples of a sparse matrix
  uint64_t simulatorErrors = 0;
};

/// A device to predict for. It may be a modified copy of a real one.
struct Candidate {
  DeviceProfile device;
  std::string whatIf;   ///< the changes as the user wrote them; empty for an unmodified device
  bool mayBeOut = true; ///< if it lacks a parameter: rule it out (true) or throw Error (false)
};

/// The time of one or several invocations on one device.
struct Entry {
  /// Terms, counts and bytes are sums over the invocations. The bounds are computed from these
  /// sums; the roofline bound is the rate that all invocations reach together if each runs at its
  /// own roofline. The factors are not set.
  Cost cost;
  double transferSeconds = 0; ///< the part of the transfers that does not overlap with other work
  double seconds = 0;         ///< sum of cost and transfers
  /// The 80 % interval; none if the model has none. That of several invocations is the sum of
  /// theirs, as if all were off in the same direction.
  std::optional<Interval> interval;
  /// Whether the interval overlaps that of the best device: the model cannot tell which of the two
  /// is faster. False for the best device.
  bool tie = false;
  size_t rank = 0; ///< among the devices that are not ruled out, from 1; equal times share a rank
  double relative = 1; ///< seconds / seconds of the best device
  /// Energy in J: the device draws its TDP while it computes or moves data, and its idle power
  /// while it waits (latency, synchronisation, transfers). If its idle power is not known, TDP is
  /// used throughout, which gives an upper bound. None without a TDP.
  std::optional<double> energyJoules;

  /// The index of the largest of the model's parts, or `kTransfers` if transfers take longer.
  size_t boundBy() const;
  static constexpr size_t kTransfers = kMostParts;
};

/// The name of a part of a model's times, or "transfers" for Entry::kTransfers.
std::string_view partName(std::span<const TermInfo> parts, size_t part);

struct DevicePrediction {
  Candidate candidate;
  /// The parameters that it lacks for at least one of the kernels. If it lacks any, or a curve, the
  /// device is ruled out and has no entries.
  std::vector<Parameter> lacking;
  std::vector<std::string> lackingCurves; ///< likewise, measured curves (CostModel::lackingCurves)
  bool known = false;                     ///< whether the model was fitted to times of this device
  /// The time of all transfers if none overlaps with other work; 0 if that is not known.
  double allTransferSeconds = 0;
  std::vector<Entry> kernels; ///< in the order of Prediction::kernels
  Entry application;

  bool ruledOut() const { return !lacking.empty() || !lackingCurves.empty(); }
  /// The keys of what it lacks, as in device profiles.
  std::vector<std::string> lackingKeys() const;
};

/// Kernels of one name are different kernels if their sources or build options differ.
struct PredictedKernel {
  std::string name;
  std::string sourceHash = {};
  /// The name, and the beginning of the source's hash if another kernel has that name.
  std::string label = {};
  uint64_t invocations = 0;
  /// How many of these were characterised by a sample of their work-groups.
  uint64_t sampled = 0;
  uint64_t extrapolated = 0; ///< launches
  /// How many of these had simulator errors, and the total number of these errors.
  uint64_t withErrors = 0, simulatorErrors = 0;
  /// How these differ from all that the model was fitted to, in words, each once.
  std::vector<std::string> unlike = {};
  double footprintBytes = 0; ///< the most that one of them touches; 0 if that is not known
};

struct Prediction {
  std::string model;
  std::vector<TermInfo> parts;           ///< of the model's times
  bool rates = false;                    ///< whether costs have operations, bytes and rates
  double exposedTransfers = 0;           ///< R
  std::vector<PredictedKernel> kernels;  ///< in the order of their first invocations
  std::vector<DevicePrediction> devices; ///< in the order that they were given in
};

/// The time of one invocation on one device, as an entry of rank 1 whose cost has its factors set.
/// Meant for schedulers: it copies nothing and takes little longer than the model. Throws what
/// `model` throws, MissingParameter if the device has no host link but transfers need one, and
/// Error if the profile does not record its transfers or `exposed` is out of range.
Entry predictOne(const KernelWork &work, const DeviceProfile &device, const CostModel &model,
                 double exposed = 0);

/// Predicts the time of every invocation on every device. `exposed`, R in [0, 1], is the fraction
/// of the time of host transfers that does not overlap with other work (the data transfer ratio of
/// [idiom-models §VIII]); with 0 a device needs no host link. Times include the kernel launches.
///
/// Throws Error, `FILE: FIELD is VALUE: expected ...`, for a profile that the model cannot use; for
/// a device that lacks a parameter and may not be ruled out; for R out of range; and if there are
/// no invocations or no devices.
Prediction predict(std::span<const Invocation> invocations, std::span<const Candidate> devices,
                   const CostModel &model, double exposed = 0);

} // namespace aiwc::predict
