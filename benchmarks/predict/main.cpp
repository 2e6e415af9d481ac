/// aiwc-predict-bench: times ExecutionCostModel::cost(), and aiwc_predict() of the C API around it,
/// for every profile on every device.
#include "aiwc.h"
#include "common/error.h"
#include "predict/device_library.h"
#include "predict/execution_cost.h"
#include "profile/json.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

namespace {

using namespace aiwc;

/// CPU time of this process: the machine may have other work.
double cpuNanoseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

/// Nanoseconds per device, the fastest of several rounds: what disturbs it only adds. `cost` takes
/// the index of a device.
template <typename Cost>
double nanosecondsPerDevice(size_t devices, uint64_t rounds, double &checksum, Cost cost) {
  constexpr uint64_t kRepetitions = 10; // of a round: far above the clock's resolution
  double best = 0;
  for (uint64_t round = 0; round < rounds; ++round) {
    const double begin = cpuNanoseconds();
    for (uint64_t i = 0; i < kRepetitions; ++i)
      for (size_t device = 0; device < devices; ++device)
        checksum += cost(device);
    const double each = (cpuNanoseconds() - begin) / static_cast<double>(kRepetitions * devices);
    best = round == 0 ? each : std::min(best, each);
  }
  return best;
}

void require(aiwc_status status) {
  if (status != AIWC_OK)
    throw Error(aiwc_error_message());
}

/// The same devices as handles of the C API; the library is not freed before the program ends.
std::vector<const aiwc_device *>
handlesOf(const std::vector<const predict::DeviceProfile *> &devices) {
  aiwc_device_library *library = nullptr;
  const auto folders = predict::deviceFolders();
  if (folders.size() > 1)
    throw Error("AIWC_DEVICES has several folders: expected one");
  require(aiwc_device_library_open(folders.front().c_str(), &library));
  std::vector<const aiwc_device *> handles;
  for (const predict::DeviceProfile *device : devices)
    require(aiwc_device_find(library, device->id.c_str(), &handles.emplace_back()));
  return handles;
}

double nanosecondsThroughC(const profile::KernelProfile &kernel,
                           const std::vector<const aiwc_device *> &devices, uint64_t rounds,
                           double &checksum) {
  const std::string json = profile::toJson(kernel);
  aiwc_profile *profile = nullptr;
  require(aiwc_profile_parse(json.data(), json.size(), "profile", &profile));
  const double nanoseconds =
      nanosecondsPerDevice(devices.size(), rounds, checksum, [&](size_t device) {
        aiwc_prediction prediction;
        require(aiwc_predict(profile, devices[device], nullptr, &prediction, sizeof prediction));
        return prediction.seconds;
      });
  aiwc_profile_free(profile);
  return nanoseconds;
}

/// Widths 1 to `levels`, each once: a schedule can hardly have more distinct ones.
void widen(profile::KernelProfile &kernel, uint64_t levels) {
  kernel.histograms.asapFpLevels.clear();
  for (uint64_t width = 1; width <= levels; ++width)
    kernel.histograms.asapFpLevels.emplace_back(width, 1);
  kernel.setCount("asap_fp_depth"_metric, levels);
  kernel.setCount("fp_ops"_metric, levels * (levels + 1) / 2);
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
    const auto handles = handlesOf(devices);
    const predict::ExecutionCostModel model;
    double checksum = 0; // printed, so that nothing is optimised away
    fmt::print("ns per pair: {:>8}  {:>8}  {:>8}  {:>8}  kernel\n", "C++", "C", "widths", "reuse");
    for (const std::string &file : files) {
      profile::KernelProfile kernel = profile::readProfile(file);
      if (levels > 0 && predict::isFloatingPoint(kernel))
        widen(kernel, levels);
      const predict::KernelWork work = predict::KernelWork::from(kernel);
      const double ofModel =
          nanosecondsPerDevice(devices.size(), rounds, checksum, [&](size_t device) {
            return model.cost(work, *devices[device], 1).seconds;
          });
      fmt::print("             {:>8.0f}  {:>8.0f}  {:>8}  {:>8}  {}\n", ofModel,
                 nanosecondsThroughC(kernel, handles, rounds, checksum),
                 kernel.histograms.asapFpLevels.size(), kernel.histograms.reuseDistances.size(),
                 kernel.provenance.kernel);
    }
    fmt::print("{} devices, sum of costs {:g} s\n", devices.size(), checksum);
  } catch (const Error &error) {
    std::fputs((std::string(error.what()) + "\n").c_str(), stderr);
    return 2;
  }
}
