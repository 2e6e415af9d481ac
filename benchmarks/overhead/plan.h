/// What is compared on what: data, so that a variant or a workload more is an entry more.
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
  /// On top of the caller's without OCLGRIND_*, AIWC_* and LD_PRELOAD. "{output}" in a value stands
  /// for a fresh folder, which exists.
  std::map<std::string, std::string> environment = {};
  bool writesProfiles = false; ///< a run that leaves none in {output} has failed
  /// How the times of the launches become known, if they do.
  enum class Kernels { kUnknown, kClock, kSamples } kernels = Kernels::kUnknown;
  bool simulated = true;                   ///< else the program runs on a device
  std::vector<std::string> arguments = {}; ///< behind the workload's; "{output}" as above
};

/// A program to run in the simulator.
struct Workload {
  std::string name;
  std::string what;
  std::vector<std::string> command;
  /// Not 0: one of the series that does the same on the same data this many times over, for the
  /// growth of the memory with the number of instructions.
  unsigned repetitions = 0;
};

struct Plan {
  std::vector<Variant> variants; ///< the first is what the others are compared with
  std::vector<Workload> workloads;
};

/// The folder of the build tree that this program lies in. Throws Error where the system does not
/// tell.
std::filesystem::path buildFolder();

/// All variants and workloads; with `analyses`, a variant more for each metric family by itself and
/// one for recording without any. `divisor`: the synthetic ones do that much less work, and the
/// applications their smallest size unless it is 1; at 64 the numbers are those of starting up.
Plan makePlan(const std::filesystem::path &build, unsigned divisor, bool analyses);

/// The suite's applications at `size` with the engines, the compiled one on one thread and on two,
/// and on PoCL, on one thread. `applications`: names, without "eod-". Kernels are timed by
/// themselves, too.
Plan makeEnginesPlan(const std::filesystem::path &build,
                     const std::vector<std::string> &applications, const std::string &size);

/// A kernel of one work-group launched `launches` times with the engines: all of it characterised,
/// and the first launch alone.
Plan makeLaunchesPlan(const std::filesystem::path &build, unsigned launches);

/// A plugin that behaves as ours towards its environment: for comparing two builds of it.
Variant pluginVariant(const std::string &name, const std::filesystem::path &plugin);

/// Keeps the entries of these names, in the plan's order; an empty list keeps all, and with
/// `keepsFirst` the first variant always stays. Throws Error for a name that the plan does not
/// have.
void select(Plan &plan, const std::vector<std::string> &variants,
            const std::vector<std::string> &workloads, bool keepsFirst);

} // namespace aiwc::overhead
