/// Programs: the runs that the arguments of a subcommand name, each by itself.
#pragma once

#include "embedded.h"
#include "inputs.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::cli {

struct ProfiledProgram {
  std::filesystem::path path;         ///< of its folder or file; absolute
  std::vector<NamedProfile> profiles; ///< in the order of `readRuns`
};

/// A folder with profiles is a program, however deep it lies in an argument, and a profile or an
/// annotated kernel that is an argument itself is another. What is named twice counts once. Throws
/// whatever `readRuns` does.
std::vector<ProfiledProgram> programsIn(const std::vector<std::string> &arguments,
                                        const LaunchFilter &filter);

/// A name for each path, for people: its last component without `.json`, and as many of those
/// before it as tell it from the other paths.
std::vector<std::string> shortNames(const std::vector<std::filesystem::path> &paths);

} // namespace aiwc::cli
