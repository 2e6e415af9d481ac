// `aiwc attach` as a user runs them, on PoCL.
#include "kernel/command.h"
#include "launcher/capture_progress.h"
#include "run/folder.h"
#include "support/text.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

using namespace aiwc;
namespace fs = std::filesystem;
using test::Outcome;
using test::Words;
using test::Workplace;

namespace {

/// The command line of `aiwc attach` with these options.
Words attach(const Words &options, const Words &application) {
  Words all = {"attach"};
  all.insert(all.end(), options.begin(), options.end());
  all.push_back("--");
  all.insert(all.end(), application.begin(), application.end());
  return all;
}

Outcome withLayer(const Workplace &place, const Words &words, const Words &options = {}) {
  Words all = {"--output", "run"};
  all.insert(all.end(), options.begin(), options.end());
  Words application = {AIWC_TEST_APPLICATION};
  application.insert(application.end(), words.begin(), words.end());
  return place.aiwc(attach(all, application));
}

Outcome bare(const Workplace &place, const Words &words) {
  return place.execute(AIWC_TEST_APPLICATION, words);
}

run::Run runIn(const Workplace &place, const std::string &folder = "run") {
  return run::readRun(place / folder / "run.json");
}

/// What tells the launches of the application apart.
using Key = std::tuple<std::string, std::vector<std::string>>;

Key keyOf(const run::Launch &launch) {
  std::vector<std::string> values;
  for (const run::Argument &argument : launch.arguments)
    values.push_back(argument.value);
  return {launch.kernel, values};
}

/// The metrics of profiles but those of transfers, which are the host's.
std::map<Key, nlohmann::json> metricsOf(const Workplace &place, const std::string &folder) {
  std::map<Key, nlohmann::json> result;
  for (const run::Launch &launch : runIn(place, folder).launches)
    if (launch.characterised()) {
      const auto text = test::contents(place / folder / launch.profile);
      nlohmann::json metrics = nlohmann::json::parse(text).at("metrics");
      for (const char *key : {"host_to_device_bytes", "host_to_device_transfers",
                              "device_to_host_bytes", "device_to_host_transfers"})
        metrics.erase(key);
      result[keyOf(launch)] = std::move(metrics);
    }
  return result;
}

} // namespace

TEST_CASE("attach --times-only measures every launch, and the application computes the same") {
  const Workplace place;
  const Outcome outcome = withLayer(place, {}, {"--times-only"});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out == bare(place, {}).out);
  const run::Run run = runIn(place);
  CHECK(run.errors.empty());
  CHECK(run.launches.size() == 25); // six times four, and one of images
  std::set<uint64_t> numbers;
  for (const run::Launch &launch : run.launches) {
    numbers.insert(launch.number);
    CHECK(launch.process == 0);
    REQUIRE(launch.measured);
    CHECK(launch.measured->nanos > 0);
    CHECK(launch.measured->queuedNanos >= launch.measured->nanos);
    CHECK(!launch.measured->device.empty());
    CHECK(!launch.hasProfile());
    const auto isOthers = [&](const run::Launch &other) {
      return other.kernel == launch.kernel && other.number != launch.number;
    };
    const bool isFirst = std::ranges::none_of(run.launches, [&](const run::Launch &other) {
      return isOthers(other) && other.number < launch.number;
    });
    const bool isAlone = std::ranges::none_of(run.launches, isOthers);
    CHECK(launch.measured->first == (isAlone   ? run::FirstLaunch::kAlone
                                     : isFirst ? run::FirstLaunch::kWarmUp
                                               : run::FirstLaunch::kNo));
  }
  CHECK(numbers.size() == 25);
  CHECK(*numbers.rbegin() == 24);
  CHECK(outcome.err.find("25 launches of 3 kernels measured on ") != std::string::npos);
  CHECK_THAT(outcome.err,
             Catch::Matchers::Contains(", without the first, a warm-up of ") &&
                 Catch::Matchers::Contains(" (its first launch, which may contain compilation)"));
}

