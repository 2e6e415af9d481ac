// `aiwc split --schedule` on folders of runs that are made up.

#include "../predict/machines.h"
#include "process.h"
#include "profile/json.h"
#include "run/run.h"
#include "support/ndrange.h"
#include "trace_format.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace aiwc::literals;
using namespace aiwc::profile;
using namespace aiwc::test;
using aiwc::run::Argument;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

/// A card that does `gflops` and nothing else, and moves 1 GB/s each way.
void writeCard(const std::filesystem::path &folder, const std::string &id, double gflops) {
  const auto number = [](double value) {
    return fmt::format(R"({{"value": {}, "source": "made up"}})", value);
  };
  write(folder / (id + ".json"),
        fmt::format(R"({{"schema_version": 1, "id": "{}", "name": "Made up", "vendor": "None",
          "series": "None", "type": "gpu", "year": 2020, "opencl_names": [],
          "machine": {{"cores": {}, "fp32_rate_gflops": {}, "fp64_rate_gflops": {}, "cache_bytes": {},
            "cache_line_bytes": {}, "cache_bandwidth_gb_per_s": {}, "cache_latency_us": {}, "dram_bandwidth_gb_per_s": {},
            "dram_latency_us": {}, "sync_us": {}}},
          "properties": {{"lane_width": {}, "host_bandwidth_gb_per_s": {},
            "host_latency_us": {}}}}})",
                    id, number(1), number(gflops), number(gflops), number(1 << 20), number(64),
                    number(1e6), number(0), number(1e6), number(0), number(0), number(1), number(1),
                    number(0)));
}

/// A folder with two cards and a run without launches. A launch takes 1 s on "slow", 0.5 s on
/// "fast".
struct MadeUp {
  MadeUp() {
    std::filesystem::create_directories(folder / "devices");
    std::filesystem::create_directories(folder / "run");
    writeCard(folder / "devices", "slow", 1);
    writeCard(folder / "devices", "fast", 2);
    run.command = {"./app", "<b>&"};
    run.seconds = 1;
  }

