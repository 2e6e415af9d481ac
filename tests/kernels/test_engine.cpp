// What holds for every kernel: agreement with Oclgrind's own counts, and the same bytes whatever
// the number of threads. New files in kernels/ are found by themselves.

#include "kernels/reference.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;

namespace {

/// The counts that --inst-counts prints, lines of "<count> - <name>[ <more>]", by opcode.
std::map<std::string, uint64_t> instructionCounts(const std::string &output) {
  std::map<std::string, uint64_t> counts;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    uint64_t count = 0;
    std::string dash, opcode;
    if (words >> count >> dash >> opcode && dash == "-")
      counts[opcode] += count;
  }
  return counts;
}

} // namespace

TEST_CASE("every kernel file is simulated", "[engine]") {
  std::set<std::string> simulated, files;
  for (const std::string &name : referenceKernels()) {
    std::ifstream lines(simulationFile(name));
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with("#")) { // the first is the program's file
        simulated.insert(line);
        break;
      }
  }
  for (const auto &entry : std::filesystem::directory_iterator(AIWC_TEST_KERNELS))
    if (entry.path().extension() == ".cl")
      files.insert(entry.path().filename().string());
  CHECK(!files.empty());
  CHECK(simulated == files);
}

TEST_CASE("instruction counts are those that Oclgrind prints", "[engine]") {
  for (const std::string &name : referenceKernels()) {
    INFO(name);
    SimulationOptions options;
    options.plugin = false;
    options.arguments = {"--inst-counts"};
    const Simulation counted = runSimulation(simulationFile(name), options);
    REQUIRE(counted.status == 0);
    const auto counts = instructionCounts(counted.output);
    REQUIRE(!counts.empty());
    uint64_t total = 0;
    for (const auto &entry : counts)
      total += entry.second;
    const KernelProfile &profile = referenceProfile(name);
    CHECK(profile.count("total_instruction_count"_metric) == total);
    CHECK(profile.histograms.opcodes == counts);
  }
}

TEST_CASE(
    "the kernel computes the same without the plugin, free of data races and invalid accesses",
    "[engine]") {
  for (const std::string &name : referenceKernels()) {
    INFO(name);
    SimulationOptions options;
    options.plugin = false;
    options.arguments = {"--data-races"};
    // Oclgrind 21.10 takes every other element that a strided copy has written for uninitialised.
    if (name != "async_strided")
      options.arguments.push_back("--uninitialized");
    const Simulation bare = runSimulation(simulationFile(name), options);
    CHECK(bare.status == 0);
    CHECK(bare.errors.empty());
    CHECK(bare.output.find(" = ") != std::string::npos);
    CHECK(referenceRun(name).output == bare.output);
    CHECK(referenceRun(name).errors == bare.errors);
  }
}

TEST_CASE("profiles are the same bytes for any number of threads and in every run", "[engine]") {
  for (const std::string &name : referenceKernels()) {
    const WrittenProfile &first = referenceRun(name).profiles.front();
    for (unsigned threads : {1u, 2u, 4u}) {
      INFO(name << " with " << threads << " threads");
      SimulationOptions options;
      options.threads = threads;
      const Simulation again = runSimulation(simulationFile(name), options);
      REQUIRE(again.status == 0);
      REQUIRE(again.profiles.size() == 1);
      CHECK(again.profiles.front().name == first.name);
      CHECK(again.profiles.front().json == first.json);
      CHECK(again.output == referenceRun(name).output);
    }
  }
}