TEST_CASE("attach gives launches the profiles that aiwc run gives them") {
  const Workplace place;
  const Outcome outcome = withLayer(place, {});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out == bare(place, {}).out);
  CHECK(outcome.err.find("1 chosen launch was not characterised: they have images") !=
        std::string::npos);
  const run::Run run = runIn(place);
  CHECK(run.errors.empty());
  CHECK(!fs::exists(place / "run" / "captures"));
  CHECK(run::contentOf(place / "run").runs.size() == 1);
  size_t characterised = 0;
  for (const run::Launch &launch : run.launches) {
    CHECK(launch.measured);
    characterised += launch.characterised();
    if (launch.hasProfile())
      CHECK(fs::exists(place / "run" / launch.profile));
    else
      CHECK((launch.kernel == "invert" || launch.kernel == "fill" || launch.kernel == "sums"));
  }
  CHECK(characterised >= 7); // fill: 1 2 3 4 6 of the kinds; sums: 1 2 3
  CHECK(place.aiwc({"run", "--output", "simulated", "--", AIWC_TEST_APPLICATION}).status == 0);
  const auto attached = metricsOf(place, "run"), simulated = metricsOf(place, "simulated");
  REQUIRE(!attached.empty());
  for (const auto &[key, metrics] : attached) {
    INFO(std::get<0>(key));
    REQUIRE(simulated.contains(key));
    CHECK(metrics == simulated.at(key));
  }
  const Outcome shown = place.aiwc({"show", "run"});
  CHECK(shown.status == 0);
  CHECK(shown.out.find("sums: ") != std::string::npos);
}

TEST_CASE("Launches of a kind share the profile of the one that was characterised") {
  const Workplace place;
  CHECK(withLayer(place, {}).status == 0);
  std::map<std::string, std::set<std::string>> profiles;
  for (const run::Launch &launch : runIn(place).launches)
    if (launch.kernel == "sums" && launch.hasProfile())
      profiles[launch.arguments.at(3).value].insert(launch.profile);
  CHECK(profiles.size() == 3);
  for (const auto &[rounds, files] : profiles)
    CHECK(files.size() == 1);
}

TEST_CASE("predict sets the measured times of a run beside its own") {
  const Workplace place;
  CHECK(withLayer(place, {}).status == 0);
  const auto nanosOf = [](const run::Run &run, const std::string &kernel) {
    double nanos = 0;
    for (const run::Launch &launch : run.launches)
      if (launch.kernel == kernel && launch.measured->first != run::FirstLaunch::kWarmUp)
        nanos += static_cast<double>(launch.measured->nanos);
    return nanos;
  };
  const auto measuredOf = [&](Words words) {
    words.insert(words.begin(), "predict");
    words.insert(words.end(),
                 {"--devices", "i7-6700k,gtx1080", "--measured-on", "i7-6700k", "--json"});
    const Outcome outcome = place.aiwc(words);
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    std::map<std::string, nlohmann::json> measured; // by kernel, of the one device
    for (const auto &kernel : nlohmann::json::parse(outcome.out).at("kernels"))
      for (const auto &device : kernel.at("devices"))
        if (device.at("device") == "i7-6700k")
          measured[kernel.at("kernel")] = device.at("measured");
        else
          CHECK(device.at("measured").is_null());
    return measured;
  };
  for (const auto &[kernel, measured] : measuredOf({"run"})) {
    INFO(kernel);
    CHECK(measured.at("launches") == (kernel == "sums" ? 17 : 5));
    CHECK(measured.at("time_us").get<double>() == Approx(nanosOf(runIn(place), kernel) / 1e3));
    CHECK(measured.at("ratio").get<double>() ==
          Approx(measured.at("time_us").get<double>() / measured.at("predicted_us").get<double>()));
  }
  // Profiles and times of two runs.
  CHECK(place.aiwc(attach({"--times-only", "--output", "times"}, {AIWC_TEST_APPLICATION})).status ==
        0);
  CHECK(place.aiwc({"run", "--output", "simulated", "--", AIWC_TEST_APPLICATION}).status == 0);
  for (const auto &[kernel, measured] : measuredOf({"simulated", "--measured", "times"}))
    CHECK(measured.at("time_us").get<double>() ==
          Approx(nanosOf(runIn(place, "times"), kernel) / 1e3));
  // What a device that is not asked for took says what another one takes.
  const Outcome conditioned =
      place.aiwc({"predict", "simulated", "--measured", "times", "--measured-on", "i7-6700k",
                  "--devices", "gtx1080", "--json"});
  INFO(conditioned.err);
  REQUIRE(conditioned.status == 0);
  for (const auto &kernel : nlohmann::json::parse(conditioned.out).at("kernels")) {
    CHECK(kernel.at("measured_on").at("i7-6700k") == (kernel.at("kernel") == "sums" ? 17 : 5));
    const auto &gtx1080 = kernel.at("devices").at(0);
    CHECK(gtx1080.at("time_is") == "conditioned");
    CHECK(gtx1080.at("measured").is_null());
    CHECK(gtx1080.at("time_us") != gtx1080.at("predicted_us"));
  }
  const Outcome table =
      place.aiwc({"predict", "run", "--measured-on", "i7-6700k", "--devices", "i7-6700k,gtx1080"});
  CHECK_THAT(table.out, Catch::Matchers::Contains("times measured on i7-6700k\n"));
  const Outcome unknown = place.aiwc({"predict", "simulated", "--measured", "times"});
  CHECK(unknown.status == 2);
  CHECK(unknown.out.empty());
  CHECK(unknown.err.find("which no device file describes: expected --measured-on ID") !=
        std::string::npos);
  CHECK_THAT(test::onOneLine(place.aiwc({"predict", "run", "--devices", "gtx1080"}).out),
             Catch::Matchers::Contains("a device that no file describes"));
  const Outcome refused = place.aiwc({"predict", "run", "--measured", "simulated"});
  CHECK(refused.status == 2);
  CHECK(refused.err.find("has no measured launches") != std::string::npos);
}

