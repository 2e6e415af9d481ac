#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace aiwc::overhead {

/// What a program used, its own children that it waited for included.
struct Usage {
  uint64_t cpuUs = 0; ///< user and system time
  uint64_t wallUs = 0;
  uint64_t peakMemoryBytes = 0; ///< largest resident set of one process
  uint64_t instructions = 0;    ///< 0: not counted
};

/// A program to run and what it runs in.
struct Child {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment; ///< the whole of it
  std::filesystem::path errors;                   ///< takes its stderr; its stdout is thrown away
  uint64_t cpuLimitS = 0;                         ///< it is killed behind this much CPU time
};

/// Runs it to its end. Throws Error where it cannot be started or fails.
Usage run(const Child &child);

} // namespace aiwc::overhead
