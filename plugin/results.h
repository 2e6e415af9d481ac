#pragma once

#include "plugin/host_transfers.h"
#include "profile/store.h"
#include "session/options.h"
#include "session/status.h"

#include <sys/types.h>

#include <optional>
#include <string>

namespace aiwc::plugin {

/// Held while profiles are written or completed, and while the plugins of the process come and go:
/// an exit waits for it, and so does a fork, whose child could not exit otherwise. A signal handler
/// that exits or forks while its own thread holds it does not wait.
class ResultsLock {
public:
  ResultsLock();
  ~ResultsLock();
  ResultsLock(const ResultsLock &) = delete;
  ResultsLock &operator=(const ResultsLock &) = delete;

private:
  bool mine_; ///< taken here, not before by the same thread
};

/// What the plugin of one context leaves in the output folder: a profile as soon as its kernel has
/// ended, whatever becomes of the application, and, where they are asked for, programs with their
/// profiles inside. What the host reads back is known, and the profile complete, only when the next
/// kernel begins, or the context or the process ends.
class Results {
public:
  /// `status` outlives the object.
  Results(const SessionOptions &options, StatusFile &status);

  /// `program`: what the profile is embedded into; empty where profiles are not embedded. Throws
  /// `aiwc::Error`.
  void write(profile::KernelProfile profile, std::string program);
  /// Completes the last profile by what the host has read since. From any thread. Throws
  /// `aiwc::Error`.
  void settle(HostTransfers &transfers);

private:
  /// A profile on disk whose host reads are not all known yet.
  struct Unsettled {
    profile::KernelProfile profile;
    profile::Stored stored;
    std::string program;
    pid_t owner; ///< a forked child leaves it to its parent
  };

  /// Puts the profile into a copy of its program.
  void embed(const profile::KernelProfile &profile, const std::string &program);

  StatusFile &status_;
  profile::ProfileStore store_;
  bool embed_, quiet_;
  std::optional<Unsettled> unsettled_; ///< guarded by ResultsLock
};

} // namespace aiwc::plugin
