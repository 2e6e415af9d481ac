#pragma once

#include "eod/process/child.h"
#include "kernel_times.h"
#include "plan.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::overhead {

struct Settings {
  unsigned rounds = 5;
  std::string oclgrind = "oclgrind"; ///< looked up in PATH where it has no slash
  uint64_t cpuLimitS = 600;          ///< of one run
  /// Runs everything under valgrind and counts the instructions that the processor would execute:
  /// what a busy machine cannot disturb. Some 50 times slower.
  bool countInstructions = false;
  /// A variant that exceeds the limit has no rounds then; otherwise that is an error.
  bool leavesOutWhatIsOverLimit = false;
};

struct Usage : process::Usage {
  std::optional<KernelTimes> kernels;
};
/// Of one workload: usage[variant][round], or no rounds for a variant that was over the limit.
using Usages = std::vector<std::vector<Usage>>;

/// Told before each run what comes next.
using Announce = std::function<void(const std::string &what)>;

/// Runs a workload in every variant, the variants taking turns within a round, in every other round
/// backwards, so that what disturbs the machine for a while disturbs them alike. One simulator
/// thread. Throws Error for the first run that fails.
Usages measure(const Workload &workload, const std::vector<Variant> &variants,
               const Settings &settings, const Announce &announce);

} // namespace aiwc::overhead
