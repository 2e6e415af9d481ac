#pragma once

#include <cstdint>
#include <filesystem>

namespace aiwc::overhead {

/// What the launches of a process took, all together and the first one, in microseconds. Under the
/// simulator from before `kernelBegin` to behind `kernelEnd`: compilation, analyses and the writing
/// of the profile included.
struct KernelTimes {
  uint64_t launches = 0;
  double wallUs = 0, firstWallUs = 0;
  double cpuUs = 0, firstCpuUs = 0; ///< of all threads; 0 where only the device's clock is known
};

/// Where a run leaves its times, in its folder of profiles.
inline constexpr const char *kClockFile = "clock.txt";
inline constexpr const char *kSamplesFile = "samples.txt";

/// What kernel_clock.so has left. Throws Error where that is not the times of one process.
KernelTimes readClock(const std::filesystem::path &file);

/// From the `--json` of an application of the suite that took several samples: the median over all
/// samples but the first, in which a device's driver compiles. Throws Error.
KernelTimes readSamples(const std::filesystem::path &file);

} // namespace aiwc::overhead
