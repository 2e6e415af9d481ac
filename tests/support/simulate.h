/// Runs `oclgrind-kernel` on a simulation file with the project's plugin, as a user would, and
/// returns the profiles that it wrote.
#pragma once

#include "profile/kernel_profile.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::test {

struct SimulationOptions {
  unsigned threads = 1; ///< of the simulator, and of the compiled engine's analyses
  /// Whether to load the plugin; without it, there are no profiles.
  bool plugin = true;
  /// Whether to use the compiled engine for kernels that it supports (--aiwc-engine=compiled).
  bool compiled = false;
  std::vector<std::pair<std::string, std::string>> environment; ///< added to the test's own
  std::vector<std::string> arguments; ///< of oclgrind-kernel, before the simulation file
};

/// A profile as text on disk, and as read.
struct WrittenProfile {
  std::string name; ///< name of its files without extension
  std::string json;
  profile::KernelProfile profile; ///< `json` as read by the project's reader
};

struct Simulation {
  /// Exit status, or 128 + the signal that ended it: 142 (SIGALRM) after a timeout.
  int status = 0;
  std::string output, errors;
  std::vector<WrittenProfile> profiles; ///< by name
};

/// Runs `simulationFile` with its folder as the working directory. The profiles are written to a
/// temporary folder, which is deleted afterwards. Throws `aiwc::Error` if the simulator cannot be
/// started or a profile cannot be read. If the simulator fails, only `status` reports it.
Simulation runSimulation(const std::filesystem::path &simulationFile,
                         const SimulationOptions &options = {});

/// Like `runSimulation`, for an OpenCL application on Oclgrind's runtime in the working directory
/// `folder`. `words` is its path and its arguments.
Simulation runApplication(std::vector<std::string> words, const std::filesystem::path &folder,
                          const SimulationOptions &options = {});

/// Like `runSimulation`, for a simulation that must succeed: throws `aiwc::Error` with the
/// simulator's output unless its status is 0.
std::vector<profile::KernelProfile> simulate(const std::filesystem::path &simulationFile,
                                             const SimulationOptions &options = {});

/// The values of a buffer that the simulation file dumps (`dump`); empty if the output does not
/// have it.
std::vector<double> dumpedBuffer(const Simulation &simulation, const std::string &argument);

} // namespace aiwc::test
