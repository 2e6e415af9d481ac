// The help of `aiwc run`, and what it refuses before it looks for a simulator.

#include "process.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("aiwc run says what is wrong before anything runs") {
  for (const std::vector<std::string> &arguments : {std::vector<std::string>{"run"},
                                                    {"run", "--"},
                                                    {"run", "--quiet"},
                                                    {"run", "--quiet", "--"}})
    CHECK_THAT(refusal(arguments), StartsWith("aiwc run: no application: expected aiwc run ["));
  CHECK_THAT(refusal({"run", "--output"}),
             StartsWith("aiwc run: --output has no argument: expected"));
  CHECK_THAT(refusal({"run", "--kernel", "--", "./app"}),
             StartsWith("aiwc run: --kernel has no argument: expected"));
  CHECK_THAT(refusal({"run", "--quiet=1", "./app"}),
             StartsWith("aiwc run: --quiet takes no argument: expected"));
  CHECK(refusal({"run", "--outptu", "out", "./app"}) ==
        "aiwc run: unknown option '--outptu'; did you mean --output?");
  CHECK(refusal({"run", "-o", "out", "--", "./app"}) ==
        "aiwc run: unknown option '-o': see aiwc run --help");
}

TEST_CASE("aiwc run --help explains its options") {
  const Outcome outcome = runAiwc({"run", "--help"});
  CHECK(outcome.status == 0);
  for (const char *option :
       {"--output DIR", "--kernel NAMES", "--invocations WHICH", "--line-size 32|64|128|256",
        "--sample-groups N", "--engine compiled|optimised|interpreter|auto", "--threads N",
        "--verbose", "--quiet"})
    CHECK_THAT(outcome.out, Contains(option));
}

TEST_CASE("aiwc run --help says that a cache is a folder or none") {
  CHECK_THAT(runAiwc({"run", "--help"}).out, Contains("--cache DIR|none "));
}
