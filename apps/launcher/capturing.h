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
#include <string>

namespace aiwc::launcher {

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
