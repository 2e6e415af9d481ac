#include "automatch/automatch_model.h"
#include "common/error.h"
#include "machines.h"
#include "predict/what_if.h"

#include <catch2/catch.hpp>

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

TEST_CASE("a sweep has both ends, constant factors or constant steps") {
  const Sweep decades = parseSweep("dram_bandwidth=10:1000", "--sweep");
  CHECK(decades.parameter == Parameter::kDramBandwidth);
  REQUIRE(decades.values.size() == 9);
  CHECK(decades.values.front() == 10);
  CHECK(decades.values[4] == Approx(100));
  CHECK(decades.values.back() == 1000);
  for (size_t i = 1; i < 9; ++i)
    CHECK(decades.values[i] / decades.values[i - 1] == Approx(std::pow(10, 0.25)));
  CHECK(parseSweep("dram_latency=0:1:5", "s").values == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
  CHECK(parseSweep("cores=1:4:9", "s").values == std::vector<double>{1, 2, 3, 4});
  CHECK(parseSweep("dram_bandwidth=10:1000:2", "s").values == std::vector<double>{10, 1000});
}

TEST_CASE("sweeps that make no sense are refused in one line") {
  for (const char *text :
       {"dram_bandwidth", "dram_bandwidth=", "dram_bandwidth=1",
        "dram_bandwidth=1:", "dram_bandwidth=5:1", "dram_bandwidth=5:5", "dram_bandwidth=1:2:1",
        "dram_bandwidth=1:2:1e6", "dram_bandwidth=1:2:2.5", "dram_bandwidth=1:2:nan",
        "dram_bandwidth=nan:2", "dram_bandwidth=-1:2", "dram_bandwidth=1:2:3:4", "b=1:2"}) {
    INFO(text);
    CHECK_THROWS_WITH(parseSweep(text, "--sweep"),
                      StartsWith("--sweep") && Contains(": expected "));
  }
}

TEST_CASE("a sweep's points are predictions for devices that differ in its parameter alone") {
  const auto kernel = kernelOf(triad());
  std::vector<Candidate> devices;
  for (const DeviceProfile &device : automatchDevices())
    devices.push_back({device, "", true});
  // A device that lacks the parameter is given it.
  devices[2].device.quantities[static_cast<size_t>(Parameter::kDramBandwidth)].reset();
  const aiwc::automatch::AutomatchModel model;
  const std::vector<Invocation> invocations = {{"p.json", kernel, model}};
  const Sweep sweep = parseSweep("dram_bandwidth=10:160:5", "s");
  const auto points = predictSweep(invocations, devices, sweep);
  REQUIRE(points.size() == 5);
  for (size_t i = 0; i < points.size(); ++i)
    for (size_t d = 0; d < devices.size(); ++d) {
      DeviceProfile device = devices[d].device;
      device.set(Parameter::kDramBandwidth, sweep.values[i], "test");
      CHECK(points[i].devices[d].application.seconds ==
            CostedLaunch(kernel, model).cost(device).seconds);
      if (i > 0)
        CHECK(points[i].devices[d].application.seconds <
              points[i - 1].devices[d].application.seconds);
    }
}
