#include "kernel_times.h"

#include "common/error.h"
#include "eod/runner/results.h"
#include "eod/statistics/quantile.h"
#include "experiment.h"

#include <fstream>
#include <string>

namespace aiwc::overhead {

KernelTimes readClock(const std::filesystem::path &file) {
  std::ifstream stream(file);
  uint64_t launches = 0, wallNs = 0, cpuNs = 0, firstWallNs = 0, firstCpuNs = 0;
  std::string more;
  if (!(stream >> launches >> wallNs >> cpuNs >> firstWallNs >> firstCpuNs) || stream >> more)
    throw Error(file.string() + ": expected the times of one process that launches kernels");
  const auto us = [](uint64_t ns) { return 1e-3 * static_cast<double>(ns); };
  return {launches, us(wallNs), us(firstWallNs), us(cpuNs), us(firstCpuNs)};
}

KernelTimes readSamples(const std::filesystem::path &file) {
  const eod::Result result = eod::readResult(file);
  if (result.samples.size() < 2)
    throw Error(file.string() + ": one sample: expected some behind the first");
  const auto total = [](const eod::SampleTimes &sample) {
    double us = 0;
    for (const eod::LaunchTime &launch : sample.launches)
      us += launch.us;
    return us;
  };
  std::vector<double> later;
  for (size_t i = 1; i < result.samples.size(); ++i)
    later.push_back(total(result.samples[i]));
  KernelTimes times;
  times.launches = result.samples.front().launches.size();
  times.wallUs = statistics::median(later);
  times.firstWallUs = result.samples.front().launches.front().us;
  return times;
}

} // namespace aiwc::overhead
