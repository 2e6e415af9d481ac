/// Programs: the runs that the arguments of a subcommand name, each by itself.
#pragma once

#include "inputs.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::cli {

struct Program {
  std::filesystem::path path;         ///< of its folder or file; absolute
  std::vector<NamedProfile> profiles; ///< in the order of `readProfiles`
};

/// A folder with profiles is a program, however deep it lies in an argument, and a profile that is
/// an argument itself is another. What is named twice counts once. Throws whatever `readProfiles`
/// does.
std::vector<Program> programsIn(const std::vector<std::string> &arguments);

/// A name for each path, for people: its last component without `.json`, and as many of those
/// before it as tell it from the other paths.
std::vector<std::string> shortNames(const std::vector<std::filesystem::path> &paths);

} // namespace aiwc::cli
