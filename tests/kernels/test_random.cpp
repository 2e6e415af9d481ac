// Kernels made at random: whatever they do, the compiled engine leaves the interpreter's profiles
// and buffers.

#include "kernels/engines.h"
#include "kernels/random_kernel.h"
#include "support/files.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace aiwc::test;
namespace fs = std::filesystem;

namespace {

/// One process runs so many: most of a short kernel's time is that of a process.
constexpr uint64_t kBatch = 25;

/// Why about one kernel in 5000 is interpreted: the compiler has made a vector of integers of two
/// bits of a vector of bytes, beyond whose end Oclgrind reads then.
const std::string kReinterpretation =
    "a cast of booleans or integers of unusual width to a wider type";

/// The part of `output` that follows the line `name`, up to the next name.
std::string outputOf(const std::string &output, const std::string &name) {
  const size_t begin = ("\n" + output).find("\n" + name + "\n");
  return begin == std::string::npos
             ? ""
             : output.substr(begin, output.find("random_", begin + 1) - begin);
}

void requireSameBatch(const fs::path &folder, uint64_t first, uint64_t last, bool optimised,
                      RandomKernel (*make)(uint64_t) = randomKernel,
                      const std::string &buildOptions = "", bool sampled = false) {
  INFO("random kernels " << first << " to " << last
                         << (optimised ? ", in the optimised tier" : ""));
  std::vector<RandomKernel> kernels;
  std::ofstream program(folder / "random.cl"), launches(folder / "launches");
  program << randomPrelude();
  for (uint64_t seed = first; seed <= last; ++seed) {
    kernels.push_back(make(seed));
    const RandomKernel &kernel = kernels.back();
    program << kernel.source;
    launches << kernel.name << ' ' << kernel.global[0] << ' ' << kernel.global[1] << ' '
             << kernel.local[0] << ' ' << kernel.local[1] << ' ' << kernel.arguments << '\n';
  }
  program.close();
  launches.close();
  const std::vector<std::string> words = {AIWC_TEST_RUN_KERNELS, "random.cl", "launches",
                                          buildOptions};
  SimulationOptions options;
  if (sampled) // all other groups run code that writes no trace, at once where that is possible
    options.environment.emplace_back("AIWC_SAMPLE_GROUPS", "1");
  const Simulation interpreted = runApplication(words, folder, options);
  options.compiled = true;
  options.threads = sampled ? 3 : 1;
  options.environment.emplace_back("OCLGRIND_NUM_THREADS", "1");
  if (optimised)
    options.environment.emplace_back("AIWC_ENGINE", "optimised");
  const Simulation compiled = runApplication(words, folder, options);
  INFO(interpreted.errors);
  REQUIRE(interpreted.status == 0);
  CHECK(interpreted.status == compiled.status);
  CHECK(interpreted.errors == compiled.errors);
  REQUIRE(interpreted.profiles.size() == kernels.size());
  REQUIRE(compiled.profiles.size() == kernels.size());
  for (const RandomKernel &kernel : kernels) {
    INFO(kernel.source);
    const std::string expected = outputOf(interpreted.output, kernel.name);
    CHECK(!expected.empty());
    CHECK(expected == outputOf(compiled.output, kernel.name));
  }
  const auto isFaulty = [&](const std::string &profile) { // aiwc_<kernel>_0
    return std::ranges::any_of(kernels, [&](const RandomKernel &kernel) {
      return kernel.isFaulty && profile == "aiwc_" + kernel.name + "_0";
    });
  };
  size_t refused = 0;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const std::string &reason = compiled.profiles[i].profile.provenance.engineReason;
    INFO(compiled.profiles[i].name << reason);
    if (requireSameProfile(interpreted.profiles[i], compiled.profiles[i]) != "compiled" &&
        !isFaulty(compiled.profiles[i].name)) {
      CHECK(reason == kReinterpretation);
      ++refused;
    }
  }
  CHECK(refused <= 2);
}

} // namespace

TEST_CASE("random kernels are compiled to what the interpreter does", "[random]") {
  // AIWC_TEST_RANDOM_KERNELS=FIRST-LAST looks at others: a number makes the same kernel always.
  // AIWC_TEST_RANDOM_SECONDS ends it early.
  uint64_t first = 1, last = 100;
  if (const char *range = std::getenv("AIWC_TEST_RANDOM_KERNELS"))
    REQUIRE(std::sscanf(range, "%lu-%lu", &first, &last) == 2);
  const char *seconds = std::getenv("AIWC_TEST_RANDOM_SECONDS");
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(seconds ? std::atoi(seconds) : 1 << 20);
  const TemporaryFolder folder;
  uint64_t next = first;
  for (; next <= last && Clock::now() < end; next += kBatch)
    requireSameBatch(folder.path(), next, std::min(last, next + kBatch - 1),
                     (next - first) / kBatch % 4 == 3);
  if (seconds)
    std::printf("random kernels %lu to %lu are the same\n", first, std::min(last, next - 1));
}

TEST_CASE("so are those with long chains of calls, many values, large arrays and many work-items",
          "[random]") {
  // AIWC_TEST_LARGE_KERNELS=FIRST-LAST looks at others.
  uint64_t first = 1, last = 16;
  if (const char *range = std::getenv("AIWC_TEST_LARGE_KERNELS"))
    REQUIRE(std::sscanf(range, "%lu-%lu", &first, &last) == 2);
  constexpr uint64_t kLargeBatch = 8;
  const TemporaryFolder folder;
  for (uint64_t next = first; next <= last; next += kLargeBatch)
    requireSameBatch(folder.path(), next, std::min(last, next + kLargeBatch - 1), false,
                     randomLargeKernel,
                     (next - first) / kLargeBatch % 2 == 1 ? "-cl-opt-disable" : "");
}

TEST_CASE("so are those whose work-items run several at once, or just not", "[random]") {
  // AIWC_TEST_WIDE_KERNELS=FIRST-LAST looks at others.
  uint64_t first = 1, last = 100;
  if (const char *range = std::getenv("AIWC_TEST_WIDE_KERNELS"))
    REQUIRE(std::sscanf(range, "%lu-%lu", &first, &last) == 2);
  const TemporaryFolder folder;
  for (uint64_t next = first; next <= last; next += kBatch)
    requireSameBatch(folder.path(), next, std::min(last, next + kBatch - 1), true, randomWideKernel,
                     "", true);
}

TEST_CASE("so are those about what lies where in memory", "[random]") {
  // AIWC_TEST_MEMORY_KERNELS=FIRST-LAST looks at others.
  uint64_t first = 1, last = 25;
  if (const char *range = std::getenv("AIWC_TEST_MEMORY_KERNELS"))
    REQUIRE(std::sscanf(range, "%lu-%lu", &first, &last) == 2);
  const TemporaryFolder folder;
  for (uint64_t next = first; next <= last; next += kBatch)
    for (const bool sampled : {false, true}) {
      const uint64_t end = std::min(last, next + kBatch - 1);
      requireSameBatch(folder.path(), next, end, true, randomMemoryKernel, "", sampled);
      requireSameBatch(folder.path(), next, end, true, randomGenericKernel, "-cl-std=CL2.0",
                       sampled);
    }
}
