// The compiled engine leaves what the interpreter leaves: the same profile but for what it says of
// the engine, the same buffers, and the same messages, since what it cannot do is interpreted.

#include "kernels/random_kernel.h"
#include "kernels/reference.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>

using namespace aiwc::test;
namespace fs = std::filesystem;

namespace {

/// A profile's JSON as if the interpreter had been asked for.
std::string withoutEngine(const std::string &json) {
  static const std::regex reason(",\n *\"engine_reason\": [^\n]*(?=,\n)");
  static const std::regex engine("\"engine\": \"compiled\"");
  return std::regex_replace(std::regex_replace(json, reason, ""), engine,
                            "\"engine\": \"interpreter\"");
}

/// Simulates under both engines, the compiled one with `threads` and, with `muchEffort`, with the
/// code of large launches; requires the same of both and returns which engine the second used. Of
/// `sampleGroups` work-groups, if not 0.
std::string requireSame(const fs::path &file, unsigned threads = 1, bool muchEffort = false,
                        unsigned sampleGroups = 0) {
  INFO(file << ", " << sampleGroups << " groups");
  SimulationOptions options;
  if (sampleGroups > 0)
    options.environment.emplace_back("AIWC_SAMPLE_GROUPS", std::to_string(sampleGroups));
  const Simulation interpreted = runSimulation(file, options);
  options.compiled = true;
  options.threads = threads;
  if (muchEffort)
    options.environment.emplace_back("AIWC_ENGINE_EFFORT", "1");
  const Simulation compiled = runSimulation(file, options);
  CHECK(interpreted.status == compiled.status);
  CHECK(interpreted.output == compiled.output);
  CHECK(interpreted.errors == compiled.errors);
  REQUIRE(interpreted.profiles.size() == 1);
  REQUIRE(compiled.profiles.size() == 1);
  const WrittenProfile &first = interpreted.profiles.front();
  const WrittenProfile &second = compiled.profiles.front();
  CHECK(first.profile.provenance.engine == "interpreter");
  CHECK(first.name == second.name);
  CHECK(first.json == withoutEngine(second.json));
  CHECK(first.csv == second.csv);
  const aiwc::profile::Provenance &provenance = second.profile.provenance;
  CHECK((provenance.engine == "interpreter") == !provenance.engineReason.empty());
  return provenance.engine;
}

std::vector<std::string> engineKernels(const std::string &prefix) {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(AIWC_TEST_ENGINE_KERNELS))
    if (entry.path().extension() == ".sim" && entry.path().stem().string().starts_with(prefix))
      names.push_back(entry.path().string());
  return names;
}

} // namespace

TEST_CASE("the compiled engine characterises every reference kernel as the interpreter does",
          "[compiled]") {
  for (const std::string &name : referenceKernels())
    CHECK(requireSame(simulationFile(name)) == "compiled");
}

TEST_CASE("the code that large launches get does the same", "[compiled]") {
  for (const std::string &name : referenceKernels())
    CHECK(requireSame(simulationFile(name), 1, true) == "compiled");
  for (const std::string &file : engineKernels("builtins_"))
    CHECK(requireSame(file, 1, true) == "compiled");
}

TEST_CASE("compiled builtins, atomics, structures and offsets are the interpreter's",
          "[compiled]") {
  const std::vector<std::string> files = engineKernels("builtins_");
  CHECK(!files.empty());
  for (const std::string &file : files)
    CHECK(requireSame(file) == "compiled");
}

TEST_CASE("profiles do not depend on the number of threads that analyse them", "[compiled]") {
  // Its work-groups see in which order they ran, which is always the interpreter's.
  for (const unsigned threads : {1u, 2u, 5u})
    CHECK(requireSame(fs::path(AIWC_TEST_ENGINE_KERNELS) / "many.sim", threads) == "compiled");
}

TEST_CASE("of the same sample of work-groups both engines say the same", "[compiled]") {
  // With much effort, the groups that are not in the sample run code that writes no trace.
  const fs::path folder = AIWC_TEST_ENGINE_KERNELS;
  for (const std::string &name : referenceKernels())
    CHECK(requireSame(simulationFile(name), 1, true, 2) == "compiled");
  for (const std::string &file : engineKernels("builtins_"))
    CHECK(requireSame(file, 1, true, 1) == "compiled");
  for (const bool muchEffort : {false, true}) {
    for (const unsigned groups : {1u, 7u, 20u, 95u})
      CHECK(requireSame(folder / "sampling.sim", groups % 3 + 1, muchEffort, groups) == "compiled");
    CHECK(requireSame(folder / "many.sim", 3, muchEffort, 30) == "compiled");
  }
  for (const std::string &file : engineKernels("faults_"))
    CHECK(requireSame(file, 1, false, 1) == "interpreter");
}

TEST_CASE("a launch that needs the interpreter is taken back and interpreted", "[compiled]") {
  const std::vector<std::string> files = engineKernels("faults_");
  CHECK(!files.empty());
  for (const std::string &file : files)
    CHECK(requireSame(file) == "interpreter");
}

TEST_CASE("random kernels are compiled to what the interpreter does", "[compiled][random]") {
  // AIWC_TEST_RANDOM_KERNELS=FIRST-LAST looks at others: a number makes the same kernel always.
  uint64_t first = 1, last = 12;
  if (const char *range = std::getenv("AIWC_TEST_RANDOM_KERNELS"))
    REQUIRE(std::sscanf(range, "%lu-%lu", &first, &last) == 2);
  const fs::path folder = fs::temp_directory_path() / ("aiwc-random-" + std::to_string(getpid()));
  fs::create_directory(folder);
  for (uint64_t seed = first; seed <= last; ++seed) {
    INFO("random kernel " << seed);
    const RandomKernel kernel = randomKernel(seed);
    std::ofstream(folder / "random.cl") << kernel.source;
    std::ofstream(folder / "random.sim") << kernel.simulation;
    INFO(kernel.source);
    CHECK(requireSame(folder / "random.sim", 1, seed % 2 == 0) == "compiled");
  }
  fs::remove_all(folder);
}
