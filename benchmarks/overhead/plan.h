/// The variants to compare and the workloads to compare them on, as data: adding a variant or a
/// workload means adding an entry.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace aiwc::overhead {

/// A way to run a program in the simulator.
struct Variant {
  std::string name;
  std::string what;
  /// Variables added to the caller's environment, from which OCLGRIND_*, AIWC_* and LD_PRELOAD are
  /// removed. "{output}" in a value stands for a new, existing folder.
  std::map<std::string, std::string> environment = {};
  bool writesProfiles = false; ///< if set, a run that leaves no profile in {output} has failed
  /// How the times of the launches are obtained, if at all.
  enum class Kernels { kUnknown, kClock, kSamples } kernels = Kernels::kUnknown;
  bool simulated = true;                   ///< if false, the program runs on a device
  std::vector<std::string> arguments = {}; ///< added after the workload's; "{output}" as above
};

/// A program to run in the simulator.
struct Workload {
  std::string name;
  std::string what;
  std::vector<std::string> command;
  /// If not 0, the workload is one of a series that repeats the same work on the same data this
  /// many times, to measure how memory grows with the number of instructions.
  unsigned repetitions = 0;
};

struct Plan {
  std::vector<Variant> variants; ///< the others are compared with the first
  std::vector<Workload> workloads;
};

/// The folder of the build tree that contains this program. Throws Error if the system does not
/// give the program's path.
std::filesystem::path buildFolder();

/// All variants and workloads. `divisor` divides the work of the synthetic workloads; unless it is
/// 1, the applications run at their smallest size. At 64 the numbers measure mostly start-up.
Plan makePlan(const std::filesystem::path &build, unsigned divisor);

/// The suite's applications at `size` with the engines (the compiled engine on one thread and on
/// two) and on PoCL, on one thread. `applications` are names without "eod-". Kernels are also timed
/// by themselves.
Plan makeEnginesPlan(const std::filesystem::path &build,
                     const std::vector<std::string> &applications, const std::string &size);

/// A kernel of one work-group that is launched `launches` times with the engines, once with all
/// launches characterised and once with only the first.
Plan makeLaunchesPlan(const std::filesystem::path &build, unsigned launches);

/// A filter of pixels, with the functions of images and without, under bare Oclgrind and the
/// compiled engine.
Plan makeImagesPlan(const std::filesystem::path &build);

/// A variant with another plugin that reads the same environment as ours, to compare two builds of
/// it.
Variant pluginVariant(const std::string &name, const std::filesystem::path &plugin);

/// Keeps only the entries with these names, in the plan's order. An empty list keeps all; with
/// `keepsFirst` the first variant is always kept. Throws Error for a name that is not in the plan.
void select(Plan &plan, const std::vector<std::string> &variants,
            const std::vector<std::string> &workloads, bool keepsFirst);

} // namespace aiwc::overhead
