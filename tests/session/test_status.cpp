#include "session/escape.h"
#include "session/status.h"
#include "support/files.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
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

TEST_CASE("The status file has every launch and what the host read after it") {
  const TemporaryFolder folder;
  StatusFile file(folder / "status");
  const std::string longer(20000, 'x'); // longer than any other report may be
  file.launchesEnded({"first\ttab\nline", longer});
  file.hostRead(7, 100, 2);
  file.asked("CL_DEVICE_TYPE CL_DEVICE_NAME");
  file.asked("CL_DEVICE_TYPE");
  file.launchesEnded({"third"});
  const std::string damaged = "host_read\t1\\t2\n"
                              "host_read\tx\\t0\\t0\\t0\n"
                              "host_read\t1\\t-2\\t0\\t0\n"
                              "launch\tcut of";
  test::write(folder / "status", test::contents(folder / "status") + damaged);
  const SessionStatus status = readStatus(folder / "status");
  CHECK(status.launches == std::vector<std::string>{"first\ttab\nline", longer, "third"});
  CHECK(status.asked == std::set<std::string>{"CL_DEVICE_NAME", "CL_DEVICE_TYPE"});
  REQUIRE(status.hostReads.size() == 1);
  const HostReads &reads = status.hostReads.at({getpid(), 7});
  CHECK(reads.bytes == 100);
  CHECK(reads.transfers == 2);
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

TEST_CASE(
    "What the status file does not take is in a spare one, and what follows a cut line is whole") {
  const TemporaryFolder folder;
  const std::filesystem::path run = folder / "aiwc-run", spare = folder / "spare";
  std::filesystem::create_directory(run);
  std::filesystem::create_directory(spare);
  constexpr int kLaunches = 40;
  const auto launch = [](const std::string &who, int number) {
    return who + std::to_string(number) + std::string(100, '.');
  };
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit small{1000, 1000}; // about 9 launches
    ::setrlimit(RLIMIT_FSIZE, &small);
    StatusFile file(run / "status", spare);
    bool good = true;
    for (int i = 0; i < kLaunches; ++i)
      good = file.launchesEnded({launch("limited", i)}) && good;
    ::_exit(good ? 0 : 1);
  }
  int ended = -1;
  REQUIRE(::waitpid(child, &ended, 0) == child);
  CHECK(ended == 0);
  CHECK(std::filesystem::file_size(run / "status") == 1000); // the last line is cut
  StatusFile(run / "status", spare).launchesEnded({launch("after", 0)});
  const SessionStatus status = readStatus(run / "status", spare);
  CHECK_FALSE(status.lost);
  std::vector<std::string> expected = {launch("after", 0)};
  for (int i = 0; i < kLaunches; ++i)
    expected.push_back(launch("limited", i));
  for (const std::string &one : expected)
    CHECK(std::ranges::count(status.launches, one) == 1);
  CHECK(readStatus(run / "status", folder / "none").launches.size() < expected.size());
}

TEST_CASE("A report that goes nowhere marks the status file") {
  const TemporaryFolder folder;
  test::write(folder / "status", "");
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_FSIZE, &none);
    StatusFile file(folder / "status", folder.path());
    ::_exit(file.launchesEnded({"x"}) || file.hostRead(1, 2, 3) || file.error("y") ? 1 : 0);
  }
  int ended = -1;
  REQUIRE(::waitpid(child, &ended, 0) == child);
  CHECK(ended == 0);
  CHECK(readStatus(folder / "status").lost);
}

TEST_CASE("launches need not be reported again if the launcher has ended") {
  const TemporaryFolder folder;
  StatusFile file(folder / "gone" / "status", folder.path());
  CHECK(file.launchesEnded({"x"}));
  CHECK_FALSE(file.error("y")); // nobody reads it
  CHECK_FALSE(std::filesystem::exists(folder / "gone"));
  CHECK(std::filesystem::is_empty(folder.path()));
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
