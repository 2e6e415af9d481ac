#include "programs.h"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace aiwc::eod::test;

namespace {

std::vector<std::string> applications() {
  std::istringstream names(EOD_APPLICATIONS);
  std::vector<std::string> found;
  for (std::string name; names >> name;)
    found.push_back(name);
  return found;
}

} // namespace

TEST_CASE("what cannot be run is refused in one line with status 2 and no output") {
  checkRefused("lud", {{"--size huge", "huge"},
                       {"--size", "--size"},
                       {"--samples 0", "--samples"},
                       {"--min-seconds -1", "expected a number of seconds"},
                       {"--min-seconds nan", "expected a number of seconds"},
                       {"--seed -1", "expected 0 or more"},
                       {"--type fpga", "fpga"},
                       {"--csv - --json -", "stdout"},
                       {"--csv missing/rows.csv", "missing/rows.csv: cannot be written"},
                       {"--json .", "is a folder"},
                       {"--program missing.cl", "missing.cl: cannot be read"},
                       {"--frobnicate", "--frobnicate"},
                       {"stray", "stray"}});
}

TEST_CASE("every application refuses a local size that it does not list, and needs a device") {
  for (const std::string &application : applications())
    checkRefused(application, {{"--local-size 7", "expected one of"},
                               {"--local-size -1", "--local-size"},
                               {"", "no OpenCL platform"}});
}

TEST_CASE("--help and --version need no device") {
  for (const std::string &application : applications())
    for (const char *option : {"--help", "--version"}) {
      const Outcome outcome = run(application, option);
      INFO(application << ' ' << option);
      CHECK(outcome.status == 0);
      CHECK(outcome.err.empty());
      CHECK_FALSE(outcome.out.empty());
    }
}

TEST_CASE("footprints keep the rule: tiny in 32 KiB, small in 256 KiB, medium in 8 MiB") {
  for (const std::string &application : applications()) {
    const std::string list = run(application, "--list").out;
    for (const auto &[size, limit] :
         {std::pair("tiny", 32.0), std::pair("small", 256.0), std::pair("medium", 8192.0)}) {
      INFO(application << ' ' << size);
      CHECK(listed(list, size, 2) > 0);
      // Orders and densities that the suite fixes. The small hmm has 900 states, so 900 by 900
      // transition probabilities, 3.1 MiB; csr exceeds small and medium by a thousandth.
      const bool fixed = application == "hmm" && size == std::string("small");
      if (!fixed)
        CHECK(listed(list, size, 2) <= limit * (application == "csr" ? 1.002 : 1));
      CHECK(listed(list, size, 3) >= listed(list, size, 2));
    }
  }
}
