/// Predicts the time of an application on each of several devices, from the profiles of its kernel
/// invocations.
#pragma once

#include "predict/costed_launch.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

/// One kernel invocation, and the file that it was read from, which errors name.
struct Invocation {
  /// Keeps a reference to `model`. Throws Error, `FILE: FIELD is VALUE: expected ...`, for a
  /// profile that the model cannot use.
  Invocation(std::string file, const profile::KernelProfile &profile, const CostModel &model);

  std::string file;
  CostedLaunch launch;
  std::string sourceHash, codeHash, sourceKind, buildOptions; ///< as in profile::Provenance
  bool sampled = false;      ///< whether only a sample of its work-groups was characterised
  bool extrapolated = false; ///< whether from samples of a sparse matrix
  uint64_t simulatorErrors = 0;
  /// The type of device that the application saw, in OpenCL's words (opencl_device.h); empty if
  /// that is not known. What it asked of it, if that decides what it launches.
  std::string seenType;
  std::vector<std::string> asked;
  /// The types of device on which the application launches it; empty: all.
  std::vector<std::string> onTypes;

  bool isLaunchedOn(DeviceType type) const;
  bool characterised = true; ///< whether the profile is its own, and not of a launch like it
  /// By what factor its time may be off because the profile is an estimate: nine of ten are within
  /// it. It widens the interval. 1 or more.
  double errorFactor = 1;
  /// The time that was measured on a device, in seconds, by the device's id.
  std::map<std::string, double, std::less<>> measured;
};

/// A device to predict for. It may be a modified copy of a real one.
struct Candidate {
  DeviceProfile device;
  std::string whatIf;   ///< the changes as the user wrote them; empty for an unmodified device
  bool mayBeOut = true; ///< if it lacks a parameter: rule it out (true) or throw Error (false)

  bool isModified() const { return !whatIf.empty(); }
};

/// How a device compares with another one, for the same launches.
struct Comparison {
  double probability = 0.5; ///< the probability that it is the faster one, 0 to 1
  Interval ratio;           ///< 80 % interval of its time over that of the other one
};
/// From this probability of being faster on, the slower of two devices is a tie with the faster
/// one.
inline constexpr double kTieProbability = 0.2;

/// The logarithms of the two times are off by normally distributed errors, as wide as the intervals
/// say and with this correlation: ln of the ratio has the variance s1^2 + s2^2 - 2 correlation s1
/// s2, where 2.56 s is the width of ln of an 80 % interval. `seconds` above 0.
Comparison compared(double seconds, const Interval &interval, double otherSeconds,
                    const Interval &otherInterval, double correlation);

/// Where the time of launches comes from.
enum class TimeSource : uint8_t {
  kPredicted,
  kConditioned, ///< predicted, given what launches of the kernel took on another device
  kMeasured,    ///< on this very device
};
std::string_view toString(TimeSource source); ///< "predicted", "conditioned", "measured"

/// The measured time of launches, beside the predicted one of the same launches.
struct Measured {
  uint64_t launches = 0;
  double seconds = 0;   ///< of all of them
  double predicted = 0; ///< the same, in seconds
  /// Above 1 where the device took longer than is predicted.
  double ratio() const { return seconds / predicted; }
};

/// Times that differ by less than this share of them are equal: rounding orders no devices.
inline constexpr double kEqualTimes = 1e-5;

/// The time of one or several invocations on one device.
struct Entry {
  uint64_t launches = 0;
  Cost cost;                  ///< the sum over the invocations
  double transferSeconds = 0; ///< the part of the transfers that does not overlap with other work
  double seconds = 0;         ///< sum of cost and transfers
  /// The 80 % interval; none if the model has none. That of several invocations is the sum of
  /// theirs, as if all were off in the same direction.
  std::optional<Interval> interval;
  std::optional<Interval> kernelInterval; ///< the same without transfers
  /// Of several kernels, the same for all, or else kConditioned.
  TimeSource source = TimeSource::kPredicted;
  double unconditioned = 0; ///< `seconds` as predicted without measured times
  /// How this device compares with the best one; none for the best device, and without intervals.
  std::optional<Comparison> againstBest;
  /// Whether that is a tie: the model cannot tell which of the two is faster.
  bool tie() const { return againstBest && againstBest->probability >= kTieProbability; }
  /// Among the devices that are not ruled out, from 1. Equal times (kEqualTimes) share a rank.
  size_t rank = 0;
  double relative = 1; ///< seconds / seconds of the best device, at least 1
  /// Energy in J: the device draws its TDP while it computes or moves data, and its idle power
  /// while it waits (latency, synchronisation, transfers). If its idle power is not known, TDP is
  /// used throughout, which gives an upper bound. None without a TDP.
  std::optional<double> energyJoules;
  std::optional<Measured> measured; ///< of those launches that were measured on this device

