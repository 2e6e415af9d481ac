/// The commands of an application on its own OpenCL device, and how long the device says that they
/// took.
#pragma once

#include "run/launch.h"
#include "session/status.h"

#include <CL/cl_icd.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::attach {

enum class Direction : uint8_t { kToDevice, kToHost };

/// Follows the launches and transfers of a process from when they were queued to their end, and
/// reports the launches to the program that watches the application, with their times and those of
/// the transfers around them. Thread-safe.
class CommandLog {
public:
  /// `opencl`, the functions of the device's driver, and `status` outlive the object.
  CommandLog(const cl_icd_dispatch &opencl, StatusFile &status)
      : opencl_(opencl), status_(status) {}

  /// Adds a launch that was queued. The event is the command's, and becomes the log's to release.
  /// `isTimed`: whether the queue measures its commands. Returns the number of the launch.
  uint64_t addLaunch(run::Launch launch, cl_event event, bool isTimed);
  /// Adds a transfer that was queued.
  void addTransfer(Direction direction, uint64_t bytes, cl_event event, bool isTimed);
  /// Takes the times of the commands that have ended. Call it often: commands that nobody asks for
  /// keep their memory in the driver.
  void collect();
  /// Collects and reports all that has ended. Call it at the end of the process.
  void finish();

private:
  using Clock = std::chrono::steady_clock;

  struct Queued {
    cl_event event = nullptr;
    bool isTimed = false;
    std::optional<run::Launch> launch; ///< none: a transfer
    Direction direction{};
    uint64_t bytes = 0;
  };

  // With `mutex_` held:
  void own();
  void takeEnded();
  bool hasEnded(cl_event event) const;
  uint64_t timeOf(cl_event event, cl_profiling_info from, cl_profiling_info to) const;
  void take(Queued &command);
  void report();
  void reportIfTime();

  const cl_icd_dispatch &opencl_;
  StatusFile &status_;
  std::mutex mutex_;
  pid_t owner_ = 0; ///< the process whose commands these are
  uint64_t launches_ = 0;
  std::deque<Queued> queued_; ///< in the order in which they were queued
  run::Transfers toDevice_;   ///< since the last launch that has ended
  /// The last launch that has ended: what the host reads after it is not known yet.
  std::optional<run::Launch> last_;
  std::vector<std::string> unreported_;
  Clock::time_point reported_ = Clock::time_point::min();
  Clock::duration reportTook_{};
};

} // namespace aiwc::attach
