/// Devices, kernels and measured times made up in the tests, so that no file decides what they
/// check.
#pragma once

#include "predict/fitted/fitted_model.h"
#include "train/training_set.h"

#include <cstdint>
#include <string>

namespace aiwc::test {

/// Four cores at 2 GHz, 10 GB/s to memory, 100 GB/s to a cache of 1 MiB.
predict::DeviceProfile madeUpCpu(const std::string &id = "cpu");
/// 4 units of 128 lanes in groups of 32 at 1 GHz, 100 GB/s to memory, 1000 GB/s to local memory.
predict::DeviceProfile madeUpGpu(const std::string &id = "gpu",
                                 const std::string &vendor = "NVIDIA");

struct MadeUpKernel {
  uint64_t workGroups = 8, workGroupSize = 64;
  uint64_t itemInstructions = 100; ///< of every work-item
  uint64_t itemAccesses = 10;      ///< of every work-item, four bytes each, global memory
  uint64_t coldLines = 1000;       ///< accesses of 64-byte lines that miss any cache
  uint64_t privateAccesses = 0;    ///< of all work-items
  uint64_t groupInstructions = 0;  ///< of the heaviest work-group; 0: not known
  uint64_t divisions = 0, specialOperations = 0, doubleOperations = 0;
  uint64_t longestItem = 0;               ///< instructions; 0: as every other
  uint64_t conversions = 0;               ///< to and from 64-bit numbers
  uint64_t integerDivisions = 0;          ///< by values that the compiler does not know
  profile::Histogram reuseDistances = {}; ///< of lines
  uint64_t barriersHit = 0, localBytes = 0;
  uint64_t contendedAtomics = 0;
  double laneUtilization = 1, coalescing = 1;
  double uniformAccesses = 0, consecutiveAccesses = 0;
};
profile::KernelProfile profileOf(const MadeUpKernel &kernel);

/// Coefficients of the priors, each class and device shifted by what its name gives.
predict::FittedModel madeUpModel();

/// Three applications of several kernels on a CPU and two GPUs, whose times are those that
/// madeUpModel predicts. Deterministic.
train::TrainingSet madeUpTimes();

} // namespace aiwc::test
