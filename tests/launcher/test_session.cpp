#include "common/error.h"
#include "launcher/session.h"
#include "process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <thread>

using namespace aiwc;
using Catch::Matchers::Message;
using test::Folder;

namespace {

void clearEnvironment() {
  for (const char *name : {"AIWC_OUTPUT", "AIWC_KERNELS", "AIWC_INVOCATIONS", "AIWC_LINE_SIZE",
                           "AIWC_SAMPLE_GROUPS", "AIWC_ENGINE", "AIWC_THREADS", "AIWC_VERBOSE",
                           "AIWC_QUIET", "AIWC_EMBED", "AIWC_STATUS_FILE", "AIWC_PLUGIN"})
    ::unsetenv(name);
}

} // namespace

TEST_CASE("Without an environment every option has its default") {
  clearEnvironment();
  const SessionOptions options = optionsFromEnvironment();
  CHECK(options.output == std::filesystem::current_path());
  CHECK(options.kernels.empty());
  CHECK(options.firstInvocation == 0);
  CHECK(options.lastInvocation == UINT64_MAX);
  CHECK(options.lineSize == 64);
  CHECK(options.sampleGroups == 0);
  CHECK(options.engine == EngineChoice::kAuto);
  CHECK(options.threads == 0);
  CHECK_FALSE(options.verbose);
  CHECK_FALSE(options.quiet);
  CHECK_FALSE(options.embed);
  CHECK(options.statusFile.empty());
  CHECK(options.plugin.empty());
}

TEST_CASE("Options survive the way through the environment") {
  SessionOptions options;
  options.output = "/a b/c";
  options.kernels = "^lud_(diagonal|internal)$";
  options.firstInvocation = 3;
  options.lastInvocation = GENERATE(as<std::uint64_t>(), 3, 17, UINT64_MAX);
  options.lineSize = 128;
  options.sampleGroups = GENERATE(as<std::uint64_t>(), 1, 64);
  options.engine =
      GENERATE(EngineChoice::kInterpreter, EngineChoice::kCompiled, EngineChoice::kAuto);
  options.threads = 3;
  options.verbose = true;
  options.quiet = true;
  options.embed = true;
  options.statusFile = "/tmp/status";
  options.plugin = "/lib/plugin.so";
  setEnvironment(options);
  const SessionOptions back = optionsFromEnvironment();
  CHECK(back.output == options.output);
  CHECK(back.kernels == options.kernels);
  CHECK(back.firstInvocation == options.firstInvocation);
  CHECK(back.lastInvocation == options.lastInvocation);
  CHECK(back.lineSize == options.lineSize);
  CHECK(back.sampleGroups == options.sampleGroups);
  CHECK(back.engine == options.engine);
  CHECK(back.threads == 3);
  CHECK(back.verbose);
  CHECK(back.quiet);
  CHECK(back.embed);
  CHECK(back.statusFile == options.statusFile);
  CHECK(back.plugin == options.plugin);

  SECTION("and a second session does not inherit what the first one set") {
    setEnvironment(SessionOptions{});
    CHECK(std::getenv("AIWC_KERNELS") == nullptr);
    CHECK(std::getenv("AIWC_INVOCATIONS") == nullptr);
    CHECK(std::getenv("AIWC_SAMPLE_GROUPS") == nullptr);
    CHECK(std::getenv("AIWC_ENGINE") == nullptr);
    CHECK(std::getenv("AIWC_VERBOSE") == nullptr);
    CHECK(std::getenv("AIWC_QUIET") == nullptr);
    CHECK(std::getenv("AIWC_EMBED") == nullptr);
    CHECK(std::getenv("AIWC_STATUS_FILE") == nullptr);
  }
  clearEnvironment();
}

TEST_CASE("A relative output folder is the one below the folder where the session began") {
  clearEnvironment();
  ::setenv("AIWC_OUTPUT", "x/../profiles/", 1);
  CHECK(optionsFromEnvironment().output == std::filesystem::current_path() / "profiles");
  clearEnvironment();
}

TEST_CASE("A folder has one spelling") {
  CHECK(absolutePath("/") == "/");
  CHECK(absolutePath("/a/b/") == "/a/b");
  CHECK(absolutePath("/a/./b/..") == "/a");
}

TEST_CASE("A variable that makes no sense is named") {
  clearEnvironment();
  const auto [name, value, message] = GENERATE(table<const char *, const char *, const char *>({
      {"AIWC_INVOCATIONS", "5-3",
       "AIWC_INVOCATIONS is '5-3': expected A, A-, -B or A-B with whole numbers 0 <= A <= B, "
       "counted from 0"},
      {"AIWC_QUIET", "perhaps", "AIWC_QUIET is 'perhaps': expected 0 or 1"},
  }));
  ::setenv(name, value, 1);
  CHECK_THROWS_MATCHES(optionsFromEnvironment(), Error, Message(message));
  clearEnvironment();
  ::setenv("AIWC_KERNELS", "a(", 1);
  CHECK_THROWS_WITH(optionsFromEnvironment(),
                    Catch::StartsWith("AIWC_KERNELS is 'a(': expected an ECMAScript"));
  clearEnvironment();
}

TEST_CASE("A range of invocations is inclusive and may be open at one end") {
  using Range = std::pair<std::uint64_t, std::uint64_t>;
  CHECK(parseInvocations("4", "x") == Range(4, 4));
  CHECK(parseInvocations("4-", "x") == Range(4, UINT64_MAX));
  CHECK(parseInvocations("-4", "x") == Range(0, 4));
  CHECK(parseInvocations("4-9", "x") == Range(4, 9));
  CHECK(parseInvocations("0-18446744073709551615", "x") == Range(0, UINT64_MAX));
  for (const char *bad : {"", "-", "a", "1-b", "2-1", "1-2-3", "--1", " 1", "1 ", "+1", "0x1",
                          "18446744073709551616", "1.5"}) {
    INFO(bad);
    CHECK_THROWS_AS(parseInvocations(bad, "x"), Error);
  }
}

