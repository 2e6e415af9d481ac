#include "predict/device_profile.h"
#include "support/files.h"

#include <catch2/catch.hpp>
#include <limits>
#include <set>

using namespace aiwc::predict;
using namespace aiwc::test;

TEST_CASE("every parameter is told apart by name and by key, and found by its name") {
  std::set<std::string_view> names;
  std::set<std::string_view> keys;
  for (const ParameterInfo &parameter : parameters()) {
    CHECK(names.insert(parameter.name).second);
    CHECK(keys.insert(parameter.key).second);
    CHECK(parameterOf(parameter.name) == parameter.parameter);
    CHECK(&info(parameter.parameter) == &parameter);
    CHECK(parameter.minimum < parameter.maximum);
    CHECK_FALSE(parameter.description.empty());
  }
  CHECK(names.size() == kParameterCount);
  CHECK_FALSE(parameterOf("N_P"));
  CHECK_FALSE(parameterOf(""));
}

TEST_CASE("a parameter's key ends in its unit") {
  const std::pair<std::string_view, std::string_view> endings[] = {
      {"GFLOP/s", "_gflops"}, {"TFLOP/s", "_tflops"}, {"B", "_bytes"}, {"GB/s", "_gb_per_s"},
      {"us", "_us"},          {"GHz", "_ghz"},        {"W", "_w"}};
  for (const ParameterInfo &parameter : parameters()) {
    INFO(parameter.key);
    bool known = parameter.unit.empty();
    for (const auto &[unit, ending] : endings)
      known = known || (parameter.unit == unit && parameter.key.ends_with(ending));
    CHECK(known);
  }
}

TEST_CASE("a parameter allows its range, ends included, and nothing that is no number") {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const ParameterInfo &parameter : parameters()) {
    INFO(parameter.key);
    CHECK(parameter.allows(parameter.minimum));
    CHECK(parameter.allows(parameter.maximum));
    for (const double value :
         {parameter.minimum - 1, parameter.maximum * 2, -1.0, kNaN, kInfinity, -kInfinity})
      CHECK_FALSE(parameter.allows(value));
    CHECK(parameter.allows(parameter.minimum + 1.5) == !parameter.integer);
  }
  CHECK(info(Parameter::kCores).expected() == "an integer from 1 to 1e+07");
  CHECK(info(Parameter::kDramBandwidth).expected() == "0.01 to 1e+06 GB/s");
}

TEST_CASE("types of devices have names, in small letters") {
  for (const DeviceType type :
       {DeviceType::kCpu, DeviceType::kGpu, DeviceType::kIntegratedGpu, DeviceType::kAccelerator})
    CHECK(deviceTypeOf(toString(type)) == type);
  CHECK(toString(DeviceType::kIntegratedGpu) == "integrated_gpu");
  for (const char *none : {"", "fpga", "cpu,", "cpu gpu", "CPU"})
    CHECK_FALSE(deviceTypeOf(none));
}

TEST_CASE("a parameter that a device does not have is named with the device") {
  DeviceProfile device;
  device.id = "mine";
  CHECK_FALSE(device.has(Parameter::kCacheLine));
  CHECK(errorOf([&] { (void)device[Parameter::kCacheLine]; }) ==
        "device mine: no cache_line_bytes, which this prediction needs: size of one transfer "
        "between cache and DRAM");
  device.set(Parameter::kCacheLine, 128, "a guess");
  CHECK(device.has(Parameter::kCacheLine));
  CHECK(device[Parameter::kCacheLine] == 128);
  CHECK_FALSE(device.has(Parameter::kCacheBandwidth));
}
