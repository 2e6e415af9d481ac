#pragma once

#include "attach/capture_memory.h"
#include "launcher/capture_jobs.h"
#include "launcher/captured.h"
#include "launcher/child.h"
#include "launcher/preflight.h"
#include "launcher/task.h"
#include "run/run.h"
#include "session/options.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

/// The launches that the layer captured (host/attach/captures.h), on their way to profiles.
namespace aiwc::launcher {

/// Numbers of a run's processes, by their ids.
using Processes = std::map<uint64_t, uint64_t>;

/// Waits until all captures have been through the simulator, with progress on standard error unless
/// `quiet`. Returns the signal that ended the waiting, or 0: then captures are left.
int characteriseCaptures(CaptureJobs &jobs, Children &children, bool quiet);

/// Gives the launches of the run the profiles of their captures, and launches of one kind the
/// same ones. What could not be characterised is added to the run's errors.
void mergeProfiles(run::Run &run, const Processes &processes, const CaptureJobs &jobs);

/// Keeps the captures that are left in the folder of the run, from which `leftIn` finds them, and
/// removes the folder of captures if there are none. `file`: the run's. Returns how many. Throws
/// Error if the disk is full.
size_t keepCaptures(CaptureJobs &jobs, const Processes &processes, const SessionOptions &options,
                    const std::filesystem::path &file);

/// A run with captures that are left.
struct LeftCaptures {
  std::filesystem::path file; ///< of the run
  Processes processes;
};

/// The runs in a folder that `keepCaptures` has kept captures of. Throws Error if there are none.
std::vector<LeftCaptures> leftIn(const std::filesystem::path &folder);

/// Takes the kept captures of a run into `jobs`.
void addCaptures(const LeftCaptures &left, const std::filesystem::path &folder, CaptureJobs &jobs);

/// The captures of a run, from the application's start on. What fails later than the constructor is
/// an error of the run.
class Capturing {
public:
  /// The arguments outlive the object. Throws Error if there is no memory for captures.
  Capturing(const Capture &capture, const SessionOptions &options, Children &children,
            const PrivateFolder &scratch);

  attach::Budget budget() const { return {capture_.share, memory_.bytes(), hold()}; }
  /// Has the application reach the memory by this process, through a link in the private folder.
  /// Returns the link.
  fs::path hold() const { return scratch_.link("captures-memory", memory_.path()); }

  /// While the application runs.
  void advance();
  void stop();
  /// After its end: runs what is left, unless the user does not want to wait.
  void finish();
  /// Adds the profiles to the run, and keeps the captures that are left.
  void mergeInto(run::Run &run, const Processes &processes, const fs::path &file);

  std::size_t left() const { return left_; }
  /// The signal that ended the waiting, or 0.
  int signal() const { return signal_; }

private:
  template <typename Work> void guarded(const Work &work);

  const Capture &capture_;
  const SessionOptions &options_;
  Children &children_;
  const PrivateFolder &scratch_;
  attach::CaptureMemory memory_;
  CaptureJobs jobs_;
  std::string failure_;
  std::size_t left_ = 0;
  int signal_ = 0;
};

} // namespace aiwc::launcher
