#include "profile/store.h"

#include "common/error.h"
#include "profile/csv.h"
#include "profile/json.h"
#include "profile/text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <utility>

namespace aiwc::profile {

namespace {

[[noreturn]] void fail(const std::filesystem::path &path, int errorNumber) {
  throw Error(withReason(path.string() + ": the profile cannot be written", errorNumber));
}

/// A complete file under a name that nobody looks for, until it gets its own by `claim` or
/// `replace`. Removed at the end of its scope.
class TemporaryFile {
public:
  TemporaryFile(const std::filesystem::path &folder, std::atomic<uint64_t> &counter,
                std::string_view content) {
    const int file = create(folder, counter);
    int failure = writeAll(file, content);
    // Some file systems (NFS, quotas) report a full disk no earlier than here.
    if (close(file) != 0 && failure == 0 && errno != EINTR)
      failure = errno;
    if (failure != 0) {
      unlink(path_.c_str());
      fail(folder, failure);
    }
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  /// Makes the content appear as `target`; false, and nothing done, where that exists.
  bool claim(const std::filesystem::path &target) const {
    if (link(path_.c_str(), target.c_str()) == 0)
      return true;
    // Not every file system has hard links; those that lack them have this.
    if ((errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS) &&
        renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) == 0)
      return true;
    if (errno == EEXIST)
      return false;
    fail(target, errno);
  }

  /// Makes the content appear as `target` in place of what is there.
  void replace(const std::filesystem::path &target) const {
    if (rename(path_.c_str(), target.c_str()) != 0)
      fail(target, errno);
  }

private:
  int create(const std::filesystem::path &folder, std::atomic<uint64_t> &counter) {
    for (;;) {
      path_ = folder / fmt::format(".aiwc_{}_{}", getpid(), counter++);
      const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (file >= 0)
        return file;
      // Another store's, or left by a killed process that had our number.
      if (errno != EEXIST && errno != EINTR)
        fail(folder, errno);
    }
  }

  /// 0, or the errno.
  static int writeAll(int file, std::string_view content) {
    while (!content.empty()) {
      const ssize_t written = ::write(file, content.data(), content.size());
      if (written < 0 && errno != EINTR)
        return errno;
      if (written > 0)
        content.remove_prefix(static_cast<size_t>(written));
    }
    return 0;
  }

  std::filesystem::path path_;
};

/// Whether something has the name, be it a link that leads nowhere.
bool isPresent(const std::filesystem::path &path) {
  struct stat ignored {};
  return lstat(path.c_str(), &ignored) == 0;
}

/// The numbered names of one kernel's profiles.
class Names {
public:
  Names(const std::filesystem::path &folder, std::string_view kernel)
      : prefix_((folder / fmt::format("aiwc_{}_", fileStem(kernel))).string()) {}

  Stored operator[](uint64_t n) const {
    return {fmt::format("{}{}.json", prefix_, n), fmt::format("{}{}.csv", prefix_, n)};
  }

  /// 0, or a free number behind a taken one. Doubling steps, then bisection. Every probe that was
  /// taken stays taken, so a process's numbers increase, whatever gaps the folder has.
  uint64_t firstFree() const {
    if (!taken(0))
      return 0;
    uint64_t lastTaken = 0;
    uint64_t free = 1;
    for (; taken(free); free *= 2)
      lastTaken = free;
    while (free - lastTaken > 1) {
      const uint64_t middle = lastTaken + (free - lastTaken) / 2;
      (taken(middle) ? lastTaken : free) = middle;
    }
    return free;
  }

private:
  bool taken(uint64_t n) const {
    const Stored names = (*this)[n];
    return isPresent(names.json) || isPresent(names.csv);
  }

  std::string prefix_;
};

} // namespace

std::string fileStem(std::string_view kernel) {
  // Leaves room in a name of 255 bytes for the rest of it.
  constexpr size_t kMaximumBytes = 160;
  std::string stem(kernel.substr(0, kMaximumBytes));
  for (char &c : stem) {
    const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '.' || c == '-';
    if (!safe)
      c = '_';
  }
  return stem;
}

ProfileStore::ProfileStore(std::filesystem::path folder, bool csv)
    : folder_(std::move(folder)), csv_(csv) {}

Stored ProfileStore::write(const KernelProfile &profile) {
  const TemporaryFile json(folder_, temporaries_, toJson(profile));
  std::optional<TemporaryFile> csv;
  if (csv_)
    csv.emplace(folder_, temporaries_, toCsv(profile));
  const Names names(folder_, profile.provenance.kernel);
  for (uint64_t n = names.firstFree();; ++n) {
    Stored stored = names[n];
    // A CSV file without its JSON file: somebody's, so the number is not ours.
    if (isPresent(stored.csv))
      continue;
    // The JSON file is what claims the number, once and for all processes.
    if (!json.claim(stored.json))
      continue;
    if (!csv) {
      stored.csv.clear();
      return stored;
    }
    try {
      if (csv->claim(stored.csv))
        return stored;
    } catch (const Error &) {
      unlink(stored.json.c_str());
      throw;
    }
    unlink(stored.json.c_str()); // somebody's CSV file has appeared meanwhile
  }
}

void ProfileStore::rewrite(const Stored &stored, const KernelProfile &profile) {
  const TemporaryFile json(folder_, temporaries_, toJson(profile));
  std::optional<TemporaryFile> csv;
  if (!stored.csv.empty())
    csv.emplace(folder_, temporaries_, toCsv(profile));
  json.replace(stored.json);
  if (csv)
    csv->replace(stored.csv);
}

} // namespace aiwc::profile
