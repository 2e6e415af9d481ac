// Machine code that another process has compiled does what this process's own code does.

#include "kernels/reference.h"
#include "support/files.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <regex>

using namespace aiwc::test;
namespace fs = std::filesystem;

namespace {

/// A simulation, and how its machine code was come by.
struct Run {
  Simulation simulation;
  std::string errors; ///< what it printed on standard error but the line about machine code
  int compiled = 0, cached = 0;
};

Run runWith(const fs::path &cache, const fs::path &file, unsigned threads = 1,
            std::vector<std::pair<std::string, std::string>> environment = {}) {
  SimulationOptions options;
  options.compiled = true;
  options.threads = threads;
  options.environment = {{"AIWC_CACHE", cache.string()},
                         {"AIWC_VERBOSE", "1"},
                         {"OCLGRIND_NUM_THREADS", "1"}}; // it interprets what is rolled back
  options.environment.insert(options.environment.end(), environment.begin(), environment.end());
  Run run{runSimulation(file, options), "", 0, 0};
  const std::regex line("aiwc: machine code: ([0-9]+) compiled, ([0-9]+) from the cache\n");
  std::smatch match;
  if (std::regex_search(run.simulation.errors, match, line)) {
    run.compiled = std::stoi(match[1]);
    run.cached = std::stoi(match[2]);
  }
  run.errors = std::regex_replace(run.simulation.errors, line, "");
  return run;
}

/// Requires the same profiles, byte for byte, output and messages of both.
void requireSame(const Run &one, const Run &other) {
  CHECK(one.simulation.status == other.simulation.status);
  CHECK(one.simulation.output == other.simulation.output);
  CHECK(one.errors == other.errors);
  REQUIRE(one.simulation.profiles.size() == other.simulation.profiles.size());
  for (size_t i = 0; i < one.simulation.profiles.size(); ++i)
    CHECK(one.simulation.profiles[i].json == other.simulation.profiles[i].json);
}

fs::path engineKernel(const std::string &name) {
  return fs::path(AIWC_TEST_ENGINE_KERNELS) / (name + ".sim");
}

/// The simulation files of all reference kernels, and those for the engine whose names begin so.
std::vector<fs::path> filesWith(const std::vector<std::string> &prefixes) {
  std::vector<fs::path> files;
  for (const std::string &name : referenceKernels())
    files.push_back(simulationFile(name));
  for (const auto &entry : fs::directory_iterator(AIWC_TEST_ENGINE_KERNELS))
    if (entry.path().extension() == ".sim" &&
        std::ranges::any_of(prefixes, [&](const std::string &prefix) {
          return entry.path().filename().string().starts_with(prefix);
        }))
      files.push_back(entry.path());
  return files;
}

std::vector<fs::path> filesIn(const fs::path &folder) {
  std::vector<fs::path> files;
  for (const auto &entry : fs::directory_iterator(folder))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// A copy of the plugin that says of itself that it is another build.
void copyAsOtherBuild(const fs::path &copy) {
  std::string library = contents(AIWC_TEST_PLUGIN);
  const std::string head("\4\0\0\0\24\0\0\0\3\0\0\0GNU\0", 16); // of its note, an SHA-1
  const size_t at = library.find(head);
  REQUIRE(at != std::string::npos);
  library[at + head.size()] ^= 1;
  write(copy, library);
}

} // namespace

TEST_CASE("a second process compiles nothing and leaves the same bytes", "[compiled][long]") {
  const TemporaryFolder folder;
  const fs::path cache = folder / "cache";
  for (const fs::path &file : filesWith({"builtins_", "special_", "violations_", "sampling"})) {
    INFO(file);
    const Run first = runWith(cache, file), second = runWith(cache, file);
    CHECK(first.compiled + first.cached >= 1); // better code as well, if it runs for long
    CHECK(second.compiled == 0);
    CHECK(second.cached == 1);
    CHECK(second.simulation.profiles.front().profile.provenance.engine == "compiled");
    requireSame(first, second);
  }
}

TEST_CASE("so does code without a trace, which large launches get", "[compiled]") {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> environment = {
      {"AIWC_ENGINE", "optimised"}, {"AIWC_SAMPLE_GROUPS", "7"}};
  const Run first = runWith(folder / "cache", engineKernel("sampling"), 1, environment);
  const Run second = runWith(folder / "cache", engineKernel("sampling"), 1, environment);
  CHECK(first.compiled == 2);
  CHECK(second.compiled == 0);
  CHECK(second.cached == 2);
  requireSame(first, second);
}

TEST_CASE("launches of code from the cache are rolled back as others are", "[compiled][long]") {
  const TemporaryFolder folder;
  for (const char *name : {"faults_late", "faults_late_crossing", "faults_late_diverging",
                           "faults_late_half", "faults_late_violating", "faults_misaligned"}) {
    INFO(name);
    const Run first = runWith(folder / "cache", engineKernel(name), 3);
    const Run second = runWith(folder / "cache", engineKernel(name), 3);
    CHECK(second.compiled == 0);
    CHECK(second.cached == 1);
    CHECK(second.simulation.profiles.front().profile.provenance.engine == "interpreter");
    requireSame(first, second);
  }
}

TEST_CASE("stacks are as large as code from the cache needs them", "[compiled]") {
  const TemporaryFolder folder;
  for (const char *name : {"deep_calls", "deep_calls_synchronised", "deep_values"}) {
    INFO(name);
    const Run first = runWith(folder / "cache", engineKernel(name));
    const Run second = runWith(folder / "cache", engineKernel(name));
    CHECK(second.cached == 1);
    CHECK(second.simulation.status == 0);
    requireSame(first, second);
  }
}

TEST_CASE("better code that an earlier process has made is used at once", "[compiled]") {
  const TemporaryFolder folder;
  const fs::path cache = folder / "cache", file = folder / "lengthy.sim";
  write(folder / "lengthy.cl", R"(
kernel void lengthy(global uint *out) {
  uint state = get_global_id(0);
  for (uint i = 0; i < 300000; i++)
    state = state * 1664525u + i;
  out[get_global_id(0)] = state;
})");
  write(file, "lengthy.cl\nlengthy\n2 1 1\n1 1 1\n<size=8 uint fill=0 dump>\n");
  const Run first = runWith(cache, file); // better code from the second group on
  CHECK(first.compiled == 2);
  CHECK(filesIn(cache).size() == 3); // the two, and the note that there is better code
  const Run second = runWith(cache, file);
  CHECK(second.compiled == 0);
  CHECK(second.cached == 1);
  requireSame(first, second);

  // The note is no use without the better code, which the kernel then gets anew.
  const fs::path other = folder / "other";
  CHECK(runWith(other, file, 1, {{"AIWC_ENGINE", "optimised"}}).compiled == 1);
  for (const fs::path &better : filesIn(other))
    fs::remove(cache / better.filename());
  const Run third = runWith(cache, file);
  CHECK(third.compiled == 1);
  CHECK(third.cached == 1);
  requireSame(first, third);
}

TEST_CASE("code that was made quickly does not do where better code is asked for", "[compiled]") {
  const TemporaryFolder folder;
  const fs::path file = simulationFile(referenceKernels().front());
  CHECK(runWith(folder / "cache", file).compiled == 1);
  CHECK(runWith(folder / "cache", file, 1, {{"AIWC_ENGINE", "optimised"}}).compiled == 1);
}

TEST_CASE("a damaged file is compiled anew and replaced", "[compiled]") {
  const TemporaryFolder folder;
  const fs::path cache = folder / "cache", file = engineKernel("builtins_structures");
  const Run first = runWith(cache, file);
  REQUIRE(filesIn(cache).size() == 1);
  const fs::path stored = filesIn(cache).front();
  const std::string whole = contents(stored);
  for (const size_t kept : {whole.size() / 2, size_t{20}, size_t{0}}) {
    write(stored, whole.substr(0, kept));
    const Run second = runWith(cache, file);
    CHECK(second.compiled == 1);
    requireSame(first, second);
    CHECK(contents(stored) == whole);
  }
  std::string damaged = whole;
  damaged[whole.size() / 2] ^= 1;
  write(stored, damaged);
  CHECK(runWith(cache, file).compiled == 1);
  const Run third = runWith(cache, file);
  CHECK(third.compiled == 0);
  requireSame(first, third);
}

TEST_CASE("another build of the plugin has code of its own", "[compiled]") {
  const TemporaryFolder folder;
  const fs::path file = simulationFile(referenceKernels().front()), other = folder / "plugin.so";
  copyAsOtherBuild(other);
  const std::vector<std::pair<std::string, std::string>> environment = {
      {"OCLGRIND_PLUGINS", other.string()}};
  CHECK(runWith(folder / "cache", file).compiled == 1);
  CHECK(runWith(folder / "cache", file, 1, environment).compiled == 1);
  CHECK(runWith(folder / "cache", file).compiled == 0);
  CHECK(runWith(folder / "cache", file, 1, environment).compiled == 0);
}

TEST_CASE("a folder in which nothing can be stored does no harm", "[compiled]") {
  const TemporaryFolder folder;
  const fs::path file = simulationFile(referenceKernels().front());
  const Run expected = runWith("none", file);
  CHECK(expected.compiled == 1);
  write(folder / "file", "");
  fs::create_directory(folder / "shared");
  fs::permissions(folder / "shared", fs::perms::all);
  for (const fs::path &cache : {fs::path("/dev/full"), folder / "file" / "cache",
                                folder / "no" / "such" / "folder", folder / "shared"}) {
    INFO(cache);
    for (int again = 0; again < 2; ++again) {
      const Run run = runWith(cache, file);
      CHECK(run.compiled == 1);
      requireSame(expected, run);
    }
  }
  CHECK(filesIn(folder / "shared").empty());
}
