#include "kernels/reference.h"

#include "common/error.h"

#include <algorithm>
#include <map>

namespace aiwc::test {
namespace fs = std::filesystem;

fs::path simulationFile(const std::string &name) {
  return fs::path(AIWC_TEST_KERNELS) / (name + ".sim");
}

std::vector<std::string> referenceKernels() {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(AIWC_TEST_KERNELS))
    if (entry.path().extension() == ".sim")
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

const Simulation &referenceRun(const std::string &name) {
  static std::map<std::string, Simulation> runs;
  const auto found = runs.find(name);
  if (found != runs.end())
    return found->second;
  Simulation run = runSimulation(simulationFile(name));
  if (run.status != 0)
    throw Error(name + ": the simulator ended with status " + std::to_string(run.status) +
                ": expected 0: " + run.errors);
  if (run.profiles.size() != 1)
    throw Error(name + ": " + std::to_string(run.profiles.size()) +
                " profiles were written: expected 1: " + run.errors);
  return runs.emplace(name, std::move(run)).first->second;
}

const profile::KernelProfile &referenceProfile(const std::string &name) {
  return referenceRun(name).profiles.front().profile;
}

std::vector<double> referenceResult(const std::string &name, const std::string &argument) {
  return dumpedBuffer(referenceRun(name), argument);
}

} // namespace aiwc::test
