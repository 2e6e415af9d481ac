#include "eod/common/output_file.h"

#include "eod/common/opencl.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

namespace aiwc::eod {

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_.empty())
    return;
  if (isStdout()) {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  if (std::filesystem::is_directory(path_))
    throw UsageError(path_ + ": is a folder: expected a file");
  // A device or a pipe is written to, not replaced.
  const bool replaced = !std::filesystem::exists(path_) || std::filesystem::is_regular_file(path_);
  if (replaced)
    temporary_ = fmt::format("{}.{}.tmp", path_, getpid());
  const char *target = replaced ? temporary_.c_str() : path_.c_str();
  descriptor_ = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    throw UsageError(withReason(path_ + ": cannot be written", errno));
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0 || isStdout())
    return;
  close(descriptor_);
  discard();
}

std::string OutputFile::name() const {
  return isStdout() ? "standard output" : path_;
}

void OutputFile::discard() const {
  if (!temporary_.empty())
    unlink(temporary_.c_str());
}

void OutputFile::commit(const std::string &text) {
  const char *next = text.data();
  size_t left = text.size();
  while (left > 0) {
    const ssize_t written = write(descriptor_, next, left);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      throw Error(withReason(name() + ": cannot be written", errno));
    next += written;
    left -= static_cast<size_t>(written);
  }
  if (isStdout())
    return;
  const int closed = close(descriptor_);
  descriptor_ = -1;
  if (closed != 0 || (!temporary_.empty() && std::rename(temporary_.c_str(), path_.c_str()) != 0)) {
    const int reason = errno;
    discard();
    throw Error(withReason(name() + ": cannot be written", reason));
  }
}

} // namespace aiwc::eod
