/// The commands of an application on its own OpenCL device, and how long the device says that they
/// took.
#pragma once

#include "attach/pending_reports.h"
#include "opencl_api/functions.h"
#include "run/launch.h"
#include "session/status.h"

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::attach {

enum class Direction : uint8_t { kToDevice, kToHost };

/// Follows the launches and transfers of a process from when they were queued to their end, and
/// reports the launches to the program that watches the application, with their times and those of
/// the transfers around them. Where a queue does not measure its commands, their times are the
/// host's, from when the driver says that they began to when it says that they ended. Thread-safe.
class CommandLog {
public:
  /// `opencl`, the functions of the device's driver, and `status` outlive the object.
  CommandLog(const opencl::Functions &opencl, StatusFile &status)
      : opencl_(opencl), status_(status) {}

  /// A command that was queued. The event is the command's, and becomes the log's to release.
  struct Command {
    cl_event event = nullptr;
    cl_command_queue queue = nullptr;
    cl_device_id device = nullptr;
    bool isTimed = false;     ///< whether its queue measures its commands
    uint64_t queuedNanos = 0; ///< `now`, before it was queued
  };
  static uint64_t now();

  /// Adds a launch that was queued. Returns its number.
  uint64_t addLaunch(run::Launch launch, const Command &command);
  /// Adds a transfer that was queued.
  void addTransfer(Direction direction, uint64_t bytes, const Command &command);
  /// Takes the times of the commands that have ended. Call it often: commands that nobody asks for
  /// keep their memory in the driver.
  void collect();
  /// Collects and reports all that has ended. Call it at the end of the process.
  void finish();

private:
  using Clock = std::chrono::steady_clock;

  /// When the driver told the host of a command, in nanoseconds; 0: it has not.
  struct Marks {
    uint64_t queued = 0;
    std::atomic<uint64_t> began = 0, ended = 0;
  };
  struct Times {
    uint64_t start = 0;       ///< by the clock that measures it
    uint64_t nanos = 0;       ///< from its start to its end; 0: not known
    uint64_t queuedNanos = 0; ///< from when it was queued to its end; 0: not known
  };

  struct Queued {
    cl_event event = nullptr;
    std::shared_ptr<Marks> marks;      ///< null: the queue measures its commands
    std::optional<run::Launch> launch; ///< none: a transfer
    Direction direction{};
    uint64_t bytes = 0;
    uint64_t queue = 0; ///< its number
    cl_device_id device = nullptr;
  };

  int stateOf(cl_event event) const;
  std::shared_ptr<Marks> marksOf(const Command &command) const;
  // With `mutex_` held:
  void own();
  void takeEnded();
  bool hasEnded(const Queued &command) const;
  Times timesOf(const Queued &command);
  uint64_t queueOf(const Command &command);
  run::Place placeOf(const Queued &command, const Times &times);
  void take(Queued &command);
  void endLast();
  void setLastText();
  void report();
  void reportIfTime();

  const opencl::Functions &opencl_;
  StatusFile &status_;
  std::mutex mutex_;
  pid_t owner_ = 0; ///< the process whose commands these are
  uint64_t launches_ = 0;
  std::deque<Queued> queued_; ///< in the order in which they were queued
  uint64_t lastEnd_ = 0;      ///< by the host's clock, of the commands that have marks
  std::map<cl_command_queue, uint64_t> queueNumbers_;
  /// When the first command was queued, by the device whose clock measures it; null: by marks.
  std::map<cl_device_id, uint64_t> firstQueued_;
  run::Transfers toDevice_; ///< since the last launch that has ended
  /// The last launch that has ended: what the host reads after it is not known yet.
  std::optional<run::Launch> last_;
  std::string lastText_;   ///< of `last_`
  bool isTextOld_ = false; ///< whether transfers have come since
  std::vector<std::string> unreported_;
  PendingReports pending_;       ///< `unreported_`, and `lastText_`
  Clock::time_point reported_{}; ///< long ago
  Clock::duration reportTook_{};
};

} // namespace aiwc::attach
