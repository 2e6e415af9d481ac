#include "common/file.h"

#include "common/error.h"
#include "common/write.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <system_error>
#include <utility>

namespace aiwc {

namespace {

namespace fs = std::filesystem;

/// Whether nobody else has the file open or by another name, so that overwriting it changes what
/// nobody sees.
bool isOursAlone(int file) {
  struct stat status {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink != 1)
    return false;
  // A lease to write is granted only if no other descriptor is open. Who opens the file before it
  // is given back makes the kernel send a signal; this one is ignored by default.
  if (fcntl(file, F_SETSIG, SIGURG) != 0 || fcntl(file, F_SETLEASE, F_WRLCK) != 0)
    return false;
  fcntl(file, F_SETLEASE, F_UNLCK);
  return true;
}

/// Reads files, and says what is wrong with one.
class Reader {
public:
  Reader(std::string name, std::string_view expected, std::uintmax_t maximumBytes)
      : name_(std::move(name)), expected_(expected), maximumBytes_(maximumBytes) {}

  [[noreturn]] void refuse(const std::string &what) const {
    throw Error(name_ + what + ": expected " + std::string(expected_));
  }
  [[noreturn]] void unreadable(int reason) const { refuse(withReason(": cannot be read", reason)); }
  void requireSize(std::uintmax_t bytes) const {
    if (bytes > maximumBytes_)
      tooLarge(" has " + std::to_string(bytes) + " bytes");
  }

  /// Opens and reads `path`, of which the type has been checked.
  std::string fileAt(const std::string &path) const {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
      unreadable(errno);
    struct Closed {
      int file;
      ~Closed() { close(file); }
    } const closed{file};
    return toEnd(file);
  }

  std::string toEnd(int file) const {
    constexpr size_t kAtOnce = size_t{64} << 10U;
    std::string content;
    struct stat status {};
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
      requireSize(static_cast<std::uintmax_t>(status.st_size));
      content.reserve(static_cast<size_t>(status.st_size) + kAtOnce);
    }
    for (;;) {
      const size_t before = content.size();
      content.resize(before + kAtOnce);
      const ssize_t read = ::read(file, content.data() + before, kAtOnce);
      const int reason = errno;
      content.resize(before + static_cast<size_t>(std::max<ssize_t>(read, 0)));
      if (read == 0)
        return content;
      if (read < 0 && reason != EINTR)
        unreadable(reason);
      if (content.size() > maximumBytes_)
        tooLarge(" has more than " + std::to_string(maximumBytes_) + " bytes");
    }
  }

private:
  [[noreturn]] void tooLarge(const std::string &what) const {
    throw Error(name_ + ":" + what + ": expected " + std::string(expected_) + " of at most " +
                std::to_string(maximumBytes_));
  }

  std::string name_;
  std::string_view expected_;
  std::uintmax_t maximumBytes_;
};

std::string readOf(const fs::path &file, const Reader &reader, bool pipes) {
  // Check the file type before opening: opening a pipe would wait for its other end.
  struct stat status {};
  if (stat(file.c_str(), &status) != 0)
    reader.unreadable(errno);
  if (!S_ISREG(status.st_mode) && !(pipes && S_ISFIFO(status.st_mode)))
    reader.refuse(!pipes                    ? ": is not a regular file"
                  : S_ISDIR(status.st_mode) ? ": is a folder"
                                            : ": is neither a regular file nor a pipe");
  return reader.fileAt(file.native());
}

} // namespace

std::string readFile(const fs::path &file, std::string_view expected, std::uintmax_t maximumBytes) {
  return readOf(file, Reader(file.native(), expected, maximumBytes), false);
}

std::string readFileOrPipe(const fs::path &file, std::string_view expected,
                           std::uintmax_t maximumBytes) {
  return readOf(file, Reader(file.native(), expected, maximumBytes), true);
}

std::string readStandardInput(const std::string &name, std::string_view expected,
                              std::uintmax_t maximumBytes) {
  return Reader(name, expected, maximumBytes).toEnd(STDIN_FILENO);
}

std::optional<std::string> readFileIfAny(const fs::path &file) {
  try {
    return readFile(file, "a file");
  } catch (const Error &) {
    return std::nullopt;
  }
}

std::string temporaryPrefix(pid_t writer) {
  return std::string(kTemporaryPrefix) + std::to_string(writer) + "_";
}

void SpareFile::drop() noexcept {
  if (!path_.empty() && owner_ == getpid())
    unlink(path_.c_str());
  path_.clear();
}

