// Which words of the command line are ours, which are Oclgrind's and which are the application's.

#include "bench.h"
#include "session/option_table.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

using namespace aiwc::test;
using Words = std::vector<std::string>;

TEST_CASE("Without our options the stock Oclgrind gets the same words and nothing more") {
  Bench bench;
  const Words words =
      GENERATE(Words{"--data-races", "/bin/echo", "a b", "", "--aiwc", "--aiwc-output"},
               Words{"--num-threads", "2", "--plugins", "/x.so", "/bin/true", "--version"},
               Words{"--log", "--aiwc", "/bin/true"}, Words{"--unknown", "/bin/true"}, Words{});
  bench.run(words);
  CHECK(bench.arguments() == words);
  CHECK(bench.variable("OCLGRIND_PLUGINS") == "(unset)");
  CHECK(bench.variable("OCLGRIND_NUM_THREADS") == "(unset)");
  CHECK(bench.variable("AIWC_OUTPUT") == "(unset)");
  CHECK(bench.variable("AIWC_LAUNCHER_SCRIPTS") == "(unset)");
}

TEST_CASE("Without our options status and output are those of the application") {
  const Bench bench;
  const Outcome outcome = bench.run({"/bin/sh", "-c", "echo out; echo err >&2; exit 9"});
  CHECK(outcome.status == 9);
  CHECK(outcome.out == "out\n");
  CHECK(outcome.err == "err\n");
}

TEST_CASE("Every stock option with an argument keeps it, even if it looks like ours") {
  // The installed Oclgrind tells which ones there are: `  --name  ARGUMENT  description`.
  const Bench bench;
  const Outcome help = run({{AIWC_STOCK_OCLGRIND, "--help"}, {}, {}});
  std::istringstream lines(help.out);
  int withArgument = 0;
  int without = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string option;
    std::string argument;
    words >> option >> argument;
    if (!option.starts_with("--") || option == "--help" || option == "--version")
      continue;
    INFO(line);
    const bool takesOne =
        argument.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
    // Taken as an argument, --aiwc-nonsense is none of our business; else it is an error.
    const Outcome outcome = bench.run({option, "--aiwc-nonsense", "/bin/true"});
    CHECK(outcome.status == (takesOne ? 0 : 2));
    ++(takesOne ? withArgument : without);
  }
  CHECK(withArgument >= 11);
  CHECK(without >= 7);
}

TEST_CASE("Our options are taken out, the rest goes to the stock Oclgrind") {
  const Bench bench;
  const Outcome outcome =
      bench.run({"--data-races", "--aiwc", "--log", "--aiwc", "--aiwc-output", bench.file("out"),
                 "--aiwc-kernel=a,b*", "--aiwc-invocations", "-3", "--aiwc-sample-groups", "64",
                 "--aiwc-quiet", "--build-options", "-DX=1 -DY", "/bin/sh", "-c", "exit 4",
                 "--aiwc-nonsense"});
  CHECK(outcome.err == "");
  CHECK(outcome.status == 4);
  CHECK(bench.arguments() == Words{"--data-races", "--log", "--aiwc", "--build-options",
                                   "-DX=1 -DY", "/bin/sh", "-c", "exit 4", "--aiwc-nonsense"});
  CHECK(bench.variable("AIWC_OUTPUT") == bench.file("out"));
  CHECK(bench.variable("AIWC_KERNEL") == "a,b*");
  CHECK(bench.variable("AIWC_INVOCATIONS") == "0-3");
  CHECK(bench.variable("AIWC_SAMPLE_GROUPS") == "64");
  CHECK(bench.variable("AIWC_QUIET") == "1");
}

TEST_CASE("Any of our options alone characterises") {
  const Bench bench;
  const Words option =
      GENERATE(Words{"--aiwc"}, Words{"--aiwc-output", "."}, Words{"--aiwc-output=."},
               Words{"--aiwc-kernel", "*"}, Words{"--aiwc-invocations", "0"},
               Words{"--aiwc-sample-groups=8"}, Words{"--aiwc-engine=interpreter"},
               Words{"--aiwc-verbose"}, Words{"--aiwc-quiet"});
  Words words = option;
  words.push_back("/bin/true");
  const Outcome outcome = bench.run(words);
  CHECK(outcome.status == 4); // nothing was characterised
  CHECK(bench.variable("OCLGRIND_PLUGINS") == AIWC_FAKE_PLUGIN);
}

