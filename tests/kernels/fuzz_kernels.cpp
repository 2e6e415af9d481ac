// `fuzz_kernels MINUTES [SEED]` makes random kernels, from a seed on, or from one of the present
// time, and runs each under the interpreter and, in eight modes, under the compiled engine, and on
// the first device of the machine where the kernel has no races. All have to leave the same buffers
// and profiles. `fuzz_kernels KIND:SEED` or `KIND:FIRST-LAST` runs these kernels again.
// Prints which kernels differ, and ends with 1 if one does.

#include "kernels/profile_text.h"
#include "kernels/random_kernel.h"
#include "support/files.h"
#include "support/simulate.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::test {
namespace {

namespace fs = std::filesystem;

struct Kind {
  const char *name;
  RandomKernel (*make)(uint64_t seed);
  const char *buildOptions;
  uint64_t batch; ///< kernels per process: starting one takes as long as a short kernel
  bool runsOnDevices;
  const char *seconds = "60"; ///< within which a kernel ends; it takes milliseconds
};
constexpr Kind kKinds[] = {
    {"memory", randomMemoryKernel, "", 10, true},
    {"general", randomKernel, "", 10, false}, // real numbers differ by device
    {"wide", randomWideKernel, "", 10, false},
    {"generic", randomGenericKernel, "-cl-std=CL2.0", 10, false},
    {"memory", randomMemoryKernel, "", 10, true},
    {"large", randomLargeKernel, "", 1, false, "300"}}; // which compile long

struct Mode {
  const char *name;
  unsigned threads;
  bool isOptimised; ///< the code of large launches: several work-items at once, groups at once
  bool isSampled;   ///< one group, so that all others run code that writes no trace
};
constexpr Mode kModes[] = {{"1 thread", 1, false, false},
                           {"2 threads, optimised", 2, true, false},
                           {"4 threads", 4, false, false},
                           {"1 thread, optimised, sampled", 1, true, true},
                           {"2 threads, sampled", 2, false, true},
                           {"2 threads, optimised, sampled", 2, true, true},
                           {"3 threads, optimised, sampled", 3, true, true},
                           {"4 threads, optimised, sampled", 4, true, true}};

/// What a run of some kernels leaves.
struct Outcome {
  int status = 0;
  std::string errors;
  std::map<std::string, std::string> buffers, profiles; ///< by the kernel's name
  std::string last;                                     ///< the kernel that began last
  uint64_t interpreted = 0;
};

class Batch {
public:
  Batch(const Kind &kind, std::vector<RandomKernel> kernels)
      : kind_(kind), kernels_(std::move(kernels)) {
    std::ofstream program(folder_ / "random.cl"), launches(folder_ / "launches");
    fs::create_directory(folder_ / "programs");
    program << randomPrelude();
    for (const RandomKernel &kernel : kernels_) {
      program << kernel.source;
      std::ofstream(folder_ / "programs" / (kernel.name + ".cl"))
          << randomPrelude() << kernel.source;
      launches << kernel.name << ' ' << kernel.global[0] << ' ' << kernel.global[1] << ' '
               << kernel.local[0] << ' ' << kernel.local[1] << ' ' << kernel.arguments << '\n';
    }
  }

  /// Compiles the programs, once for all runs. A profile tells a program that was made of source.
  void prepare() const { runApplication(words("0"), folder_.path(), options(false)); }

  Outcome interpreted(bool isSampled) const { return simulated(options(isSampled)); }

  Outcome compiled(const Mode &mode) const {
    SimulationOptions options = this->options(mode.isSampled);
    options.compiled = true;
    options.threads = mode.threads;
    options.environment.emplace_back("OCLGRIND_NUM_THREADS", "1");
    if (mode.isOptimised)
      options.environment.emplace_back("AIWC_ENGINE", "optimised");
    // Compiling takes most of the time, and modes of one tier compile the same code.
    options.environment.emplace_back(
        "AIWC_CACHE", (folder_ / (mode.isOptimised ? "optimised" : "baseline")).string());
    return simulated(options);
  }

  /// No value if the machine has no device. PoCL's own choice of how work-items share a processor
  /// (loopvec) reorders stores of a work-item that overlap where their loop is vectorised.
  std::optional<Outcome> onDevice() const {
    const std::string command =
        "cd '" + folder_.path().string() +
        "' && POCL_CACHE_DIR=cache POCL_WORK_GROUP_METHOD=loops '" AIWC_TEST_RUN_KERNELS
        "' random.cl launches '" +
        kind_.buildOptions + "' " + kind_.seconds + " >device 2>errors";
    const int status = std::system(command.c_str()); // NOLINT(concurrency-mt-unsafe)
    const auto contents = [&](const char *name) {
      std::ifstream in(folder_ / name);
      return std::string(std::istreambuf_iterator<char>(in), {});
    };
    Outcome outcome;
    outcome.errors = contents("errors");
    if (status != 0 && outcome.errors.starts_with("clGetPlatformIDs failed"))
      return {};
    outcome.status = status;
    takeBuffers(contents("device"), outcome);
    return outcome;
  }

private:
  std::vector<std::string> words(const char *seconds) const {
    return {AIWC_TEST_RUN_KERNELS, "programs", "launches", kind_.buildOptions, seconds};
  }