TEST_CASE("A run of attach updates the model for its device") {
  const Workplace place;
  CHECK(withLayer(place, {}).status == 0);
  const Words update = {"train",    "--update", AIWC_TEST_MODEL, "--measured", "run", "--device",
                        "i7-6700k", "-o",       "mine.json"};
  const Outcome outcome = place.execute(AIWC_TEST_MODEL_COMMAND, update);
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out.find("i7-6700k: fitted to 2 times of 1 application") == 0);
  const Outcome predicted = place.aiwc(
      {"predict", "run", "--devices", "i7-6700k", "--model", "mine.json", "--time", "kernel"});
  CHECK(predicted.status == 0);
  CHECK(place.aiwc(attach({"--times-only", "--output", "times"}, {AIWC_TEST_APPLICATION})).status ==
        0);
  Words other = update;
  other[4] = "times";
  const Outcome refused = place.execute(AIWC_TEST_MODEL_COMMAND, other);
  CHECK(refused.status == 2);
  CHECK(refused.err.find("times: no kernel with a profile was measured") != std::string::npos);
}

TEST_CASE("An application that dies, or becomes another program, leaves what has ended") {
  const Workplace place;
  const Outcome died = withLayer(place, {"die"});
  CHECK(died.signal == SIGABRT);
  CHECK(runIn(place).cutOffBy == SIGABRT);
  const Workplace other;
  const Outcome replaced = withLayer(other, {"exec"}, {"--times-only"});
  CHECK(replaced.status == 0);
  CHECK(replaced.out == bare(other, {"exec"}).out);
}

TEST_CASE("What the simulator refuses is said, and its capture remains") {
  const Workplace place;
  const Outcome outcome = withLayer(place, {"header"});
  CHECK(outcome.out == bare(place, {"header"}).out);
  CHECK(outcome.status == 3);
  CHECK(outcome.err.find("launch 0 of process 0 (set) was not characterised: ") !=
        std::string::npos);
  CHECK(outcome.err.find("1 captured launch is left: aiwc attach --resume run goes on with it") !=
        std::string::npos);
  const run::Run run = runIn(place);
  REQUIRE(run.launches.size() == 1);
  CHECK(run.launches[0].measured);
  CHECK(!run.launches[0].hasProfile());
  CHECK(run.errors.size() == 1);
  CHECK(fs::exists(place / "run" / "captures"));
  // The header is there again: what is left can be characterised.
  CHECK(place.execute("/bin/sh", {"-c", "echo '#define NUMBER 7' >header.h"}).status == 0);
  const Outcome resumed = place.aiwc({"attach", "--resume", "run"});
  INFO(resumed.err);
  CHECK(resumed.status == 0);
  CHECK(runIn(place).launches[0].characterised());
  CHECK(runIn(place).errors.empty());
  CHECK(!fs::exists(place / "run" / "captures"));
  const Outcome nothing = place.aiwc({"attach", "--resume", "run"});
  CHECK(nothing.status == 2);
  CHECK(nothing.err.find("has no captured launches that are left") != std::string::npos);
}

