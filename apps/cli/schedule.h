/// `aiwc split --schedule`: how a run would be scheduled on several devices.
#pragma once

#include "embedded.h"
#include "models.h"

#include <cstdint>
#include <optional>
#include <string>

namespace aiwc::cli {

struct ScheduleArguments {
  std::string run; ///< the folder of one run, or its run.json
  LaunchOptions launch;
  std::string devices;
  ModelOptions model;
  std::optional<uint64_t> process;
  std::string output; ///< the timeline to write; empty: none
  bool json = false;
};

/// Simulates the schedules, prints them, and writes their timelines. Throws Error for a run that
/// cannot be scheduled.
void schedule(const ScheduleArguments &arguments);

} // namespace aiwc::cli
