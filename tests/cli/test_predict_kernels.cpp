/// From kernel to cost: reference kernels in the simulator, their profiles through `aiwc predict`.
#include "process.h"
#include "profile/json.h"
#include "support/simulate.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

using namespace aiwc::test;
using Json = nlohmann::json;

namespace {

Json predictionOf(const std::string &simulation, const std::vector<std::string> &options) {
  const TemporaryFolder folder;
  const auto profiles = simulate(std::filesystem::path(AIWC_TEST_KERNELS) / (simulation + ".sim"));
  for (size_t i = 0; i < profiles.size(); ++i)
    write(folder / ("aiwc_k_" + std::to_string(i) + ".json"), aiwc::profile::toJson(profiles[i]));
  std::vector<std::string> arguments = {"predict", folder.path().string(), "--json", "--model",
                                        "automatch"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Outcome outcome = runAiwc(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  return Json::parse(outcome.out);
}

} // namespace

TEST_CASE("saxpy from the simulator costs what its definition gives") {
  // n = 64: D = 2, w = {64: 2}, an addition and a multiplication each; x, y read and y written in
  // lines of 16 floats. Groups of 16, so 32 lanes are half used and f_v = 0.5.
  const Json json = predictionOf("saxpy", {"--devices", "automatch-arc5-k20x"});
  const Json &kernel = json["kernels"][0];
  CHECK(kernel["kernel"] == "saxpy");
  const Json &device = kernel["devices"][0];
  // 2 levels of 64, fewer than the 2688 cores of 0.42: a step each.
  CHECK(device["terms"]["compute_us"].get<double>() == Approx((2 / 0.42 + 2 / (0.42 * 0.5)) / 1e3));
  // 256 bytes of x and of y are fetched once: 8 lines. y is written where it was read.
  CHECK(device["terms"]["dram_us"].get<double>() == Approx(512 / 160.1e3));
  CHECK(device["terms"]["latency_us"].get<double>() == Approx(2 * (0.045 + 0.68)));
  CHECK(device["terms"]["synchronization_us"].get<double>() == Approx(6.5));
}

TEST_CASE("integer kernels are costed on all operations, and every reference kernel on something") {
  const Json scan = predictionOf("scan", {"--devices", "automatch-arc1-i5-2400"});
  CHECK(scan["application"]["devices"][0]["terms"]["compute_us"] > 0);
  for (const char *simulation :
       {"async_copy", "constant", "histogram_local", "reduce", "solvers_lu", "serial_dot", "types",
        "vector_saxpy4", "transpose_tiled"}) {
    INFO(simulation);
    const Json json = predictionOf(simulation, {"--devices", "all"});
    const Json &devices = json["application"]["devices"];
    REQUIRE(devices.size() + json["ruled_out"].size() > 20);
    for (const Json &device : devices) {
      CHECK(device["time_us"].get<double>() > 0);
      CHECK(std::isfinite(device["time_us"].get<double>()));
    }
  }
}