  /// Reads the allocation `from` and writes all of `to`, 1 GB each.
  void launch(uint64_t from, uint64_t to, uint64_t hostWrites = 0, uint64_t hostReads = 0) {
    Work work;
    work.name = "k";
    work.levels = {{1'000'000'000, 1}};
    KernelProfile profile = kernelOf(work);
    setNdrange(profile, 1, {64, 1, 1}, {64, 1, 1});
    profile.provenance.invocation = run.launches.size();
    profile.accesses = std::vector<AccessRow>(2);
    for (AccessRow &row : *profile.accesses) {
      row.function = "k";
      row.accesses = 1;
      row.bytes = row.footprint = kBytes;
    }
    profile.accesses->front().array = "in";
    profile.accesses->back().array = "out";
    profile.accesses->back().kind = AccessKind::kWrite;
    const std::string file = fmt::format("aiwc_k_{}.json", run.launches.size());
    write(folder / "run" / file, toJson(profile));
    aiwc::run::Launch launch = aiwc::run::launchOf(profile, file);
    launch.number = run.launches.size();
    launch.arguments = {{Argument::Kind::kBuffer, "in", "float*", "", kBytes, from},
                        {Argument::Kind::kBuffer, "out", "float*", "", kBytes, to}};
    launch.hostToDevice = {hostWrites, hostWrites > 0 ? 1U : 0U};
    launch.deviceToHost = {hostReads, hostReads > 0 ? 1U : 0U};
    run.launches.push_back(launch);
  }
  void finish() const { write(folder / "run/run.json", aiwc::run::toJson(run)); }

  std::vector<std::string> words(std::vector<std::string> more) const {
    more.insert(more.begin(),
                {"--device-dir", "devices", "split", "--schedule", "run", "--model", "automatch"});
    return more;
  }
  Outcome outcome(const std::vector<std::string> &more) const {
    finish();
    return runAiwc(words(more), {.folder = folder.path()});
  }
  json scheduled(const std::string &devices) const {
    const Outcome result = outcome({"--devices", devices, "--json"});
    INFO(result.err);
    REQUIRE(result.status == 0);
    return json::parse(result.out);
  }
  std::string refused(const std::string &devices = "slow") const {
    finish();
    return refusal(words({"--devices", devices}), {.folder = folder.path()});
  }

  static constexpr uint64_t kBytes = 1'000'000'000;
  TemporaryFolder folder;
  aiwc::run::Run run;
};

const json &scheduleOf(const json &report, const std::string &policy) {
  for (const json &schedule : report["schedules"])
    if (schedule["policy"] == policy)
      return schedule;
  FAIL("no schedule of " << policy);
  return report;
}

double makespan(const json &report, const std::string &policy) {
  return scheduleOf(report, policy)["makespan_us"].get<double>() * 1e-6;
}

} // namespace

TEST_CASE("aiwc split --schedule: independent launches share two cards of one model") {
  MadeUp made;
  for (uint64_t i = 0; i < 5; ++i)
    made.launch(2 * i, 2 * i + 1);
  const json report = made.scheduled("slow,slow");
  CHECK(report["devices"] == json({"slow", "slow"}));
  CHECK(report["launches"] == 5);
  for (const char *policy : {"heft", "dmda", "eager"})
    CHECK(makespan(report, policy) == Approx(3)); // ceil(5 / 2)
  CHECK(makespan(report, "single") == Approx(5));
  CHECK(report["schedules"].size() == 4); // one single device for each kind
  CHECK(report["work_per_device_us"].get<double>() == Approx(2.5e6));
  CHECK(report["critical_path_us"].get<double>() == Approx(1e6));
  CHECK(report["samples"] == 0); // AutoMatch's equations do not know their errors
  CHECK(scheduleOf(report, "heft")["interval_us"].is_null());
  double busy = 0;
  for (const json &worker : scheduleOf(report, "heft")["workers"])
    busy += worker["busy_us"].get<double>();
  CHECK(busy == Approx(5e6));
}

TEST_CASE("aiwc split --schedule: a chain stays on the faster card, and data that the host wrote "
          "move there") {
  MadeUp made;
  made.launch(0, 1, MadeUp::kBytes);
  made.launch(1, 2);
  made.launch(2, 3, 0, MadeUp::kBytes);
  const json report = made.scheduled("slow,fast");
  // 1 s for the data, three halves, 1 s back
  CHECK(makespan(report, "heft") == Approx(3.5));
  CHECK(makespan(report, "dmda") == Approx(3.5));
  CHECK(report["host_reads"] == 1);
  CHECK(scheduleOf(report, "dmda")["bytes_moved"] == 2e9);
  CHECK(scheduleOf(report, "dmda")["transfers"].size() == 2);
  CHECK(scheduleOf(report, "dmda")["workers"][0]["launches"] == 0);
  CHECK(scheduleOf(report, "dmda")["workers"][1]["launches"] == 3);
  for (const json &schedule : report["schedules"])
    CHECK(schedule["makespan_us"].get<double>() >= report["critical_path_us"].get<double>());
}

TEST_CASE("aiwc split --schedule: one launch's profile represents those of its kind") {
  MadeUp made;
  made.launch(0, 1);
  made.launch(2, 3);
  const json both = made.scheduled("slow,fast");
  std::filesystem::remove(made.folder / "run/aiwc_k_1.json");
  made.run.launches[1].profile = made.run.launches[0].profile;
  made.run.launches[1].representative = 0;
  CHECK(made.scheduled("slow,fast")["schedules"] == both["schedules"]);
}

TEST_CASE("aiwc split --schedule prints a table") {
  MadeUp made;
  made.launch(0, 1);
  made.launch(2, 3);
  const Outcome text = made.outcome({"--devices", "slow,slow"});
  CHECK_THAT(text.out, StartsWith("run/run.json: 2 launches of 1 kernel and 0 reads of the host on "
                                  "slow 1, slow 2\n") &&
                           Contains("slow alone") && Contains("2.00x") &&
                           Contains("no schedule ends before 1"));
}

TEST_CASE("aiwc split --schedule with the published model has intervals around its makespans") {
  MadeUp made;
  for (uint64_t i = 0; i < 4; ++i)
    made.launch(2 * i, 2 * i + 1);
  made.finish();
  const std::vector<std::string> words = {
      "--device-dir", AIWC_TEST_DEVICES,  "split", "--schedule", "run",
      "--devices",    "i7-6700k,gtx1080", "--json"};
  const Outcome outcome = runAiwc(words, {.folder = made.folder.path()});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.out == runAiwc(words, {.folder = made.folder.path()}).out); // a fixed seed
  const json report = json::parse(outcome.out);
  CHECK(report["samples"] == 200);
  double first = 0;
  for (const json &schedule : report["schedules"]) {
    CHECK(schedule["interval_us"][0] < schedule["interval_us"][1]);
    first += schedule["first_in"].get<double>();
  }
  CHECK(first >= 1 - 1e-9); // in each sample one is first, or several are
}

