#include "predict/device_json.h"
#include "predict/device_measurements.h"
#include "support/files.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

using namespace aiwc::predict;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string kMeasured = R"({
  "schema_version": 2,
  "id": "mine",
  "name": "My CPU",
  "vendor": "Me",
  "series": "First",
  "type": "cpu",
  "year": 2020,
  "opencl": true,
  "opencl_names": ["my cpu"],
  "machine": {
    "cores": {"value": 4, "source": "counted"},
    "dram_bandwidth_gb_per_s": {"value": 12.5, "source": "measured", "spread": 0.02}
  },
  "properties": {},
  "measurements": {
    "by": "aiwc 1.2.3, quick",
    "device": "My CPU @ 2 GHz",
    "driver": "7",
    "figures": {
      "fp32_fma_1_gops": {"value": 3.5, "spread": 0.01},
      "barrier_ns": {"value": 80, "spread": 0}
    },
    "bandwidth": [
      {"bytes": 4096, "gb_per_s": 90, "spread": 0.1},
      {"bytes": 8192, "gb_per_s": 45, "spread": 0}
    ],
    "latency": [
      {"bytes": 4096, "ns": 1.25, "spread": 0.003}
    ],
    "idioms": {
      "stream": {
        "error": 0.25,
        "points": [
          {"bytes": 1000, "gb_per_s": 2, "spread": 0.03},
          {"bytes": 4000, "gb_per_s": 8, "spread": 0.03}
        ]
      },
      "stencil": {
        "error": 0,
        "points": [
          {"bytes": 1000, "gb_per_s": 3, "spread": 1.5}
        ]
      }
    },
    "transfers": {
      "to_device": {
        "error": 0.125,
        "pieces": [
          {"from_bytes": 0, "latency_us": 2, "gb_per_s": 1},
          {"from_bytes": 10000, "latency_us": 6, "gb_per_s": 5}
        ],
        "points": [
          {"bytes": 1000, "us": 3, "spread": 0}
        ]
      },
      "to_host": {
        "error": 0,
        "pieces": [
          {"from_bytes": 0, "latency_us": 0, "gb_per_s": 2}
        ],
        "points": [
          {"bytes": 1000, "us": 0.5, "spread": 0}
        ]
      }
    },
    "missing": [
      "fp16: the device has no half precision"
    ]
  }
}
)";

std::string refusalAfter(const std::string &from, const std::string &to) {
  std::string text = kMeasured;
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  return errorOf([&] { deviceFromJson(text, "mine.json"); });
}

} // namespace

TEST_CASE("measurements are read as they are written, and written as they were read") {
  const DeviceProfile device = deviceFromJson(kMeasured, "mine.json");
  CHECK(toJson(device) == kMeasured);
  const auto &bandwidth = device.quantities[static_cast<size_t>(Parameter::kDramBandwidth)];
  CHECK(bandwidth->spread == 0.02);
  CHECK_FALSE(device.quantities[static_cast<size_t>(Parameter::kCores)]->spread);
  REQUIRE(device.measurements);
  const DeviceMeasurements &measured = *device.measurements;
  CHECK(measured.by == "aiwc 1.2.3, quick");
  CHECK(measured.device == "My CPU @ 2 GHz");
  CHECK(measured.driver == "7");
  CHECK(measured.figure("barrier_ns") == 80);
  CHECK_FALSE(measured.figure("work_group_ns"));
  CHECK(measured.bandwidth.size() == 2);
  CHECK(measured.bandwidth[1].value == 45);
  CHECK(measured.latency[0].spread == 0.003);
  REQUIRE(measured.curve(Idiom::kStencil));
  CHECK(measured.curve(Idiom::kStencil)->points[0].value == 3);
  CHECK(measured.curve(Idiom::kStream)->error == 0.25);
  CHECK(measured.curve(Idiom::kGather) == nullptr);
  REQUIRE((measured.toDevice && measured.toHost));
  CHECK(measured.toDevice->pieces[1].gbPerS == 5);
  CHECK(measured.missing.size() == 1);
}

TEST_CASE("a device without measurements is written as the first version of the schema") {
  DeviceProfile device = deviceFromJson(kMeasured, "mine.json");
  device.measurements.reset();
  CHECK_THAT(toJson(device), Contains("\"schema_version\": 2"));
  device.set(Parameter::kDramBandwidth, 12.5, "data sheet");
  CHECK_THAT(toJson(device), Contains("\"schema_version\": 1"));
  CHECK_THAT(toJson(device), !Contains("measurements"));
}

TEST_CASE("measurements may have any part left out except by whom, of what device and driver") {
  const auto at = kMeasured.find("    \"figures\"");
  const std::string text = kMeasured.substr(0, at - 2) + "\n  }\n}\n";
  CHECK(toJson(deviceFromJson(text, "mine.json")) == text);
  for (const std::string key : {"by", "device", "driver"})
    CHECK_THAT(refusalAfter("\"" + key + "\": ", "\"" + key + "s\": "),
               Contains("measurements." + key + "s is unknown"));
  CHECK_THAT(refusalAfter("    \"driver\": \"7\",\n", ""),
             Contains("measurements.driver is missing: expected it in measurements"));
}

