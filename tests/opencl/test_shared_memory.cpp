// Memory at one address for host and kernels: shared virtual memory and Intel's unified shared
// memory.

#include "kernels/engines.h"
#include "support/simulate.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

namespace {

struct Printed {
  std::string output, errors;
};

/// What the application prints in this case, under both engines.
Printed printed(const std::string &name) {
  SimulationOptions options;
  const Simulation interpreted = runApplication({AIWC_TEST_SHARED_MEMORY_APP, name}, "/", options);
  options.compiled = true;
  const Simulation compiled = runApplication({AIWC_TEST_SHARED_MEMORY_APP, name}, "/", options);
  INFO(interpreted.errors << compiled.errors);
  CHECK(interpreted.status == 0);
  CHECK(compiled.status == 0);
  CHECK(interpreted.output == compiled.output);
  CHECK(interpreted.errors == compiled.errors);
  REQUIRE(interpreted.profiles.size() == compiled.profiles.size());
  for (size_t i = 0; i < compiled.profiles.size(); ++i)
    CHECK(requireSameProfile(interpreted.profiles[i], compiled.profiles[i]) == "compiled");
  return {compiled.output, compiled.errors};
}

} // namespace

TEST_CASE("kernels follow the host's pointers, and the host has its own afterwards") {
  constexpr int kSum = 64 * 63 / 2 + 64 * 1000;
  CHECK(printed("walk").output == "64 sums, the first " + std::to_string(kSum) + "\n");
}

TEST_CASE("the host follows the pointers that a kernel has stored") {
  CHECK(printed("chain").output == "64 nodes, untouched 1\n");
}

TEST_CASE("copies and fills move shared memory") {
  CHECK(printed("copies").output == "7 7 7 7 64 81 100 121 7 7 7 7 7 7 7 7 \n");
}

TEST_CASE("an address in a structure that is passed by value leads to shared memory") {
  CHECK(printed("through").output == "40 41 42 43 44 45 46 47 \n");
}

TEST_CASE("numbers that look like addresses stay numbers") {
  CHECK(printed("numbers").output == "64 65536\n");
}

TEST_CASE("the host follows pointers within a buffer that is made of shared memory") {
  CHECK(printed("buffer").output == "64 64 1 0\n");
}

TEST_CASE("events tell the commands of shared memory, and a set of pointers may be empty") {
  CHECK(printed("commands").output == "120c 120d 120a 120b 120e 11fe 0\n");
}

TEST_CASE("unified shared memory is the same memory under Intel's names") {
  CHECK(printed("usm").output ==
        "64 nodes, the copy's last value 63, of the device\nfreed twice: -30\n");
}

TEST_CASE("what the simulator does not share is refused at the call, with a reason") {
  const Printed refused = printed("refused");
  CHECK(refused.output == "fine-grained: null\nanother pointer: -50\n");
  CHECK(refused.errors ==
        "aiwc: clSVMAlloc: fine-grained memory is refused: while a kernel runs, the simulator's "
        "addresses are in it; coarse-grained memory is there\n"
        "aiwc: clSetKernelArgSVMPointer: the pointer leads to no shared memory: expected one that "
        "clSVMAlloc or a function such as clHostMemAllocINTEL returned\n");
}
