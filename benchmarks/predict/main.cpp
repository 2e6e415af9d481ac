/// aiwc-predict-bench: times the published model, aiwc_predict() of the C API around it, and
/// AutoMatch's equations, for every profile on every device.
#include "aiwc.h"
#include "automatch/automatch_model.h"
#include "common/error.h"
#include "predict/costed_launch.h"
#include "predict/device_library.h"
#include "predict/fitted/fitted_cost_model.h"
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

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> files;
  std::string ids = "all";
  uint64_t rounds = 20;
  CLI::App app("Times predictions");
  app.add_option("PROFILE", files, "JSON profiles")->required();
  app.add_option("--devices", ids, "Ids, separated by commas, or all")->capture_default_str();
  app.add_option("--rounds", rounds, "The fastest of so many counts")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000}))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    const predict::DeviceLibrary library(predict::deviceFolders());
    const auto devices = library.select(ids);
    const auto handles = handlesOf(devices);
    const automatch::AutomatchModel equations;
    double checksum = 0; // printed, so that nothing is optimised away
    fmt::print("ns per pair: {:>9}  {:>9}  {:>9}  kernel\n", "published", "through C", "AutoMatch");
    for (const std::string &file : files) {
      const profile::KernelProfile kernel = profile::readProfile(file);
      const auto timeOf = [&](const predict::CostModel &model) {
        const predict::CostedLaunch launch(kernel, model);
        return nanosecondsPerDevice(devices.size(), rounds, checksum, [&](size_t device) {
          return launch.cost(*devices[device]).seconds;
        });
      };
      fmt::print("             {:>9.0f}  {:>9.0f}  {:>9.0f}  {}\n",
                 timeOf(predict::publishedModel()),
                 nanosecondsThroughC(kernel, handles, rounds, checksum), timeOf(equations),
                 kernel.provenance.kernel);
    }
    fmt::print("{} devices, sum of costs {:g} s\n", devices.size(), checksum);
  } catch (const Error &error) {
    std::fputs((std::string(error.what()) + "\n").c_str(), stderr);
    return 2;
  }
}
