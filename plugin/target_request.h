/// What the launcher needs to add profile::TargetTraffic to a profile after the run
/// (launcher/target_traffic.h): the program, and how often its blocks were executed.
#pragma once

#include "plugin/invocation.h"

#include <filesystem>
#include <string>

namespace aiwc::plugin {

/// Keeps the program in `folder`. Returns lines: the file name of its bitcode; the most work-items
/// of a group; the kernel; and for each block of the IR its function's number in the module, its
/// own there, and its executions. Empty if these were not counted. Throws Error.
std::string targetRequest(const Invocation &invocation, const profile::KernelProfile &profile,
                          const std::filesystem::path &folder);

/// Keeps a request for the profile of this file name in `folder`. Throws Error.
void keepTargetRequest(const std::string &request, const std::filesystem::path &folder,
                       const std::string &profile);

} // namespace aiwc::plugin
