/// What the launches of a run find in caches because earlier launches accessed the same memory.
#pragma once

#include "run/run.h"

#include <compare>
#include <filesystem>
#include <map>
#include <string>

namespace aiwc::run {

/// Launches of one profile and one size.
struct LaunchesAlike {
  std::string profile; ///< name of its file
  profile::Size3 globalSize{}, localSize{};

  auto operator<=>(const LaunchesAlike &) const = default;
};
LaunchesAlike likeOf(const Launch &launch);

/// Of these launches, on average.
struct FoundInCaches {
  double bytes = 0; ///< of the buffers and images of a launch
  /// Bytes that are accessed in between -> share of `bytes` that an earlier launch accessed. In
  /// between are all other memory of that launch and of this one, and that of the launches between
  /// them. The shares of memory that no launch accessed before are missing.
  std::map<uint64_t, double> shares;
};

/// Each launch is taken to access all of its buffers and images, and the host to leave caches as
/// they are. Launches without a profile count as those with the nearest one (estimateFromNearest).
/// Takes time in proportion to n log n for n arguments of launches.
std::map<LaunchesAlike, FoundInCaches> foundInCaches(const Run &run);

/// Sets Reuse::found. If the launch accesses a part of the memory only, it finds as small a part of
/// what it accesses: nothing tells whether that is the part that an earlier launch accessed.
void setFound(profile::KernelProfile &profile, const FoundInCaches &found);

/// The same from what the launches of a run find, for the profile in the file of this name. Leaves
/// the profile as it is if the run does not list it.
void setFound(profile::KernelProfile &profile, const std::map<LaunchesAlike, FoundInCaches> &ofRun,
              const std::string &name);

/// Sets Reuse::found of the profile in `file` by the run in whose folder it lies. Leaves it as it
/// is if no run lists the profile, or if the run cannot be read: who names a profile needs no run.
/// The last run is kept, so that it is read once for all of its profiles, until its file changes.
void setFoundOf(const std::filesystem::path &file, profile::KernelProfile &profile);

} // namespace aiwc::run
