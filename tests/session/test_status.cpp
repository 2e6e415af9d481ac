#include "session/escape.h"
#include "session/status.h"
#include "support/files.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <thread>

using namespace aiwc;
using test::TemporaryFolder;

TEST_CASE("The status file says what was reported, each thing once") {
  const TemporaryFolder folder;
  StatusFile file(folder / "status");
  file.loaded("1.2.3");
  file.loaded("1.2.3");
  file.kernelLaunched("saxpy");
  file.kernelLaunched("saxpy");
  file.kernelLaunched("dot");
  file.writes();
  file.profileWritten("/out/aiwc_saxpy_0.json");
  file.profileWritten("/out/aiwc_saxpy_1.json");
  file.error("one\ttab\nnewline \\ backslash \x1b escape");
  file.error("two");
  file.error("two");
  const SessionStatus status = readStatus(folder / "status");
  CHECK(status.loaded);
  CHECK(status.pluginVersion == "1.2.3");
  CHECK(status.kernels == std::vector<std::string>{"saxpy", "dot"});
  CHECK(status.writers == std::vector<pid_t>{getpid()});
  CHECK(status.profiles == 2);
  CHECK(status.errors ==
        std::vector<std::string>{"one\ttab\nnewline \\ backslash \x1b escape", "two"});
}

TEST_CASE("The status file adds up the launches that were reported") {
  const TemporaryFolder folder;
  StatusFile file(folder / "status");
  file.launchesEnded({{"saxpy", {{"", {3, 1, 100}}, {"a\ttab", {1, 1, 50}}}}});
  file.launchesEnded({{"saxpy", {{"", {2, 2, 30}}}}, {"dot", {{"why not", {1, 0, 0}}}}});
  const std::string damaged = "launches\t1\\t2\n"
                              "launches\tx\\t0\\t0\\tdot\\t\n"
                              "launches\t1\\t-2\\t0\\tdot\\t\n"
                              "launches\t1\\t0\\t0\\t\\t\n"
                              "launches\t1\\t0\\t0\\tdot\\t";
  test::write(folder / "status", test::contents(folder / "status") + damaged);
  const LaunchCounts launches = readStatus(folder / "status").launches;
  REQUIRE(launches.size() == 2);
  const auto same = [](const LaunchCount &count, const std::array<uint64_t, 3> &expected) {
    return std::array{count.launches, count.characterised, count.instructions} == expected;
  };
  CHECK(launches.at("saxpy").size() == 2);
  CHECK(same(launches.at("saxpy").at(""), {5, 3, 130}));
  CHECK(same(launches.at("saxpy").at("a\ttab"), {1, 1, 50}));
  CHECK(launches.at("dot").size() == 1);
  CHECK(same(launches.at("dot").at("why not"), {1, 0, 0}));
}

TEST_CASE("The summary of launches says how many were compiled and why the rest was not") {
  CHECK(summaryOf({}).empty());
  CHECK(summaryOf({{"dot", {{"", {1, 1, 7}}}}}) == "compiled 1 of 1 launch, 1 of 1 kernel");
  CHECK(summaryOf({{"dot", {{"", {2, 2, 999}}}}, {"sum", {{"", {3, 0, 0}}, {"why", {1, 1, 1}}}}}) ==
        "compiled 5 of 6 launches, 1 of 2 kernels, 99.9 % of the instructions of 3 characterised "
        "launches; interpreted 1 launch of sum: why");
  // Less than all is never all.
  CHECK(summaryOf({{"dot", {{"", {1, 1, 1000000}}, {"why", {1, 1, 1}}}}}) ==
        "compiled 1 of 2 launches, 0 of 1 kernel, 99.9 % of the instructions; interpreted 1 launch "
        "of dot: why");
  CHECK(summaryOf({{"dot", {{"why", {1, 0, 0}}}}}) ==
        "compiled 0 of 1 launch, 0 of 1 kernel; interpreted 1 launch of dot: why");
  // The most frequent reason comes first, and the line is bounded.
  LaunchCounts many;
  for (const char *kernel : {"a", "b", "c", "d", "e"})
    many[kernel]["common"] = {1, 0, 0};
  for (int reason = 0; reason < 6; ++reason)
    many["a"]["rare " + std::to_string(reason)] = {1, 0, 0};
  CHECK(summaryOf(many) == "compiled 0 of 11 launches, 0 of 5 kernels; interpreted 5 launches of "
                           "a, b, c and 2 more: common; interpreted 1 launch of a: rare 0; "
                           "interpreted 1 launch of a: rare 1; interpreted 1 launch of a: rare 2; "
                           "and others for 3 more reasons");
}

TEST_CASE("A report is one line on a terminal, whatever it holds") {
  CHECK(escapeLine("a\nb\tc\\d\x1b[31m\x7f") == "a\\nb\\tc\\\\d\\x1b[31m\\x7f");
  CHECK(escapeLine("kernel größe") == "kernel größe");
  std::string everything;
  for (int c = 0; c < 256; ++c)
    everything += static_cast<char>(c);
  CHECK(unescapeLine(escapeLine(everything)) == everything);
}

TEST_CASE("A status file that is missing or damaged says no more than it holds") {
  const TemporaryFolder folder;
  CHECK_FALSE(readStatus(folder / "none").loaded);
  test::write(folder / "status", "nonsense\n\nloaded\t1\nwhat\tever\nprofile\t/x\nerror\tcut of");
  const SessionStatus status = readStatus(folder / "status");
  CHECK(status.loaded);
  CHECK(status.profiles == 1);
  CHECK(status.errors.empty());
}

TEST_CASE("Reporting without a status file, or into one that cannot be, does nothing") {
  const TemporaryFolder folder;
  StatusFile("").error("unheard");
  StatusFile(folder / "no/such/folder/status").error("unheard");
  CHECK(folder.files() == 0);
}

TEST_CASE("Threads and processes that report at the same time do not mix their lines") {
  constexpr int kProcesses = 4;
  constexpr int kReports = 200;
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "status";
  const auto reports = [&path](int writer) {
    StatusFile file(path);
    const std::string name(50 + static_cast<std::size_t>(writer), static_cast<char>('a' + writer));
    for (int i = 0; i < kReports; ++i) {
      file.kernelLaunched(name + std::to_string(i));
      file.profileWritten("/" + name);
    }
  };
  std::vector<pid_t> children;
  for (int writer = 0; writer < kProcesses; ++writer) {
    children.push_back(::fork());
    REQUIRE(children.back() >= 0);
    if (children.back() == 0) {
      reports(writer);
      ::_exit(0);
    }
  }
  std::thread first(reports, kProcesses);
  std::thread second(reports, kProcesses + 1);
  first.join();
  second.join();
  for (const pid_t child : children) {
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  const SessionStatus status = readStatus(path);
  CHECK(status.profiles == (kProcesses + 2) * kReports);
  CHECK(status.kernels.size() == (kProcesses + 2) * kReports);
  for (const std::string &kernel : status.kernels) // one letter repeated, then a number
    CHECK(kernel.find_first_not_of(kernel[0]) == kernel.find_first_of("0123456789"));
}
