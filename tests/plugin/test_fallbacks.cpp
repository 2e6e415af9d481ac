// Launches that the compiled engine cannot carry through, on three threads that analyse, noticed
// when they have analysed a good part: the profile is the interpreter's, the application sees what
// it would have seen, and nothing that was begun is left. tests/kernels has those that the kernel
// itself brings about (faults_*.sim).

#include "plugin/characterise.h"
#include "plugin/stepping_clock.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

using namespace aiwc::test;

namespace {

const Words kThreeThreads = {"--aiwc-engine=auto", "--aiwc-threads=3"};

/// The reason of a launch during which the engine threw, and of those of its kernel that follow.
const std::string kUnexpected = "in this or an earlier launch an unexpected error occurred";

/// A profile's JSON without what it says of the engine.
std::string essence(const std::string &json) {
  std::istringstream lines(json);
  std::string text;
  for (std::string line; std::getline(lines, line);)
    if (line.find("\"engine\": ") == std::string::npos &&
        line.find("\"engine_reason\": ") == std::string::npos)
      text += line + "\n";
  return text;
}

/// What apps/faults.cpp prints.
struct Faults {
  std::string checksum;
  long struck = 0, seen = 0;
};

Faults faultsIn(const Characterised &run) {
  Faults faults;
  std::istringstream words(run.outcome.out);
  CHECK(words >> faults.checksum >> faults.struck >> faults.seen);
  return faults;
}

/// With one work-group in the sample, the others run at once on several threads where that is
/// possible.
const Words kOneInSample = {"/usr/bin/env", "AIWC_SAMPLE_GROUPS=1"};
const Words kOptimised = {"--aiwc-engine=optimised", "--aiwc-threads=3"};

/// Runs apps/faults.cpp so on the compiled engine, behind the words `environment`. Requires what it
/// leaves under the interpreter, where nothing goes wrong.
Characterised faulty(const Words &words, const Words &interpreted = {"none"},
                     const Words &environment = {}) {
  static std::map<std::pair<Words, Words>, Characterised> references;
  const auto under = [&](Words options, const Words &fault) {
    options.insert(options.end(), {"--max-wgsize", "8208"});
    Words command = environment;
    command.push_back(application("faults"));
    command.insert(command.end(), fault.begin(), fault.end());
    return characterise(command, options).succeeded();
  };
  const auto [reference, isNew] = references.try_emplace({interpreted, environment});
  if (isNew)
    reference->second = under({"--aiwc-engine=interpreter"}, interpreted);
  const Characterised &expected = reference->second;
  Characterised run = under(environment.empty() ? kThreeThreads : kOptimised, words);
  CHECK(run.outcome.err == "");
  CHECK(faultsIn(run).checksum == faultsIn(expected).checksum);
  CHECK(run.names() == expected.names());
  for (const auto &[name, stored] : expected.profiles) {
    INFO(name);
    CHECK(run[name].complete);
    CHECK(essence(run.profiles.at(name).json) == essence(stored.json));
  }
  return run;
}

std::string engineOf(const Characterised &run, const std::string &name) {
  return run[name].provenance.engine;
}

/// The words in single quotes, for a shell.
std::string quoted(const Words &words) {
  std::string text;
  for (const std::string &word : words)
    text += "'" + word + "' ";
  return text;
}

/// A run in which an allocation fails when `part` tenths of `allocations` are made, or earlier if
/// that run has fewer: how many there are depends a little on who takes which work-groups.
Characterised failingAfter(long allocations, long part) {
  for (long number = allocations * part / 10;; number = number * 9 / 10) {
    REQUIRE(number > 0);
    Characterised run = faulty({"allocation", std::to_string(number)}, {"allocation"});
    if (faultsIn(run).struck > 0)
      return run;
  }
}

} // namespace

TEST_CASE("A launch that is rolled back has its progress counted anew") {
  // Progress is first shown after a second: the launch takes longer until it is shown twice.
  int shown = 0;
  for (int rounds = 100; shown < 2; rounds *= 4) {
    REQUIRE(rounds < 10000);
    // The last but a few work-items go beyond the buffer; then the interpreter starts anew.
    const KernelFile kernel("#define ROUNDS " + std::to_string(rounds) + R"(
      kernel void k(global int *x) {
        const size_t i = get_global_id(0);
        int sum = 0;
        for (int j = 0; j < ROUNDS; ++j)
          sum += x[(i + j) & 16383] ^ j;
        if (i == 16380)
          atomic_inc(x + 16388);
        else
          x[i] = sum;
      })");
    const Folder folder;
    Command command =
        launch(kernel.enqueue({"global=16384", "local=8", "buffer=65536"}), kThreeThreads, folder);
    // Progress is for terminals.
    command.words = {"/usr/bin/script", "-qec", quoted(command.words), "/dev/null"};
    command.environment["SHELL"] = "/bin/sh";
    const Outcome outcome = run(command);
    INFO(outcome.out);
    CHECK(outcome.status == 0);
    CHECK(readProfiles(folder / "out").at("k_0").profile.complete);
    shown = 0;
    int restarts = 0;
    uint64_t last = 0;
    const std::string of = " of 2048 work-groups";
    for (size_t at = 0; (at = outcome.out.find(of, at)) != std::string::npos; at += of.size()) {
      const uint64_t done = std::stoull(outcome.out.substr(outcome.out.rfind(' ', at - 1) + 1));
      CHECK(done <= 2048);
      restarts += done < last; // shown of the compiled launch as well, if that takes a second
      last = done;
      ++shown;
    }
    CHECK(restarts <= 1);
  }
}

