#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace aiwc::profile {

/// Where a profile lies.
struct Stored {
  std::filesystem::path json;
  std::filesystem::path csv; ///< empty where none was asked for
};

/// `kernel` as a part of a file name: what is not in [A-Za-z0-9_.-] becomes "_", and a long name
/// is cut.
std::string fileStem(std::string_view kernel);

/// Writes profiles into a folder, as `aiwc_<kernel>_<n>.json` and, if asked to, `.csv`.
///
/// n counts up from 0 and nothing is overwritten: a profile gets a number that no file of its
/// kernel has, and in a folder without gaps that is the first free one. Any number of processes and
/// threads may write into the same folder. A file is complete from the moment it has its name; what
/// precedes it is called `.aiwc_<pid>_...` and goes away, but where the process is killed.
///
/// Finding n takes O(log n) look-ups. There is no state, no lock, and nothing that a fork could
/// catch half-way.
class ProfileStore {
public:
  /// The folder must exist when something is written, not before. `csv`: whether each profile gets
  /// a CSV file, too; the files then take twice the time.
  ProfileStore(std::filesystem::path folder, bool csv);

  /// Throws Error, with the path and the operating system's reason, where the folder is missing or
  /// cannot be written to or the file system is full. Then the profile has left no file.
  Stored write(const KernelProfile &profile);
  /// Replaces what `write` returned `stored` for, each file in one step. Throws like it, and then
  /// the old files are still there.
  void rewrite(const Stored &stored, const KernelProfile &profile);

  const std::filesystem::path &folder() const { return folder_; }

private:
  std::string failure() const; ///< what messages begin with

  std::filesystem::path folder_;
  bool csv_;
};

} // namespace aiwc::profile
