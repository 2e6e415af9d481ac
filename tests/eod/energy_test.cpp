#include "eod/energy/energy.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

using namespace aiwc::eod;
namespace fs = std::filesystem;

namespace {

/// A folder as Linux's powercap makes them.
struct Powercap {
  fs::path path = fs::temp_directory_path() / ("eod_powercap." + std::to_string(getpid()));
  Powercap() { fs::create_directory(path); }
  ~Powercap() { fs::remove_all(path); }

  void set(int zone, const std::string &name, uint64_t microjoules) const {
    const fs::path folder = path / ("intel-rapl:" + std::to_string(zone));
    fs::create_directory(folder);
    std::ofstream(folder / "name") << name << '\n';
    std::ofstream(folder / "max_energy_range_uj") << 10000000 << '\n';
    std::ofstream(folder / "energy_uj") << microjoules << '\n';
  }
};

} // namespace

TEST_CASE("RAPL: the packages' counters are summed, other zones are not") {
  const Powercap powercap;
  powercap.set(0, "package-0", 1000000);
  powercap.set(1, "psys", 5000000);
  powercap.set(2, "package-1", 2000000);
  const auto counter = raplCounter(powercap.path);
  REQUIRE(counter);
  CHECK(counter->joules() == 0.0);
  powercap.set(0, "package-0", 1500000);
  powercap.set(1, "psys", 9000000);
  powercap.set(2, "package-1", 4000000);
  CHECK(*counter->joules() == Approx(2.5));
}

TEST_CASE("RAPL: a counter that begins anew goes on behind its range") {
  const Powercap powercap;
  powercap.set(0, "package-0", 9000000);
  const auto counter = raplCounter(powercap.path);
  REQUIRE(counter);
  powercap.set(0, "package-0", 500000);
  CHECK(*counter->joules() == Approx(1.5));
}

TEST_CASE("RAPL: no counter where there is none, and no value where it cannot be read") {
  const Powercap powercap;
  CHECK_FALSE(raplCounter(powercap.path));
  CHECK_FALSE(raplCounter(powercap.path / "missing"));
  powercap.set(0, "psys", 1);
  CHECK_FALSE(raplCounter(powercap.path));
  powercap.set(1, "package-0", 1);
  const auto counter = raplCounter(powercap.path);
  REQUIRE(counter);
  fs::remove(powercap.path / "intel-rapl:1" / "energy_uj");
  CHECK_FALSE(counter->joules());
  CHECK_FALSE(raplCounter(powercap.path));
}

TEST_CASE("NVML: millijoules of the device at the bus address") {
  const auto counter = nvmlCounter("00000000:3b:00.0", EOD_FAKE_NVML);
  REQUIRE(counter);
  const double before = *counter->joules();
  CHECK(*counter->joules() - before == Approx(1.5));
}

TEST_CASE("NVML: no counter for another address, for one of several devices, for a device that "
          "does not count, without the library") {
  CHECK_FALSE(nvmlCounter("00000000:01:00.0", EOD_FAKE_NVML));
  CHECK_FALSE(nvmlCounter("", EOD_FAKE_NVML));
  CHECK_FALSE(nvmlCounter("00000000:af:00.0", EOD_FAKE_NVML));
  CHECK_FALSE(nvmlCounter("00000000:3b:00.0", "libno-such-library.so"));
}