  /// The index of the largest of the model's parts, or `kTransfers` if transfers take longer.
  size_t boundBy() const;
  static constexpr size_t kTransfers = kMostParts;
};

/// The name of a part of a model's times, or "transfers" for Entry::kTransfers.
std::string_view partName(std::span<const TermInfo> parts, size_t part);

struct DevicePrediction {
  Candidate candidate;
  /// What at least one of the kernels needs and the device's profile does not have. If there is
  /// any, the device is ruled out and has no entries.
  Missing missing;
  bool known = false; ///< whether the model was fitted to times of this device
  /// The time of all transfers if none overlaps with other work; 0 if that is not known.
  double allTransferSeconds = 0;
  /// What the application asked of a device of another type, on which it may launch other work.
  std::vector<std::string> askedOfOthers;
  /// In the order of Prediction::kernels. One that the application does not launch here has rank 0.
  std::vector<Entry> kernels;
  Entry application;

  bool ruledOut() const { return !missing.empty(); }
};

/// A device and its entry of a kernel or of the application.
struct RankedEntry {
  const DevicePrediction *device;
  const Entry *entry;
};

/// Kernels of one name are different kernels if their sources or build options differ.
struct PredictedKernel {
  std::string name;
  std::string sourceHash = {}, sourceKind = {};
  /// The name, and the beginning of the source's hash if another kernel has that name.
  std::string label = {};
  uint64_t invocations = 0;   ///< on the type of device with the most
  uint64_t characterised = 0; ///< of these; the profiles of others represent the rest
  /// How many of these were characterised by a sample of their work-groups.
  uint64_t sampled = 0;
  uint64_t extrapolated = 0; ///< launches
  /// How many of these had simulator errors, and the total number of these errors.
  uint64_t withErrors = 0, simulatorErrors = 0;
  /// How these differ from all that the model was fitted to, in words, each once.
  std::vector<std::string> outsideTrainingRange = {};
  double footprintBytes = 0; ///< the most that one of them touches; 0 if that is not known
  PerMatrixType matrixOps{}; ///< of all of them
  /// The launches whose measured times the times follow from, by the device's id.
  std::map<std::string, uint64_t> measuredOn = {};
};

struct Prediction {
  std::string model;
  std::vector<TermInfo> parts;           ///< of the model's times
  double exposedTransfers = 0;           ///< R
  std::string seenType;                  ///< of the first invocation that has one
  std::vector<PredictedKernel> kernels;  ///< in the order of their first invocations
  std::vector<DevicePrediction> devices; ///< in the order that they were given in
  /// Whether the invocations are all launches of an application. `predict` does not know, and sets
  /// false.
  bool whole = false;
  /// What else to know of the invocations, sentences without an end. `predict` knows none.
  std::vector<std::string> notes = {};
};

/// The entries of one kernel, by its place in Prediction::kernels, or of the application, by rank.
/// Those of equal rank are in the order of their devices' ids; the first is the best one.
std::vector<RankedEntry> ranked(const Prediction &prediction,
                                std::optional<size_t> kernel = std::nullopt);

/// The time of one launch on one device, as an entry of rank 1. Meant for schedulers: it copies
/// nothing and takes little longer than the model. Throws what CostedLaunch::cost throws,
/// MissingParameter if the device has no host link but transfers need one, and Error if the profile
/// does not record its transfers or `exposed` is out of range.
Entry predictOne(const CostedLaunch &launch, const DeviceProfile &device, double exposed = 0);

/// Predicts the time of every invocation on every device, by the model of the first. `exposed`, R
/// in [0, 1], is the fraction of the time of host transfers that does not overlap with other work
/// (the data transfer ratio of [idiom-models §VIII]); with 0 a device needs no host link. Times
/// include the kernel launches.
///
/// `measuredOn`: the devices of Invocation::measured whose times the others follow from. Of each
/// kernel, the error ln(measured / predicted) of its launches there conditions its error on every
/// other device (CorrelatedErrors), as wide as the intervals say; the launch, the transfers apart,
/// and the rest of the time move alike. A kernel that was not measured says nothing of others. The
/// device itself takes what was measured, and as long for launches that were not. Models without
/// intervals do not know what an error says.
///
/// Throws Error for a profile without the transfers that are to be predicted, `FILE: FIELD is
/// VALUE: expected ...`; for a device that lacks a parameter and may not be ruled out; for R out of
/// range; and if there are no invocations or no devices.
Prediction predict(std::span<const Invocation> invocations, std::span<const Candidate> devices,
                   double exposed = 0, std::span<const DeviceProfile> measuredOn = {});

} // namespace aiwc::predict
