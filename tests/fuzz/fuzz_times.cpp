/// libFuzzer: any bytes as a table of measured times. Nothing but aiwc::Error may come out, and the
/// times that were read are such as can be fitted.
#include "profile/json.h"
#include "round_trip.h"
#include "support/files.h"
#include "train/made_up.h"
#include "train/training_set.h"

#include <cmath>
#include <cstdint>

namespace {

using namespace aiwc;

/// A folder with the one profile that the seeds name.
struct Surroundings {
  Surroundings() {
    test::write(folder / "a.json", profile::toJson(test::profileOf({})));
    library.add(test::madeUpCpu(), "fuzz");
    library.add(test::madeUpGpu(), "fuzz");
  }
  test::TemporaryFolder folder;
  predict::DeviceLibrary library;
};

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Surroundings surroundings;
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  static train::TrainingSet set; // keeps the profile, which takes longer to read than a table
  set.workloads.clear();
  set.devices.clear();
  set.times.clear();
  if (set.profiles.size() > 10) // the same under other names
    set.profiles.clear();
  try {
    train::addTimes(text, surroundings.folder / "times.csv", surroundings.library, set);
  } catch (const Error &error) {
    fuzz::require(std::string_view(error.what()).find('\n') == std::string_view::npos);
    return 0;
  }
  fuzz::require(!set.times.empty());
  for (const train::MeasuredTime &time : set.times) {
    fuzz::require(std::isfinite(time.micros) && time.micros > 0);
    fuzz::require(time.workload < set.workloads.size() && time.device < set.devices.size());
    fuzz::require(!set.workloads[time.workload].launches.empty());
    for (const train::LaunchCount &launch : set.workloads[time.workload].launches)
      fuzz::require(launch.launches >= 1 && std::isfinite(launch.launches));
  }
  return 0;
}