TEST_CASE("wrong measurements are refused where they stand") {
  CHECK(refusalAfter("\"bytes\": 8192", "\"bytes\": 4096") ==
        "mine.json:26:7: measurements.bandwidth[1].bytes is 4096: expected more than before, 4096");
  CHECK(refusalAfter("\"ns\": 1.25", "\"us\": 1.25") ==
        "mine.json:29:29: measurements.latency[0].us is unknown: expected one of the keys in "
        "docs/devices.md");
  CHECK(refusalAfter("\"ns\": 1.25", "\"ns\": 0") ==
        "mine.json:29:29: measurements.latency[0].ns is 0: expected 1e-09 to 1e+12");
  CHECK_THAT(refusalAfter("\"ns\": 1.25", "\"ns\": 1e999"), StartsWith("mine.json:29:"));
  CHECK_THAT(refusalAfter("barrier_ns", "barrier_us"),
             Contains("measurements.figures.barrier_us is unknown: expected one of the figures"));
  CHECK_THAT(refusalAfter("\"stencil\"", "\"stencils\""),
             Contains("measurements.idioms.stencils is unknown: expected one of the idioms"));
  CHECK_THAT(refusalAfter("\"stencil\"", "\"stream\""), Contains("key \"stream\" appears twice"));
  CHECK_THAT(refusalAfter("\"spread\": 1.5", "\"spread\": -0.5"),
             Contains("points[0].spread is -0.5: expected 0 to 1e+09"));
  CHECK_THAT(refusalAfter("\"from_bytes\": 0", "\"from_bytes\": 1"),
             Contains("pieces[0].from_bytes is 1: expected 0 in the first piece"));
  CHECK_THAT(refusalAfter("\"from_bytes\": 10000", "\"from_bytes\": 0"),
             Contains("pieces[1].from_bytes is 0: expected more than before"));
  CHECK_THAT(refusalAfter("\"gb_per_s\": 1}", "\"gb_per_s\": 0}"),
             Contains("pieces[0].gb_per_s is 0: expected"));
  CHECK_THAT(refusalAfter("\"by\": \"aiwc 1.2.3, quick\"", "\"by\": \" \""),
             Contains("measurements.by is empty: expected text"));
  CHECK_THAT(refusalAfter(R"([
          {"bytes": 1000, "gb_per_s": 3, "spread": 1.5}
        ])",
                          "[]"),
             Contains("measurements.idioms.stencil.points is empty: expected one element or more"));
  CHECK_THAT(refusalAfter("\"spread\": 0.02", "\"spread\": \"2 %\""),
             Contains("machine.dram_bandwidth_gb_per_s.spread is a string: expected 0 to 1e+09"));
}

TEST_CASE("a curve is a straight line in logarithms between its points, and level beyond them") {
  const Curve curve = {{1000, 2, 0}, {4000, 8, 0}, {16000, 1, 0}};
  CHECK(valueAt(curve, 1000) == Approx(2));
  CHECK(valueAt(curve, 2000) ==
        Approx(4)); // twice the size, twice the value: 2 to 8 over 1000 to 4000
  CHECK(valueAt(curve, 4000) == Approx(8));
  CHECK(valueAt(curve, 8000) == Approx(std::sqrt(8.0)));
  CHECK(valueAt(curve, 1) == 2);
  CHECK(valueAt(curve, 1e9) == 1);
  const IdiomCurve idiom{Idiom::kStream, curve, 0};
  CHECK(idiom.bandwidthAt(2000) == Approx(4));
}

TEST_CASE("the error of a curve is how far its inner points are from what their neighbours say") {
  // Values that are a power of the size lie on the lines.
  CHECK(interpolationError({{10, 3, 0}, {40, 6, 0}, {90, 9, 0}, {160, 12, 0}}) ==
        Approx(0).margin(1e-12));
  // From 1 and 4, the geometric mean 2 is predicted where 4 was measured; then 4 where 4 was.
  CHECK(interpolationError({{1, 1, 0}, {10, 4, 0}, {100, 4, 0}, {1000, 4, 0}}) == Approx(0.25));
  CHECK(interpolationError({{1, 1, 0}, {2, 5, 0}}) == 0);
}

TEST_CASE("a transfer takes the latency and the bandwidth of the piece that its size is in") {
  const TransferCurve transfer{{}, {{0, 2, 1}, {10000, 6, 5}}, 0};
  CHECK(transfer.microsAt(0) == Approx(2));
  CHECK(transfer.microsAt(5000) == Approx(2 + 5));
  CHECK(transfer.microsAt(10000) == Approx(6 + 2));
  CHECK(transfer.microsAt(1e6) == Approx(6 + 200));
}

TEST_CASE("idioms and figures have distinct names, and figures end in their unit") {
  std::set<std::string_view> names;
  for (size_t i = 0; i < kIdiomCount; ++i) {
    const auto idiom = static_cast<Idiom>(i);
    CHECK(names.insert(toString(idiom)).second);
    CHECK(idiomOf(toString(idiom)) == idiom);
  }
  CHECK_FALSE(idiomOf("streams"));
  for (const FigureInfo &figure : figures()) {
    CHECK(names.insert(figure.key).second);
    const std::string_view suffix = figure.unit == "Gop/s"  ? "_gops"
                                    : figure.unit == "GB/s" ? "_gb_per_s"
                                    : figure.unit == "us"   ? "_us"
                                                            : "_ns";
    CHECK(figure.key.ends_with(suffix));
    CHECK_FALSE(figure.description.empty());
  }
}