TEST_CASE("A number of sampled work-groups is a whole number above 0") {
  CHECK(parseSampleGroups("1", "x") == 1);
  CHECK(parseSampleGroups("18446744073709551615", "x") == UINT64_MAX);
  for (const char *text : {"", "0", "-1", "1.5", "64 ", "many", "18446744073709551616"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parseSampleGroups(text, "--aiwc-sample-groups"),
                      "--aiwc-sample-groups is '" + std::string(text) +
                          "': expected a whole number above 0");
  }
}

TEST_CASE("A line size is a power of two from 32 to 256") {
  CHECK(parseLineSize("32", "x") == 32);
  CHECK(parseLineSize("256", "x") == 256);
  for (const char *text : {"", "16", "48", "512", "64 ", "-64", "64B"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parseLineSize(text, "--aiwc-line-size"),
                      Catch::Matchers::StartsWith("--aiwc-line-size is '") &&
                          Catch::Matchers::EndsWith("': expected 32, 64, 128 or 256 (bytes)"));
  }
}

TEST_CASE("A number of threads is 1 to 256") {
  CHECK(parseThreads("1", "x") == 1);
  CHECK(parseThreads("256", "x") == 256);
  for (const char *text : {"", "0", "257", "-1", "2 ", "1.5", "all"}) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parseThreads(text, "--aiwc-threads"),
                      Catch::Matchers::EndsWith("': expected a whole number from 1 to 256"));
  }
}

TEST_CASE("An engine is one of three") {
  CHECK(parseEngine("interpreter", "x") == EngineChoice::kInterpreter);
  CHECK(parseEngine("compiled", "x") == EngineChoice::kCompiled);
  CHECK(parseEngine("auto", "x") == EngineChoice::kAuto);
  for (const char *text : {"", "Auto", "jit", "compiled "}) {
    CAPTURE(text);
    CHECK_THROWS_WITH(parseEngine(text, "--aiwc-engine"),
                      Catch::Matchers::StartsWith("--aiwc-engine is '") &&
                          Catch::Matchers::EndsWith("': expected compiled, interpreter or auto"));
  }
}

TEST_CASE("An expression that would take the stack down is refused") {
  CHECK_THROWS_AS(parseKernels(std::string(100000, '('), "x"), Error);
  CHECK_THROWS_AS(parseKernels("(a{9999}){9999}", "x"), Error);
}

TEST_CASE("The filter looks for the expression anywhere in the name") {
  SessionOptions options;
  SECTION("none: every kernel") {
    CHECK(InvocationFilter(options).selects("anything", 9));
  }
  SECTION("some") {
    options.kernels = "mul|^add";
    const InvocationFilter filter(options);
    CHECK(filter.selects("matmul", 0));
    CHECK(filter.selects("add_vectors", 0));
    CHECK_FALSE(filter.selects("vector_add", 0));
  }
  SECTION("and the number between both ends") {
    options.firstInvocation = 2;
    options.lastInvocation = 3;
    const InvocationFilter filter(options);
    CHECK_FALSE(filter.selects("k", 1));
    CHECK(filter.selects("k", 2));
    CHECK(filter.selects("k", 3));
    CHECK_FALSE(filter.selects("k", 4));
  }
}

TEST_CASE("The status file says what was reported, each thing once") {
  const Folder folder;
  StatusFile file(folder / "status");
  file.loaded("1.2.3");
  file.loaded("1.2.3");
  file.kernelLaunched("saxpy");
  file.kernelLaunched("saxpy");
  file.kernelLaunched("dot");
  file.profileWritten("/out/aiwc_saxpy_0.json");
  file.profileWritten("/out/aiwc_saxpy_1.json");
  file.error("one\ttab\nnewline \\ backslash \x1b escape");
  file.error("two");
  file.error("two");
  const SessionStatus status = readStatus(folder / "status");
  CHECK(status.loaded);
  CHECK(status.pluginVersion == "1.2.3");
  CHECK(status.kernels == std::vector<std::string>{"saxpy", "dot"});
  CHECK(status.profiles == 2);
  CHECK(status.errors ==
        std::vector<std::string>{"one\ttab\nnewline \\ backslash \x1b escape", "two"});
}

TEST_CASE("A report is one line on a terminal, whatever it holds") {
  CHECK(escapeLine("a\nb\tc\\d\x1b[31m\x7f") == "a\\nb\\tc\\\\d\\x1b[31m\\x7f");
  CHECK(escapeLine("kernel größe") == "kernel größe");
}

TEST_CASE("A status file that is missing or damaged says no more than it holds") {
  const Folder folder;
  CHECK_FALSE(readStatus(folder / "none").loaded);
  test::write(folder / "status", "nonsense\n\nloaded\t1\nwhat\tever\nprofile\t/x\nerror\tcut of");
  const SessionStatus status = readStatus(folder / "status");
  CHECK(status.loaded);
  CHECK(status.profiles == 1);
  CHECK(status.errors.empty());
}

TEST_CASE("Reporting without a status file, or into one that cannot be, does nothing") {
  const Folder folder;
  StatusFile("").error("unheard");
  StatusFile(folder / "no/such/folder/status").error("unheard");
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("Threads and processes that report at the same time do not mix their lines") {
  constexpr int kProcesses = 4;
  constexpr int kReports = 200;
  const Folder folder;
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
