#include "engines_report.h"

#include "columns.h"

namespace aiwc::overhead {
namespace {

double kernelsCpuS(const Usage &usage) {
  return usage.kernels->cpuUs / 1e6;
}

double kernelsWallS(const Usage &usage) {
  return usage.kernels->wallUs / 1e6;
}

/// Of one thread: its CPU time, and where only a device's clock is known, by that.
double kernelsBusyS(const Usage &usage) {
  return (usage.kernels->cpuUs > 0 ? usage.kernels->cpuUs : usage.kernels->wallUs) / 1e6;
}

double cpuS(const Usage &usage) {
  return static_cast<double>(usage.cpuUs) / 1e6;
}

double wallS(const Usage &usage) {
  return static_cast<double>(usage.wallUs) / 1e6;
}

double residentMiB(const Usage &usage) {
  return static_cast<double>(usage.peakMemoryBytes) / (1024.0 * 1024.0);
}

/// All launches but the first, which compiles.
double laterLaunchUs(const Usage &usage) {
  const KernelTimes &times = *usage.kernels;
  return (times.cpuUs - times.firstCpuUs) / static_cast<double>(times.launches - 1);
}

double laterLaunchWallUs(const Usage &usage) {
  const KernelTimes &times = *usage.kernels;
  return (times.wallUs - times.firstWallUs) / static_cast<double>(times.launches - 1);
}

} // namespace

std::string enginesTables(const Plan &plan, const Settings &settings,
                          const std::vector<Usages> &usages) {
  const std::vector<Column> kernels{
      {"bare, CPU s", "bare", "", kernelsCpuS, 3, true},
      {"interpreter, CPU s", "interpreter", "", kernelsCpuS, 3, true},
      {"compiled, CPU s", "compiled", "", kernelsCpuS, 3, true},
      {"bare / compiled", "bare", "compiled", kernelsCpuS, 1, true},
      {"interpreter / compiled", "interpreter", "compiled", kernelsCpuS, 1, true},
      {"compiled, s", "compiled", "", kernelsWallS, 3, true},
      {"two threads, s", "compiled-2", "", kernelsWallS, 3},
      {"one / two threads", "compiled", "compiled-2", kernelsWallS, 2},
      {"PoCL, s", "pocl", "", kernelsWallS, 5},
      {"compiled / PoCL", "compiled", "pocl", kernelsBusyS, 0, true},
      {"one group, CPU s", "one-group", "", kernelsCpuS, 3},
      {"one group / PoCL", "one-group", "pocl", kernelsBusyS, 1},
  };
  const std::vector<Column> processes{
      {"bare, CPU s", "bare", "", cpuS, 2, true},
      {"interpreter, CPU s", "interpreter", "", cpuS, 2, true},
      {"compiled, CPU s", "compiled", "", cpuS, 2, true},
      {"bare / compiled", "bare", "compiled", cpuS, 1, true},
      {"two threads, CPU s", "compiled-2", "", cpuS, 2, true},
      {"compiled, s", "compiled", "", wallS, 2, true},
      {"two threads, s", "compiled-2", "", wallS, 2},
      {"one / two threads", "compiled", "compiled-2", wallS, 2},
      {"bare, MiB", "bare", "", residentMiB, 0},
      {"compiled, MiB", "compiled", "", residentMiB, 0},
      {"two threads, MiB", "compiled-2", "", residentMiB, 0},
  };
  return "kernels alone\n\n" + markdownTable(plan, settings, usages, kernels) +
         "\nwhole processes\n\n" + markdownTable(plan, settings, usages, processes);
}

std::string launchesTable(const Plan &plan, const Settings &settings,
                          const std::vector<Usages> &usages) {
  std::vector<Column> columns;
  for (const Variant &variant : plan.variants) {
    columns.push_back({variant.name + ", CPU µs", variant.name, "", laterLaunchUs, 1});
    columns.push_back({variant.name + ", µs", variant.name, "", laterLaunchWallUs, 1});
  }
  return "per launch behind the first\n\n" + markdownTable(plan, settings, usages, columns);
}

} // namespace aiwc::overhead
