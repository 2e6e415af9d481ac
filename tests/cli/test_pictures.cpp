// Pages and pictures of devices and schedules; tests/report/in_browser.py looks into pictures.
#include "../predict/machines.h"
#include "predict/device_json.h"
#include "process.h"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace aiwc::predict;
using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

DeviceProfile measuredDevice() {
  DeviceProfile device = namedDevice("mine", {"Mine"});
  device.name = "It's \"a\" <b>&{device}_1";
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

/// `aiwc devices show` of devices in a folder.
struct Shown {
  TemporaryFolder folder;
  Shown() { write(folder / "mine.json", toJson(measuredDevice())); }
  std::vector<std::string> words(const std::vector<std::string> &more) const {
    std::vector<std::string> all = {"--device-dir", folder.path().string(), "devices", "show"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

} // namespace

TEST_CASE("the page of a device has its curves and their levels, and its peaks") {
  const Shown shown;
  const std::string file = (shown.folder / "page.html").string();
  const Outcome outcome = runAiwc(shown.words({"mine", "-o", file}));
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.out.empty());
  const std::string page = contents(file);
  CHECK_THAT(page, StartsWith("<!DOCTYPE html>") && !Contains("<b>"));
  // 4 cores of 32 GFLOP/s; stairs of 1 ns to 8 KiB and of 50 ns; idioms by their names in words.
  for (const std::string text :
       {R"("peaks":[{"name":"single precision","value":128.0}])",
        R"("levels":[{"bytes":8192.0,"value":1.0},{"bytes":32768.0,"value":50.0}])",
        R"("name":"gather scatter","points":[[4096.0,30.0],[65536.0,20.0],[16777216.0,2.5]])",
        R"("direction":"toDevice")", R"("bandwidths":[{"name":"memory","value":12.5}])"})
    CHECK_THAT(page, Contains(text));
  CHECK_THAT(page, !Contains(R"("direction":"toHost")") && !Contains(R"("double precision")"));
}

TEST_CASE("aiwc devices show prints what was measured") {
  const TemporaryFolder folder;
  DeviceProfile device = measuredDevice();
  device.set(Parameter::kDramBandwidth, 12.5, "measured", 0.025);
  device.measurements->figures = {{"barrier_ns", 80, 0.01}};
  device.measurements->missing = {"fp16: none"};
  write(folder / "mine.json", toJson(device));
  const Outcome outcome =
      runAiwc({"--device-dir", folder.path().string(), "devices", "show", "mine"});
  CHECK(outcome.status == 0);
  CHECK_THAT(outcome.out,
             Contains("12.5 GB/s +- 2.5 %") && Contains("\nmeasured by a test, driver 1\n"));
  CHECK_THAT(outcome.out, Contains("\nbarrier_ns  80 ns +- 1 %  a barrier of a work-group\n"));
  CHECK_THAT(outcome.out, Contains("\nstream          4 KiB to 16 MiB  30 to 2.5  10.0 %\n"));
  CHECK_THAT(outcome.out, Contains("\nnot measured: fp16: none\n"));
}

TEST_CASE("what cannot be drawn is refused, and no file is left") {
  const Shown shown;
  const std::string file = (shown.folder / "x.svg").string();
  CHECK_THAT(refusal(shown.words({"mine", "-o", "picture.gif"})),
             Contains("picture.gif: expected a name that ends in .html, .svg, .png or .pdf"));
  CHECK_THAT(refusal(shown.words({"mine", "-o", file, "--chart", "x"})),
             Contains("--chart x: expected one of roofline, idioms, latency, transfers"));
  write(shown.folder / "empty.json", toJson(namedDevice("empty")));
  CHECK_THAT(refusal(shown.words({"empty", "-o", file})),
             Contains("device empty has neither peak rates and bandwidth nor measurements"));
  std::vector<std::string> words = shown.words({"mine", "-o", file});
  words.insert(words.begin(), {"PATH=/nowhere", AIWC_COMMAND});
  CHECK_THAT(refusal(words, {"/usr/bin/env"}),
             Contains("Chromium, which is not in PATH: expected it, as of the Debian package "
                      "chromium"));
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("a browser that fails or writes nothing is told, and its folder is removed") {
  const Shown shown;
  const TemporaryFolder browsers;
  const TemporaryFolder temporary;
  const std::string file = (shown.folder / "x.svg").string();
  const auto told = [&](const std::string &script) {
    write(browsers / "chromium", "#!/bin/sh\n" + script);
    std::filesystem::permissions(browsers / "chromium", std::filesystem::perms::owner_all);
    std::vector<std::string> words = shown.words({"mine", "-o", file});
    words.insert(words.begin(), {"PATH=" + browsers.path().string(),
                                 "TMPDIR=" + temporary.path().string(), AIWC_COMMAND});
    return refusal(words, {"/usr/bin/env"});
  };
  CHECK_THAT(told("exit 3\n"), Contains("chromium has failed"));
  CHECK_THAT(told("echo '<html></html>'\n"), Contains("has drawn no picture"));
  CHECK(std::filesystem::is_empty(temporary.path()));
  CHECK_FALSE(std::filesystem::exists(file));
}
