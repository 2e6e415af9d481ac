// `aiwc devices plot`, through gnuplot.
#include "../predict/machines.h"
#include "predict/device_json.h"
#include "process.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

using namespace aiwc::predict;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

DeviceProfile measuredDevice() {
  DeviceProfile device = namedDevice("mine", {"Mine"});
  device.name = "It's \"a\" {device}_1";
  device.set(Parameter::kCores, 4, "counted");
  device.set(Parameter::kFp32Rate, 32, "measured");
  device.set(Parameter::kDramBandwidth, 12.5, "measured");
  const Curve curve = {{4096, 30, 0.01}, {65536, 20, 0}, {1 << 24, 2.5, 0.5}};
  DeviceMeasurements measured;
  measured.by = "a test";
  measured.device = "Mine";
  measured.driver = "1";
  measured.latency = {{4096, 1, 0}, {8192, 1, 0}, {16384, 50, 0}, {32768, 50, 0}};
  measured.idioms = {{Idiom::kStream, curve, 0.1}, {Idiom::kGatherScatter, curve, 0.2}};
  measured.toDevice = TransferCurve{curve, {{0, 2, 1}}, 0.1};
  device.measurements = measured;
  return device;
}

struct Plot {
  TemporaryFolder folder;
  Plot() { write(folder / "mine.json", toJson(measuredDevice())); }
  Outcome run(const std::vector<std::string> &more, const Setting &setting = {}) const {
    std::vector<std::string> words = {"devices", "plot", "--device-dir", folder.path().string()};
    words.insert(words.end(), more.begin(), more.end());
    return runAiwc(words, setting);
  }
};

bool hasGnuplot() {
  return runAiwc({"-c", "command -v gnuplot"}, {"/bin/sh"}).status == 0;
}

size_t occurrences(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++count;
  return count;
}

} // namespace

TEST_CASE("aiwc devices plot draws four diagrams of a measured device") {
  if (!hasGnuplot()) {
    WARN("no gnuplot: expected it, to test what it draws");
    return;
  }
  const Plot plot;
  const Outcome outcome = plot.run({"mine", "-o", (plot.folder / "picture.svg").string()});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.empty());
  const std::string picture = contents(plot.folder / "picture.svg");
  CHECK_THAT(picture, Contains("<svg") && Contains("</svg>"));
  for (const std::string title : {"Idioms: bandwidth", "Latency", "Transfers", "Roofline"})
    CHECK(occurrences(picture, ">" + title + "<") == 1);
  for (const std::string text : {"gather scatter", "host to device", "GB/s", "footprint",
                                 "to 8 KiB: 1 ns", "memory: 50 ns", "128 GFLOP/s", "12.5 GB/s"})
    CHECK_THAT(picture, Contains(text));
  CHECK_THAT(picture, Contains("It's \"a\" {device}_1 (mine)"));
  CHECK_THAT(picture, !Contains("device to host") && !Contains("double precision"));
}

TEST_CASE("aiwc devices plot draws the roofline only of a device from a data sheet, also as PNG") {
  if (!hasGnuplot()) {
    WARN("no gnuplot: expected it, to test what it draws");
    return;
  }
  const Plot plot;
  DeviceProfile device = measuredDevice();
  device.id = "sheet";
  device.measurements.reset();
  write(plot.folder / "sheet.json", toJson(device));
  const Setting here{AIWC_COMMAND, plot.folder.path()};
  REQUIRE(plot.run({"sheet"}, here).status == 0);
  const std::string picture = contents(plot.folder / "sheet.svg");
  CHECK_THAT(picture, Contains(">Roofline<") && !Contains(">Latency<"));
  REQUIRE(plot.run({"sheet", "-o", "sheet.png"}, here).status == 0);
  CHECK_THAT(contents(plot.folder / "sheet.png"), StartsWith("\x89PNG"));
}

TEST_CASE("aiwc devices show prints what was measured") {
  const TemporaryFolder folder;
  DeviceProfile device = measuredDevice();
  device.set(Parameter::kDramBandwidth, 12.5, "measured", 0.025);
  device.measurements->figures = {{"barrier_ns", 80, 0.01}};
  device.measurements->missing = {"fp16: none"};
  write(folder / "mine.json", toJson(device));
  const Outcome outcome =
      runAiwc({"devices", "show", "--device-dir", folder.path().string(), "mine"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out,
             Contains("12.5 GB/s +- 2.5 %") && Contains("\nmeasured by a test, driver 1\n"));
  CHECK_THAT(outcome.out, Contains("\nbarrier_ns  80 ns +- 1 %  a barrier of a work-group\n"));
  CHECK_THAT(outcome.out, Contains("\nstream          4 KiB to 16 MiB  30 to 2.5  10.0 %\n"));
  CHECK_THAT(outcome.out, Contains("\nnot measured: fp16: none\n"));
}

TEST_CASE("bad arguments of aiwc devices plot are refused") {
  const Plot plot;
  const std::string folder = plot.folder.path().string();
  const auto refused = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"devices", "plot", "--device-dir", folder});
    return refusal(more);
  };
  CHECK_THAT(refused({"mine", "-o", "picture.pdf"}),
             Contains("the output is \"picture.pdf\": expected a name that ends in .svg or .png"));
  CHECK_THAT(refused({"nosuch"}), Contains("no device \"nosuch\""));
  CHECK_THAT(refused({}), Contains("ID is required"));
  write(plot.folder / "empty.json", toJson(namedDevice("empty")));
  CHECK_THAT(refused({"empty"}),
             Contains("device empty has neither peak rates and bandwidth nor measurements"));
  CHECK_THAT(refusal({"PATH=/nowhere", AIWC_COMMAND, "devices", "plot", "--device-dir", folder,
                      "mine", "-o", folder + "/x.svg"},
                     {"/usr/bin/env"}),
             Contains("aiwc devices plot: no gnuplot: expected the program"));
  CHECK_FALSE(std::filesystem::exists(plot.folder / "x.svg"));
}
