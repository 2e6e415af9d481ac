// Life and death of applications: whatever they do, the invocations that have finished are on disk,
// complete, and what the application itself says and returns comes through.

#include "plugin/characterise.h"
#include "run/folder.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <thread>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;

namespace {

Characterised ending(const std::string &mode) {
  return characterise({application("endings"), mode});
}

Words counts(size_t number) {
  Words names;
  for (size_t i = 0; i < number; ++i)
    names.push_back("count_" + std::to_string(i));
  std::sort(names.begin(), names.end());
  return names;
}

/// `number` complete invocations of 8 work-items, in order.
void checkInvocations(const Characterised &run, size_t number) {
  CHECK(run.names() == counts(number));
  for (size_t i = 0; i < run.profiles.size(); ++i) {
    const KernelProfile &profile = run["count_" + std::to_string(i)];
    INFO("count_" << i);
    CHECK(profile.complete);
    CHECK(profile.provenance.invocation == i);
    expect(profile, {{"work_items", 8}, {"bytes_written_global", 32}});
  }
}

bool hasHostReads(const KernelProfile &profile) {
  return !std::holds_alternative<std::monostate>(profile["device_to_host_bytes"_metric]);
}

uint64_t hostReads(const KernelProfile &profile) {
  return profile.count("device_to_host_bytes"_metric);
}

} // namespace

TEST_CASE("An application that tidies up, or leaks what it created") {
  const Characterised run = ending(GENERATE("plain", "leak", "leak-context"));
  CHECK(run.succeeded().outcome.out == "3\n");
  CHECK(run.outcome.err == "");
  checkInvocations(run, 3);
  CHECK(hostReads(run["count_1"]) == 0);
  CHECK(hostReads(run["count_2"]) == 32);
}

TEST_CASE("An application whose static objects use OpenCL when they go") {
  // Oclgrind's runtime then uses a thread's variable that is gone, and wrecks what is in its place.
  const std::string engine = GENERATE("--aiwc-engine=interpreter", "--aiwc-engine=auto");
  const Characterised run =
      characterise({"/usr/bin/env", "GLIBC_TUNABLES=glibc.malloc.tcache_count=0",
                    application("endings"), "static"},
                   {engine});
  INFO(engine);
  CHECK(run.succeeded().outcome.out == "3\n4\n");
  CHECK(run.outcome.err == "");
  checkInvocations(run, 4);
  CHECK(hostReads(run["count_2"]) == 32);
  CHECK(hostReads(run["count_3"]) == 32);
}

TEST_CASE("The application's exit status is the launcher's") {
  const Characterised run = ending("seven");
  CHECK(run.outcome.status == 7);
  CHECK(run.outcome.out == "3\n");
  checkInvocations(run, 3);
}

TEST_CASE("An application that ends without warning") {
  // Nobody is asked any more what the host has read since the last kernel.
  const auto [mode, signal] = GENERATE(
      table<std::string, int>({{"_exit", 0}, {"exec", 0}, {"abort", SIGABRT}, {"kill", SIGKILL}}));
  const Characterised run = ending(mode);
  INFO(mode << ": " << run.outcome.err);
  CHECK(run.outcome.signal == signal);
  if (signal == 0)
    CHECK(run.outcome.status == 0);
  checkInvocations(run, 3);
  CHECK(hasHostReads(run["count_1"]));
  CHECK(hostReads(run["count_2"]) == 0); // not reported
}

TEST_CASE("An application that exits or forks while another thread completes a profile") {
  const std::string mode = GENERATE("beside", "beside-fork");
  const Characterised run = characterise({application("endings"), mode}, {"--aiwc-invocations=0"});
  INFO(mode);
  CHECK(run.succeeded().outcome.out == "1\n");
  CHECK(run.outcome.err == "");
  checkInvocations(run, 1);
  CHECK(hostReads(run["count_0"]) == 32);
}

TEST_CASE("An application killed while a profile is written leaves no file of it") {
  const Folder folder;
  const Outcome outcome =
      run(launch({application("endings"), "beside-kill"}, {"--aiwc-quiet"}, folder));
  CHECK(outcome.signal == SIGKILL);
  // Only what has its name: a profile is about to be replaced when the application dies.
  CHECK(readProfiles(folder / "out").size() == 1);
}

TEST_CASE("A process that outlives the application is named, and its launches come into run.json") {
  const Folder folder;
  const Outcome outcome =
      run(launch({application("endings"), "daemon"}, {"--aiwc-targets"}, folder));
  CHECK(outcome.status == 3);
  CHECK_THAT(outcome.err, Catch::Contains("aiwc: targets are missing: the application still runs"));
  CHECK_THAT(outcome.err, Catch::Contains("of the application still runs: run.json lacks its "
                                          "further launches until it has ended"));
  const fs::path file = folder / "out/run.json";
  aiwc::run::Run later;
  for (int tries = 0; tries < 600 && later.launches.size() < 3; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    later = aiwc::run::readRun(file);
  }
  CHECK(later.launches.size() == 3);
  CHECK(later.errors.empty());
  CHECK(readProfiles(folder / "out").size() == 3);
}

