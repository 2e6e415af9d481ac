// The application under the launcher: what it is given, what comes back.

#include "bench.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>

using namespace aiwc::test;

namespace {

const std::string kProfile = "loaded\t" AIWC_VERSION "\nkernel\tk\nprofile\t/out/aiwc_k_0.json\n";

// The launcher with these words after `oclgrind --aiwc` or `aiwc run`: the two do the same.
Command characterising(const Bench &bench, std::vector<std::string> words) {
  const bool isAiwc = GENERATE(false, true);
  words.insert(words.begin(), isAiwc ? "run" : "--aiwc");
  Command command = bench.launcher(words);
  if (isAiwc)
    command.words.front() = AIWC_COMMAND;
  return command;
}

long countOf(const std::string &text, const std::string &part) {
  long count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++count;
  return count;
}

} // namespace

TEST_CASE("Our plugin precedes those of the command line and the environment, each once") {
  Bench bench;
  const fs::path link = bench.file("link to our plugin.so");
  fs::create_symlink(AIWC_FAKE_PLUGIN, link);
  bench.environment["OCLGRIND_PLUGINS"] = ":/c.so:/a.so::" + link.string();
  bench.run({"--aiwc", "--plugins", "/a.so:/with blank/b.so", "/bin/true"});
  CHECK(bench.variable("OCLGRIND_PLUGINS") ==
        std::string(AIWC_FAKE_PLUGIN) + ":/a.so:/with blank/b.so:/c.so");
  CHECK(bench.arguments() == std::vector<std::string>{"/bin/true"});
}

TEST_CASE("One simulator thread unless the user wants more") {
  Bench bench;
  bench.run({"--aiwc", "/bin/true"});
  CHECK(bench.variable("OCLGRIND_NUM_THREADS") == "1");
  bench.run({"--aiwc", "--num-threads", "3", "/bin/true"}); // the option wins in Oclgrind
  CHECK(bench.arguments() == std::vector<std::string>{"--num-threads", "3", "/bin/true"});
  bench.environment["OCLGRIND_NUM_THREADS"] = "4";
  bench.run({"--aiwc", "/bin/true"});
  CHECK(bench.variable("OCLGRIND_NUM_THREADS") == "4");
}

TEST_CASE("Input, output and status of the application pass through") {
  Bench bench;
  bench.environment["FAKE_LINES"] = kProfile;
  write(bench.file("input"), "from stdin\n");
  Command command =
      characterising(bench, {"/bin/sh", "-c", "cat; echo out; echo err >&2; exit 42", "sh"});
  command.words.insert(command.words.begin(),
                       {"/bin/sh", "-c", "\"$@\" < '" + bench.file("input").string() + "'", "sh"});
  const Outcome outcome = run(command);
  CHECK(outcome.status == 42);
  CHECK(outcome.out == "from stdin\nout\n");
  CHECK(outcome.err == "err\n");
  CHECK(fs::is_empty(bench.file("tmp")));
}

TEST_CASE("A stock Oclgrind that cannot be executed is named") {
  const Bench bench;
  write(bench.file("stock/oclgrind"), "neither program nor script");
  fs::permissions(bench.file("stock/oclgrind"), fs::perms::owner_all);
  const std::string message =
      "aiwc: cannot run '" + bench.file("stock/oclgrind").string() + "': Exec format error\n";
  for (const bool characterise : {false, true}) {
    const Outcome outcome =
        characterise ? bench.run({"--aiwc", "/bin/true"}) : bench.run({"/bin/true"});
    CHECK(outcome.err == message);
    CHECK(outcome.status == 2);
  }
  CHECK(fs::is_empty(bench.file("tmp")));
}

TEST_CASE("The launcher dies of the signal that its application died of") {
  Bench bench;
  bench.environment["FAKE_LINES"] = kProfile;
  const int signal = GENERATE(SIGSEGV, SIGABRT, SIGKILL, SIGTERM);
  const Outcome outcome =
      run(characterising(bench, {"/bin/sh", "-c", "kill -" + std::to_string(signal) + " $$"}));
  CHECK(outcome.signal == signal);
  CHECK(fs::is_empty(bench.file("tmp")));
}

