#pragma once

#include "eod/common/error.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace aiwc::process {

/// The resources that a program used, including its own children that it waited for.
struct Usage {
  uint64_t cpuUs = 0; ///< user and system time
  uint64_t wallUs = 0;
  uint64_t peakMemoryBytes = 0; ///< largest resident set of one process
};

/// A program to run, and its environment and limits.
struct Child {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment; ///< the complete environment
  std::filesystem::path errors;                   ///< takes its stderr; its stdout is thrown away
  uint64_t cpuLimitS = 0;                         ///< killed after this much CPU time; 0: no limit
};

/// The caller's own environment.
std::map<std::string, std::string> currentEnvironment();

/// Thrown if its status was not 0, or if a signal killed it. The message names both and its last
/// line on stderr.
class ChildFailed : public eod::Error {
public:
  ChildFailed(const std::string &message, std::string lastLine)
      : eod::Error(message), lastLine_(std::move(lastLine)) {}
  /// For one line of a report: the child's last line, or the whole message if it wrote none.
  std::string reason() const { return lastLine_.empty() ? what() : lastLine_; }

private:
  std::string lastLine_;
};

/// Thrown if it was killed because it exceeded its limit of CPU time.
class ChildOverLimit : public ChildFailed {
public:
  using ChildFailed::ChildFailed;
};

/// Runs the program to its end; it is killed if the caller dies. Throws ChildFailed or
/// ChildOverLimit, and Error if the system cannot start the process.
Usage run(const Child &child);

} // namespace aiwc::process
