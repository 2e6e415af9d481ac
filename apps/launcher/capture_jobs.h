#pragma once

#include "attach/capture_memory.h"
#include "launcher/child.h"
#include "run/launch.h"
#include "session/options.h"

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Runs captures in the simulator (aiwc kernel) in processes of their own.
namespace aiwc::launcher {

/// The folder of a run in which each process has a folder of captures.
inline constexpr std::string_view kCapturesFolder = "captures";

/// A launch that was captured.
struct CapturedLaunch {
  enum class State : uint8_t {
    kWaiting,
    kRunning,
    kDone,   ///< `simulated` has its profile
    kFailed, ///< `reason` says why
  };

  uint64_t process = 0;                                       ///< id
  uint64_t number = 0;                                        ///< of the launch in its process
  std::filesystem::path folder;                               ///< of the capture
  std::optional<attach::CaptureMemory::Captured> packed = {}; ///< until the folder is there
  State state = State::kWaiting;
  std::optional<run::Launch> simulated = {};
  std::string reason = {};
  uint64_t tries = 0;
};

/// The captures of a run, on their way to profiles in the folder of the run: one job at a time,
/// with all captures that are there when it begins. A job that dies costs the capture that it was
/// at. The functions wait for nothing but `stop`.
class CaptureJobs {
public:
  /// The arguments outlive the object. `scratch`: a folder for files of the jobs. `memory`: where
  /// captures come from; null: only from `add`.
  CaptureJobs(const SessionOptions &options, Children &children, std::filesystem::path scratch,
              attach::CaptureMemory *memory);

  /// Takes a capture that has its folder.
  void add(uint64_t process, uint64_t number, const std::filesystem::path &folder);
  /// Takes captures from the memory, and what a job has done, and starts the next one. Until
  /// `atNormalPriority` is called, jobs take only time that nobody else wants.
  void advance();
  void atNormalPriority();
  /// How many captures wait or run.
  size_t atWork() const;
  /// Ends the job; the captures that it has not finished wait again. `advance` starts no more.
  void stop();
  /// Gives the captures that wait in the memory their folders; one that cannot have it has failed,
  /// and stays without.
  void unpackAll();

  const std::vector<CapturedLaunch> &captured() const { return captured_; }
  /// The capture that the job is at, by its place; none: it has not begun one.
  std::optional<size_t> current() const;

private:
  void takeNew();
  void start();
  void prepare();
  void finish(int status);
  std::vector<run::Launch> takeLaunches() const;
  static void succeed(CapturedLaunch &captured, run::Launch simulated);
  static void fail(CapturedLaunch &captured, std::string reason);
  void putBack(int status);
  void endJob();

  const SessionOptions &options_;
  Children &children_;
  std::filesystem::path scratch_;
  attach::CaptureMemory *memory_;
  std::vector<CapturedLaunch> captured_;
  std::vector<size_t> batch_; ///< of the job: places of its captures
  std::vector<std::filesystem::path> runsBefore_;
  pid_t job_ = 0; ///< 0: none
  bool isIdlePriority_ = true;
  bool isStopped_ = false; ///< starts no more jobs
  bool isEnding_ = false;  ///< whether the job that ends was told to
};

} // namespace aiwc::launcher
