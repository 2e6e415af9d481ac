/// What a compute unit of a GPU (multiprocessor, compute unit, Xe core) does in a cycle and how
/// much it holds, by the GPU's generation.
#pragma once

#include "predict/device_profile.h"

#include <array>

namespace aiwc::predict {

/// What a unit's first cache and local memory do in a cycle: bytes, and lanes whose accesses begin.
struct AccessRates {
  double cacheBytes = 128, localBytes = 128;
  double cacheLanes = 32, localLanes = 32;
};

/// Operations of a cycle are counted in lanes; a fused multiplication and addition is one.
struct ComputeUnit {
  double count = 1;        ///< units of the device
  double lanes = 1;        ///< cores of a unit
  double laneGroups = 1;   ///< groups of lanes (warps, wavefronts) that it can hold
  double workGroups = 1;   ///< work-groups that it can hold
  double issueLanes = 1;   ///< lanes for which instructions of any kind start in a cycle
  double floatLanes = 1;   ///< 32-bit floating-point operations, as the data sheet's rate has them
  double integerLanes = 1; ///< 32-bit integer operations
  /// Machine instructions of a product of integers of 32 and of 64 bits, with a sum for 0.5
  /// and 1.5.
  double product = 0.5, wideProduct = 7;
  double specialLanes = 1; ///< approximations of mathematical functions
  double doubleLanes = 0;  ///< 64-bit floating-point operations; 0 where the rate is not known
  /// Cycles from an instruction to the next one that uses its result.
  double dependentCycles = 1;
  /// Accesses of a group of lanes that it waits for together. No source tells: chosen on
  /// applications and devices that were left out.
  double loadsInFlight = 2;
  AccessRates rates;
  double dispatchers = 1; ///< of the device: parts that hand out work-groups side by side
  /// Bytes in a cycle from caches that all units share, the second one and, where there is one, the
  /// last one behind it.
  double secondCacheBytes = 16, thirdCacheBytes = 7;
};

/// `device` is a GPU with a clock and cores. NVIDIA: CUDA C++ programming guide, tables "technical
/// specifications per compute capability" and "throughput of native arithmetic instructions", by
/// series (GA100 by its rate of double precision); AMD: whitepapers of GCN, CDNA and RDNA. Cycles
/// between dependent instructions: Jia et al., "Dissecting the NVIDIA Volta GPU architecture via
/// microbenchmarking", 2018, table 4.1, and the same whitepapers. Lanes of accesses: load/store
/// units in the whitepapers' figures of a multiprocessor, and the four 16-lane vector units of
/// AMD's, which share an address unit for 16 lanes. Bytes: gpu-benches' published results for V100,
/// A100, MI100 and RX 6900 XT; Turing's: NVIDIA's whitepaper of GA102, which doubles them. Bytes
/// from shared caches: gpu-benches' results for A100, GH200, L40, MI100 and RX 6900 XT; Kepler to
/// Turing: throughput of L2 in Jia et al. and in "Dissecting the NVidia Turing T4 GPU via
/// microbenchmarking", 2019; CDNA 2 and 3: 0.9 of what the whitepapers say. Products of
/// integers: published results of clpeak (32 bits) and OpenCL-Benchmark (64), whose products and
/// sums take 5 cycles on GCN, 2 on MI210 to MI355X, 4.2 and 5.6 on an RX 7700 XT, 3 and 8.4 on a
/// Titan Xp, 1 and 7 to 10 on A100 to B200, 3.2 and 21 on Intel's. A GPU of another vendor or
/// series has values in between, or Intel's. Throws MissingParameter.
ComputeUnit computeUnitOf(const DeviceProfile &device);

/// By the type of the factors of a product of matrices: 16 bits, tf32, 8-bit integers, double.
using PerMatrixType = std::array<double, 4>;
/// Operations in a microsecond of all units for matrices; 0 where a device has none, or none that
/// is known. Parameter::kMatrixRate, and what NVIDIA's whitepapers of the generations, Volta to
/// Blackwell, have for other types: tf32 half of it; 8-bit integers twice, on GeForce, which halves
/// the rate of 32-bit floating-point sums, four times; double twice the rate of other instructions
/// on GA100 and Hopper.
PerMatrixType matrixRatesOf(const DeviceProfile &device);

/// Bytes of local memory of a compute unit of a GPU. Where it shares its memory with the L1 cache,
/// as on NVIDIA from Volta on, what it cannot give to that. 0 if the device's profile does not
/// tell.
double localMemoryOfUnit(const DeviceProfile &device);

/// How much of a launch the compute units of a GPU hold at a time.
struct Residency {
  double units = 1;      ///< compute units of the device
  double laneGroups = 1; ///< groups of lanes (warps, wavefronts) that a unit can hold at a time
  /// Groups of lanes that make a work-group.
  double laneGroupsPerGroup = 1;
  double groups = 1; ///< work-groups of this size that a unit holds: whole ones, at least one

  double residentLaneGroups() const { return groups * laneGroupsPerGroup; } ///< of a unit
  /// Work-groups that are on the device at the same time.
  double residentGroups() const { return units * groups; }
};

/// `device` is a GPU with a lane width, a clock and cores; `workGroupSize` is the number of
/// work-items of a work-group, more than 0, and `localBytes` its local memory. Throws
/// MissingParameter.
Residency residencyOf(const DeviceProfile &device, double workGroupSize, double localBytes = 0);

} // namespace aiwc::predict
