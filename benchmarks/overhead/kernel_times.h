#pragma once

#include <cstdint>
#include <filesystem>

namespace aiwc::overhead {

/// The time of a process's launches in microseconds: all together, and the first one. In the
/// simulator it is measured from before `kernelBegin` to after `kernelEnd`, so it includes
/// compilation, analyses and writing the profile.
struct KernelTimes {
  uint64_t launches = 0;
  double wallUs = 0, firstWallUs = 0;
  double cpuUs = 0,
         firstCpuUs = 0; ///< CPU time of all threads; 0 if only the device's clock is known
};

/// The file with a run's times, in its folder of profiles.
inline constexpr const char *kClockFile = "clock.txt";
inline constexpr const char *kSamplesFile = "samples.txt";

/// Reads the file that kernel_clock.so wrote. Throws Error if it does not hold the times of one
/// process.
KernelTimes readClock(const std::filesystem::path &file);

/// Reads the `--json` output of an application of the suite that took several samples. The result
/// is the median over all samples but the first, which may include the driver's compilation. Throws
/// Error.
KernelTimes readSamples(const std::filesystem::path &file);

} // namespace aiwc::overhead
