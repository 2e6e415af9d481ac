/// Devices and kernels made up in the tests, so that no file decides what they check.
#pragma once

#include "predict/device_profile.h"
#include "profile/kernel_profile.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::test {

/// The parameters of the abstract machine, in the units of AutoMatch's table I (Z in MB = 2^20
/// bytes), and the lane width.
struct Machine {
  std::string id;
  double cores = 1;
  std::optional<double> fp32, fp64; ///< GFLOP/s of a core
  double cacheMebibytes = 1, line = 64;
  double cacheBandwidth = 1, cacheLatency = 0; ///< GB/s, us
  double dramBandwidth = 1, dramLatency = 0;   ///< GB/s, us
  double sync = 0;                             ///< us
  double lanes = 1;
};
predict::DeviceProfile deviceOf(const Machine &machine);

/// "The ID" by Somebody, of 2020: what a file has to have, without a parameter.
predict::DeviceProfile namedDevice(const std::string &id,
                                   std::vector<std::string> openclNames = {});

/// Table I of AutoMatch: Core i5-2400, Core i7-4700, Tesla C2075, K20C, K20X, in double precision.
/// Lanes: 4 doubles of an AVX register, 32 work-items of a warp.
std::vector<predict::DeviceProfile> automatchDevices();

/// What the cost of a kernel is made from. Complete, exact, consistent.
struct Work {
  std::string name = "kernel";
  profile::Histogram levels; ///< width -> levels
  bool doublePrecision = true;
  double instructionMix = 1;
  std::array<double, 4> lanes = {1, 1, 1, 1};   ///< of 8, 16, 32, 64; of all operations, too
  std::array<double, 3> coalescing = {1, 1, 1}; ///< of 16, 32, 64
  profile::Histogram reuse;                     ///< distance -> accesses of 64-byte lines
  uint64_t cold = 0;                            ///< first accesses
  uint64_t bytesRead = 0, bytesWritten = 0;     ///< global memory
  uint64_t localBytes = 0;                      ///< read
  uint64_t syncPoints = 1;
  uint64_t intOps = 0;
  /// The schedule of all operations, and its memory accesses.
  uint64_t depth = 1, nodes = 1, accesses = 0;
};
profile::KernelProfile kernelOf(const Work &work);

/// a[i] = b[i] + s c[i] of 2^20 doubles.
Work triad();
/// Many short levels of unequal width, uncoalesced and partly idle, between synchronisations.
Work factorisation();
/// A product of 1024 x 1024 doubles from tiles in local memory, 8 x 8 elements a work-item.
Work blockedProduct();

} // namespace aiwc::test
