#include "common/file.h"

#include "common/error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <system_error>
#include <utility>

namespace aiwc {

namespace {

namespace fs = std::filesystem;

/// Returns 0, or the errno of the write that failed.
int writeAll(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written < 0 && errno != EINTR)
      return errno;
    if (written > 0)
      content.remove_prefix(static_cast<size_t>(written));
  }
  return 0;
}

} // namespace

std::string readFile(const fs::path &file, std::string_view expected, std::uintmax_t maximumBytes) {
  const auto refuse = [&](const std::string &what, const std::string &limit = "") {
    throw Error(what + ": expected " + std::string(expected) + limit);
  };
  const std::string &name = file.native();
  // Check the file type before opening: opening a pipe would wait for its other end.
  struct stat status {};
  if (stat(name.c_str(), &status) != 0)
    refuse(withReason(name + ": cannot be read", errno));
  if (!S_ISREG(status.st_mode))
    refuse(name + ": is not a regular file");
  if (static_cast<std::uintmax_t>(status.st_size) > maximumBytes)
    refuse(name + ": has " + std::to_string(status.st_size) + " bytes",
           " of at most " + std::to_string(maximumBytes));
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string content(static_cast<size_t>(status.st_size), '\0');
  stream.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (!stream.is_open() || stream.bad())
    refuse(withReason(name + ": cannot be read", errno));
  content.resize(static_cast<size_t>(stream.gcount()));
  return content;
}

std::optional<std::string> readFileIfAny(const fs::path &file) {
  try {
    return readFile(file, "a file");
  } catch (const Error &) {
    return std::nullopt;
  }
}

NewFile::NewFile(const fs::path &folder, std::string_view content, std::string failure,
                 std::optional<mode_t> mode)
    : failure_(std::move(failure)) {
  const int file = create(folder, mode);
  int reason = writeAll(file, content);
  if (reason == 0 && mode && fchmod(file, *mode) != 0)
    reason = errno;
  // Some file systems (NFS, quotas) report a full disk only when the file is closed.
  if (close(file) != 0 && reason == 0 && errno != EINTR)
    reason = errno;
  if (reason != 0) {
    unlink(path_.c_str());
    fail(reason);
  }
}

NewFile::~NewFile() {
  if (!path_.empty())
    unlink(path_.c_str());
}

int NewFile::create(const fs::path &folder, std::optional<mode_t> mode) {
  // A file that will be private must be private before its first byte is written.
  const mode_t atFirst = mode ? *mode & 0600U : 0666U;
  for (uint64_t count = 0;; ++count) {
    path_ = folder / (".aiwc_" + std::to_string(getpid()) + "_" + std::to_string(count));
    const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, atFirst);
    if (file >= 0)
      return file;
    // The name is taken: by another thread, or by a killed process that had the same process id.
    if (errno != EEXIST && errno != EINTR)
      fail(errno);
  }
}

bool NewFile::claim(const fs::path &target) {
  if (link(path_.c_str(), target.c_str()) == 0)
    return true;
  // Some file systems have no hard links; on these, try RENAME_NOREPLACE instead.
  if ((errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS) &&
      renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0) {
    path_.clear(); // another thread may use the old name from now on
    return true;
  }
  if (errno == EEXIST)
    return false;
  fail(errno);
}

void NewFile::replace(const fs::path &target) {
  if (rename(path_.c_str(), target.c_str()) != 0)
    fail(errno);
  path_.clear();
}

void NewFile::fail(int errorNumber) const {
  throw Error(withReason(failure_, errorNumber));
}

void replaceFile(const fs::path &file, std::string_view content) {
  std::error_code missing;
  const fs::path resolved = fs::canonical(file, missing);
  const fs::path target = missing ? file : resolved;
  struct stat status {};
  const bool exists = stat(target.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) // the rename below would replace a device by a file
    throw Error(file.native() + ": is not a regular file: expected one, or a new name");
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  NewFile fresh(folder, content, file.native() + ": cannot be written",
                exists ? std::optional<mode_t>(status.st_mode & 07777U) : std::nullopt);
  fresh.replace(target);
}

} // namespace aiwc