TEST_CASE("A long wait is said on a stderr that is no terminal, with what would shorten it") {
  const KernelFile kernel("kernel void k(global int *x) { x[get_global_id(0)] = 1; }");
  const std::string bound = "--aiwc-budget 60s bounds such a wait, and then leaves the "
                            "application's results unfinished";
  const std::pair<Words, std::string> cases[] = {
      {{"--aiwc-accuracy", "exact"},
       "aiwc: --aiwc-accuracy standard would shorten such a wait; " + bound + "\n"},
      {{}, "aiwc: --aiwc-accuracy fast would shorten such a wait; " + bound + "\n"},
      {{"--aiwc-accuracy", "fast"}, "aiwc: " + bound + "\n"},
      {{"--aiwc-budget", "1h"}, ""}};
  for (const auto &[options, hint] : cases) {
    // By a clock on which a work-group takes half a second.
    Words words = steppingClock("0.5");
    for (const std::string &word :
         kernel.enqueue({"global=2000", "local=1", "times=2", "buffer=65536"}))
      words.push_back(word);
    const Characterised run = characterise(words, options, false).succeeded();
    std::istringstream lines(run.outcome.err);
    std::string waits;
    for (std::string line; std::getline(lines, line);)
      if (line.find(" work-groups (") != std::string::npos || line.find("wait") != line.npos)
        waits += line + "\n";
    // A per cent, and then half a minute later.
    CHECK_THAT(waits, Catch::StartsWith(
                          "aiwc: k: 20 of 2000 work-groups (1 %), 16 min 30 s left\n" + hint +
                          "aiwc: k: 80 of 2000 work-groups (4 %), 16 min 00 s left\n"));
    CHECK_THAT(waits,
               Catch::Contains("aiwc: k: 20 of 2000 work-groups (1 %), 16 min 30 s left; launch 2 "
                               "has 1 % of 16 min 51 s, 16 min 41 s each before\n"));
  }
}

TEST_CASE("Replaying that fails") {
  const long allocations = faultsIn(faulty({"allocation"}, {"allocation"})).seen;
  CHECK(allocations > 100);
  for (const long part : {2, 6, 9}) {
    INFO(part << " tenths of " << allocations);
    const Characterised run = failingAfter(allocations, part);
    CHECK(faultsIn(run).struck == 1);
    CHECK(engineOf(run, "work_0") == "compiled");
    CHECK(engineOf(run, "work_1") == "interpreter");
    CHECK(engineOf(run, "work_2") == "interpreter");
    CHECK(run["work_1"].provenance.engineReason == kUnexpected);
  }
}

TEST_CASE("Threads that do not start") {
  const long number = GENERATE(1, 2, 3);
  const Characterised run = faulty({"thread", std::to_string(number)});
  CHECK(faultsIn(run).struck == 1);
  CHECK(engineOf(run, "work_0") == "compiled");
  CHECK(engineOf(run, "work_1") == "interpreter");
  CHECK(run["work_1"].provenance.engineReason == kUnexpected);
}

TEST_CASE("Threads for work-groups that do not start") {
  // Two run groups beside the application's thread. A sample of one group needs no others.
  CHECK(faultsIn(faulty({"thread"}, {"none"}, kOneInSample)).seen == 2);
  for (const char *number : {"1", "2"}) {
    INFO(number);
    const Characterised run = faulty({"thread", number}, {"none"}, kOneInSample);
    CHECK(faultsIn(run).struck == 1);
    CHECK(engineOf(run, "work_1") == "compiled");
    // Nor where the threads would have to watch what the groups access.
    const Characterised unproved = faulty({"scatter", number}, {"scatter"}, kOneInSample);
    CHECK(faultsIn(unproved).struck == 1);
    CHECK(engineOf(unproved, "scatter_1") == "compiled");
  }
}

TEST_CASE("No memory in the threads that run work-groups") {
  const long allocations = faultsIn(faulty({"allocation"}, {"allocation"}, kOneInSample)).seen;
  CHECK(allocations > 20);
  for (const long part : {1, 3, 5, 7, 9}) {
    INFO(part << " tenths of " << allocations);
    faulty({"allocation", std::to_string(allocations * part / 10)}, {"allocation"}, kOneInSample);
  }
}

