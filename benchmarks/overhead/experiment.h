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
  std::string oclgrind = "oclgrind"; ///< looked up in PATH if it has no slash
  uint64_t cpuLimitS = 600;          ///< limit of CPU time for one run
  /// If set, a variant that exceeds the limit has no rounds; otherwise exceeding it is an error.
  bool leavesOutWhatIsOverLimit = false;
};

struct Usage : process::Usage {
  std::optional<KernelTimes> kernels;
};
/// The results for one workload: usage[variant][round]. A variant that exceeded the limit has no
/// rounds.
using Usages = std::vector<std::vector<Usage>>;

/// Called before each run with a description of it.
using Announce = std::function<void(const std::string &what)>;

/// Runs a workload in every variant. Each round runs all variants once, every other round in
/// reverse order, so that temporary disturbances affect all variants alike. The simulator uses one
/// thread. Throws Error for the first run that fails.
Usages measure(const Workload &workload, const std::vector<Variant> &variants,
               const Settings &settings, const Announce &announce);

} // namespace aiwc::overhead
