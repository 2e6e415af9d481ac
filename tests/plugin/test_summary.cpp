// The line at the end of a run: how much was compiled, what was not and why. apps/mapped.cpp and
// apps/endings.cpp have the commands.

#include "plugin/characterise.h"

#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::test;

namespace {

/// The launcher's line about engines; empty if there is none.
std::string summaryIn(const Characterised &run) {
  INFO(run.outcome.err);
  const std::string begin = "aiwc: compiled ";
  const size_t at = run.outcome.err.rfind(begin);
  if (at == std::string::npos)
    return "";
  CHECK(run.outcome.err.find(begin) == at);
  const std::string line = run.outcome.err.substr(at);
  CHECK(line.find('\n') == line.size() - 1); // and it is the last
  return line.substr(begin.size(), line.size() - begin.size() - 1);
}

std::string summary(const Words &words, const Words &options = {}) {
  return summaryIn(characterise(words, options, false));
}

/// The share of the instructions that were compiled, by the profiles: in tenths of a per cent.
uint64_t compiledShare(const Characterised &run) {
  uint64_t all = 0, compiled = 0;
  for (const auto &[name, stored] : run.profiles) {
    const uint64_t count = stored.profile.count("total_instruction_count"_metric);
    all += count;
    compiled += stored.profile.provenance.engine == "compiled" ? count : 0;
  }
  return compiled * 1000 / all;
}

const std::string kStray = "in this or an earlier launch an access was misaligned, or outside of "
                           "private memory or of the buffer that its address was computed from";

} // namespace

TEST_CASE("The line at the end counts launches, kernels and instructions by engine") {
  const Words words = {application("mapped"), "copy:a:b:3", "stray:a:b", "copy:b:a"};
  const Characterised run = characterise(words, {}, false);
  const uint64_t share = compiledShare(run);
  CHECK(share > 0);
  CHECK(share < 1000);
  CHECK(summaryIn(run) == "4 of 5 launches, 1 of 2 kernels, " + std::to_string(share / 10) + "." +
                              std::to_string(share % 10) +
                              " % of the instructions; interpreted 1 launch of stray: " + kStray);
  CHECK(summary(words, {"--aiwc-kernel", "stray"}) ==
        "4 of 5 launches, 1 of 2 kernels, 0.0 % of the instructions of 1 characterised "
        "launch; interpreted 1 launch of stray: " +
            kStray);
  CHECK(summary(words, {"--aiwc-invocations", "0", "--aiwc-kernel", "copy"}) ==
        "4 of 5 launches, 1 of 2 kernels, 100.0 % of the instructions of 1 characterised "
        "launch; interpreted 1 launch of stray: " +
            kStray);
  CHECK(summary({application("mapped"), "copy:a:b:300"}, {"--aiwc-invocations", "0"}) ==
        "300 of 300 launches, 1 of 1 kernel");
}

TEST_CASE("There is no line about engines if it was not asked for or if nothing ran") {
  const Words words = {application("mapped"), "copy:a:b"};
  CHECK(summary(words, {"--aiwc-quiet"}) == "");
  CHECK(summary(words, {"--aiwc-engine=interpreter"}) == "");
  CHECK(summary({application("mapped")}) == "");
}

TEST_CASE("The line at the end says which option needs the interpreter") {
  CHECK(summary({application("mapped"), "copy:a:b:2"}, {"--data-races"}) ==
        "0 of 2 launches, 0 of 1 kernel, 0.0 % of the instructions; interpreted 2 "
        "launches of copy: OCLGRIND_DATA_RACES is set");
}

TEST_CASE("The line at the end has all launches, however the application and its children end") {
  for (const char *mode : {"plain", "leak", "leak-context", "_exit", "abort", "kill"})
    CHECK(summary({application("endings"), mode}) == "3 of 3 launches, 1 of 1 kernel");
  CHECK(summary({application("endings"), "fork-after"}) == "4 of 4 launches, 1 of 1 kernel");
  CHECK(summary({application("endings"), "fork-before"}) == "5 of 5 launches, 1 of 1 kernel");
  const std::string one = application("endings");
  CHECK(summary({"/bin/sh", "-c", one + " plain && " + one + " plain"}) ==
        "6 of 6 launches, 1 of 1 kernel");
}
