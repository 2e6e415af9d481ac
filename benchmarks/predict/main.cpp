/// aiwc-predict-bench: times ExecutionCostModel::cost() for every profile on every device.
#include "common/error.h"
#include "predict/device_library.h"
#include "predict/execution_cost.h"
#include "profile/json.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace aiwc;

/// Nanoseconds per pair, the fastest of several rounds: what else the machine does only adds.
double nanosecondsPerPair(const profile::KernelProfile &kernel,
                          const std::vector<const predict::DeviceProfile *> &devices,
                          uint64_t rounds, double &checksum) {
  using Clock = std::chrono::steady_clock;
  constexpr uint64_t kRepetitions = 100; // of a round: far above the clock's resolution
  const predict::ExecutionCostModel model;
  double best = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    const auto begin = Clock::now();
    for (uint64_t i = 0; i < kRepetitions; ++i)
      for (const predict::DeviceProfile *device : devices)
        checksum += model.cost(kernel, *device).seconds;
    const std::chrono::duration<double, std::nano> time = Clock::now() - begin;
    const double each = time.count() / static_cast<double>(kRepetitions * devices.size());
    best = round == 0 ? each : std::min(best, each);
  }
  return best;
}

/// Widths 1 to `levels`, each once: a schedule can hardly have more distinct ones.
void widen(profile::KernelProfile &kernel, uint64_t levels) {
  kernel.histograms.asapFpLevels.clear();
  for (uint64_t width = 1; width <= levels; ++width)
    kernel.histograms.asapFpLevels.emplace_back(width, 1);
  kernel.setCount(profile::Metric::kAsapFpDepth, levels);
  kernel.setCount(profile::Metric::kFpOps, levels * (levels + 1) / 2);
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> files;
  std::string ids = "all";
  uint64_t rounds = 20;
  uint64_t levels = 0;
  CLI::App app("Times the execution-cost model");
  app.add_option("PROFILE", files, "JSON profiles")->required();
  app.add_option("--devices", ids, "Ids, separated by commas, or all")->capture_default_str();
  app.add_option("--rounds", rounds, "The fastest of so many counts")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000}))
      ->capture_default_str();
  app.add_option("--levels", levels,
                 "Give floating-point kernels so many levels, no two equally wide");
  CLI11_PARSE(app, argc, argv);
  try {
    const predict::DeviceLibrary library(predict::deviceFolders());
    const auto devices = library.select(ids);
    double checksum = 0; // printed, so that nothing is optimised away
    fmt::print("{:>12}  {:>8}  {:>8}  kernel\n", "ns per pair", "widths", "reuse");
    for (const std::string &file : files) {
      profile::KernelProfile kernel = profile::readProfile(file);
      if (levels > 0 && predict::isFloatingPoint(kernel))
        widen(kernel, levels);
      fmt::print("{:>12.0f}  {:>8}  {:>8}  {}\n",
                 nanosecondsPerPair(kernel, devices, rounds, checksum),
                 kernel.histograms.asapFpLevels.size(), kernel.histograms.reuseDistances.size(),
                 kernel.provenance.kernel);
    }
    fmt::print("{} devices, sum of costs {:g} s\n", devices.size(), checksum);
  } catch (const Error &error) {
    std::fputs((std::string(error.what()) + "\n").c_str(), stderr);
    return 2;
  }
}
