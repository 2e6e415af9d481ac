#pragma once

#include "plugin/host_transfers.h"
#include "profile/store.h"
#include "session/options.h"
#include "session/status.h"

#include <sys/types.h>

#include <optional>
#include <set>
#include <string>
#include <unordered_map>

namespace aiwc::plugin {

/// A lock that is held while profiles are written or completed and while plugins are created or
/// destroyed. An exit of the process waits for it. So does a fork: otherwise its child would
/// inherit the held lock and could not exit. A signal handler that exits or forks while its own
/// thread holds the lock does not wait.
class ResultsLock {
public:
  ResultsLock();
  ~ResultsLock();
  ResultsLock(const ResultsLock &) = delete;
  ResultsLock &operator=(const ResultsLock &) = delete;

  /// Says that this thread ends the process. From now on every other thread pauses for two seconds
  /// when it first releases a lock. As a rule the process ends meanwhile; without the pause the
  /// thread would use objects of Oclgrind that the exit destroys. It goes on afterwards, in case
  /// the exit waits for it.
  static void processExits();

private:
  bool mine_; ///< whether this object took the lock; false if the thread already held it
};

/// Writes the results of one context to the output folder: each profile as soon as its kernel has
/// ended, so that it survives a crash of the application. The number of bytes that the host reads
/// back is known, and the profile complete, only when the next kernel begins, or the context or the
/// process ends.
class Results {
public:
  /// `status` outlives the object.
  Results(const SessionOptions &options, StatusFile &status);

  /// Writes the profile. If there is a launcher and an earlier profile of this context differs only
  /// in the number of the launch and its transfers, writes nothing: the earlier profile serves both
  /// launches, and the file of the run has the numbers and transfers of each. Returns the file name
  /// of the profile. Throws `aiwc::Error`.
  std::string write(profile::KernelProfile profile);
  /// Keeps the source of a kernel beside its profile, once. Returns its file name; empty if `text`
  /// is. `kind`: as in profile::Provenance. Throws `aiwc::Error`.
  std::string keepSource(const std::string &text, const std::string &kind);
  /// Adds what the host has read since then to the last profile. Any thread may call it. Throws
  /// `aiwc::Error`.
  void settle(const TransferCounts &toHost);
  /// Frees what is kept for the next profile: it may be written much later, or never.
  void tidy();

private:
  /// A profile on disk whose host reads are not all known yet.
  struct Unsettled {
    profile::KernelProfile profile;
    std::filesystem::path stored;
    pid_t owner; ///< process that wrote it; a forked child leaves it alone
  };

  StatusFile &status_;
  profile::ProfileStore store_;
  bool hasLauncher_;
  std::optional<Unsettled> unsettled_; ///< guarded by ResultsLock
  /// File names of the profiles, by a hash of their content without the launch.
  std::unordered_map<std::string, std::string> written_;
  std::set<std::string> sources_; ///< file names that were written
  pid_t writer_ = 0;              ///< reported to the launcher; guarded by ResultsLock
};

} // namespace aiwc::plugin
