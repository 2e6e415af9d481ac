/// The times that were measured of a run's launches.
#pragma once

#include "inputs.h"
#include "predict/device_library.h"
#include "predict/fitted/time_terms.h"
#include "predict/prediction.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace aiwc::cli {

/// Where measured times are, beside those that lie with the profiles.
struct MeasuredSources {
  std::vector<std::string> runs; ///< of `aiwc attach`, of the same application
  /// The id of the device on which launches were measured; empty: the one of its name in OpenCL.
  std::string device;
};

/// Measured times of launches: of a file `times.csv` (train/training_set.h) in the folder of a run;
/// of the launches themselves, which `aiwc attach` measured; and of another run of the same
/// application, whose launches of a kernel are taken in their order.
class MeasuredTimes {
public:
  /// Reads the files of all folders that the profiles are from, and the runs. Throws Error for one
  /// that is wrong, or has no measured launches, or only those of devices that no file describes.
  MeasuredTimes(const std::vector<NamedProfile> &profiles, const predict::DeviceLibrary &library,
                const MeasuredSources &sources);

  /// What the times contain of a launch; none if there are no times, or some contain more than
  /// others.
  std::optional<predict::Clock> clock() const { return clock_; }
  /// The times of this clock, in seconds by the device's id, of the launch at a place in
  /// `profiles`, which are those of the constructor.
  std::map<std::string, double, std::less<>> secondsOf(const std::vector<NamedProfile> &profiles,
                                                       size_t place, predict::Clock clock) const;
  /// Whether the launch at a place has no time because it warmed the device up.
  bool isWarmUp(size_t place) const { return warmUps_.contains(place); }
  /// Gives the invocations, which are those of `profiles`, their times of this clock.
  void addTo(std::vector<predict::Invocation> &invocations,
             const std::vector<NamedProfile> &profiles, predict::Clock clock) const;
  /// Sentences on the times that are not shown: those of another clock, those of devices
  /// that no file describes, those of kernels that were launched differently, and warm-ups; and on
  /// those that are the host's, or of first launches.
  std::vector<std::string> notesOnOthers(predict::Clock clock) const;

private:
  struct Time {
    std::string device;
    double seconds; ///< of one launch
    predict::Clock clock;
  };
  void read(const std::filesystem::path &file, const predict::DeviceLibrary &library);
  void requireKnownDevice(const run::Run &run, const std::filesystem::path &file,
                          const predict::DeviceLibrary &library) const;
  /// The id of the device that was measured; empty if no file describes it.
  std::string deviceOf(const run::DeviceTime &measured, const predict::DeviceLibrary &library);
  void take(size_t profile, const run::Launch &launch, const predict::DeviceLibrary &library);
  void takeInOrder(const std::vector<NamedProfile> &profiles,
                   const std::vector<run::Launch> &launches, const predict::DeviceLibrary &library);

  std::map<std::filesystem::path, std::vector<Time>> times_; ///< by the file of the profile
  std::vector<std::vector<Time>> ofLaunches_;                ///< by the place of the profile
  std::string device_;                                       ///< of MeasuredSources
  std::set<std::string> unknownDevices_, otherKernels_, byHostClock_;
  std::set<std::string> firstOnly_; ///< kernels that were measured in first launches only
  std::set<size_t> warmUps_;        ///< places of profiles
  std::optional<predict::Clock> clock_;
};

} // namespace aiwc::cli