TEST_CASE("--no-wait ends with the application, and --resume characterises the rest") {
  // The simulator waits for the header of the first capture, so that it cannot finish any of them
  // while the application runs.
  const std::string application = "waiting header";
  const Workplace place, other;
  const Outcome outcome = place.aiwc(
      {"attach", "--no-wait", "--output", "run", "--", AIWC_TEST_APPLICATION, application});
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out == bare(other, {application}).out);
  CHECK(
      outcome.err.find("captured launches are left: aiwc attach --resume run goes on with them") !=
      std::string::npos);
  CHECK(fs::exists(place / "run" / "captures"));
  CHECK(runIn(place).launches.size() == 5);
  for (const run::Launch &launch : runIn(place).launches)
    CHECK(!launch.hasProfile());
  fs::remove(place / "header.h");
  place.write("header.h", "#define NUMBER 7\n");
  const Outcome resumed = place.aiwc({"attach", "--resume=run"});
  INFO(resumed.err);
  CHECK(resumed.status == 0);
  CHECK(!fs::exists(place / "run" / "captures"));
  CHECK(run::contentOf(place / "run").runs.size() == 1);
  CHECK(other.aiwc({"run", "--output", "run", "--", AIWC_TEST_APPLICATION, application}).status ==
        0);
  const auto metrics = metricsOf(place, "run"), expected = metricsOf(other, "run");
  CHECK(metrics.size() == 5);
  CHECK(metrics == expected);
}

TEST_CASE("Ctrl-C while captures are characterised leaves the rest") {
  const Workplace place;
  const std::string words = "set -m; '" + std::string(AIWC_TEST_COMMAND) +
                            "' attach --output run -- '" + AIWC_TEST_APPLICATION +
                            "' spin >output 2>messages & launcher=$!; "
                            "while ! grep -q 'the application has ended' messages; do sleep 0.1; "
                            "done; kill -INT $launcher; wait $launcher";
  const Outcome outcome = place.execute("/usr/bin/timeout", {"120", "/bin/bash", "-c", words});
  const std::string messages = test::contents(place / "messages");
  INFO(messages);
  CHECK(outcome.status == 0);
  CHECK(messages.find(" left: aiwc attach --resume run goes on with ") != std::string::npos);
  const Outcome resumed = place.aiwc({"attach", "--resume", "run"});
  CHECK(resumed.status == 0);
  for (const run::Launch &launch : runIn(place).launches)
    CHECK(launch.hasProfile());
}

TEST_CASE("A simulator that is killed beside the application costs its capture") {
  const Workplace place;
  fs::create_directories(place / "tmp");
  // Its first capture is the kernel that takes seconds.
  const std::string words =
      "mkfifo input; export TMPDIR=\"$PWD/tmp\"; '" + std::string(AIWC_TEST_COMMAND) +
      "' attach --output run -- '" + AIWC_TEST_APPLICATION +
      "' 'spin and wait' <input >output 2>messages & launcher=$!; exec 3>input; "
      "while ! grep -qrs --include=captures.log 'begin 0' tmp; do sleep 0.05; done; "
      "kill -9 $(pgrep -f \"aiwc-kernel-host .*$PWD/run/captures\"); "
      "echo >&3; wait $launcher";
  const Outcome outcome = place.execute("/usr/bin/timeout", {"120", "/bin/bash", "-c", words});
  const std::string messages = test::contents(place / "messages");
  INFO(messages);
  CHECK(outcome.status == 3);
  CHECK(fs::exists(place / "ended"));
  CHECK(test::contents(place / "output").find("goes on ") != std::string::npos);
  CHECK(messages.find("launch 0 of process 0 (spin) was not characterised: its simulator was ended "
                      "by signal 9") != std::string::npos);
  const run::Run run = runIn(place);
  REQUIRE(run.launches.size() == 9);
  for (const run::Launch &launch : run.launches)
    CHECK(launch.hasProfile() == (launch.kernel != "spin"));
  CHECK(run.errors.size() == 1);
}

TEST_CASE("Progress names the capture that is in the simulator") {
  CHECK(launcher::progressLine(3, 12, "sums", std::chrono::seconds(40)) ==
        "characterising 3 of 12 captured launches (kernel sums): 40 s");
  CHECK(launcher::progressLine(1, 1, "sums", std::chrono::seconds(125)) ==
        "characterising 1 of 1 captured launches (kernel sums): 2 min 05 s");
}

