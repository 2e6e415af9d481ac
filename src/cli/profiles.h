#pragma once

#include "profile/kernel_profile.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::cli {

struct NamedProfile {
  std::string file;
  profile::KernelProfile profile;
  bool fromFolder = false; ///< whether the folder was named, not the file
};

/// The profiles that the arguments name: JSON files, and folders for all the `aiwc_*.json` in them,
/// by kernel and number. Throws Error for an argument that is neither, a folder without profiles,
/// and whatever `readProfile` refuses.
std::vector<NamedProfile> readProfiles(const std::vector<std::string> &arguments);

/// A JSON array of them.
std::string toJsonArray(const std::vector<NamedProfile> &profiles);

} // namespace aiwc::cli
