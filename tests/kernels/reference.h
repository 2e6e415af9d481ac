/// The reference kernels, simulated once per test program.
#pragma once

#include "support/simulate.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::test {

/// kernels/<name>.sim
std::filesystem::path simulationFile(const std::string &name);

/// The names of all simulation files in kernels/, sorted.
std::vector<std::string> referenceKernels();

/// The run of kernels/<name>.sim with one simulator thread. Throws `aiwc::Error` unless it ends
/// with status 0 and leaves exactly one profile.
const Simulation &referenceRun(const std::string &name);

const profile::KernelProfile &referenceProfile(const std::string &name);

/// What the kernel leaves in the buffer `argument`, which its simulation file dumps.
std::vector<double> referenceResult(const std::string &name, const std::string &argument);

/// `n` values, f(0) to f(n - 1).
template <typename Function> std::vector<double> valuesFor(uint64_t n, Function f) {
  std::vector<double> values;
  for (uint64_t i = 0; i < n; ++i)
    values.push_back(static_cast<double>(f(i)));
  return values;
}

} // namespace aiwc::test
