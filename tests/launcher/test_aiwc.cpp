// `aiwc run` in the place of the launcher: which words are its options, Oclgrind's and the
// application's, and what it says.

#include "bench.h"
#include "session/option_table.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;
using Words = std::vector<std::string>;

namespace {

Command aiwcRun(const Bench &bench, Words words) {
  words.insert(words.begin(), "run");
  Command command = bench.launcher(words);
  command.words.front() = AIWC_COMMAND;
  return command;
}

std::string joined(const std::vector<fs::path> &folders) {
  std::string text;
  for (const fs::path &folder : folders)
    text += (text.empty() ? "" : ":") + folder.string();
  return text;
}

} // namespace

TEST_CASE("aiwc run characterises the application behind its options") {
  const Bench bench;
  const Words application = {"/bin/sh", "-c", "exit 7", "x y", ""};
  Words words = application;
  if (GENERATE(false, true))
    words.insert(words.begin(), "--");
  words.insert(words.begin(), "--quiet");
  const Outcome outcome = run(aiwcRun(bench, words));
  CHECK(outcome.err == "");
  CHECK(outcome.status == 7);
  CHECK(bench.arguments() == application);
  CHECK(bench.variable("OCLGRIND_PLUGINS") == AIWC_FAKE_PLUGIN);
}

TEST_CASE("aiwc run has the launcher's options without their prefix") {
  const Bench bench;
  SECTION("with the argument in the next word") {
    run(aiwcRun(bench, {"--output", "d e", "--kernel", "a*", "--invocations", "1-3", "--line-size",
                        "128", "--sample-groups", "9", "--engine", "interpreter", "--threads", "3",
                        "--verbose", "--quiet", "--", "/bin/true"}));
    CHECK(bench.variable("AIWC_OUTPUT") == (bench.file("out") / "d e").string());
    CHECK(bench.variable("AIWC_KERNEL") == "a*");
    CHECK(bench.variable("AIWC_INVOCATIONS") == "1-3");
    CHECK(bench.variable("AIWC_LINE_SIZE") == "128");
    CHECK(bench.variable("AIWC_SAMPLE_GROUPS") == "9");
    CHECK(bench.variable("AIWC_ENGINE") == "interpreter");
    CHECK(bench.variable("AIWC_THREADS") == "3");
    CHECK(bench.variable("AIWC_VERBOSE") == "1");
    CHECK(bench.variable("AIWC_QUIET") == "1");
  }
  SECTION("with the argument behind =") {
    run(aiwcRun(bench, {"--output=d", "--kernel=a=b", "/bin/true"}));
    CHECK(bench.variable("AIWC_OUTPUT") == (bench.file("out") / "d").string());
    CHECK(bench.variable("AIWC_KERNEL") == "a=b");
  }
  SECTION("and with it, as in run.json") {
    run(aiwcRun(bench, {"--aiwc-kernel", "k", "--aiwc-quiet", "/bin/true"}));
    CHECK(bench.variable("AIWC_KERNEL") == "k");
    CHECK(bench.variable("AIWC_QUIET") == "1");
  }
  CHECK(bench.arguments() == Words{"/bin/true"});
}

TEST_CASE("aiwc run leaves other options and the application's own to whom they belong") {
  const Bench bench;
  SECTION("an option of Oclgrind with an argument") {
    run(aiwcRun(bench,
                {"--num-threads", "4", "--quiet", "--", "/bin/true", "--output", "x", "--"}));
    CHECK(bench.arguments() == Words{"--num-threads", "4", "/bin/true", "--output", "x", "--"});
    CHECK(bench.variable("AIWC_QUIET") == "1");
  }
  SECTION("and an application with options like ours") {
    const Words words = {"--num-threads", "4", "/bin/true", "--quiet", "--", "x"};
    run(aiwcRun(bench, words));
    CHECK(bench.arguments() == words);
    CHECK(bench.variable("AIWC_QUIET") == "(unset)");
  }
  SECTION("no option of ours") {
    run(aiwcRun(bench, {"/bin/true", "--quiet", "--", "--output"}));
    CHECK(bench.arguments() == Words{"/bin/true", "--quiet", "--", "--output"});
    CHECK(bench.variable("AIWC_QUIET") == "(unset)");
  }
  SECTION("an option of Oclgrind without an argument") {
    run(aiwcRun(bench, {"--data-races", "/bin/true", "--quiet"}));
    CHECK(bench.arguments() == Words{"--data-races", "/bin/true", "--quiet"});
    CHECK(bench.variable("AIWC_QUIET") == "(unset)");
  }
  SECTION("an argument that looks like an option of ours") {
    run(aiwcRun(bench, {"--log", "--quiet", "--", "/bin/true"}));
    CHECK(bench.arguments() == Words{"--log", "--quiet", "/bin/true"});
    CHECK(bench.variable("AIWC_QUIET") == "(unset)");
  }
}

