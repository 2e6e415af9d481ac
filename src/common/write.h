/// Writes that only fail where the system would also send a signal, or has no descriptor left.
#pragma once

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

} // namespace aiwc
