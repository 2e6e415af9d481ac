#pragma once

#include "profile/kernel_profile.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace aiwc::profile {

/// `kernel` as a part of a file name: characters outside [A-Za-z0-9_.-] become "_", and a long name
/// is cut.
std::string fileStem(std::string_view kernel);

/// Writes profiles into a folder, as `aiwc_<kernel>_<n>.json`.
///
/// n counts up from 0, and no file is overwritten: a profile gets a number that no file of its
/// kernel has. In a folder without gaps this is the first free number. Any number of processes and
/// threads may write into the same folder. A file gets its name only when it is complete; until
/// then it has a temporary name, `.aiwc_<pid>_...`, which remains only if the process is killed;
/// the launcher deletes it then. A file that `rewrite` has replaced has such a name until `write`
/// overwrites it, or `tidy` or the destructor deletes it.
///
/// Finding a kernel's first n takes O(log n) look-ups, each further one takes one as long as no
/// other process writes. There is no lock, so a fork is safe at any time.
class ProfileStore {
public:
  /// The folder need not exist before the first write.
  explicit ProfileStore(std::filesystem::path folder);
  ~ProfileStore();
  ProfileStore(const ProfileStore &) = delete;
  ProfileStore &operator=(const ProfileStore &) = delete;

  /// Throws Error, with the path and the operating system's reason, if the folder is missing or not
  /// writable or the file system is full; then no file of the profile remains. Returns the
  /// file.
  std::filesystem::path write(const KernelProfile &profile);
  /// Replaces the file of a profile that `write` stored, in one step. Throws like `write`; then the
  /// old file is still there.
  void rewrite(const std::filesystem::path &stored, const KernelProfile &profile);

  /// Deletes what is kept for the next `write`.
  void tidy();

  const std::filesystem::path &folder() const { return folder_; }

private:
  /// What one write remembers for the next.
  struct Memory;
  class Remembered;

  std::string failure() const; ///< the beginning of error messages

  std::filesystem::path folder_;
  /// A thread takes it away while it uses it; another has to do without meanwhile.
  std::atomic<Memory *> memory_ = nullptr;
};

} // namespace aiwc::profile
