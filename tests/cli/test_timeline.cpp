// `aiwc report RUN -o FILE.json`, on a folder of a run that is made up.

#include "../predict/machines.h"
#include "process.h"
#include "profile/json.h"
#include "run/run.h"
#include "trace_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <string>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;
using aiwc::run::Argument;
using aiwc::run::Transfers;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

constexpr uint64_t kBytes = 1 << 20;

/// A run of kernels that each read one allocation and write all of another.
struct MadeUp {
  explicit MadeUp(bool isMeasured) : measured(isMeasured) {
    run.command = {"./app"};
    run.seconds = 1;
    launch("first", 0, 1, {kBytes, 1, measured ? 40'000U : 0U});
    launch("second", 1, 2);
    launch("first", 3, 4); // of what no launch has written
    launch("second", 2, 1, {}, {2 * kBytes, 2, measured ? 90'000U : 0U});
    std::ranges::reverse(run.launches); // a file has them in the order in which they ended
    write(folder / "run/run.json", aiwc::run::toJson(run));
  }

  void launch(const std::string &kernel, uint64_t from, uint64_t to, const Transfers &toDevice = {},
              const Transfers &toHost = {}) {
    const uint64_t number = run.launches.size();
    KernelProfile profile = kernelOf(triad());
    profile.provenance.kernel = kernel;
    profile.provenance.invocation = number / 2;
    profile.setCount("total_instruction_count"_metric, 100'000 * (number + 1));
    profile.accesses = std::vector<AccessRow>(2);
    for (AccessRow &row : *profile.accesses) {
      row.function = kernel;
      row.accesses = 1;
      row.bytes = row.footprint = kBytes;
    }
    profile.accesses->front().array = "in";
    profile.accesses->back().array = "out";
    profile.accesses->back().kind = AccessKind::kWrite;
    aiwc::run::setTransfers(profile, toDevice, toHost);
    const std::string file = fmt::format("aiwc_{}_{}.json", kernel, number / 2);
    std::filesystem::create_directories(folder / "run");
    write(folder / "run" / file, toJson(profile));
    aiwc::run::Launch launch = aiwc::run::launchOf(profile, file);
    launch.number = number;
    launch.hostToDevice = toDevice;
    launch.deviceToHost = toHost;
    launch.arguments = {{Argument::Kind::kBuffer, "in", "float*", "", kBytes, from},
                        {Argument::Kind::kBuffer, "out", "float*", "", kBytes, to}};
    if (measured)
      launch.measured =
          aiwc::run::DeviceTime{"GeForce GTX 1080", 1000 * (number + 1), 2000 * (number + 1)};
    run.launches.push_back(launch);
  }

  Setting here() const { return {.folder = folder.path()}; }
  json traced(std::vector<std::string> words) const {
    words.insert(words.begin(), {"report", "run", "-o", "trace.json"});
    const Outcome outcome = runAiwc(words, here());
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    CHECK(outcome.out.empty());
    return json::parse(contents(folder / "trace.json"));
  }
  json predicted(const std::string &devices) const {
    const Outcome outcome = runAiwc({"predict", "run", "--devices", devices, "--json"}, here());
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return json::parse(outcome.out);
  }

  bool measured;
  TemporaryFolder folder;
  aiwc::run::Run run;
};

/// The launches of a process, by begin.
std::vector<json> launchesOf(std::vector<json> events) {
  std::erase_if(events, [](const json &event) { return event["cat"] != "launch"; });
  std::ranges::sort(events, {}, [](const json &event) { return event["ts"].get<double>(); });
  return events;
}

} // namespace

TEST_CASE("a timeline has the predicted times of predict --json, one launch after another") {
  const MadeUp made(false);
  const json trace = made.traced({"--devices", "gtx1080,i7-6700k"});
  const auto processes = processesOf(trace);
  REQUIRE(processes.size() == 2);
  const json predicted = made.predicted("gtx1080,i7-6700k");
  for (const json &device : predicted["application"]["devices"]) {
    const auto &events = processes.at("predicted on " + device["device"].get<std::string>());
    CHECK(microsOf(events, "launch") == Approx(device["time_us"].get<double>()));
    const std::vector<json> launches = launchesOf(events);
    REQUIRE(launches.size() == 4);
    for (size_t i = 0; i < launches.size(); ++i) {
      CHECK(launches[i]["name"] == (i % 2 == 0 ? "first" : "second"));
      CHECK(launches[i]["args"]["launch"] == i);
      CHECK(launches[i]["args"]["invocation"] == i / 2);
      if (i > 0)
        CHECK(launches[i]["ts"].get<double>() ==
              Approx(launches[i - 1]["ts"].get<double>() + launches[i - 1]["dur"].get<double>()));
    }
  }
  for (const json &kernel : predicted["kernels"])
    for (const json &device : kernel["devices"]) {
      double sum = 0;
      for (const json &event :
           launchesOf(processes.at("predicted on " + device["device"].get<std::string>())))
        sum += event["name"] == kernel["kernel"] ? event["dur"].get<double>() : 0;
      CHECK(sum == Approx(device["time_us"].get<double>()));
    }
  // A CPU works in the host's memory.
  CHECK(microsOf(processes.at("predicted on gtx1080"), "transfer") > 0);
  CHECK(microsOf(processes.at("predicted on i7-6700k"), "transfer") == 0);
  // The second launch reads what the first wrote, and the fourth what the second did.
  size_t arrows = 0;
  for (const json &event : trace["traceEvents"])
    arrows += event["ph"] == "s";
  CHECK(arrows == 2 * processes.size());
}

TEST_CASE("a timeline has measured launches and transfers beside those that are predicted") {
  const MadeUp made(true);
  const auto processes = processesOf(made.traced({"--devices", "gtx1080,i7-6700k"}));
  REQUIRE(processes.size() == 3);
  const auto &measured = processes.at("measured on GeForce GTX 1080");
  const std::vector<json> launches = launchesOf(measured);
  REQUIRE(launches.size() == 4);
  double begin = 40; // the host's write comes before
  for (size_t i = 0; i < launches.size(); ++i) {
    CHECK(launches[i]["ts"].get<double>() == Approx(begin));
    CHECK(launches[i]["dur"].get<double>() == Approx(i + 1));
    begin += static_cast<double>(i + 1);
  }
  for (const json &event : measured)
    if (event["cat"] == "transfer") {
      const bool isWrite = event["name"] == "host to device";
      CHECK(event["ts"].get<double>() == Approx(isWrite ? 0 : begin));
      CHECK(event["dur"].get<double>() == Approx(isWrite ? 40 : 90));
      CHECK(event["args"]["bytes"] == (isWrite ? kBytes : 2 * kBytes));
    }
  CHECK(microsOf(measured, "transfer") == Approx(130));
  // What was measured conditions what is predicted elsewhere, as it does for predict.
  const json predicted = made.predicted("gtx1080,i7-6700k");
  for (const json &device : predicted["application"]["devices"]) {
    const bool isMeasured = device["device"] == "gtx1080";
    CHECK(microsOf(processes.at("predicted on " + device["device"].get<std::string>()), "launch") ==
          Approx((isMeasured ? device["predicted_us"] : device["time_us"]).get<double>()));
  }
  // Without --devices, the measured device comes first.
  CHECK(processesOf(made.traced({})).contains("predicted on gtx1080"));
}

TEST_CASE("launches and transfers of queues are where they ran") {
  MadeUp made(true);
  // Launches 0 and 1 of queue 0; 2 and 3 of queue 1, the second of them while the first runs.
  using Place = aiwc::run::Place;
  const std::array<Place, 4> starts = {Place{0, 50'000}, Place{0, 60'000}, Place{1, 52'000},
                                       Place{1, 54'000}};
  for (aiwc::run::Launch &launch : made.run.launches)
    launch.measured->place = starts.at(launch.number);
  made.run.launches.back().hostToDevice.placed = {{{0, 5'000}, 40'000, kBytes}}; // of launch 0
  write(made.folder / "run/run.json", aiwc::run::toJson(made.run));
  const json trace = made.traced({"--devices", "i7-6700k"});
  const auto processes = processesOf(trace);
  std::map<int, std::string> tracks;
  for (const json &event : trace["traceEvents"])
    if (event["ph"] == "M" && event["name"] == "thread_name" && event["pid"] == 1)
      tracks[event["tid"]] = event["args"]["name"];
  CHECK(tracks == std::map<int, std::string>{{1, "queue 0"}, {2, "queue 1"}, {3, "queue 1"}});
  for (const json &event : processes.at("measured on GeForce GTX 1080")) {
    if (event["cat"] == "transfer") {
      CHECK(event["ts"].get<double>() == Approx(5));
      CHECK(event["dur"].get<double>() == Approx(40));
      CHECK(event["tid"] == 1);
      CHECK(event["args"]["bytes"] == kBytes);
      continue;
    }
    const auto number = event["args"]["launch"].get<size_t>();
    CHECK(event["ts"].get<double>() * 1e3 ==
          Approx(static_cast<double>(starts.at(number).startNanos)));
    CHECK(event["dur"].get<double>() == Approx(number + 1));
    CHECK(event["tid"] == (number < 2 ? 1 : static_cast<int>(number)));
  }
  // The second launch waits for the first; the fourth does not wait for what it reads.
  size_t arrows = 0;
  for (const json &event : trace["traceEvents"])
    arrows += event["ph"] == "s" && event["pid"] == 1;
  CHECK(arrows == 1);
  // One launch without a place, as in old runs: one after another.
  made.run.launches.front().measured->place.reset();
  write(made.folder / "run/run.json", aiwc::run::toJson(made.run));
  CHECK_THAT(made.traced({"--devices", "i7-6700k"}).dump(), !Contains("queue 0"));
}

TEST_CASE("a timeline is chosen by the file's name, and what is of the page is refused") {
  const MadeUp made(false);
  CHECK_THAT(runAiwc({"report", "run", "--chart", "list"}, made.here()).out,
             Contains("\ntimeline "));
  made.traced({"--chart", "timeline"});
  CHECK_THAT(refusal({"report", "run", "-o", "t.json", "--chart", "roofline"}, made.here()),
             Contains("--chart roofline with -o t.json: expected timeline"));
  CHECK_THAT(refusal({"report", "run", "-o", "t.svg", "--chart", "timeline"}, made.here()),
             Contains("--chart timeline: expected also -o FILE, whose name ends in .json"));
  CHECK_THAT(refusal({"report", "run", "-o", "t.json", "--what-if", "clock=2x"}, made.here()),
             Contains("-o t.json: expected no --many, --source"));
  CHECK_THAT(refusal({"report", "run", "-o", "nosuch/t.json"}, made.here()),
             Contains("nosuch/t.json"));
  CHECK(!std::filesystem::exists(made.folder / "t.json"));
}
