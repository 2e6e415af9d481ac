/// Writes that only fail where the system would also send a signal, or has no descriptor left, and
/// the signals of a thread: for a process that belongs to somebody else.
#pragma once

#include <csignal>
#include <functional>
#include <string_view>

namespace aiwc {

/// Writes all of `content` without a signal. Where the file does not take more at once (EAGAIN), it
/// waits for at most a second each time. Returns 0, or the errno of the write that failed.
int writeAll(int file, std::string_view content) noexcept;

/// Runs `work`, which opens files and returns 0 or an errno. If the process has no descriptor left
/// (EMFILE), runs it again in a thread that has a table of descriptors to itself, a copy in which
/// one is free. Returns what `work` returned last. `work` leaves no descriptor open.
int withDescriptor(const std::function<int()> &work);

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