  SimulationOptions options(bool isSampled) const {
    SimulationOptions options;
    if (isSampled)
      options.environment.emplace_back("AIWC_SAMPLE_GROUPS", "1");
    return options;
  }

  Outcome simulated(const SimulationOptions &options) const {
    const Simulation simulation = runApplication(words(kind_.seconds), folder_.path(), options);
    Outcome outcome;
    outcome.status = simulation.status;
    outcome.errors = simulation.errors;
    takeBuffers(simulation.output, outcome);
    for (const WrittenProfile &profile : simulation.profiles) { // aiwc_<kernel>_0
      outcome.profiles[profile.name.substr(5, profile.name.size() - 7)] =
          withoutEngine(profile.json);
      outcome.interpreted += profile.profile.provenance.engine == "interpreter";
    }
    return outcome;
  }

  static void takeBuffers(const std::string &output, Outcome &outcome) {
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("random_"))
        outcome.last = line;
      else
        outcome.buffers[outcome.last] += line + "\n";
  }

  const Kind &kind_;
  std::vector<RandomKernel> kernels_;
  TemporaryFolder folder_;
};

/// What differs, and of which kernels; empty if nothing does.
std::string difference(const Outcome &expected, const Outcome &found,
                       const std::vector<RandomKernel> &kernels, bool hasProfiles) {
  if (found.status != expected.status)
    return "status " + std::to_string(found.status) + " in " + found.last;
  std::string all;
  const auto compare = [&](const char *what, const auto &a, const auto &b) {
    for (const RandomKernel &kernel : kernels) {
      const auto one = a.find(kernel.name), other = b.find(kernel.name);
      if (one == a.end() || other == b.end() || one->second != other->second)
        all += (all.empty() ? "" : ", ") + (what + (" of " + kernel.name));
    }
  };
  compare("buffers", expected.buffers, found.buffers);
  if (hasProfiles)
    compare("the profile", expected.profiles, found.profiles);
  return all.empty() && hasProfiles && found.errors != expected.errors ? "messages" : all;
}

/// Kernels without races that are to run on a device, all in one program: preparing one for a
/// device takes longer than ten kernels of it.
struct Waiting {
  static constexpr size_t kTogether = 50;
  std::vector<RandomKernel> kernels;
  Outcome expected;
};

class Fuzzing {
public:
  /// Runs the kernels of some seeds together; where something differs, each one alone.
  void run(const Kind &kind, uint64_t first, uint64_t last) {
    std::vector<RandomKernel> kernels;
    for (uint64_t seed = first; seed <= last; ++seed)
      kernels.push_back(kind.make(seed));
    kernels_ += kernels.size();
    const std::string together = differences(kind, kernels, Counts::kRuns);
    if (!together.empty()) {
      bool found = false;
      for (uint64_t seed = first; seed <= last; ++seed) {
        const std::string alone = differences(kind, {kernels[seed - first]}, Counts::kNothing);
        if (alone.empty())
          continue;
        say(kind, std::to_string(seed), alone);
        found = true;
      }
      if (!found)
        say(kind, std::to_string(first) + "-" + std::to_string(last),
            "not every time: " + together);
    }
    if (waiting_[kind.name].kernels.size() >= Waiting::kTogether)
      runOnDevice(kind);
  }

  /// Returns the exit status.
  int conclude() {
    for (const Kind &kind : kKinds)
      runOnDevice(kind);
    std::printf(
        "%lu random kernels, %lu runs of them compiled (%lu interpreted), %lu on a device: %lu "
        "differ\n",
        kernels_, compiled_, interpreted_, onDevice_, failed_);
    return failed_ > 0;
  }

private:
  enum class Counts { kRuns, kNothing };

