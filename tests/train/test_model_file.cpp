#include "predict/fitted/fitted_model.h"
#include "support/files.h"
#include "train/made_up.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::predict;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

FittedModel model() {
  FittedModel model = madeUpModel();
  Coefficients deviation{};
  deviation.fill(0.25);
  model.devices = {{"gpu-a", "made-up", deviation, 17, Clock::kKernel}};
  model.launchAboveShortest = 0.375;
  model.knownDevice = {{{-0.7, 0.6}, {-0.2, 0.1}, {-0.9, 0.8}}};
  model.unknownDevice = {{{-1.2, 1.1}, {-0.4, 0.3}, {-1.4, 1.3}}};
  model.unknownDeviceMeasuredLaunch = {{{-1.6, 1.5}, {-0.5, 0.4}, {-1.8, 1.7}}};
  model.errorCorrelation = 0.3;
  model.classCorrelation = {0.6, 0.2};
  model.applications = {"made-up/first", "made-up/second"};
  return model;
}

/// The message for the file of `model()` after `from` in it became `to`.
std::string refusalAfter(const std::string &from, const std::string &to) {
  std::string text = toJson(model());
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  return errorOf([&] { modelFromJson(text, "model.json"); });
}

} // namespace

TEST_CASE("a negative zero in a model file is 0") {
  FittedModel negative = model();
  negative.classes[0].values[1] = -0.0;
  const std::string text = toJson(negative);
  CHECK(text.find("\"compute\": -0,") != std::string::npos);
  const FittedModel read = modelFromJson(text, "model.json");
  CHECK_FALSE(std::signbit(read.classes[0].values[1]));
  CHECK(toJson(modelFromJson(toJson(read), "model.json")) == toJson(read));
}

TEST_CASE("a model file says what the model says") {
  const FittedModel before = model();
  const FittedModel after = modelFromJson(toJson(before), "model.json");
  REQUIRE(after.classes.size() == before.classes.size());
  for (size_t i = 0; i < before.classes.size(); ++i) {
    CHECK(after.classes[i].deviceClass == before.classes[i].deviceClass);
    for (size_t k = 0; k < kCoefficientCount; ++k)
      CHECK(after.classes[i].values[k] == Approx(before.classes[i].values[k]).margin(1e-6));
  }
  REQUIRE(after.devices.size() == 1);
  CHECK(after.devices[0].device == "gpu-a");
  CHECK(after.devices[0].dataSet == "made-up");
  CHECK(after.devices[0].times == 17);
  CHECK(after.devices[0].clock == Clock::kKernel);
  CHECK(after.launchAboveShortest == Approx(0.375));
  CHECK(after.knownDevice[0].low == Approx(-0.7));
  CHECK(after.knownDevice[1].high == Approx(0.1));
  CHECK(after.unknownDevice[0].high == Approx(1.1));
  CHECK(after.unknownDevice[2].low == Approx(-1.4));
  CHECK(after.unknownDeviceMeasuredLaunch[0].low == Approx(-1.6));
  CHECK(after.classCorrelation.same == Approx(0.6));
  CHECK(after.classCorrelation.others == Approx(0.2));
  CHECK(after.applications == before.applications);
  CHECK(toJson(after) == toJson(before));
}

TEST_CASE("a file without correlations by class has one for all devices") {
  std::string text = toJson(model());
  const size_t begin = text.find("  \"class_correlation\"");
  REQUIRE(begin != std::string::npos);
  text.erase(begin, text.find('\n', begin) + 1 - begin);
  const FittedModel read = modelFromJson(text, "model.json");
  CHECK(read.classCorrelation.same == Approx(0.3));
  CHECK(read.classCorrelation.others == Approx(0.3));
  CHECK(read.classCorrelation.of(madeUpGpu("a"), madeUpGpu("b")) == Approx(0.3));
  CHECK(read.classCorrelation.of(madeUpGpu("a"), madeUpGpu("a")) == kGreatestCorrelation);
}

TEST_CASE("a file that is no model of this version is refused by line") {
  const std::string text = toJson(model());
  const size_t begin = text.find("{\"device\": \"gpu-a\"");
  const std::string deviation = text.substr(begin, text.find('\n', begin) - begin) + ",";
  CHECK_THAT(refusalAfter("\"schema_version\": 2", "\"schema_version\": 3"),
             StartsWith("model.json:2:") && Contains("schema_version 3 is newer"));
  CHECK_THAT(refusalAfter("\"launch\"", "\"lunch\""), Contains("lunch"));
  CHECK_THAT(refusalAfter("\"dram\": ", "\"dram\": 1e99, \"x\": "), Contains("x"));
  CHECK_THAT(refusalAfter("\"nvidia_gpu\"", "\"nvidia\""), Contains("class is \"nvidia\""));
  CHECK_THAT(refusalAfter("\"nvidia_gpu\"", "\"cpu\""), Contains("a second class \"cpu\""));
  CHECK_THAT(refusalAfter("{\"device\": \"gpu-a\"", deviation + "{\"device\": \"gpu-a\""),
             Contains("a second deviation of \"gpu-a\" in \"made-up\""));
  CHECK_THAT(refusalAfter("\"schema_version\": 2", "\"schema_version\": 0"),
             Contains("schema_version 0 does not exist"));
  CHECK_THAT(refusalAfter("\"clock\": \"kernel\"", "\"clock\": \"sun\""), Contains("clock"));
  CHECK_THAT(refusalAfter("\"same\": 0.6", "\"same\": 1"),
             Contains("class_correlation.same is 1: expected a number from 0 to 0.99"));
  CHECK_THAT(refusalAfter("\"times\": 17", "\"times\": -1"), Contains("times"));
  CHECK_THAT(refusalAfter("\"low\": -0.7", "\"low\": 0.7"), Contains("low is 0.7"));
  CHECK_THAT(refusalAfter("\"launch_above_shortest\": 0.375", "\"launch_above_shortest\": 41"),
             Contains("launch_above_shortest is 41"));
  CHECK_THAT(refusalAfter("\"known_device\"", "\"known\""), Contains("known_device"));
  CHECK_THAT(refusalAfter("\"high\": 1.1", "\"high\": -1.1"), Contains("high is -1.1"));
  CHECK_THAT(refusalAfter("\"gpu-a\"", "\"gpu\\n-a\""), Contains("device is no line of text"));
  CHECK_THAT(refusalAfter("\"gpu-a\"", "\"\""), Contains("device is no line of text"));
  FittedModel none = model();
  none.classes.clear();
  CHECK_THAT(errorOf([&] { modelFromJson(toJson(none), "model.json"); }),
             Contains("classes is empty: expected at least one class of devices"));
  CHECK_THAT(refusalAfter("{\"class\"", "[{\"class\""), StartsWith("model.json:"));
  CHECK_THAT(errorOf([] { modelFromJson("", "model.json"); }), StartsWith("model.json:1:1"));
}