TEST_CASE("Behind -- there is an application, whatever it is called") {
  const Bench bench;
  const Outcome outcome = run(aiwcRun(bench, {"--", "--help", "run"}));
  CHECK(outcome.err == "aiwc: '--help' was not found on PATH: expected an application\n");
  CHECK(outcome.status == 127);
}

TEST_CASE("aiwc run calls options as the user does when they are wrong") {
  const Bench bench;
  const auto [words, message] = GENERATE(table<Words, std::string>({
      {{"--sample-groups", "0", "--", "/bin/true"},
       "aiwc: --sample-groups is '0': expected a whole number above 0"},
      {{"--engine=fast", "/bin/true"},
       "aiwc: --engine is 'fast': expected compiled, optimised, interpreter or auto"},
      {{"--output=", "/bin/true"}, "aiwc: missing argument to --output: expected a folder"},
      {{"--output", "", "/bin/true"}, "aiwc: missing argument to --output: expected a folder"},
      {{"--kernel", "a,,b", "--", "/bin/true"},
       "aiwc: --kernel is 'a,,b': expected names or patterns with * and ?, separated by commas"},
  }));
  const Outcome outcome = run(aiwcRun(bench, words));
  CHECK(outcome.err == message + "\n");
  CHECK(outcome.status == 2);
  CHECK(bench.lastCall() == "");
}

TEST_CASE("What an application of aiwc run starts names options as it calls them") {
  const Bench bench;
  const Outcome outcome =
      run(aiwcRun(bench, {"--quiet", "--", "/bin/sh", "-c",
                          std::string(AIWC_LAUNCHER) + " --aiwc-threads=0 /bin/true; exit 3"}));
  CHECK(outcome.err == "aiwc: --aiwc-threads is '0': expected a whole number from 1 to 256\n");
  CHECK(outcome.status == 3);
}

TEST_CASE(
    "aiwc run searches behind the launcher of its installation, and finds what is beside it") {
  Bench bench;
  bench.environment.erase("AIWC_PLUGIN");
  const fs::path bin = bench.file("a prefix/bin");
  const fs::path tools = bin / AIWC_TOOLS_FROM_COMMANDS;
  const fs::path plugin = tools / AIWC_PLUGIN_FOLDER / "aiwc_oclgrind_plugin.so";
  fs::create_directories(bin);
  fs::create_directories(tools);
  fs::create_directories(plugin.parent_path());
  fs::copy_file(AIWC_COMMAND, bin / "aiwc");
  fs::copy_file(AIWC_LAUNCHER, tools / "oclgrind");
  fs::copy_file(AIWC_PLUGIN_CHECK, tools / "aiwc-plugin-check");
  fs::copy_file(AIWC_FAKE_PLUGIN, plugin);
  // The name that PATH has of it, as `cmake --install` puts it there.
  fs::create_symlink(tools / "oclgrind", bin / "oclgrind");
  fs::create_directory(bench.file("before"));
  writeScript(bench.file("before/oclgrind"), "exit 9\n");
  bench.environment["PATH"] =
      joined({bench.file("before"), bin, bench.file("stock"), "/usr/bin", "/bin"});
  Command command = aiwcRun(bench, {"--quiet", "--", "/bin/sh", "-c", "exit 3"});
  command.words.front() = bin / "aiwc";
  const Outcome outcome = run(command);
  CHECK(outcome.err == "");
  CHECK(outcome.status == 3);
  CHECK(bench.variable("OCLGRIND_PLUGINS") == fs::canonical(plugin).string());
}