TEST_CASE("A wrong option is one line, status 2, and starts nothing") {
  const Bench bench;
  const auto [words, message] = GENERATE(table<Words, std::string>({
      {{"--aiwc-sample-groups"},
       "missing argument to --aiwc-sample-groups: expected a whole number above 0"},
      {{"--aiwc-sample-groups=0", "/bin/true"},
       "--aiwc-sample-groups is '0': expected a whole number above 0"},
      {{"--aiwc-sample-groups", "-3", "/bin/true"},
       "--aiwc-sample-groups is '-3': expected a whole number above 0"},
      {{"--aiwc-sample-groups=all", "/bin/true"},
       "--aiwc-sample-groups is 'all': expected a whole number above 0"},
      {{"--aiwc-engine"},
       "missing argument to --aiwc-engine: expected compiled, optimised, interpreter or auto"},
      {{"--aiwc-threads=0", "/bin/true"},
       "--aiwc-threads is '0': expected a whole number from 1 to 256"},
      {{"--aiwc-engine=fast", "/bin/true"},
       "--aiwc-engine is 'fast': expected compiled, optimised, interpreter or auto"},
      {{"--aiwc=yes", "/bin/true"},
       "--aiwc takes no argument: expected '--aiwc', not '--aiwc=yes'"},
      {{"--aiwc-quiet=1", "/bin/true"},
       "--aiwc-quiet takes no argument: expected '--aiwc-quiet', not '--aiwc-quiet=1'"},
      {{"--aiwc-output"}, "missing argument to --aiwc-output: expected a folder"},
      {{"--aiwc-output=", "/bin/true"}, "missing argument to --aiwc-output: expected a folder"},
      {{"--aiwc-kernel"},
       "missing argument to --aiwc-kernel: expected names or patterns with * and ?, separated by "
       "commas"},
      {{"--aiwc-kernel", "a,,b", "/bin/true"},
       "--aiwc-kernel is 'a,,b': expected names or patterns with * and ?, separated by commas"},
      {{"--aiwc-invocations"},
       "missing argument to --aiwc-invocations: expected A, A-, -B or A-B with whole numbers 0 <= "
       "A "
       "<= B, counted from 0; or /N or A-B/N with N >= 1"},
      {{"--aiwc-invocations", "7-3", "/bin/true"},
       "--aiwc-invocations is '7-3': expected A, A-, -B or A-B with whole numbers 0 <= A <= B, "
       "counted from 0; or /N or A-B/N with N >= 1"},
      {{"--aiwc"}, "no application to characterise: expected oclgrind --aiwc [OPTIONS] COMMAND"},
      {{"--aiwc", "--log", "x"},
       "no application to characterise: expected oclgrind --aiwc [OPTIONS] COMMAND"},
  }));
  const Outcome outcome = bench.run(words);
  CHECK(outcome.err == "aiwc: " + message + "\n");
  CHECK(outcome.status == 2);
  CHECK(bench.lastCall() == "");
}

TEST_CASE("A variable that is nearly one of ours is refused") {
  Bench bench;
  bench.environment["AIWC_ENGIN"] = "compiled";
  bench.environment["AIWC_BASE"] = "HEAD"; // of no option, and near none
  const Outcome outcome = bench.run({"--aiwc", "/bin/true"});
  CHECK(outcome.err == "aiwc: AIWC_ENGIN is no variable of aiwc: did you mean AIWC_ENGINE?\n");
  CHECK(outcome.status == 2);
  CHECK(bench.lastCall() == "");
}

TEST_CASE("An unknown option is answered with the nearest one, or with where all are") {
  const Bench bench;
  for (const auto &[option, answer] :
       {std::pair("--aiwc-outptu=x", "; did you mean --aiwc-output?"),
        std::pair("--aiwc-characterise", ": see oclgrind --help")}) {
    const Outcome outcome = bench.run({option, "/bin/true"});
    CHECK(outcome.err == std::string("aiwc: unknown option '") + option + "'" + answer + "\n");
    CHECK(outcome.status == 2);
    CHECK(bench.lastCall() == "");
  }
}

TEST_CASE("Help and version are the stock ones, then ours") {
  const Bench bench;
  const Outcome help = bench.run({"--help"});
  CHECK(help.status == 0);
  CHECK_THAT(help.out, Catch::StartsWith("stock help\n"));
  CHECK_THAT(help.out, Catch::Contains("\n  --aiwc                       Characterise every"));
  for (const aiwc::Option &option : aiwc::kOptions) {
    const std::string flag = "\n  " + std::string(option.flag) + " ";
    CHECK_THAT(help.out, Catch::Contains(flag));
    const std::string entry = help.out.substr(help.out.find(flag) + 1);
    CHECK_THAT(entry.substr(0, entry.find('\n')),
               Catch::Contains(" " + std::string(option.argument) + " ")); // in whole
  }
  std::istringstream lines(help.out);
  for (std::string line; std::getline(lines, line);)
    CHECK(line.size() <= 80);
  const Outcome version = bench.run({"--version"});
  CHECK(version.status == 0);
  CHECK(version.out == "\nOclgrind " AIWC_OCLGRIND_VERSION "\naiwc " AIWC_VERSION
                       " (for Oclgrind " AIWC_OCLGRIND_VERSION ")\n");
}

TEST_CASE("The OpenCL library of aiwc devices measure is no option of a run") {
  Bench bench;
  bench.environment["AIWC_OPENCL_LIBRARY"] = "/opt/driver/libOpenCL.so.1"; // docs/devices.md
  const Outcome outcome = bench.run({"--aiwc-quiet", "/bin/sh", "-c", "exit 3"});
  CHECK(outcome.err == "");
  CHECK(outcome.status == 3);
  CHECK(bench.variable("AIWC_OPENCL") == "(unset)"); // the version that the device has
}

TEST_CASE("Options may come from the environment; the command line goes first") {
  Bench bench;
  bench.environment["AIWC_KERNEL"] = "from_environment";
  bench.environment["AIWC_INVOCATIONS"] = "5";
  bench.run({"--aiwc-kernel", "from_option", "/bin/true"});
  CHECK(bench.variable("AIWC_KERNEL") == "from_option");
  CHECK(bench.variable("AIWC_INVOCATIONS") == "5-5");
  bench.environment["AIWC_INVOCATIONS"] = "many";
  const Outcome outcome = bench.run({"--aiwc", "/bin/true"});
  CHECK_THAT(outcome.err, Catch::StartsWith("aiwc: AIWC_INVOCATIONS is 'many': expected"));
  CHECK(outcome.status == 2);
}
