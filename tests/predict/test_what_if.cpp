#include "automatch/automatch_model.h"
#include "common/error.h"
#include "machines.h"
#include "predict/costed_launch.h"
#include "predict/what_if.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace aiwc::predict;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("changes set a parameter or multiply it") {
  const auto changes = parseChanges("dram_bandwidth=2x,cores=128,dram_latency=0.5x", "--what-if");
  const DeviceProfile before = automatchDevices()[4];
  const DeviceProfile after = changed(before, changes);
  CHECK(after[Parameter::kDramBandwidth] == Approx(320.2));
  CHECK(after[Parameter::kCores] == 128);
  CHECK(after[Parameter::kDramLatency] == Approx(0.34));
  for (const ParameterInfo &row : parameters())
    if (row.name != "dram_bandwidth" && row.name != "cores" && row.name != "dram_latency" &&
        before.has(row.parameter))
      CHECK(after[row.parameter] == before[row.parameter]);
  CHECK(before[Parameter::kCores] == 2688);
}

TEST_CASE("a changed integer is rounded, and what a device lacks has no multiple") {
  const DeviceProfile before = automatchDevices()[4];
  CHECK(changed(before, parseChanges("cores=0.3333x", "w"))[Parameter::kCores] == 896);
  CHECK_FALSE(changed(before, parseChanges("tdp=2x", "w")).has(Parameter::kTdp));
  CHECK(changed(before, parseChanges("tdp=200", "w"))[Parameter::kTdp] == 200);
  CHECK_THROWS_WITH(changed(before, parseChanges("cores=1e9x", "w")),
                    StartsWith("device arc5: 1e+09 times its cores is 2.688e+12: expected an "
                               "integer from 1 to 1e+07"));
}

TEST_CASE("changes that make no sense are refused in one line") {
  const auto refusal = [](const char *text) {
    try {
      (void)parseChanges(text, "--what-if");
      return std::string();
    } catch (const aiwc::Error &error) {
      return std::string(error.what());
    }
  };
  for (const char *form : {"", "cores", "cores=", "=3", "cores=4,", ",cores=4"})
    CHECK_THAT(refusal(form), StartsWith("--what-if \"") && Contains("expected NAME=VALUE"));
  CHECK_THAT(refusal("beta=2x"),
             StartsWith("--what-if: beta is not a parameter of a device: expected "
                        "one of cores, ") &&
                 Contains("dram_bandwidth"));
  for (const char *value :
       {"dram_bandwidth=nan", "dram_bandwidth=-3", "dram_bandwidth=inf", "dram_bandwidth=1e99",
        "dram_bandwidth=fast", "dram_bandwidth=1 ", "cores=1.5", "cores=0"})
    CHECK_THAT(refusal(value), Contains(" is ") && Contains(": expected "));
  for (const char *factor : {"dram_bandwidth=0x", "dram_bandwidth=-2x", "dram_bandwidth=nanx",
                             "dram_bandwidth=x", "dram_bandwidth=infx"})
    CHECK_THAT(refusal(factor), Contains("expected a positive multiple"));
  CHECK_THAT(refusal("cores=4,cores=2x"), Contains("cores appears twice"));
}

TEST_CASE("what costs on a changed device is what costs on one that has the value of its own") {
  const auto kernel = kernelOf(triad());
  const aiwc::automatch::AutomatchModel model;
  const CostedLaunch launch(kernel, model);
  std::vector<DeviceProfile> devices = automatchDevices();
  // A device that lacks the parameter is given it.
  devices[2].quantities[static_cast<size_t>(Parameter::kDramBandwidth)].reset();
  for (DeviceProfile device : devices) {
    double before = std::numeric_limits<double>::infinity();
    for (const double value : {10, 20, 40, 80, 160}) {
      const double seconds =
          launch.cost(changed(device, {{Parameter::kDramBandwidth, value, false}})).seconds;
      device.set(Parameter::kDramBandwidth, value, "test");
      CHECK(seconds == launch.cost(device).seconds);
      CHECK(seconds < before);
      before = seconds;
    }
  }
}
