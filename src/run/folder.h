/// The folder of a run: which of its files are runs, profiles and sources.
#pragma once

#include "run/run.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::run {

/// The file run.json of a new run. It is there from the run's start, so that no other run takes the
/// folder for an empty one.
class RunFile {
public:
  /// Makes `folder`, with the folders above it, if there is none, and in it run.json, or run_2.json
  /// and so on if there are other runs. Throws Error if that fails.
  RunFile(const std::filesystem::path &folder, const Run &run);

  /// Replaces the file's content. Where that fails, as on a full disk, overwrites it within the
  /// space that the constructor reserved: by the run, or, where that is too long, by the run
  /// without its launches, which has the failure among its errors. Throws Error if launches are
  /// missing.
  void replace(const Run &run) const;
  /// Removes the file, and the folder if this object made it and it is empty.
  void remove() const noexcept;

  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path folder_, path_;
  bool madeFolder_;
};

/// What a folder has, each in natural order: aiwc_k_2 before aiwc_k_10.
struct FolderContent {
  std::vector<std::filesystem::path> runs;     ///< run.json, run_2.json, ...
  std::vector<std::filesystem::path> profiles; ///< aiwc_<kernel>_<n>.json
  std::vector<std::filesystem::path> folders;  ///< but hidden ones

  bool isRun() const { return !runs.empty() || !profiles.empty(); }
};
/// Throws Error if the folder cannot be read.
FolderContent contentOf(const std::filesystem::path &folder);

/// The file of the one run that `file` names: that file, or the one run.json of a folder. Throws
/// Error if a folder has none or several.
std::filesystem::path onlyRunOf(const std::filesystem::path &file);

/// Reads a run. Throws Error as `runOf` does, and if the file cannot be read.
Run readRun(const std::filesystem::path &file);

/// Much larger than the run.json of a million launches, and small enough not to exhaust memory.
inline constexpr std::uintmax_t kMaximumRunBytes = std::uintmax_t{1} << 30U;

/// A name for the folder of a run of `command` in the folder `parent`: "aiwc-app", or "aiwc-app-2"
/// and so on, the first that does not exist.
std::filesystem::path newFolderFor(const std::filesystem::path &parent, std::string_view command);

/// Compares names with the numbers in them ordered by value.
bool naturalLess(std::string_view a, std::string_view b);

} // namespace aiwc::run