TEST_CASE("An application goes on if the launcher is killed") {
  const Workplace place;
  const std::string words = "'" + std::string(AIWC_TEST_COMMAND) + "' attach --output run -- '" +
                            AIWC_TEST_APPLICATION +
                            "' wait <input >output & launcher=$!; "
                            "exec 3>input; while [ ! -s output ]; do sleep 0.1; done; "
                            "kill -9 $launcher; echo >&3; "
                            "while [ ! -e ended ]; do sleep 0.1; done";
  const Outcome outcome =
      place.execute("/usr/bin/timeout", {"60", "/bin/sh", "-c", "mkfifo input; " + words});
  CHECK(outcome.status == 0);
  const std::string expected = bare(place, {}).out;
  CHECK(test::contents(place / "output").find(expected.substr(0, expected.find('\n'))) == 0);
}

TEST_CASE("An application whose OpenCL has no layers is told so, with what to do") {
  const Workplace place;
  const fs::path library = place / "libOpenCL.so.1"; // any that does nothing
  fs::copy_file(AIWC_TEST_LAYER, library);
  const Outcome outcome = // a name in LD_PRELOAD has no blanks
      place.aiwc(
          attach({"--times-only"}, {"/usr/bin/env", "LD_PRELOAD=./libOpenCL.so.1", "sleep", "1"}));
  CHECK(outcome.status == 0);
  INFO(outcome.err);
  CHECK(outcome.err.find("the application uses OpenCL by " + library.string() +
                         ", which has no layers: try --preload") != std::string::npos);
}

TEST_CASE("An application whose OpenCL has no layers is measured with a preloaded library") {
  const Workplace place;
  // Without the variable no loader has layers.
  const Words plain = {"--output", "run", "--", "/usr/bin/env", "-u", "OPENCL_LAYERS"};
  for (const std::string how : {AIWC_TEST_APPLICATION, AIWC_TEST_MODULE_HOST})
    for (const bool timesOnly : {true, false}) {
      INFO(how << " " << timesOnly);
      fs::remove_all(place / "run");
      Words words = {"attach", "--preload"};
      if (timesOnly)
        words.emplace_back("--times-only");
      words.insert(words.end(), plain.begin(), plain.end());
      words.push_back(how);
      const Outcome outcome = place.aiwc(words);
      INFO(outcome.err);
      CHECK(outcome.status == 0);
      CHECK(outcome.out == bare(place, {}).out);
      const run::Run run = runIn(place);
      CHECK(run.launches.size() == 25);
      for (const run::Launch &launch : run.launches)
        CHECK(launch.measured);
      CHECK((run.launches.front().hasProfile() == !timesOnly));
    }
  // With a loader that has layers, launches are not counted twice.
  CHECK(
      place.aiwc(attach({"--times-only", "--preload", "--output", "both"}, {AIWC_TEST_APPLICATION}))
          .status == 0);
  CHECK(runIn(place, "both").launches.size() == 25);
}

TEST_CASE("What cannot be measured is said in one line") {
  const Workplace place;
  const auto refusal = [&](const Words &words, int status) {
    const Outcome outcome = place.aiwc(words);
    CHECK(outcome.status == status);
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    return outcome.err;
  };
  CHECK(refusal({"time", "--output", "times", "--", "true"}, 2) ==
        "aiwc: time: is now aiwc attach --times-only\n");
  CHECK(refusal({"attach", "--times-only"}, 2).find("aiwc attach: no application") !=
        std::string::npos);
  for (const Words &options :
       {Words{"--times-only", "--budget", "5"}, Words{"--budget", "5", "--times-only"},
        Words{"--times-only", "--no-wait"}, Words{"--no-wait", "--times-only"}})
    CHECK(refusal(attach(options, {"true"}), 2).find("--times-only") != std::string::npos);
  CHECK(refusal({"attach", "--csv", "--", "true"}, 2).find("unknown option '--csv'") !=
        std::string::npos);
  CHECK(refusal({"attach", "--budget", "0", "--", "true"}, 2).find("--budget is '0'") !=
        std::string::npos);
  CHECK(refusal({"attach", "--budget"}, 2).find("--budget has no argument") != std::string::npos);
  CHECK(refusal(attach({"--times-only"}, {"./missing"}), 127).find("was not found") !=
        std::string::npos);
  CHECK(refusal(attach({"--times-only"}, {"true"}), 0)
            .find("no launch was measured: the application loaded no "
                  "OpenCL loader with layers") != std::string::npos);
}
