// Faults of disks, memory and processes under `aiwc attach`, on PoCL: the application ends as it
// would have, what was finished is there, and one line says what is missing.
#include "kernel/command.h"
#include "run/folder.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

using namespace aiwc;
namespace fs = std::filesystem;
using test::Outcome;
using test::Words;
using test::Workplace;

namespace {

const std::string kAttach = "'" AIWC_TEST_COMMAND "' attach --budget 100 --output run -- ";
const std::string kApplication = "'" AIWC_TEST_APPLICATION "' ";

Outcome shell(const Workplace &place, const std::string &words) {
  return place.execute("/usr/bin/timeout", {"120", "/bin/bash", "-c", words});
}

Outcome bare(const Workplace &place, const std::string &mode) {
  return place.execute(AIWC_TEST_APPLICATION, {mode});
}

run::Run runIn(const Workplace &place) {
  return run::readRun(place / "run" / "run.json");
}

const run::Launch *launchOf(const run::Run &run, const std::string &kernel, size_t number = 0) {
  for (const run::Launch &launch : run.launches)
    if (launch.kernel == kernel && number-- == 0)
      return &launch;
  return nullptr;
}

/// The lines on standard error that have the text.
size_t linesWith(const Outcome &outcome, const std::string &text) {
  size_t lines = 0;
  for (size_t at = 0; (at = outcome.err.find(text, at)) != std::string::npos; ++at)
    ++lines;
  return lines;
}

void await(const std::function<bool()> &isTrue) {
  for (int tries = 0; tries < 600 && !isTrue(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  REQUIRE(isTrue());
}

} // namespace

TEST_CASE("a capture that the disk has no room for costs no other one") {
  const Workplace place;
  // Files of a MiB at most: the second launch reads 4 MiB. The application has no limit.
  const Outcome outcome =
      shell(place, "ulimit -S -f 1024; " + kAttach +
                       "/bin/bash -c 'ulimit -S -f unlimited; exec \"$0\" copy' " + kApplication);
  INFO(outcome.err);
  CHECK(outcome.out == bare(place, "copy").out);
  CHECK(outcome.status == 3);
  CHECK(linesWith(outcome, "was not characterised") == 1);
  CHECK(linesWith(outcome, "(copy) was not characterised: ") == 1);
  CHECK(linesWith(outcome, "cannot be written: File too large") == 1);
  const run::Run run = runIn(place);
  REQUIRE(run.launches.size() == 2);
  CHECK(launchOf(run, "copy", 0)->characterised());
  CHECK(fs::exists(place / "run" / launchOf(run, "copy", 0)->profile));
  CHECK(launchOf(run, "copy", 1)->measured);
  CHECK(run.errors.size() == 1);
  // The first one represents the other, whose work-groups only the device knows.
  for (const std::string command : {"show", "predict"}) {
    const Outcome read = place.aiwc({command, "run"});
    INFO(read.err);
    CHECK(read.status == 0);
    CHECK(read.out.find("copy") != std::string::npos);
  }
}

TEST_CASE("on a full disk the application ends as it would have") {
  const Workplace place;
  if (place.execute("/usr/bin/unshare", {"-rm", "/bin/mount", "-t", "tmpfs", "none", "/mnt"})
          .status != 0)
    return; // this system lets nobody mount
  for (const std::string kilobytes : {"4", "64", "1024"}) {
    const Outcome outcome = place.execute(
        "/usr/bin/timeout",
        {"120", "/usr/bin/unshare", "-rm", "/bin/bash", "-c",
         "mkdir -p run && mount -t tmpfs -o size=" + kilobytes + "k none run && " + kAttach +
             kApplication + "copy; status=$?; cp -r run kept" + kilobytes + "; exit $status"});
    INFO(kilobytes << " KiB: " << outcome.err);
    CHECK(outcome.out == bare(place, "copy").out);
    CHECK(outcome.status == 3);
    CHECK(!outcome.err.empty());
    const fs::path file = place / ("kept" + kilobytes) / "run.json";
    if (kilobytes == "4")
      continue;
    const run::Run run = run::readRun(file);
    CHECK(run.launches.size() == 2);
    for (const run::Launch &launch : run.launches)
      if (launch.hasProfile())
        CHECK(fs::exists(file.parent_path() / launch.profile));
    if (kilobytes == "1024")
      CHECK(launchOf(run, "copy", 0)->characterised());
  }
}

TEST_CASE("simulators without memory cost their captures") {
  const Workplace place;
  for (const std::string kilobytes : {"60000", "150000"}) {
    fs::remove_all(place / "run");
    const Outcome outcome =
        shell(place, "ulimit -S -v " + kilobytes + "; " + kAttach +
                         "/bin/bash -c 'ulimit -S -v unlimited; exec \"$0\" copy' " + kApplication);
    INFO(kilobytes << " KiB: " << outcome.err);
    CHECK(outcome.out == bare(place, "copy").out);
    CHECK(outcome.status == 3);
    CHECK(linesWith(outcome, "was not characterised: ") == 2);
    const run::Run run = runIn(place);
    CHECK(run.launches.size() == 2);
    CHECK(launchOf(run, "copy")->measured);
  }
}

TEST_CASE("an application that is killed leaves the launches that have ended, and their profiles") {
  const Workplace place;
  const Outcome outcome = shell(place, "exec " + kAttach + kApplication + "kill");
  INFO(outcome.err);
  CHECK(outcome.signal == SIGKILL);
  CHECK(outcome.out == bare(place, "kill").out);
  const run::Run run = runIn(place);
  CHECK(run.cutOffBy == SIGKILL);
  CHECK(run.launches.size() == 4);
  for (const run::Launch &launch : run.launches) {
    CHECK(launch.measured);
    CHECK(launch.hasProfile());
  }
}

TEST_CASE("a kernel that the simulator rejects costs no other one") {
  const Workplace place;
  const Outcome outcome = shell(place, kAttach + kApplication + "assembly");
  INFO(outcome.err);
  CHECK(outcome.out == bare(place, "assembly").out);
  CHECK(outcome.status == 3);
  CHECK(linesWith(outcome, "was not characterised: ") == 1);
  const run::Run run = runIn(place);
  CHECK(run.launches.size() == 5);
  for (const run::Launch &launch : run.launches)
    CHECK(launch.hasProfile() == (launch.kernel != "assembly"));
}

TEST_CASE("any process of a simulator may be killed") {
  for (const std::string process : {"aiwc kernel ", "aiwc-kernel-host "}) {
    const Workplace place;
    const Outcome outcome = shell(
        place, "mkdir tmp; export TMPDIR=\"$PWD/tmp\"; " + kAttach + kApplication +
                   "spin & launcher=$!; "
                   "while ! grep -qrs --include=captures.log 'begin 0' tmp; do sleep 0.05; done; "
                   "kill -9 $(pgrep -f \"" +
                   process +
                   ".*$PWD/run/captures\" | head -1); wait $launcher; status=$?; "
                   "pgrep -f \"$PWD/run/captures\" >left; exit $status");
    INFO(process << ": " << outcome.err);
    CHECK(outcome.status == 3);
    CHECK(outcome.out == bare(place, "spin").out);
    CHECK(linesWith(outcome, "(spin) was not characterised: ") == 1);
    CHECK(test::contents(place / "left").empty());
    for (const run::Launch &launch : runIn(place).launches)
      CHECK(launch.hasProfile() == (launch.kernel != "spin"));
  }
}

TEST_CASE("an application that outlives the process that was started is recorded to its end") {
  for (const bool timesOnly : {true, false}) {
    const Workplace place;
    Words words = {"120", AIWC_TEST_COMMAND, "attach", "--output", "run"};
    if (timesOnly)
      words.emplace_back("--times-only");
    words.insert(words.end(), {"--", AIWC_TEST_APPLICATION, "leave at work"});
    const Outcome outcome = place.execute("/usr/bin/timeout", words);
    INFO(timesOnly << ": " << outcome.err);
    CHECK(outcome.status == 5);
    CHECK(linesWith(outcome,
                    "still runs: run.json lacks its further launches until it has ended") == 1);
    CHECK(runIn(place).launches.size() == 4);
    place.write("go", "");
    await([&] { return fs::exists(place / "ended"); });
    await([&] { return runIn(place).launches.size() == 8; });
    const run::Run run = runIn(place);
    CHECK(run.errors.empty());
    for (const run::Launch &launch : run.launches)
      CHECK(launch.measured);
    if (timesOnly)
      continue;
    await([&] { return fs::exists(place / "run" / "captures" / "processes.txt"); });
    const Outcome resumed = place.aiwc({"attach", "--resume", "run"});
    INFO(resumed.err);
    CHECK(resumed.status == 0);
    for (const run::Launch &launch : runIn(place).launches)
      CHECK(launch.hasProfile());
  }
}

TEST_CASE("an application whose process ends before it has used OpenCL is left alone") {
  const Workplace place;
  const Outcome outcome = shell(place, kAttach + kApplication + "leave");
  INFO(outcome.err);
  CHECK(outcome.status == 5);
  place.write("go", "");
  await([&] { return fs::exists(place / "ended"); });
}

TEST_CASE("an application that becomes another one has the launches of both") {
  const Workplace place;
  const Outcome outcome = shell(place, kAttach + kApplication + "'exec again'");
  INFO(outcome.err);
  CHECK(outcome.status == 0);
  CHECK(outcome.out == bare(place, "exec again").out);
  const run::Run run = runIn(place);
  CHECK(run.errors.empty());
  REQUIRE(run.launches.size() == 6);
  for (const run::Launch &launch : run.launches) {
    CHECK(launch.measured);
    CHECK(launch.hasProfile());
    if (launch.hasProfile()) {
      const auto profile = test::contents(place / "run" / launch.profile);
      CHECK(profile.find("\"" + launch.kernel + "\"") != std::string::npos);
    }
  }
}
