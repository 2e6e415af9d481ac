/// Runs `oclgrind-kernel` on a simulation file with the project's plugin, as a user would, and
/// hands back the profiles that it wrote.
#pragma once

#include "profile/kernel_profile.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::test {

struct SimulationOptions {
  unsigned threads = 1; ///< of the simulator, and of the compiled engine's analyses
  /// Without, nothing but Oclgrind itself runs and there are no profiles.
  bool plugin = true;
  /// The compiled engine runs what it can, as with --aiwc-engine=auto.
  bool compiled = false;
  std::vector<std::pair<std::string, std::string>> environment; ///< set on top of the test's own
  std::vector<std::string> arguments; ///< of oclgrind-kernel, in front of the simulation file
};

/// A profile as it is on disk, and read.
struct WrittenProfile {
  std::string name; ///< of the files, without extension
  std::string json;
  profile::KernelProfile profile; ///< what the project's own reader makes of `json`
};

struct Simulation {
  /// Exit status, or 128 + the signal that it died of: 142 (SIGALRM) where it hung.
  int status = 0;
  std::string output, errors;
  std::vector<WrittenProfile> profiles; ///< by name
};

/// Runs `simulationFile` with its folder as the working directory. The profiles go to a temporary
/// folder that is gone afterwards. Throws `aiwc::Error` where the simulator cannot be started or a
/// profile cannot be read; a simulator that fails is told by `status`.
Simulation runSimulation(const std::filesystem::path &simulationFile,
                         const SimulationOptions &options = {});

/// The same for an OpenCL application on Oclgrind's runtime, in the working directory `folder`.
/// `words`: its path and its arguments.
Simulation runApplication(std::vector<std::string> words, const std::filesystem::path &folder,
                          const SimulationOptions &options = {});

/// The same for a simulation that is expected to work: throws `aiwc::Error`, with what the
/// simulator printed, unless it ends with status 0.
std::vector<profile::KernelProfile> simulate(const std::filesystem::path &simulationFile,
                                             const SimulationOptions &options = {});

/// The values of a buffer that the simulation file asks to `dump`; empty where it is not there.
std::vector<double> dumpedBuffer(const Simulation &simulation, const std::string &argument);

} // namespace aiwc::test
