/// The standard error of a process that belongs to somebody else. Headers only: the preloaded
/// library has no other file.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace aiwc::plugin {

/// Remembers which file was standard error when the object was made, and keeps a duplicate of it.
/// An application may close descriptor 2 and get the same number for a file of its own, and it may
/// close every descriptor that it does not know: each use asks whether the file is still the same.
class StandardError {
public:
  StandardError() noexcept : known_(fstat(STDERR_FILENO, &file_) == 0) {
    // Where a process may have few descriptors, it gets them all.
    constexpr rlim_t kEnough = 1024;
    constexpr int kLeast = 1000; // beyond the numbers that an application is likely to expect
    rlimit limit{};
    if (known_ && getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= kEnough)
      copy_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, kLeast);
  }
  StandardError(const StandardError &) = delete;
  StandardError &operator=(const StandardError &) = delete;

  /// A descriptor of that file; -1 if the application has closed them all.
  int descriptor() const noexcept {
    if (isSame(copy_))
      return copy_;
    return isSame(STDERR_FILENO) ? STDERR_FILENO : -1;
  }

  /// Call it in the child of a fork. The child is to hold no file open of which it does not know: a
  /// daemon that gives its standard error away would keep a reader of the old one waiting.
  void releaseCopy() noexcept {
    if (isSame(copy_))
      close(copy_);
    copy_ = -1;
  }

private:
  bool isSame(int descriptor) const noexcept {
    struct stat now {};
    return known_ && descriptor >= 0 && fstat(descriptor, &now) == 0 &&
           now.st_dev == file_.st_dev && now.st_ino == file_.st_ino;
  }

  struct stat file_ {};
  bool known_;
  int copy_ = -1;
};

} // namespace aiwc::plugin
