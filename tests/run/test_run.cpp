#include "common/error.h"
#include "run/launch_texts.h"
#include "runs.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

using namespace aiwc;
using namespace aiwc::run;
using test::fullLaunch;

namespace {

std::string refusal(const std::string &text) {
  try {
    runOf(text, "run.json");
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

/// The text with the first `from` replaced.
std::string with(std::string text, const std::string &from, const std::string &to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

Run fullRun() {
  Run run;
  run.command = {"./app", "a b", "\"\n"};
  run.options = {"--aiwc-kernel", "k*"};
  run.folder = "/home/of/app";
  run.started = "2026-11-22T15:49:00Z";
  run.seconds = 1.5;
  run.status = 139;
  run.toolVersion = "1.2.3";
  run.oclgrindVersion = "21.10";
  run.answeredAs = {"gtx1080", "gpu"};
  run.asked = {"CL_DEVICE_NAME", "CL_DEVICE_TYPE"};
  run.errors = {"one", "two"};
  run.launches = {fullLaunch(), test::launchOf("other", 5)};
  return run;
}

} // namespace

TEST_CASE("A launch reads back as it was written, on one line") {
  const Launch full = fullLaunch();
  CHECK(toJson(full).find('\n') == std::string::npos);
  CHECK(run::launchOf(toJson(full), "x") == full);
  Launch notCharacterised = full;
  notCharacterised.profile = notCharacterised.sourceHash = notCharacterised.codeHash =
      notCharacterised.buildOptions = notCharacterised.source = "";
  notCharacterised.complete = true;
  notCharacterised.simulatorErrors = notCharacterised.instructions = 0;
  CHECK(run::launchOf(toJson(notCharacterised), "x") == notCharacterised);
}

TEST_CASE("A launch reads back whose work-groups did not all run, or were not all characterised") {
  Launch launch = fullLaunch();
  CHECK(toJson(launch).find("left_out") == std::string::npos);
  launch.sampledGroups = 6;
  launch.othersLeftOut = true;
  CHECK(run::launchOf(toJson(launch), "x") == launch);
  launch.smallerSample = true;
  CHECK(run::launchOf(toJson(launch), "x") == launch);
  launch.othersLeftOut = false;
  CHECK(run::launchOf(toJson(launch), "x") == launch);
  CHECK_THROWS_WITH(run::launchOf(with(toJson(launch), "0.125", "-1"), "x"),
                    Catch::Contains("seconds"));
}

TEST_CASE(
    "A launch that a file gives the profile of one that is not of its kind is read without it") {
  const Launch launch = fullLaunch();
  const std::string near =
      with(toJson(launch), "\"profile\"", "\"nearest_to\": 2, \"differs_in\": [0], \"profile\"");
  const Launch read = run::launchOf(near, "x");
  CHECK_FALSE(read.hasProfile());
  CHECK(read.arguments == launch.arguments);
  CHECK(read.deviceToHost == launch.deviceToHost);
}

TEST_CASE("Of a kernel's measured launches on a device, the first of each process is a warm-up") {
  Run run;
  const auto add = [&](uint64_t process, uint64_t number, const char *kernel, const char *device) {
    Launch &launch = run.launches.emplace_back();
    launch.process = process;
    launch.number = number;
    launch.kernel = kernel;
    if (*device)
      launch.measured = DeviceTime{device, 100, 200};
  };
  add(0, 2, "k", "A"); // ends before the first one does
  add(0, 1, "k", "A");
  add(0, 0, "k", ""); // was not measured
  add(0, 3, "k", "B");
  add(0, 4, "l", "A");
  add(1, 0, "k", "A");
  add(1, 1, "k", "A");
  markFirstLaunches(run);
  std::vector<FirstLaunch> first;
  for (const Launch &launch : run.launches)
    if (launch.measured)
      first.push_back(launch.measured->first);
  using enum FirstLaunch;
  CHECK(first == std::vector{kNo, kWarmUp, kAlone, kAlone, kWarmUp, kNo});
}

TEST_CASE("A measured launch reads back, with the clock if it is the host's") {
  Launch launch = fullLaunch();
  launch.measured = DeviceTime{"Device 1", 5, 7};
  CHECK(toJson(launch).find("\"clock\"") == std::string::npos);
  CHECK(run::launchOf(toJson(launch), "x") == launch);
  launch.measured->first = GENERATE(FirstLaunch::kNo, FirstLaunch::kWarmUp, FirstLaunch::kAlone);
  launch.measured->isHostClock = true;
  CHECK(run::launchOf(toJson(launch), "x") == launch);
  CHECK_THROWS_WITH(run::launchOf(with(toJson(launch), "\"host\"", "\"sun\""), "x"),
                    Catch::Contains("\"host\", or no clock for the device's"));
}

TEST_CASE("Where commands ran on the device reads back, and is not in runs that do not know it") {
  Launch launch = fullLaunch();
  launch.measured = DeviceTime{"Device 1", 5, 7};
  for (const char *key : {"\"queue\"", "\"start_nanos\"", "\"placed\""})
    CHECK(toJson(launch).find(key) == std::string::npos);
  launch.measured->place = Place{1, UINT64_MAX};
  launch.hostToDevice.placed = {{{0, 0}, 3, 64}, {{1, 9}, 4, 32}};
  CHECK(run::launchOf(toJson(launch), "x") == launch);
  CHECK_THROWS_WITH(
      run::launchOf(with(toJson(launch), "\"start_nanos\":9", "\"start_nanos\":-9"), "x"),
      Catch::Contains("host_to_device.placed[1].start_nanos"));
}

TEST_CASE("The text of a launch is that of its JSON tree without blanks") {
  Launch launch = fullLaunch();
  for (const char *const name : {"\x01 \xff", "", "plain"}) {
    launch.arguments[0].name = name;
    for (const std::string &text : {toJson(launch), workOf(launch)})
      CHECK(nlohmann::ordered_json::parse(text).dump() == text);
    launch.representative = 3;
    launch.sampledGroups = 2;
    launch.profile.clear();
  }
}

TEST_CASE("A run reads back as it was written, finished or not") {
  Run run = fullRun();
  CHECK(runOf(toJson(run), "x") == run);
  run.cutOffBy = 2;
  CHECK(runOf(toJson(run), "x") == run);
  run.seconds.reset();
  CHECK(runOf(toJson(run), "x") == run);
  CHECK_FALSE(runOf(toJson(run), "x").finished());
  run.launches.clear();
  CHECK(runOf(toJson(run), "x") == run);
}

TEST_CASE("After the launches in full, a run tells in what a launch differs from one like it") {
  std::minstd_rand random(5);
  const auto some = [&](unsigned most) { return random() % most; };
  const std::vector<Launch> kinds = {fullLaunch(), test::launchOf("a\"],\"as\":1,{", 3),
                                     test::launchOf("b", 4)};
  Run run = fullRun();
  run.launches.clear();
  for (uint64_t number = 0; number < 2 * kLaunchesInFull; ++number) {
    Launch launch = kinds[some(3)];
    launch.process = some(2);
    launch.number = number;
    launch.invocation = some(3);
    launch.seconds = 0.25 * some(3);
    launch.hostToDevice.bytes = some(2);
    launch.deviceToHost.placed.assign(some(2), {{0, 8}, 4, 5});
    launch.arguments.resize(some(2) * launch.arguments.size());
    if (some(2) == 0)
      launch.representative = 0;
    if (some(2) == 0)
      launch.measured = DeviceTime{"d", some(9), some(9)};
    if (some(50) == 0)
      launch.instructions = some(1000);
    launch.othersLeftOut = some(50) == 0;
    if (some(50) == 0) { // without a profile
      const Launch kind = std::exchange(launch, Launch{});
      static_cast<profile::LaunchIdentity &>(launch) = kind;
      launch.process = kind.process;
      launch.number = kind.number;
    }
    run.launches.push_back(launch);
  }
  const std::string text = toJson(run);
  CHECK(runOf(text, "x") == run);
  const auto lines = nlohmann::json::parse(text)["launches"];
  size_t shorter = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    CHECK(!(i < kLaunchesInFull && lines[i].contains("as")));
    shorter += lines[i].contains("as");
    if (lines[i].contains("as"))
      CHECK_FALSE(lines[i].contains("kernel"));
  }
  CHECK(shorter > kLaunchesInFull * 4 / 5);

  const std::string one = toJson(fullLaunch());
  LaunchTexts texts;
  CHECK(texts.shortened(one) == one);
  CHECK(texts.shortened(with(one, "\"number\":4", "\"number\":5")) ==
        "{\"process\":1,\"number\":5,\"as\":4}");
  CHECK(texts.shortened(with(one, "\"process\":1", "\"process\":2")).size() == one.size());
  FullLaunches none;
  CHECK_THROWS_WITH(run::launchOf("{\"process\":1,\"number\":5,\"as\":4}", "x", none),
                    "x:1:30: as is 4: expected the number of an earlier launch of process 1 that "
                    "is given in full");
}

TEST_CASE("What is no run is refused, with its place") {
  const std::string good = toJson(fullRun());
  CHECK(refusal(good) == "");
  CHECK(refusal(good.substr(0, good.size() / 2)).starts_with("run.json:"));
  CHECK(refusal(with(good, "\"schema_version\": 2", "\"schema_version\": 3"))
            .starts_with("run.json:2:"));
  CHECK(refusal(with(good, "\"command\"", "\"comand\"")).find("command") != std::string::npos);
  CHECK(refusal(with(good, "\"seconds\": 1.500", "\"seconds\": -1.5")).starts_with("run.json:7:"));
  CHECK(refusal(with(good, "[64,32,1]", "[64,32,1,1]")).find("launches[0].global_size") !=
        std::string::npos);
  CHECK(refusal(with(good, "[16,1,1]", "[16]")).find("launches[0].local_size") !=
        std::string::npos);
  CHECK(refusal(with(good, "\"kind\":\"image\"", "\"kind\":\"disk\""))
            .find("launches[0].arguments[3].kind") != std::string::npos);
}

TEST_CASE("Launches are of one kind if the host asked for the same work") {
  const Launch launch = fullLaunch();
  Launch other = launch;
  other.invocation = 8;
  other.number = 9;
  other.arguments[1].allocation = 77; // another buffer of that size
  other.instructions = 1;
  CHECK(workOf(launch) == workOf(other));
  for (const auto &change : std::vector<void (*)(Launch &)>{
           [](Launch &l) { l.kernel += "2"; }, [](Launch &l) { l.sourceHash += "2"; },
           [](Launch &l) { l.buildOptions += "2"; }, [](Launch &l) { l.globalSize[1] = 1; },
           [](Launch &l) { l.localSize[0] = 1; }, [](Launch &l) { l.globalOffset[0] = 1; },
           [](Launch &l) { l.arguments[0].value = "3"; },
           [](Launch &l) { l.arguments[1].bytes = 2; },
           [](Launch &l) { l.arguments.pop_back(); }}) {
    other = launch;
    change(other);
    CHECK_FALSE(workOf(launch) == workOf(other));
  }
}
