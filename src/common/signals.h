/// Signals in a process that belongs to somebody else: the plugin runs in a user's application. The
/// objects change the mask of their own thread only, and restore it.
#pragma once

#include <csignal>

namespace aiwc {

/// While an instance exists, a write of its thread that the system also answers with a signal only
/// fails: with EPIPE where nobody reads a pipe any more (SIGPIPE), with EFBIG beyond the limit on
/// the size of files (SIGXFSZ). The process keeps its handlers, and a signal that was pending
/// before stays so. Instances of one thread may be nested.
class WriteSignalsHeld {
public:
  WriteSignalsHeld() noexcept;
  ~WriteSignalsHeld();
  WriteSignalsHeld(const WriteSignalsHeld &) = delete;
  WriteSignalsHeld &operator=(const WriteSignalsHeld &) = delete;

private:
  sigset_t ours_;   ///< the signals that were not pending before
  sigset_t before_; ///< the thread's mask
};

/// While an instance exists, its thread gets no signal, and threads that it creates never do: the
/// application's handlers run in the application's threads.
class AllSignalsBlocked {
public:
  AllSignalsBlocked() noexcept;
  ~AllSignalsBlocked();
  AllSignalsBlocked(const AllSignalsBlocked &) = delete;
  AllSignalsBlocked &operator=(const AllSignalsBlocked &) = delete;

private:
  sigset_t before_;
};

} // namespace aiwc