TEST_CASE("Errors of the plugin are shown once each, a handful at most, and fail the run") {
  Bench bench;
  SECTION("one") {
    bench.environment["FAKE_LINES"] =
        kProfile + "error\tcannot write '/x'\nerror\tcannot write '/x'\n";
    const Outcome outcome = bench.run({"--aiwc-quiet", "/bin/true"});
    CHECK(outcome.err == "aiwc: cannot write '/x'\n");
    CHECK(outcome.status == 3);
  }
  SECTION("many") {
    std::string lines = kProfile;
    for (int i = 0; i < 20; ++i)
      lines += "error\tproblem " + std::to_string(i) + "\n";
    bench.environment["FAKE_LINES"] = lines;
    const Outcome outcome = bench.run({"--aiwc", "/bin/true"});
    CHECK(countOf(outcome.err, "\n") == 6);
    CHECK_THAT(outcome.err, Catch::EndsWith("aiwc: problem 4\naiwc: and 15 more errors\n"));
    CHECK(outcome.status == 3);
  }
  SECTION("but the application's own failure is not hidden by ours") {
    bench.environment["FAKE_LINES"] = "error\tcannot write '/x'\n";
    const Outcome outcome = bench.run({"--aiwc", "/bin/sh", "-c", "exit 5"});
    CHECK(outcome.err == "aiwc: cannot write '/x'\n");
    CHECK(outcome.status == 5);
  }
  SECTION("and stay one line each, harmless to a terminal") {
    bench.environment["FAKE_LINES"] = "error\ta\\nb\\x1b[2J\n";
    CHECK(bench.run({"--aiwc", "/bin/true"}).err == "aiwc: a\\nb\\x1b[2J\n");
  }
}

TEST_CASE("A launch that nobody reported is missed by its number") {
  Bench bench;
  const auto launch = [](int number) {
    return "launch\t{\"process\": 5, \"number\": " + std::to_string(number) +
           ", \"kernel\": \"k\", \"invocation\": 0, \"work_dim\": 1, \"global_offset\": [0, 0, 0], "
           "\"global_size\": [1, 1, 1], \"local_size\": [1, 1, 1], \"source_kind\": \"\", "
           "\"source_hash\": \"\", \"build_options\": \"\", "
           "\"arguments\": [], \"host_to_device\": {\"bytes\": 0, \"transfers\": 0}, "
           "\"device_to_host\": {\"bytes\": 0, \"transfers\": 0}, \"engine\": \"compiled\", "
           "\"profile\": null}\n";
  };
  // Launch 3 is cut, and reported again by nobody; launch 4 is reported twice, as after a failure.
  bench.environment["FAKE_LINES"] =
      kProfile + launch(2) + launch(3).substr(0, 60) + "\n\n" + launch(4) + launch(4) + launch(6);
  const Outcome outcome =
      bench.run({"--aiwc-quiet", "--aiwc-output", bench.file("out").string(), "/bin/true"});
  CHECK(outcome.err == "aiwc: 2 launches were not reported by the application's processes: "
                       "run.json lacks them\n");
  CHECK(outcome.status == 3);
  const std::string run = contents(bench.file("out/run.json"));
  CHECK(countOf(run, "\"kernel\"") == 3);
  CHECK_THAT(run, Catch::Contains("\"errors\": [\"2 launches were"));
}

