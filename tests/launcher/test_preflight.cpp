// What is refused before the application starts, and how.

#include "bench.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <sstream>

using namespace aiwc::test;

namespace {

// The command with some of the standard descriptors closed, as `<&- >&-` does it.
Command without(const std::string &closed, Command command) {
  command.words.insert(command.words.begin(), {"/bin/sh", "-c", "exec \"$@\" " + closed, "sh"});
  return command;
}

// An application that leaves a trace of having run.
std::vector<std::string> withTouch(const Bench &bench, std::vector<std::string> words) {
  words.insert(words.end(), {"/usr/bin/touch", bench.file("application ran")});
  return words;
}

bool applicationRan(const Bench &bench) {
  return fs::exists(bench.file("application ran"));
}

std::string plugin() {
  return std::string("the plugin '") + AIWC_FAKE_PLUGIN + "'";
}

} // namespace

TEST_CASE("An output folder that cannot take profiles is refused") {
  const Bench bench;
  write(bench.file("file"), "");
  struct Case {
    std::string folder;
    std::string reason;
  };
  for (const Case &wrong : {Case{bench.file("file"), "cannot be made: Not a directory"},
                            Case{bench.file("file/below"), "cannot be made: Not a directory"},
                            Case{"/proc", "cannot be written to: "} /* not even by root */}) {
    const Outcome outcome = bench.run(withTouch(bench, {"--aiwc-output", wrong.folder}));
    CHECK_THAT(outcome.err,
               Catch::StartsWith("aiwc: output folder '" + wrong.folder + "' " + wrong.reason));
    CHECK_THAT(outcome.err, Catch::EndsWith(": expected a folder that can be written to\n"));
    CHECK(outcome.status == 2);
  }
  CHECK_FALSE(applicationRan(bench));
}

TEST_CASE("An output folder on a full disk is refused") {
  const Bench bench;
  // A limit on the size of files makes every write fail, which stands for the disk.
  Command command = bench.launcher(withTouch(bench, {"--aiwc"}));
  command.words.insert(
      command.words.begin(),
      {"/bin/sh", "-c", "( trap '' XFSZ; ulimit -f 0; \"$@\"; echo status $? ) 2>&1 | cat", "sh"});
  CHECK(run(command).out == "aiwc: output folder '" + bench.file("out/aiwc-touch").string() +
                                "' cannot be written to: File too large: expected a folder that "
                                "can be written to\nstatus 2\n");
  CHECK_FALSE(applicationRan(bench));
  CHECK(fs::is_empty(bench.file("out")));
}

TEST_CASE("The default output folder is a new one, which goes again if no kernel runs") {
  const Bench bench;
  fs::create_directory(bench.file("out/aiwc-touch"));
  CHECK(bench.run(withTouch(bench, {"--aiwc-allow-empty"})).status == 0);
  CHECK(applicationRan(bench));
  CHECK(bench.variable("AIWC_OUTPUT") == bench.file("out/aiwc-touch-2"));
  CHECK_FALSE(fs::exists(bench.file("out/aiwc-touch-2")));
  fs::remove(bench.file("out/aiwc-touch"));
  CHECK(fs::is_empty(bench.file("out")));
  CHECK(fs::is_empty(bench.file("tmp")));
}

TEST_CASE("Descriptors that are closed stay so for the application, and for it alone") {
  const Bench bench;
  const auto [closed, left] = GENERATE(table<std::string, std::string>({
      {"<&-", "open 1 2\n"},
      {"<&- >&-", "open 2\n"},
      {"<&- >&- 2>&-", "open\n"},
  }));
  INFO(closed);
  CHECK(run(without(closed, bench.launcher({"--aiwc-allow-empty", "/bin/true"}))).status == 0);
  std::istringstream log(contents(bench.file("log")));
  std::vector<std::string> open; // per call
  for (std::string line; std::getline(log, line);)
    if (line.starts_with("open"))
      open.push_back(line + "\n");
  CHECK(open == std::vector<std::string>{"open 0 1 2\n", "open 0 1 2\n", left});
}

TEST_CASE("An Oclgrind that cannot be started is named, whatever is closed") {
  const Bench bench;
  const fs::path stock = bench.file("stock/oclgrind");
  write(stock, "\x7f"
               "ELF, in part");
  const Outcome outcome = run(without("<&- >&-", bench.launcher({"--aiwc", "/bin/true"})));
  CHECK(outcome.err == "aiwc: cannot run '" + stock.string() + "': Exec format error\n");
  CHECK(outcome.status == 2);
}

TEST_CASE("Too few descriptors to see what Oclgrind prints are the reason that is given") {
  // With few more than the loader of the launcher itself needs, the pipe to the child has none,
  // with one or two more, the child's input or output.
  const Bench bench;
  int refused = 0;
  Outcome outcome;
  for (int limit = 4; limit < 32; ++limit) {
    Command command = bench.launcher(withTouch(bench, {"--aiwc-allow-empty"}));
    command.words.insert(
        command.words.begin(),
        {"/bin/sh", "-c", "ulimit -n " + std::to_string(limit) + "; exec \"$@\"", "sh"});
    outcome = run(command);
    if (outcome.status == 0)
      break;
    if (outcome.status == 127) // of the loader
      continue;
    INFO(limit);
    ++refused;
    CHECK(outcome.out == "");
    CHECK(outcome.err == "aiwc: cannot run '" + bench.file("stock/oclgrind").string() +
                             "': Too many open files\n");
    CHECK(outcome.status == 2);
    CHECK_FALSE(applicationRan(bench));
  }
  CHECK(refused > 1);
  CHECK(outcome.status == 0);
  CHECK(applicationRan(bench));
}

