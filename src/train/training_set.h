/// Measured times, each with the profiles of the launches that took it: what models are fitted to
/// and judged by.
#pragma once

#include "predict/device_library.h"
#include "predict/fitted/launch_demand.h"
#include "predict/fitted/time_terms.h"
#include "profile/kernel_profile.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aiwc::train {

/// Launches of one kernel that a measured time covers.
struct LaunchCount {
  const profile::KernelProfile *profile = nullptr;
  double launches = 1;
};

/// What was measured: a kernel, or several, of an application at a problem size.
struct Workload {
  std::string dataSet, suite, application, size, kernel;
  std::vector<LaunchCount> launches;
  /// Between host and device, where the measured time contains transfers; else 0.
  double hostBytes = 0, hostTransfers = 0;
  /// Why the measured time is not that of the launches; empty where it is.
  std::string doubt;
  predict::Clock clock = predict::Clock::kQueued; ///< what the time contains of a launch
};

struct MeasuredTime {
  size_t workload = 0; ///< index into TrainingSet::workloads
  size_t device = 0;   ///< index into TrainingSet::devices
  double micros = 0;
  /// Of the shortest of its launches, or none where that is not known. A launch overhead is no
  /// longer.
  std::optional<double> shortestLaunchMicros = {};
};

/// A device in a data set: times of one device from two data sets may contain different things.
struct MeasuredDevice {
  predict::DeviceProfile profile;
  std::string dataSet;
};

struct TrainingSet {
  std::vector<Workload> workloads;
  std::vector<MeasuredDevice> devices;
  std::vector<MeasuredTime> times;
  /// Owns the profiles.
  std::map<std::filesystem::path, std::unique_ptr<profile::KernelProfile>> profiles;
};

/// Adds the times of a CSV file with the columns
///
///   data_set,suite,application,size,kernel,profiles,host_bytes,host_transfers,doubt,device,time_us
///
/// and maybe `clock`: "kernel" where the time is that from the kernel's start to its end, or
/// "queued", as without the column, where it begins when the kernel is queued.
///
/// `profiles` names the profiles of the launches, relative to the file's folder and separated by
/// spaces, `N*` before a name standing for N launches. Devices are those of `library`.
///
/// Throws Error, `file:line: what is wrong: what was expected`, for a time that is not a finite
/// number above 0, an unknown device, a device that has two times of one workload, and a profile
/// that cannot be read or used.
void addTimes(const std::filesystem::path &file, const predict::DeviceLibrary &library,
              TrainingSet &to);
/// The same for the content of `file`, which need not exist.
void addTimes(std::string_view text, const std::filesystem::path &file,
              const predict::DeviceLibrary &library, TrainingSet &to);

/// A time of such a file, without reading the profiles.
struct TimeRow {
  /// The files of the profiles, relative to the table's folder, and how many launches each stands
  /// for.
  std::vector<std::pair<std::string, double>> profiles;
  std::string device; ///< its id
  std::string doubt;  ///< as Workload's
  double micros = 0;  ///< of all launches together
  predict::Clock clock = predict::Clock::kQueued;
};

/// The times of such a file; columns that TimeRow has not may be missing. Throws Error as above,
/// but for profiles.
std::vector<TimeRow> readTimes(const std::filesystem::path &file,
                               const predict::DeviceLibrary &library);

} // namespace aiwc::train
