/// Characterises other local sizes of a run's kernels, by running its command again.
#pragma once

#include "advice/tuning.h"
#include "inputs.h"
#include "kernel_launches.h"
#include "predict/fitted/fitted_cost_model.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace aiwc::cli {

/// How many kernels are tuned, those with the longest predicted times.
inline constexpr size_t kTunedKernels = 3;

/// The predicted times of the heaviest launch of each kernel with other local sizes, a value for
/// each of `kernels`; none for a kernel that is not among the `kTunedKernels` longest. `folder` is
/// the folder of the run that has the kernels. Its command runs once for each local size, in the
/// folder in which it ran, and leaves a run in `folder`/tune, from where the next call takes it. A
/// line on standard error announces each. Throws Error if the folder does not hold exactly one run
/// that has ended, and if the command cannot be started.
std::vector<std::optional<advice::Tuning>> tune(const std::filesystem::path &folder,
                                                std::span<const KernelLaunches> kernels,
                                                std::span<const predict::DeviceProfile> devices,
                                                const predict::FittedCostModel &model);

} // namespace aiwc::cli