TEST_CASE("aiwc split --schedule writes its schedules as timelines") {
  MadeUp made;
  made.launch(0, 1, MadeUp::kBytes);
  made.launch(1, 2);
  made.launch(3, 4, 0, MadeUp::kBytes);
  const json report = made.scheduled("slow,fast");
  CHECK_THAT(
      refusal(made.words({"--devices", "slow", "-o", "chart.svg"}), {.folder = made.folder.path()}),
      Contains("aiwc split: -o chart.svg: expected a name that ends in .json"));
  CHECK(made.outcome({"--devices", "slow,fast", "-o", "trace.json"}).status == 0);
  const auto processes = processesOf(json::parse(contents(made.folder / "trace.json")));
  CHECK(processes.size() == report["schedules"].size());
  for (const json &schedule : report["schedules"]) {
    const std::string name = schedule["device"].is_null()
                                 ? schedule["policy"].get<std::string>()
                                 : schedule["device"].get<std::string>() + " alone";
    INFO(name);
    const auto &events = processes.at("simulated: " + name);
    // Every task and transfer of --json is an event from its begin to its end, and no other is.
    CHECK(events.size() == schedule["tasks"].size() + schedule["transfers"].size());
    const auto has = [&](const json &wanted, const std::string &named) {
      return std::ranges::any_of(events, [&](const json &event) {
        const double begin = event["ts"], end = begin + event["dur"].get<double>();
        return event["name"] == named && begin == Approx(wanted["begin_us"].get<double>()) &&
               end == Approx(wanted["end_us"].get<double>());
      });
    };
    for (const json &task : schedule["tasks"])
      CHECK(has(task, task["task"]));
    for (const json &transfer : schedule["transfers"])
      CHECK(
          has(transfer, transfer["direction"] == "to_host" ? "device to host" : "host to device"));
  }
}

TEST_CASE("aiwc split --schedule refuses with one line what it cannot schedule") {
  MadeUp made;
  made.launch(0, 1);
  made.launch(1, 2);
  SECTION("an unknown device") {
    CHECK_THAT(made.refused("slow,nobody"), Contains("nobody"));
  }
  SECTION("a run that was killed") {
    made.run.seconds.reset();
    CHECK_THAT(made.refused(),
               Contains("run/run.json: the run of './app") && Contains("expected a whole run"));
  }
  SECTION("a launch without a profile") {
    made.run.launches[1].profile.clear();
    CHECK_THAT(made.refused(), Contains("launch 1, of k, has no profile"));
  }
  SECTION("a profile that is not there") {
    std::filesystem::remove(made.folder / "run/aiwc_k_1.json");
    CHECK_THAT(made.refused(), Contains("run/aiwc_k_1.json"));
  }
  SECTION("a launch that the run lacks") {
    made.run.launches[1].number = 2;
    CHECK_THAT(made.refused(), Contains("lacks launch 1 of process 0"));
  }
  SECTION("no launches") {
    made.run.launches.clear();
    CHECK_THAT(made.refused(), Contains("launched no kernel"));
  }
  SECTION("several processes, of which one can be chosen") {
    made.run.launches[1].process = 3;
    made.run.launches[1].number = 0;
    CHECK_THAT(made.refused(), Contains("has launches of 2 processes: expected --process N"));
    CHECK(made.outcome({"--devices", "slow", "--process", "3"}).status == 0);
    CHECK_THAT(refusal(made.words({"--devices", "slow", "--process", "1"}),
                       {.folder = made.folder.path()}),
               Contains("--process 1: expected one of 0, 3"));
  }
  SECTION("several runs in the folder, of which one can be named") {
    write(made.folder / "run/run_2.json", aiwc::run::toJson(made.run));
    CHECK_THAT(made.refused(), Contains("run: has 2 runs: expected the file of one of them"));
    CHECK(runAiwc({"--device-dir", "devices", "split", "--schedule", "run/run_2.json", "--model",
                   "automatch", "--devices", "slow"},
                  {.folder = made.folder.path()})
              .status == 0);
  }
  SECTION("a folder without a run") {
    CHECK_THAT(refusal({"split", "--schedule", "devices", "--devices", "gtx1080"},
                       {.folder = made.folder.path()}),
               Contains("devices: has no profiles"));
  }
}

TEST_CASE("aiwc split keeps what it splits and what it schedules apart") {
  CHECK_THAT(refusal({"split", "run", "-o", "a.json"}), Contains("--output requires --schedule"));
  CHECK_THAT(refusal({"split", "run", "--schedule", "--dimension", "x"}),
             Contains("--dimension excludes --schedule"));
  CHECK_THAT(refusal({"split", "run", "run", "--schedule"}), Contains("--schedule takes one RUN"));
  CHECK(refusal({"schedule", "run"}) == "aiwc: schedule: is now aiwc split --schedule");
}
