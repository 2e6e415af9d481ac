/// Time of a launch on a device, from physics whose coefficients were fitted to measured times.
///
///   time = sum over coefficients k of exp(c_k) u_k, for a GPU with overlapUnits()
///
/// u_k is what the terms of the coefficient would take by the data sheet (time_terms.h); c_k =
/// class coefficient + device deviation, in natural logarithms. A device that was never measured
/// has its class's coefficients, and one of a class that was never measured the mean of the
/// classes; its launch overhead follows from that of its profile, if that was measured.
#pragma once

#include "predict/cost_model.h"
#include "predict/device_profile.h"
#include "predict/fitted/features.h"
#include "predict/fitted/launch_demand.h"
#include "predict/fitted/time_terms.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

inline constexpr int kModelSchemaVersion = 2;

/// ln of (time / unit time), by Coefficient.
using Coefficients = std::array<double, kCoefficientCount>;

struct ClassCoefficients {
  DeviceClass deviceClass = DeviceClass::kOther;
  Coefficients values{};
};

/// How a device differs from its class. Times of one device that come from two data sets may
/// contain different things (queues, transfers): the deviations are kept apart.
struct DeviceDeviation {
  std::string device; ///< id
  std::string dataSet;
  Coefficients values{};
  uint64_t times = 0;           ///< measured times that it was fitted to
  Clock clock = Clock::kQueued; ///< of most of these times: what their launches contain
};

/// The data set of times that the user of a model measured: they count instead of those that others
/// published of the device.
inline constexpr std::string_view kOwnMeasurements = "measured";

/// The parts of a predicted time whose errors differ in size: little can go wrong with a launch or
/// with a stream through memory.
enum class ErrorPart : uint8_t { kLaunch, kMemory, kOther };
inline constexpr size_t kErrorPartCount = 3;
std::string_view toString(ErrorPart part);             ///< "launch", "memory", "other"
using PartTimes = std::array<double, kErrorPartCount>; ///< by ErrorPart, in any unit
PartTimes errorPartsOf(const CoefficientTimes &times);

/// ln of the factors to the ends of a part's 80 % interval.
struct ErrorFactor {
  double low = -1, high = 1;
};
/// Of applications that were left out. By ErrorPart.
using ErrorFactors = std::array<ErrorFactor, kErrorPartCount>;
/// The interval of a time: each part times the error factors of its two ends. That of several
/// launches is the sum of theirs.
Interval intervalOf(const PartTimes &times, const ErrorFactors &errorFactors);

/// No fitted correlation is above it. A device and the same one with a changed parameter correlate
/// so.
inline constexpr double kGreatestCorrelation = 0.95;
/// As FittedModel::errorCorrelation, of two devices of one class (classOf) and of two classes.
/// Left-out applications and devices are predicted as well with one number for all pairs of a class
/// as with one for each class, or with others for devices of one series, or by the shares of the
/// parts of the time.
struct ClassCorrelation {
  double same = 0, others = 0;

  double of(const DeviceProfile &a, const DeviceProfile &b) const;
};

struct FittedModel {
  std::vector<ClassCoefficients> classes;
  std::vector<DeviceDeviation> devices;
  /// ln of a launch overhead over the shortest launch measured, mean of the devices: what a device
  /// whose overhead was only measured takes more.
  double launchAboveShortest = 0;
  ErrorFactors knownDevice;   ///< of devices that were trained on
  ErrorFactors unknownDevice; ///< of devices that were left out together with the application
  ErrorFactors unknownDeviceMeasuredLaunch; ///< of these, where their shortest launch was given
  /// Of the errors of two devices for one workload that was left out (CostModel::errorCorrelation).
  double errorCorrelation = 0;
  ClassCorrelation classCorrelation;
  TrainingRanges seen;                   ///< of the launches that were trained on
  std::vector<std::string> applications; ///< trained on, as "data set/application"
  std::string toolVersion;

  /// Of the device's class; of a class that was never measured, the mean of the classes of its
  /// kind.
  Coefficients classCoefficients(const DeviceProfile &device) const;
  /// Mean of the device's deviations that are not of kOwnMeasurements; that of a launch of those
  /// whose times contain the same of it, kernel or queued. 0 where there is none.
  Coefficients publishedDeviation(std::string_view device, Clock clock) const;
  /// `dataSet` chooses among several deviations of one device; empty: that of kOwnMeasurements, or
  /// else their mean, whose launches are those of the clock.
  /// No memory is faster than its data sheet says, and one whose bandwidth was measured is as fast
  /// as that.
  Coefficients coefficientsFor(const DeviceProfile &device, std::string_view dataSet = {},
                               Clock clock = Clock::kQueued) const;
  /// Whether times of this device were trained on.
  bool knows(std::string_view device) const;
  const ErrorFactors &errorFactorsFor(const DeviceProfile &device) const;
};

/// Predicted microseconds of one launch on one device.
struct TimeEstimate {
  TermTimes terms{}; ///< by TimeTerm; their sum is `micros`
  double micros = 0;
  double leastMicros = 0; ///< peakMicros(): what the kernel takes at the peak rates
  TimeTerm boundBy = TimeTerm::kLaunch;
};

/// Without its launch and transfers, a kernel takes no less than peakMicros(): what the terms lack
/// of that counts as instructions. `transfers`: with those between host and device.
TimeEstimate estimate(const FittedModel &model, const LaunchDemand &demand,
                      const DeviceProfile &device, bool transfers = false,
                      std::string_view dataSet = {}, Clock clock = Clock::kQueued);

/// Whether the launch overhead of a device profile is the shortest time that any kernel was
/// measured to take on it: its source then begins with kShortestLaunchSource. The time from
/// enqueueing a kernel to its start, which published measurements give, is two to nine times
/// shorter.
bool hasMeasuredLaunchOverhead(const DeviceProfile &device);
inline constexpr std::string_view kShortestLaunchSource = "measured: the shortest launch";

std::string toJson(const FittedModel &model);
/// Throws Error, `file:line:column: ...: expected ...`, for a text that is not a model of this
/// version, lacks a term, or has a number that is not finite or out of range.
FittedModel modelFromJson(std::string_view text, const std::string &file);
FittedModel readModel(const std::filesystem::path &file);

} // namespace aiwc::predict