  /// What differs in which mode and of which kernel; empty if all engines leave the same.
  std::string differences(const Kind &kind, const std::vector<RandomKernel> &kernels,
                          Counts counts) {
    const Batch batch(kind, kernels);
    batch.prepare();
    const bool isCounted = counts == Counts::kRuns;
    const Outcome expected[] = {batch.interpreted(false), batch.interpreted(true)};
    for (const Outcome &outcome : expected)
      if (outcome.status != 0)
        return "interpreter: status " + std::to_string(outcome.status) + " in " + outcome.last +
               ": " + outcome.errors;
    std::string all;
    const auto compare = [&](const char *name, const Outcome &expected, const Outcome &found,
                             const std::vector<RandomKernel> &kernels, bool hasProfiles) {
      if (const std::string what = difference(expected, found, kernels, hasProfiles); !what.empty())
        all += (all.empty() ? "" : "; ") + (name + (": " + what));
    };
    for (const Mode &mode : kModes) {
      const Outcome found = batch.compiled(mode);
      compare(mode.name, expected[mode.isSampled], found, kernels, true);
      compiled_ += isCounted ? kernels.size() : 0;
      interpreted_ += isCounted ? found.interpreted : 0;
    }
    if (isCounted && kind.runsOnDevices)
      for (const RandomKernel &kernel : kernels)
        if (kernel.isRaceFree) {
          Waiting &waiting = waiting_[kind.name];
          waiting.kernels.push_back(kernel);
          waiting.expected.buffers[kernel.name] = expected[0].buffers.at(kernel.name);
        }
    return all;
  }

  void runOnDevice(const Kind &kind) {
    const Waiting waiting = std::exchange(waiting_[kind.name], {});
    if (waiting.kernels.empty())
      return;
    const auto together = Batch(kind, waiting.kernels).onDevice();
    if (!together)
      return;
    onDevice_ += waiting.kernels.size();
    const std::string all = difference(waiting.expected, *together, waiting.kernels, false);
    if (all.empty())
      return;
    const uint64_t before = failed_;
    for (const RandomKernel &kernel : waiting.kernels) // one that fails hides the rest
      if (const auto alone = Batch(kind, {kernel}).onDevice())
        if (const std::string what = difference(waiting.expected, *alone, {kernel}, false);
            !what.empty())
          say(kind, kernel.name.substr(kernel.name.rfind('_') + 1), "device: " + what);
    if (failed_ == before)
      say(kind, waiting.kernels[0].name, "device, among others: " + all);
  }

  void say(const Kind &kind, const std::string &seeds, const std::string &what) {
    ++failed_;
    std::printf("%s:%s differs: %s\n", kind.name, seeds.c_str(), what.c_str());
    std::fflush(stdout);
  }

  std::map<std::string, Waiting> waiting_; ///< by the kind's name
  uint64_t kernels_ = 0, compiled_ = 0, interpreted_ = 0, onDevice_ = 0, failed_ = 0;
};

/// Of the present second: the seeds of a run are its own unless it makes more than 10 000 a second.
uint64_t seedOfNow() {
  return static_cast<uint64_t>(std::time(nullptr)) * 10'000;
}

int replay(const std::string &word) {
  const size_t colon = word.find(':');
  uint64_t first = 0, last = 0;
  const int numbers = std::sscanf(word.c_str() + colon + 1, "%lu-%lu", &first, &last);
  const auto *const kind = std::ranges::find_if(
      kKinds, [&](const Kind &known) { return word.substr(0, colon) == known.name; });
  if (kind == std::end(kKinds) || numbers < 1) {
    std::fprintf(stderr,
                 "%s: expected memory, general, wide, generic or large, and :SEED or "
                 ":FIRST-LAST\n",
                 word.c_str());
    return 2;
  }
  if (numbers == 1)
    last = first;
  Fuzzing fuzzing;
  for (uint64_t seed = first; seed <= last; seed += kind->batch)
    fuzzing.run(*kind, seed, std::min(last, seed + kind->batch - 1));
  return fuzzing.conclude();
}

int fuzz(double minutes, uint64_t seed) {
  std::printf("random kernels from seed %lu on, for %g minutes\n", seed, minutes);
  std::fflush(stdout);
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double, std::ratio<60>>(minutes);
  Fuzzing fuzzing;
  for (size_t i = 0; Clock::now() < end; ++i) {
    const Kind &kind = kKinds[i % std::size(kKinds)];
    fuzzing.run(kind, seed, seed + kind.batch - 1);
    seed += kind.batch;
  }
  std::printf("the last seed was %lu\n", seed - 1);
  return fuzzing.conclude();
}

int main(const std::vector<std::string> &words) {
  if (words.size() == 1 && words[0].find(':') != std::string::npos)
    return replay(words[0]);
  double minutes = 0;
  uint64_t seed = seedOfNow();
  if (words.empty() || words.size() > 2 || std::sscanf(words[0].c_str(), "%lf", &minutes) != 1 ||
      (words.size() == 2 && std::sscanf(words[1].c_str(), "%lu", &seed) != 1)) {
    std::fputs("expected: fuzz_kernels MINUTES [SEED], or KIND:SEED, or KIND:FIRST-LAST\n", stderr);
    return 2;
  }
  return fuzz(minutes, seed);
}

} // namespace
} // namespace aiwc::test

int main(int argc, char **argv) {
  try {
    return aiwc::test::main({argv + 1, argv + argc});
  } catch (const std::exception &error) {
    std::fprintf(stderr, "fuzz_kernels: %s\n", error.what());
    return 2;
  }
}
