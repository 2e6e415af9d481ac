#pragma once

#include "trace/recorder.h"

#include <cstdint>
#include <string>

namespace aiwc::bench {

/// A synthetic kernel: every work-item adds up the values that it loads in a loop, and stores the
/// sum.
struct Workload {
  std::string pattern = "random"; ///< pattern of the loads: "random", "streams" or "sweep"
  uint64_t accesses = 100'000'000;
  uint64_t bytes = uint64_t{1} << 20U;
  uint64_t groups = 1000;
  uint32_t items = 64; ///< work-items per work-group
};

/// The kernel's loop, in the form that the decoder reports.
trace::Program loopProgram();

/// Reports the events of work-group `group` of the workload to `recorder`. They are the same in
/// every call.
void simulateGroup(const Workload &workload, const trace::Program &program, uint64_t group,
                   trace::Recorder &recorder);

} // namespace aiwc::bench