TEST_CASE("An Oclgrind of another version than the plugin's is refused") {
  Bench bench;
  bench.environment["FAKE_VERSION"] = "Oclgrind 99.1";
  Outcome outcome = bench.run(withTouch(bench, {"--aiwc"}));
  CHECK(outcome.err == "aiwc: the plugin was built for Oclgrind " AIWC_OCLGRIND_VERSION ", but '" +
                           bench.file("stock/oclgrind").string() +
                           "' is Oclgrind 99.1: expected the same version\n");
  CHECK(outcome.status == 3);
  bench.environment["FAKE_VERSION"] = "something else";
  outcome = bench.run(withTouch(bench, {"--aiwc"}));
  CHECK_THAT(outcome.err,
             Catch::EndsWith("prints no version: expected Oclgrind " AIWC_OCLGRIND_VERSION "\n"));
  CHECK(outcome.status == 3);
  CHECK_FALSE(applicationRan(bench));
}

TEST_CASE("A plugin that does not load is refused with the loader's reason") {
  Bench bench;
  bench.environment["FAKE_CHECK"] = std::string("Loading Oclgrind plugin failed (dlopen): ") +
                                    AIWC_FAKE_PLUGIN + ": undefined symbol: _ZTIN8oclgrind6PluginE";
  const Outcome outcome = bench.run(withTouch(bench, {"--aiwc"}));
  CHECK(outcome.err ==
        "aiwc: " + plugin() + " does not load: undefined symbol: _ZTIN8oclgrind6PluginE\n");
  CHECK(outcome.status == 3);
  CHECK_FALSE(applicationRan(bench));
  CHECK(fs::is_empty(bench.file("tmp")));
}

TEST_CASE("A plugin that reports no or another version, or an error, is refused") {
  Bench bench;
  const auto [lines, message] = GENERATE(table<const char *, std::string>({
      {"loaded\t0.0.0\n",
       " has version 0.0.0, this launcher " AIWC_VERSION ": expected the same version"},
      {"error\tAIWC_QUIET is 'x': expected 0 or 1\n",
       " does not start: AIWC_QUIET is 'x': expected 0 or 1"},
      {"nothing of sense\n",
       " does not load: the program that tests it ended with status 0 and the "
       "plugin reported nothing"},
  }));
  bench.environment["FAKE_CHECK_LINES"] = lines;
  const Outcome outcome = bench.run(withTouch(bench, {"--aiwc"}));
  CHECK(outcome.err == "aiwc: " + plugin() + message + "\n");
  CHECK(outcome.status == 3);
  CHECK_FALSE(applicationRan(bench));
}

TEST_CASE("What went well once is run again only if a file of the tools has changed") {
  Bench bench;
  bench.environment["HOME"] = bench.file("home");
  fs::create_directory(bench.file("home"));
  const auto checks = [&] { // how often the plugin's program has run
    const std::string log = contents(bench.file("log"));
    size_t count = 0;
    for (size_t at = 0; (at = log.find("aiwc-plugin-check", at)) != std::string::npos; ++at)
      ++count;
    return count;
  };
  const auto run = [&] { CHECK(bench.run(withTouch(bench, {"--aiwc-allow-empty"})).status == 0); };
  run();
  const size_t once = checks();
  REQUIRE(once > 0);
  run();
  CHECK(checks() == once);
  // The same program, written anew.
  fs::last_write_time(bench.file("stock/oclgrind"), fs::file_time_type::clock::now());
  run();
  CHECK(checks() == 2 * once);
  CHECK(bench.run(withTouch(bench, {"--aiwc-allow-empty", "--aiwc-cache=none"})).status == 0);
  CHECK(checks() == 3 * once);
  bench.environment["LD_LIBRARY_PATH"] = bench.file("home");
  run();
  CHECK(checks() == 4 * once);
  // As what keeps the time of a file's last write leaves it (rsync --inplace --times).
  const fs::path program = bench.file("stock/oclgrind");
  fs::last_write_time(program, fs::last_write_time(program));
  run();
  CHECK(checks() == 5 * once);
}

TEST_CASE("A plugin in a folder that Oclgrind cannot name is refused") {
  Bench bench;
  fs::create_directory(bench.file("a:b"));
  fs::copy_file(AIWC_FAKE_PLUGIN, bench.file("a:b/plugin.so"));
  bench.environment["AIWC_PLUGIN"] = bench.file("a:b/plugin.so");
  const Outcome outcome = bench.run(withTouch(bench, {"--aiwc"}));
  CHECK_THAT(outcome.err,
             Catch::EndsWith("separates plugins for Oclgrind: expected a path without ':'\n"));
  CHECK(outcome.status == 3);
  CHECK_FALSE(applicationRan(bench));
}

TEST_CASE("A signal during the checks ends the launcher and leaves nothing behind") {
  Bench bench;
  bench.environment["FAKE_CHECK_HANGS"] = bench.file("flag");
  const int signal = GENERATE(SIGTERM, SIGINT, SIGHUP);
  Process process(bench.launcher(withTouch(bench, {"--aiwc"})));
  awaitText(bench.file("flag"), "hangs");
  ::kill(process.id(), signal);
  CHECK(process.wait().signal == signal);
  CHECK_FALSE(applicationRan(bench));
  CHECK(fs::is_empty(bench.file("tmp")));
}
