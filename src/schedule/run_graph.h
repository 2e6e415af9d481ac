/// The task graph of a run: its launches, and what connects them through memory.
#pragma once

#include "predict/cost_model.h"
#include "profile/kernel_profile.h"
#include "run/launch.h"
#include "schedule/graph.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace aiwc::schedule {

/// What a launch does to an allocation of its process.
struct Use {
  uint64_t allocation = 0;
  uint64_t bytes = 0;
  bool reads = false; ///< or writes only a part, so that the rest has to be there
  bool writes = false;

  bool operator==(const Use &) const = default;
};

/// The uses of a launch, by allocation. From the `accesses` in its profile: those that the kernel's
/// own function makes to an argument count for that argument; any other, which may go anywhere,
/// counts for all arguments in memory that have none of their own. Without that table each argument
/// is read and written. Atomics read and write. A write replaces all of an allocation if the
/// addresses of one access in the source cover it.
std::vector<Use> usesOf(const run::Launch &launch,
                        const std::optional<std::vector<profile::AccessRow>> &accesses);

/// A launch as a task.
struct LaunchTask {
  std::string kernel; ///< name
  uint64_t invocation = 0;
  std::vector<double> seconds;                           ///< by device
  std::vector<std::optional<predict::Interval>> factors; ///< by device, as Task::factors
  std::vector<Use> uses;
  run::Transfers hostToDevice, deviceToHost; ///< before it, and after it
};

/// The task graph of the launches of one process, in order, on `devices` and the host, which is the
/// last worker. docs/scheduling.md, "Simulating machines", says what follows from which part of a
/// run. CPUs and integrated GPUs work in the host's memory. Transfers take the model's times.
/// Throws Error for a device whose link to the host is not known, and without devices.
Graph graphOf(std::span<const LaunchTask> launches, std::span<const predict::DeviceProfile> devices,
              const predict::CostModel &model);

} // namespace aiwc::schedule
