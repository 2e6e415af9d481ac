// The compiled engine leaves what the interpreter leaves: the same profile but for what it says of
// the engine, the same buffers, and the same messages, since what it cannot do is interpreted.

#include "kernels/engines.h"
#include "kernels/reference.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

using namespace aiwc::test;
namespace profile = aiwc::profile;
namespace fs = std::filesystem;

namespace {

/// What the interpreter makes of `file`: simulated once for the same options.
const Simulation &interpretedRun(const fs::path &file, const SimulationOptions &options) {
  using Key = std::tuple<fs::path, std::vector<std::pair<std::string, std::string>>,
                         std::vector<std::string>>;
  static std::map<Key, Simulation> runs;
  const Key key = {file, options.environment, options.arguments};
  const auto found = runs.find(key);
  return found != runs.end() ? found->second
                             : runs.emplace(key, runSimulation(file, options)).first->second;
}

/// Simulates under both engines, the compiled one with `threads` and, with `optimised`, with the
/// code of large launches; requires the same of both and returns what the second's profile says of
/// its engine. Of `sampleGroups` work-groups, if not 0. `options`: for both.
profile::Provenance requireSameBut(const fs::path &file, unsigned threads, bool optimised,
                                   unsigned sampleGroups, SimulationOptions options) {
  INFO(file << ", " << sampleGroups << " groups");
  if (sampleGroups > 0)
    options.environment.emplace_back("AIWC_SAMPLE_GROUPS", std::to_string(sampleGroups));
  const Simulation &interpreted = interpretedRun(file, options);
  options.compiled = true;
  options.threads = threads;
  // What is rolled back is interpreted, which Oclgrind does not always survive on several threads.
  options.environment.emplace_back("OCLGRIND_NUM_THREADS", "1");
  if (optimised)
    options.environment.emplace_back("AIWC_ENGINE", "optimised");
  const Simulation compiled = runSimulation(file, options);
  CHECK(interpreted.status == compiled.status);
  CHECK(interpreted.output == compiled.output);
  CHECK(interpreted.errors == compiled.errors);
  REQUIRE(interpreted.profiles.size() == 1);
  REQUIRE(compiled.profiles.size() == 1);
  requireSameProfile(interpreted.profiles.front(), compiled.profiles.front());
  return compiled.profiles.front().profile.provenance;
}

/// The same; returns which engine the second used.
std::string requireSame(const fs::path &file, unsigned threads = 1, bool optimised = false,
                        unsigned sampleGroups = 0, const SimulationOptions &options = {}) {
  return requireSameBut(file, threads, optimised, sampleGroups, options).engine;
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

TEST_CASE("the code that large launches get does the same", "[compiled][long]") {
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

TEST_CASE("of the same sample of work-groups both engines say the same", "[compiled][long]") {
  // In the optimised tier, the groups that are not in the sample run code that writes no trace.
  const fs::path folder = AIWC_TEST_ENGINE_KERNELS;
  for (const std::string &name : referenceKernels())
    CHECK(requireSame(simulationFile(name), 1, true, 2) == "compiled");
  for (const std::string &file : engineKernels("builtins_"))
    CHECK(requireSame(file, 1, true, 1) == "compiled");
  for (const bool optimised : {false, true}) {
    for (const unsigned groups : {1u, 7u, 20u, 95u})
      CHECK(requireSame(folder / "sampling.sim", groups % 3 + 1, optimised, groups) == "compiled");
    CHECK(requireSame(folder / "many.sim", 3, optimised, 30) == "compiled");
  }
  for (const std::string &file : engineKernels("waiting_")) { // their other groups run as a whole
    CHECK(requireSame(file, 1, true) == "compiled");
    CHECK(requireSame(file, 3, true, 1) == "compiled");
  }
  // A group that runs as a whole takes the barrier of a function for another one in each call.
  CHECK(requireSame(folder / "meeting.sim") == "compiled");
  CHECK(requireSame(folder / "meeting.sim", 3, true, 1) == "interpreter");
  for (const std::string &file : engineKernels("faults_")) {
    INFO(file);
    CHECK(requireSame(file, 1, false, 1) == "interpreter");
    CHECK(requireSame(file, 3, true, 1) == "interpreter");
  }
}

TEST_CASE("accesses against the flags of their buffers are reported and stay compiled",
          "[compiled]") {
  const std::vector<std::string> files = engineKernels("violations_");
  CHECK(files.size() == 7);
  for (const std::string &file : files) {
    CHECK(requireSame(file, 3) == "compiled");
    CHECK(requireSame(file, 1, true, 1) == "compiled"); // most of it without a trace
  }
}

TEST_CASE("accesses outside of all buffers are reported, do nothing, and stay compiled",
          "[compiled]") {
  const std::vector<std::string> files = engineKernels("outside_");
  CHECK(files.size() == 9);
  for (const std::string &file : files) {
    INFO(file);
    CHECK(requireSame(file, 3) == "compiled");
    CHECK(requireSame(file, 1, true, 1) == "compiled"); // most of it without a trace
    CHECK(requireSame(file, 3, true, 1) == "compiled"); // and on several threads
  }
  // Threads whose groups are apart keep as many errors as are shown in all.
  const fs::path gathering = fs::path(AIWC_TEST_ENGINE_KERNELS) / "outside_gathering.sim";
  for (const char *most : {"0", "7", "1000000"}) {
    SimulationOptions limited;
    limited.arguments = {"--max-errors", most};
    CHECK(requireSame(gathering, 3, true, 1, limited) == "compiled");
  }
}

TEST_CASE("the simulator counts reported accesses and shows as many as it is told to",
          "[compiled]") {
  const fs::path file = fs::path(AIWC_TEST_ENGINE_KERNELS) / "violations_many.sim";
  // 64 work-items make 30 reads and 30 writes each; the reads of `ro` and the writes to `wo` are
  // allowed.
  constexpr size_t kErrors = size_t{64} * 30 * 2;
  for (const size_t most : {size_t{0}, size_t{77}, kErrors - 1, kErrors}) {
    SimulationOptions limited;
    limited.arguments = {"--max-errors", std::to_string(most)};
    CHECK(requireSame(file, 1, false, 0, limited) == "compiled");
    SimulationOptions options;
    options.compiled = true;
    options.arguments = limited.arguments;
    const Simulation simulation = runSimulation(file, options);
    const std::string &text = simulation.errors;
    size_t shown = 0;
    for (size_t at = 0; (at = text.find("Invalid ", at)) != std::string::npos; ++at)
      ++shown;
    CHECK(shown == std::min(most, kErrors));
    const bool suppressed = text.find("suppressing further errors") != std::string::npos;
    CHECK(suppressed == (most < kErrors));
    CHECK(simulation.profiles.front().profile.simulatorErrors == kErrors);
  }
}

TEST_CASE("a launch that needs the interpreter is rolled back and interpreted", "[compiled]") {
  const std::vector<std::string> files = engineKernels("faults_");
  CHECK(!files.empty());
  for (const std::string &file : files)
    for (const bool optimised : {false, true}) {
      INFO(file);
      CHECK(requireSame(file, 1, optimised) == "interpreter");
    }
}

TEST_CASE("so is one that several threads have analysed a good part of", "[compiled][long]") {
  // What was analysed is forgotten, whichever threads took which groups: hence more than once.
  const std::vector<std::string> files = engineKernels("faults_late");
  CHECK(files.size() == 8);
  for (int again = 0; again < 2; ++again)
    for (const std::string &file : files) {
      CHECK(requireSame(file, 3) == "interpreter");
      if (again > 0)
        continue;
      CHECK(requireSame(file, 3, false, 100) == "interpreter");
      CHECK(requireSame(file, 1, true, 1) == "interpreter"); // without a trace from the first on
    }
}

TEST_CASE(
    "groups that are not in the sample run at once on threads, and leave what they leave in order",
    "[compiled][long]") {
  const std::vector<std::string> files = engineKernels("at_once_");
  CHECK(files.size() == 25);
  for (const std::string &file : files) {
    for (const unsigned threads : {2u, 3u})
      CHECK(requireSame(file, threads, true, 1) == "compiled");
    CHECK(requireSame(file, 3, true, 40) == "compiled"); // few groups at once, between others
  }
  for (const std::string &file : engineKernels("faults_late"))
    CHECK(requireSame(file, 3, true, 1) == "interpreter");
}

TEST_CASE("groups that are proved to be apart leave what they leave in order", "[compiled]") {
  const std::vector<std::string> files = engineKernels("proved_");
  CHECK(files.size() == 12);
  for (const std::string &file : files)
    for (const unsigned threads : {1u, 3u})
      CHECK(requireSame(file, threads, true, 1) == "compiled");
}

TEST_CASE("a launch that is not characterised leaves what the interpreter leaves", "[compiled]") {
  // None of its memory is saved if nothing can fail. What the numbers of threads change for lanes
  // and for groups at once, the samples of these kernels show. The interpreter leaves the same
  // whatever it characterises: its runs for these samples serve here, too.
  using Threads = std::vector<unsigned>;
  for (const auto &[prefix, numbers] :
       {std::pair("proved_", Threads{1, 3}), std::pair("faults_late", Threads{1, 3}),
        std::pair("wide_", Threads{1}), std::pair("at_once_", Threads{3})})
    for (const std::string &file : engineKernels(prefix)) {
      INFO(file);
      SimulationOptions options;
      options.environment = {{"AIWC_SAMPLE_GROUPS", "1"}};
      const Simulation &interpreted = interpretedRun(file, options);
      options.compiled = true;
      options.environment = {{"AIWC_KERNEL", "none"}};
      options.environment.emplace_back("OCLGRIND_NUM_THREADS", "1");
      options.environment.emplace_back("AIWC_ENGINE", "optimised");
      for (const unsigned threads : numbers) {
        options.threads = threads;
        const Simulation compiled = runSimulation(file, options);
        CHECK(interpreted.status == compiled.status);
        CHECK(interpreted.output == compiled.output);
        CHECK(interpreted.errors == compiled.errors);
        CHECK(compiled.profiles.empty());
      }
    }
}

TEST_CASE("work-items that run several at once leave what they leave one by one",
          "[compiled][wide]") {
  const std::vector<std::string> files = engineKernels("wide_");
  CHECK(files.size() == 36);
  for (const std::string &file : files)
    for (const unsigned threads : {1u, 3u})
      CHECK(requireSame(file, threads, true, 1) == "compiled");
}

TEST_CASE("a launch that prints and reports more than can be held back is rolled back",
          "[compiled]") {
  const std::vector<std::string> files = engineKernels("held_");
  CHECK(files.size() == 2);
  for (const std::string &file : files) {
    const profile::Provenance provenance = requireSameBut(file, 3, false, 0, {});
    CHECK(provenance.engine == "interpreter");
    CHECK(provenance.engineReason == "in this or an earlier launch its output and its errors are "
                                     "more than the buffer of the engine holds");
  }
}

TEST_CASE("pointers to the generic address space are lowered in a program from source",
          "[compiled]") {
  SimulationOptions options;
  options.arguments = {"--build-options", "-cl-std=CL2.0"};
  const fs::path file = fs::path(AIWC_TEST_ENGINE_KERNELS) / "generic.sim";
  CHECK(requireSame(file, 1, false, 0, options) == "compiled");
  CHECK(dumpedBuffer(runSimulation(file, options), "out") == std::vector<double>{11, 10, 13, 12});
}

TEST_CASE("special values give the interpreter's bits, the sign and payload of NaNs included",
          "[compiled]") {
  const std::vector<std::string> files = engineKernels("special_");
  CHECK(files.size() == 7);
  SimulationOptions unoptimised;
  unoptimised.arguments = {"--build-options", "-cl-opt-disable"};
  for (const std::string &file : files)
    for (const bool optimised : {false, true}) {
      CHECK(requireSame(file, 1, optimised) == "compiled");
      CHECK(requireSame(file, 1, optimised, 0, unoptimised) == "compiled");
    }
}

TEST_CASE("frames are larger than what an application's thread has", "[compiled][long]") {
  const std::vector<std::string> files = engineKernels("deep_");
  CHECK(files.size() == 4);
  SimulationOptions unoptimised;
  unoptimised.arguments = {"--build-options", "-cl-opt-disable"};
  for (const std::string &file : files)
    CHECK(requireSame(file) == "compiled");
  // Frames are larger still: those of stacks that are neighbours, and of many values.
  const fs::path folder = AIWC_TEST_ENGINE_KERNELS;
  for (const char *name : {"deep_calls_synchronised.sim", "deep_values.sim"})
    CHECK(requireSame(folder / name, 1, false, 0, unoptimised) == "compiled");
  // The chains of calls are longer than what is compiled in the optimised tier.
  CHECK(requireSame(folder / "deep_values.sim", 1, true) == "compiled");
}

TEST_CASE("a function that calls itself is interpreted, and the profile says why", "[compiled]") {
  const profile::Provenance provenance =
      requireSameBut(fs::path(AIWC_TEST_ENGINE_KERNELS) / "refused_recursive.sim", 1, false, 0, {});
  CHECK(provenance.engine == "interpreter");
  CHECK(provenance.engineReason ==
        "the function count calls itself, which OpenCL C does not allow");
}

TEST_CASE("what would take too long to compile is interpreted, and the profile says why",
          "[compiled]") {
  SimulationOptions unoptimised; // once: compiling it takes Oclgrind seconds, too
  unoptimised.compiled = true;
  unoptimised.arguments = {"--build-options", "-cl-opt-disable"};
  const Simulation simulation =
      runSimulation(fs::path(AIWC_TEST_ENGINE_KERNELS) / "refused_statements.sim", unoptimised);
  REQUIRE(simulation.profiles.size() == 1);
  const profile::Provenance &provenance = simulation.profiles.front().profile.provenance;
  CHECK(provenance.engine == "interpreter");
  CHECK(provenance.engineReason == "it is so long that compiling it would take too long");
}

TEST_CASE("so many work-items have stacks and no more", "[compiled][long]") {
  SimulationOptions crowds;
  crowds.environment = {{"OCLGRIND_MAX_WGSIZE", "16384"}};
  const fs::path folder = AIWC_TEST_ENGINE_KERNELS;
  CHECK(requireSame(folder / "crowd_4096.sim", 1, false, 0, crowds) == "compiled");
  // The interpreter takes long for so many: that it is the one to run them is enough.
  crowds.compiled = true;
  const Simulation simulation = runSimulation(folder / "crowd_8200.sim", crowds);
  REQUIRE(simulation.profiles.size() == 1);
  const profile::Provenance &provenance = simulation.profiles.front().profile.provenance;
  CHECK(provenance.engine == "interpreter");
  CHECK(provenance.engineReason == "the stacks of its work-items would take too much memory");
}

#ifdef AIWC_TEST_BITCODE
TEST_CASE("structures and arrays as values are compiled", "[compiled]") {
  for (const bool optimised : {false, true})
    CHECK(requireSame(fs::path(AIWC_TEST_BITCODE) / "aggregates.sim", 1, optimised) == "compiled");
}

TEST_CASE("an array in local memory is found through a function that returns it", "[compiled]") {
  for (const bool optimised : {false, true})
    CHECK(requireSame(fs::path(AIWC_TEST_BITCODE) / "passed.sim", 1, optimised) == "compiled");
}

TEST_CASE(
    "pointers to the generic address space are named where they keep bitcode from being compiled",
    "[compiled]") {
  const fs::path file = fs::path(AIWC_TEST_BITCODE) / "generic_bitcode.sim";
  const Simulation interpreted = runSimulation(file);
  CHECK(interpreted.errors.find("Unsupported instruction: addrspacecast") != std::string::npos);
  CHECK(requireSameBut(file, 1, false, 0, {}).engineReason ==
        "pointers to the generic address space, which Oclgrind does not execute");
}

TEST_CASE("a constant index has a sign", "[compiled]") {
  for (const bool optimised : {false, true})
    CHECK(requireSame(fs::path(AIWC_TEST_BITCODE) / "narrow.sim", 1, optimised) == "compiled");
}

TEST_CASE("shifts by the width and more are the interpreter's", "[compiled]") {
  for (const bool optimised : {false, true})
    CHECK(requireSame(fs::path(AIWC_TEST_BITCODE) / "shifts.sim", 1, optimised) == "compiled");
}
#endif