TEST_CASE("What killed processes have left in a folder goes when a run is appended") {
  Bench bench;
  fs::create_directory(bench.file("out"));
  const pid_t dead = ::fork();
  REQUIRE(dead >= 0);
  if (dead == 0)
    ::_exit(0);
  REQUIRE(::waitpid(dead, nullptr, 0) == dead);
  const auto left = [&](pid_t process, int seconds) {
    const fs::path file =
        bench.file("out/.aiwc_" + std::to_string(process) + "_" + std::to_string(seconds));
    write(file, "");
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
    return file;
  };
  const fs::path old = left(dead, 60), fresh = left(dead, 0), alive = left(::getpid(), 60);
  write(bench.file("out/.aiwc_note"), "");
  const Outcome outcome =
      bench.run({"--aiwc-append", "--aiwc-output", bench.file("out").string(), "/bin/true"});
  CHECK(outcome.status == 4);
  CHECK(!fs::exists(old));
  CHECK(fs::exists(fresh)); // of another machine, perhaps
  CHECK(fs::exists(alive));
  CHECK(fs::exists(bench.file("out/.aiwc_note")));
}

TEST_CASE("A run that characterised nothing says so and fails, unless it may be empty") {
  Bench bench;
  const auto [lines, option, reason] = GENERATE(table<std::string, std::string, std::string>({
      {"", "--aiwc",
       "the application created no context in the simulator (does it do more with OpenCL, CUDA or "
       "HIP than ask for devices? "},
      {"loaded\t1\n", "--aiwc", "the application created a context, but no kernel ran"},
      {"loaded\t1\nkernel\tk\nkernel\tl\n", "--aiwc", "no invocation of k, l was finished"},
      {"loaded\t1\nkernel\tk\nkernel\tl\n", "--aiwc-kernel=x",
       "--aiwc-kernel 'x' selects no finished invocation of k, l"},
      {"loaded\t1\nkernel\tk\n", "--aiwc-invocations=7",
       "--aiwc-invocations selects no finished invocation of k"},
  }));
  bench.environment["FAKE_LINES"] = lines;
  const Outcome outcome = bench.run({option, "/bin/sh", "-c", "exit 2"});
  CHECK_THAT(outcome.err, Catch::StartsWith("aiwc: nothing was characterised: " + reason));
  CHECK(countOf(outcome.err, "\n") == 1);
  CHECK(outcome.status == 2); // the application's own goes first
  for (const bool isQuiet : {false, true}) {
    std::vector<std::string> words = {option, "/bin/true"};
    if (isQuiet)
      words.insert(words.begin(), "--aiwc-quiet");
    const Outcome failed = bench.run(words);
    CHECK(failed.status == 4);
    CHECK_THAT(failed.err, Catch::StartsWith("aiwc: nothing was characterised: " + reason));
    words.insert(words.begin(), "--aiwc-allow-empty");
    const Outcome allowed = bench.run(words);
    CHECK(allowed.status == 0);
    CHECK(allowed.err == (isQuiet ? "" : failed.err));
  }
}

TEST_CASE("A run of runs is as empty as they are") {
  Bench bench;
  const auto status = [&](const std::string &lines) {
    bench.environment["FAKE_LINES"] = "";
    const std::string inner =
        "FAKE_LINES='" + lines + "' " + AIWC_LAUNCHER + " --aiwc-quiet /bin/true";
    return bench.run({"--aiwc", "/bin/sh", "-c", inner + "; exit 0"}).status;
  };
  CHECK(status("loaded\t1\n") == 4);
  CHECK(status(kProfile) == 0);
}

