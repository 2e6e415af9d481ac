#pragma once

#include "eod/common/error.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace aiwc::process {

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
  uint64_t cpuLimitS = 0; ///< it is killed behind this much CPU time; 0: it is not
};

/// The caller's own environment.
std::map<std::string, std::string> currentEnvironment();

/// Its status was not 0, or a signal killed it. The message names both and its last line on stderr.
class ChildFailed : public eod::Error {
public:
  ChildFailed(const std::string &message, std::string lastLine)
      : eod::Error(message), lastLine_(std::move(lastLine)) {}
  /// For a line of a report: the child's last line, or the whole message where it wrote none.
  std::string reason() const { return lastLine_.empty() ? what() : lastLine_; }

private:
  std::string lastLine_;
};

/// It was killed for the CPU time that it had used.
class ChildOverLimit : public ChildFailed {
public:
  using ChildFailed::ChildFailed;
};

/// Runs it to its end; it is killed when the caller dies. Throws ChildFailed or ChildOverLimit, and
/// Error where the system starts no process.
Usage run(const Child &child);

} // namespace aiwc::process