NewFile::NewFile(const fs::path &folder, std::string_view content, std::string failure,
                 std::optional<mode_t> mode, SpareFile *spare)
    : failure_(std::move(failure)) {
  if (const int reason = withDescriptor([&] { return make(folder, content, mode, spare); })) {
    path_.clear();
    fail(reason);
  }
}

NewFile::~NewFile() {
  if (!path_.empty())
    unlink(path_.c_str());
}

int NewFile::make(const fs::path &folder, std::string_view content, std::optional<mode_t> mode,
                  SpareFile *spare) {
  int file = spare && !mode ? reopen(*spare) : -1;
  const bool isReopened = file >= 0;
  if (!isReopened)
    file = create(folder, mode);
  if (file < 0)
    return errno;
  int reason = writeAll(file, content);
  if (reason == 0 && isReopened && ftruncate(file, static_cast<off_t>(content.size())) != 0)
    reason = errno;
  if (reason == 0 && mode && fchmod(file, *mode) != 0)
    reason = errno;
  // Some file systems (NFS, quotas) report a full disk only when the file is closed.
  if (close(file) != 0 && reason == 0 && errno != EINTR)
    reason = errno;
  if (reason != 0)
    unlink(path_.c_str());
  return reason;
}

int NewFile::reopen(SpareFile &spare) {
  if (spare.path_.empty() || spare.owner_ != getpid())
    return -1;
  const int file = open(spare.path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file >= 0 && isOursAlone(file)) {
    path_ = std::move(spare.path_);
    spare.path_.clear();
    return file;
  }
  if (file >= 0)
    close(file);
  spare.drop();
  return -1;
}

int NewFile::create(const fs::path &folder, std::optional<mode_t> mode) {
  // A file that will be private must be private before its first byte is written.
  const mode_t atFirst = mode ? *mode & 0600U : 0666U;
  for (uint64_t count = 0;; ++count) {
    path_ = folder / (temporaryPrefix(getpid()) + std::to_string(count));
    const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, atFirst);
    // The name is taken: by another thread, or by a killed process that had the same process id.
    if (file >= 0 || (errno != EEXIST && errno != EINTR))
      return file;
  }
}

bool NewFile::claim(const fs::path &target) {
  if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0) {
    path_.clear(); // another thread may use the old name from now on
    return true;
  }
  // Some file systems (NFS) cannot rename so; these have hard links.
  if ((errno == EINVAL || errno == ENOSYS || errno == EPERM) &&
      link(path_.c_str(), target.c_str()) == 0)
    return true;
  if (errno == EEXIST)
    return false;
  fail(errno);
}

void NewFile::replace(const fs::path &target, SpareFile *replaced) {
  if (replaced)
    replaced->drop();
  if (replaced &&
      renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) {
    replaced->path_ = std::move(path_);
    replaced->owner_ = getpid();
  } else if (rename(path_.c_str(), target.c_str()) != 0) {
    fail(errno);
  }
  path_.clear();
}

void NewFile::fail(int errorNumber) const {
  throw Error(withReason(failure_, errorNumber));
}

bool isRunning(pid_t process) {
  if (kill(process, 0) != 0 && errno == ESRCH)
    return false;
  // "<number> (<name>) <state> ...": a process that nobody has waited for is a zombie.
  const auto facts = readFileIfAny("/proc/" + std::to_string(process) + "/stat");
  const size_t end = facts ? facts->rfind(')') : std::string::npos;
  return end == std::string::npos || facts->substr(end).compare(0, 3, ") Z") != 0;
}

void removeOldTemporaryFiles(const fs::path &folder) {
  // A machine that shares the folder has processes of its own, which hold a file that is to get a
  // name for milliseconds only.
  constexpr std::time_t kSeconds = 10;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    pid_t writer = 0;
    struct stat facts {};
    if (!name.starts_with(kTemporaryPrefix))
      continue;
    const char *const digits = name.data() + kTemporaryPrefix.size();
    const auto [after, failed] = std::from_chars(digits, name.data() + name.size(), writer);
    if (failed == std::errc() && *after == '_' && writer > 0 && !isRunning(writer) &&
        lstat(entry->path().c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
        facts.st_mtime + kSeconds <= std::time(nullptr))
      unlink(entry->path().c_str());
  }
}

void removeTemporaryFiles(const fs::path &folder, pid_t writer) {
  if (isRunning(writer))
    return;
  const std::string prefix = temporaryPrefix(writer);
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().filename().native().starts_with(prefix))
      unlink(entry->path().c_str());
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