TEST_CASE("An application that changes its user and cannot write is told, and the run fails") {
  if (geteuid() != 0 || !fs::exists("/usr/bin/setpriv"))
    return skip("no right to change the user");
  const Folder folder;
  fs::permissions(folder.path(), fs::perms::others_exec, fs::perm_options::add);
  const Outcome outcome = run(launch({"/usr/bin/setpriv", "--reuid=65534", "--regid=65534",
                                      "--clear-groups", application("endings"), "plain"},
                                     {"--aiwc-quiet"}, folder));
  CHECK(outcome.out == "3\n");
  CHECK(outcome.status == 3);
  CHECK(countOf(outcome.err, "\n") == 1);
  CHECK_THAT(outcome.err,
             Catch::Contains("the profile cannot be written: Permission denied: the "
                             "application runs as user 65534, the launcher as user 0"));
  const aiwc::run::Run run = aiwc::run::readRun(folder / "out/run.json");
  CHECK(run.errors.size() == 1);
  CHECK(run.launches.size() == 3); // without profiles
}

TEST_CASE("Other users cannot report to a run, an application that changes its user can") {
  if (geteuid() != 0 || !fs::exists("/usr/bin/setpriv"))
    return skip("no right to change the user");
  const Folder folder;
  fs::permissions(folder.path(), fs::perms::others_exec, fs::perm_options::add);
  // Another user sees the names in the temporary folder, and has no environment of the run.
  const std::string other = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
  const Words words = {"/bin/sh", "-c",
                       other + "env -i PATH=/usr/bin:/bin TMP=" + (folder / "tmp").string() +
                           R"( sh -c '
      for run in $TMP/aiwc-*; do
        for file in $(find $run) $run/status; do
          printf "\nerror\tof another user\n" >>$file && echo written
        done
        ls $run/* && echo listed
      done' 2>/dev/null
      exec )" + other + application("endings") +
                           " plain"};
  const Outcome outcome = run(launch(words, {"--aiwc-quiet"}, folder));
  CHECK(outcome.out == "3\n");
  CHECK_THAT(outcome.err, !Catch::Contains("of another user"));
  const aiwc::run::Run run = aiwc::run::readRun(folder / "out/run.json");
  CHECK(run.launches.size() == 3);
  CHECK(fs::is_empty(folder / "tmp"));
}

TEST_CASE("An application killed while a kernel runs") {
  const Characterised run = ending("kill-during");
  CHECK(run.outcome.signal == SIGKILL);
  checkInvocations(run, 3);
}

TEST_CASE("A launcher that is killed leaves the launches so far") {
  const Folder folder;
  Command command = launch({application("endings"), "endless"}, {"--aiwc-quiet"}, folder);
  command.words.erase(command.words.begin(), command.words.begin() + 3); // timeout
  Process process(command);
  const fs::path file = folder / "out/run.json";
  aiwc::run::Run run;
  for (int tries = 0; tries < 600 && run.launches.size() < 3; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    if (fs::exists(file))
      run = aiwc::run::readRun(file);
  }
  ::kill(process.id(), SIGKILL);
  CHECK(process.wait().signal == SIGKILL);
  run = aiwc::run::readRun(file);
  CHECK_FALSE(run.finished());
  REQUIRE(run.launches.size() == 3);
  CHECK(aiwc::run::contentOf(folder / "out").profiles.size() == 1);
  for (const aiwc::run::Launch &launch : run.launches)
    CHECK(fs::exists(folder / "out" / launch.profile));
}

TEST_CASE("An application that is told to end ends between two launches, and its run is complete") {
  const auto [mode, least] =
      GENERATE(table<std::string, size_t>({{"interrupt", 3}, {"interrupt-during", 4}}));
  const Folder folder;
  const Outcome outcome = run(launch({application("endings"), mode}, {"--aiwc-quiet"}, folder));
  INFO(mode << ": " << outcome.err);
  CHECK(outcome.signal == SIGTERM);
  const aiwc::run::Run run = aiwc::run::readRun(folder / "out/run.json");
  CHECK(run.finished());
  CHECK(run.cutOffBy == SIGTERM);
  const auto profiles = readProfiles(folder / "out");
  CHECK(profiles.size() == run.launches.size());
  CHECK(profiles.size() >= least);
  for (const auto &[name, stored] : profiles) {
    INFO(name);
    CHECK(stored.profile.complete);
    CHECK(hasHostReads(stored.profile));
  }
}

TEST_CASE("What was launched just before an application is told to end is in the run") {
  // Launches without a profile are reported in groups.
  const Folder folder;
  const Outcome outcome = run(launch({application("endings"), "interrupt"},
                                     {"--aiwc-quiet", "--aiwc-kernel=none"}, folder));
  CHECK(outcome.signal == SIGTERM);
  CHECK(aiwc::run::readRun(folder / "out/run.json").launches.size() == 3);
}

TEST_CASE("A launch that does not end does not keep an application alive that is told to end") {
  const Folder folder;
  const Outcome outcome =
      run(launch({application("endings"), "interrupt-endless"}, {"--aiwc-quiet"}, folder));
  CHECK(outcome.signal == SIGTERM);
  CHECK(readProfiles(folder / "out").size() == 3);
}

TEST_CASE("An application keeps its own handler of signals") {
  const std::string mode = GENERATE("interrupt-own-before", "interrupt-own-after");
  const Folder folder;
  const Outcome outcome = run(launch({application("endings"), mode}, {"--aiwc-quiet"}, folder));
  INFO(mode);
  CHECK(outcome.status == 0);
  CHECK(outcome.out == "signal 15\n4\n");
  const aiwc::run::Run run = aiwc::run::readRun(folder / "out/run.json");
  CHECK(run.launches.size() == 4);
  CHECK(run.cutOffBy == 0); // it told itself, and went on
}

TEST_CASE("A run says that it was to be ended, though the application ended by itself") {
  const Folder folder;
  const Outcome outcome =
      run(launch({application("endings"), "interrupt-parent"}, {"--aiwc-quiet"}, folder));
  CHECK(outcome.status == 0);
  CHECK(outcome.out == "signal 15\n4\n");
  CHECK(aiwc::run::readRun(folder / "out/run.json").cutOffBy == SIGTERM);
}

TEST_CASE("An application that forks before it uses OpenCL, as its child does") {
  const Characterised run = ending("fork-before").succeeded();
  CHECK(run.outcome.out == "2\n3\n");
  CHECK(run.names() == counts(5));
  // The child's two come first, each process counts its invocations from 0.
  const uint64_t invocations[] = {0, 1, 0, 1, 2}, reads[] = {0, 32, 0, 0, 32};
  for (size_t i = 0; i < 5; ++i) {
    const KernelProfile &profile = run["count_" + std::to_string(i)];
    CHECK(profile.complete);
    CHECK(profile.provenance.invocation == invocations[i]);
    CHECK(hostReads(profile) == reads[i]);
  }
}

TEST_CASE("An application that forks between its kernels") {
  const Characterised run = ending("fork-after").succeeded();
  CHECK(run.outcome.out == "4\n");
  checkInvocations(run, 4);
  CHECK(hostReads(run["count_3"]) == 32);
}

TEST_CASE("An application whose handler of a signal forks while its thread enqueues") {
  const Characterised run = ending("fork-in-handler").succeeded();
  CHECK(run.outcome.out == "4\n");
  checkInvocations(run, 4);
}

TEST_CASE("A child's exit does not settle what its parent has yet to read") {
  const Characterised run = ending("fork-reads-later").succeeded();
  CHECK(run.outcome.out == "3\n");
  checkInvocations(run, 3);
  CHECK(hostReads(run["count_2"]) == 32);
}

TEST_CASE("An application that closes every file or changes its folder") {
  const Characterised run = ending(GENERATE("close", "chdir")).succeeded();
  CHECK(run.outcome.out == "3\n");
  checkInvocations(run, 4);
  CHECK(hostReads(run["count_2"]) == 32);
}

TEST_CASE("Two processes at once write into one folder") {
  const Characterised run =
      characterise({"/bin/sh", "-c", "\"$0\" plain & \"$0\" plain; wait", application("endings")})
          .succeeded();
  CHECK(run.outcome.out == "3\n3\n");
  CHECK(run.names() == counts(6));
  std::map<uint64_t, int> invocations;
  uint64_t reads = 0;
  for (const auto &entry : run.profiles) {
    CHECK(entry.second.profile.complete);
    ++invocations[entry.second.profile.provenance.invocation];
    reads += hostReads(entry.second.profile);
  }
  CHECK(invocations == std::map<uint64_t, int>{{0, 2}, {1, 2}, {2, 2}});
  CHECK(reads == 2 * 32);
}

TEST_CASE("Five hundred invocations in one process have five hundred profiles") {
  const Characterised run = ending("many").succeeded();
  CHECK(run.outcome.out == "3\n");
  checkInvocations(run, 500);
}

TEST_CASE("Profiles of an earlier run stay as they are") {
  const Folder folder;
  const Command command =
      launch({application("endings"), "plain"}, {"--aiwc-quiet", "--aiwc-append"}, folder);
  REQUIRE(run(command).status == 0);
  const auto before = readProfiles(folder / "out");
  REQUIRE(before.size() == 3);
  REQUIRE(run(command).status == 0);
  const auto after = readProfiles(folder / "out");
  CHECK(after.size() == 6);
  for (const auto &[name, stored] : before)
    CHECK(after.at(name).json == stored.json);
  CHECK(after.at("count_3").json == before.at("count_0").json);
}
