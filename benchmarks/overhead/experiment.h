#pragma once

#include "child.h"
#include "plan.h"

#include <functional>
#include <string>
#include <vector>

namespace aiwc::overhead {

struct Settings {
  unsigned rounds = 5;
  std::string oclgrind = "oclgrind"; ///< looked up in PATH where it has no slash
  uint64_t cpuLimitS = 600;          ///< of one run
};

/// usage[workload][variant][round]
struct Measurements {
  std::vector<std::vector<std::vector<Usage>>> usage;
};

/// Told before each run: what comes next, and how far it is.
using Announce = std::function<void(const std::string &what, size_t done, size_t total)>;

/// Runs every workload in every variant, the variants taking turns within a round, so that what
/// disturbs the machine for a while disturbs them alike. One simulator thread. Throws Error for the
/// first run that fails.
Measurements measure(const Plan &plan, const Settings &settings, const Announce &announce);

/// The middle value, or the mean of the middle two; `values` is not empty.
double median(std::vector<double> values);

} // namespace aiwc::overhead