TEST_CASE("An application that cannot be started is named, with the status of a shell") {
  const Bench bench;
  const auto refused = [&](const std::string &application) {
    const Outcome outcome = bench.run({"--aiwc", "--aiwc-output", bench.file("run"), application});
    CHECK(bench.lastCall() == "");
    CHECK_FALSE(fs::exists(bench.file("run")));
    return std::pair(outcome.status, outcome.err);
  };
  const std::string missing = bench.file("missing");
  CHECK(refused(missing) ==
        std::pair(127,
                  "aiwc: '" + missing + "' was not found: expected the path of an application\n"));
  CHECK(refused("no-such-command") ==
        std::pair(127, std::string("aiwc: 'no-such-command' was not found on PATH: expected an "
                                   "application\n")));
  const std::string folder = bench.file("folder");
  fs::create_directory(folder);
  CHECK(refused(folder) ==
        std::pair(126, "aiwc: '" + folder + "' is a folder: expected an application\n"));
  const std::string text = bench.file("text");
  std::ofstream(text) << "no program";
  CHECK(refused(text) ==
        std::pair(126, "aiwc: '" + text + "' is not executable: expected an application\n"));
  const std::string kernels = bench.file("blur.cl");
  std::ofstream(kernels) << "kernel void blur() {}";
  CHECK(refused(kernels) == std::pair(126, "aiwc: '" + kernels +
                                               "' is no application but a file with kernels: "
                                               "expected aiwc kernel " +
                                               kernels + "\n"));
}

TEST_CASE("A run that characterised something says nothing") {
  Bench bench;
  bench.environment["FAKE_LINES"] = kProfile;
  const Outcome outcome = bench.run({"--aiwc", "/bin/true"});
  CHECK(outcome.err == "");
  CHECK(outcome.status == 0);
}

TEST_CASE("Signals to the launcher reach the application, whose status comes back") {
  Bench bench;
  bench.environment["FAKE_LINES"] = kProfile;
  const fs::path log = bench.file("signals");
  Process process(characterising(bench, {AIWC_SIGNAL_APP, log}));
  awaitText(log, "ready");
  for (const int signal : {SIGUSR1, SIGUSR2, SIGHUP, SIGINT, SIGTERM}) {
    ::kill(process.id(), signal);
    awaitText(log, "signal " + std::to_string(signal) + "\n");
  }
  CHECK(process.wait().status == 7);
  CHECK(countOf(contents(log), "signal") == 5);
  CHECK(fs::is_empty(bench.file("tmp")));
}

TEST_CASE("An interrupt from the keyboard reaches the application once") {
  Bench bench;
  bench.environment["FAKE_LINES"] = kProfile;
  const fs::path log = bench.file("signals");
  Process process(characterising(bench, {AIWC_SIGNAL_APP, log}), Process::Terminal::kOwn);
  awaitText(log, "ready");
  process.type("\x03");
  awaitText(log, "signal 2\n");
  // The launcher takes its signals in order of their numbers: were it to pass on the interrupt, it
  // would do so before this one.
  ::kill(process.id(), SIGUSR1);
  awaitText(log, "signal 10\n");
  ::kill(process.id(), SIGTERM);
  CHECK(process.wait().status == 7);
  CHECK(countOf(contents(log), "signal 2\n") == 1);
}

TEST_CASE("What nohup makes the application ignore does not end the launcher") {
  Bench bench;
  bench.environment["FAKE_LINES"] = kProfile;
  Command command =
      characterising(bench, {"/bin/sh", "-c", "kill -HUP $PPID; kill -HUP $$; exit 4"});
  command.words.insert(command.words.begin(), {"/bin/sh", "-c", "trap '' HUP; exec \"$@\"", "sh"});
  CHECK(run(command).status == 4);
}

TEST_CASE("A parent that ignores the end of children does not confuse the launcher") {
  Bench bench;
  bench.environment["FAKE_LINES"] = kProfile;
  ::signal(SIGCHLD, SIG_IGN);
  Process process(characterising(bench, {"/bin/sh", "-c", "exit 4"}));
  ::signal(SIGCHLD, SIG_DFL);
  CHECK(process.wait().status == 4);
}

TEST_CASE("A launcher that is killed takes the application with it") {
  Bench bench;
  const fs::path log = bench.file("signals");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1); // so that the orphan becomes ours to wait for
  Process process(characterising(bench, {AIWC_SIGNAL_APP, log}));
  awaitText(log, "ready");
  pid_t application = 0;
  std::istringstream(contents(log)) >> application;
  ::kill(process.id(), SIGKILL);
  CHECK(process.wait().signal == SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(application, &status, 0) == application);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGKILL);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}
