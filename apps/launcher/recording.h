#pragma once

#include "attach/pending_reports.h"
#include "launcher/captured.h"
#include "launcher/child.h"
#include "launcher/preflight.h"
#include "run/run.h"
#include "session/options.h"

#include <functional>
#include <string>
#include <vector>

namespace aiwc::launcher {

/// The exit status if the application ended well, but not all that was wanted of it is there.
inline constexpr int kPluginStatus = 3;
/// That of a run in which the application ended well, but nothing was characterised.
inline constexpr int kEmptyStatus = 4;

/// Thrown in the process that has completed a run which outlived its application. It has nothing
/// else to do.
struct CompletedLater {};

/// What processes of the application have not come to report.
class PendingLaunches {
public:
  /// Throws Error if there is no memory for them.
  explicit PendingLaunches(const PrivateFolder &scratch) : scratch_(scratch) {}
  /// Has the application reach the memory by this process, through a link in the private folder.
  /// Returns the link.
  fs::path hold() const { return scratch_.link("reports-memory", memory_.path()); }
  std::vector<std::string> read() const { return memory_.pending(); }

private:
  const PrivateFolder &scratch_;
  attach::ReportMemory memory_;
};

/// A run on the application's own device.
struct OwnDevice {
  bool isPreloaded;                   ///< whether the layer is
  Capturing *capturing = nullptr;     ///< null: no launches are captured
  PendingLaunches *pending = nullptr; ///< null: processes keep none
};

/// Where a run is recorded.
struct Recording {
  SessionOptions &options;
  Children &children;
  PrivateFolder &scratch;
  const OwnDevice *device = nullptr; ///< null: in the simulator

  Capturing *capturing() const { return device ? device->capturing : nullptr; }
  PendingLaunches *pending() const { return device ? device->pending : nullptr; }
};

/// Runs `command`, after `prepare` in its process, and writes what its processes report to the file
/// of the run, and to standard error. Returns how the application ended, as a waitpid(2) status.
/// Throws Error, Interrupted, and, in a process of its own, CompletedLater.
int record(const Recording &recording, run::Run run, const std::vector<std::string> &command,
           const std::function<void()> &prepare);

} // namespace aiwc::launcher