TEST_CASE("No memory for the local ids of the work-groups that a thread runs") {
  // The round that fails is run again by the same threads, which number their work-items then.
  for (const char *number : {"1", "2"}) {
    INFO(number);
    const Characterised run = faulty({"numbering", number}, {"numbering"}, kOneInSample);
    CHECK(engineOf(run, "work_1") == "compiled");
  }
}

TEST_CASE("Work-groups that read by one argument what others write by another one") {
  // Each reads what the one before has written; of the last 16 the values are printed.
  const KernelFile kernel(R"(
    kernel void k(global const int *in, global int *out) {
      const size_t i = get_global_id(0), last = get_global_size(0) - 1;
      out[last - i] = i == 0 ? 1 : in[last - i + 1] * 3 + 1;
    })");
  Words command = kOneInSample;
  const Words enqueue = kernel.enqueue({"global=4096", "local=1", "buffer=16384", "same"});
  command.insert(command.end(), enqueue.begin(), enqueue.end());
  const Characterised run = characterise(command, kOptimised).succeeded();
  CHECK(engineOf(run, "k_0") == "compiled");
  unsigned value = 1;
  std::vector<int> last; // the latest one first
  for (int i = 1; i <= 4096; ++i, value = value * 3 + 1)
    if (i > 4096 - 16)
      last.insert(last.begin(), static_cast<int>(value));
  std::istringstream printed(run.outcome.out);
  for (const int expected : last) {
    int shown = 0;
    CHECK(printed >> shown);
    CHECK(shown == expected);
  }
}

TEST_CASE("An engine that throws before it runs a launch") {
  // The error is reported; the launch is the interpreter's, and the next one is compiled again.
  const auto under = [](const Words &options, const Words &fault) {
    Words command = {application("faults"), "mapped"};
    command.insert(command.end(), fault.begin(), fault.end());
    return characterise(command, options);
  };
  const Characterised expected = under({"--aiwc-engine=interpreter"}, {}).succeeded();
  const Characterised sound = under(kThreeThreads, {}).succeeded();
  CHECK(faultsIn(sound).seen > 0);
  CHECK(engineOf(sound, "work_1") == "compiled");
  const Characterised run = under(kThreeThreads, {"1"});
  CHECK(run.outcome.err == "aiwc: std::bad_alloc\n");
  CHECK(run.outcome.status == 3);
  CHECK(faultsIn(run).struck == 1);
  CHECK(faultsIn(run).checksum == faultsIn(expected).checksum);
  CHECK(run["work_1"].provenance.engineReason == "an unexpected error occurred");
  CHECK(engineOf(run, "work_2") == "compiled");
  CHECK(run.names() == expected.names());
  for (const auto &[name, stored] : expected.profiles)
    CHECK(essence(run.profiles.at(name).json) == essence(stored.json));
}

TEST_CASE("Better code that cannot be made") {
  const Characterised run = faulty({"code"});
  CHECK(engineOf(run, "work_1") == "compiled");
  CHECK(engineOf(run, "work_2") == "compiled");
}

TEST_CASE("Code that cannot be made") {
  const Characterised run = faulty({"no-code"});
  for (const char *name : {"work_0", "work_1", "work_2"})
    CHECK(engineOf(run, name) == "interpreter");
  CHECK_THAT(run["work_0"].provenance.engineReason, Catch::Contains("Permission denied"));
}

TEST_CASE("No memory to save the granules that a kernel is about to write to") {
  const std::string operation = GENERATE("fill", "copy", "group-copy");
  INFO(operation);
  const Characterised run = faulty({operation, "1"}, {operation});
  CHECK(faultsIn(run).struck == 1);
  std::string kernel = operation;
  std::replace(kernel.begin(), kernel.end(), '-', '_');
  CHECK(engineOf(run, kernel + "_0") == "compiled");
  CHECK(engineOf(run, kernel + "_1") == "interpreter");
}

TEST_CASE("No memory for the larger stacks that better code needs") {
  const Faults opportunities = faultsIn(faulty({"stacks"}, {"stacks"}));
  CHECK(opportunities.seen == 1);
  const Characterised run = faulty({"stacks", "1"}, {"stacks"});
  CHECK(faultsIn(run).struck == 1);
  CHECK(engineOf(run, "looping_0") == "compiled");
  CHECK(engineOf(run, "looping_1") == "interpreter");
  CHECK(engineOf(run, "looping_2") == "interpreter");
  CHECK(run["looping_1"].provenance.engineReason ==
        "in this or an earlier launch there was no memory for the stacks of its work-items");
}

TEST_CASE("A work-group that is too large for its stacks, between others that are not") {
  const Characterised run = faulty({"crowd"}, {"crowd"});
  CHECK(engineOf(run, "looping_0") == "compiled");
  CHECK(engineOf(run, "looping_1") == "interpreter");
  CHECK(run["looping_1"].provenance.engineReason ==
        "the stacks of its work-items would take too much memory");
  CHECK(engineOf(run, "looping_2") == "compiled");
}
