/// The parts that the time of a launch is made of, before any of them is fitted: how long each
/// would take if the device did what its data sheet says.
#pragma once

#include "predict/cost_term.h"
#include "predict/device_profile.h"
#include "predict/fitted/launch_demand.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aiwc::predict {

enum class TimeTerm : uint8_t {
  kLaunch,       ///< to start a kernel
  kInstructions, ///< to issue all instructions, every core busy
  kSerialChain,  ///< instructions of one work-item after another's, wave after wave
  kLatency,      ///< accesses of one work-item after another's, wave after wave
  kDram,         ///< bytes that miss the last cache
  kCache,        ///< bytes that the caches move
  kLocalMemory,  ///< bytes of local memory; on a CPU, all bytes
  kBarriers,
  kDispatch,  ///< to hand out work-groups
  kDivisions, ///< of floating-point numbers
  kSpecialFunctions,
  kDoublePrecision,
  kAtomics,       ///< atomics on one address, one after the other
  kTransferBytes, ///< between host and device
  kTransferCalls,
};
inline constexpr size_t kTimeTermCount = static_cast<size_t>(TimeTerm::kTransferCalls) + 1;

struct TimeTermInfo {
  std::string_view key;  ///< in model files and JSON
  std::string_view name; ///< for people
  Term group;            ///< what the device does meanwhile
  /// What is known before anything is measured: ln of the factor between unit time and time, and
  /// how many times the residual's standard deviation fits into the uncertainty of that (its
  /// inverse): large where physics fixes it.
  double priorMean, priorWeight;
};
std::span<const TimeTermInfo, kTimeTermCount> timeTerms();

/// The numbers by which the terms describe hardware.
namespace hardware {

inline constexpr std::array<double, 4> kLaneWidths = {8, 16, 32, 64};    ///< of laneUtilization
inline constexpr std::array<double, 3> kCoalescingWidths = {16, 32, 64}; ///< of coalescing
/// Work-items in a vector of LaunchDemand::jointAccesses.
inline constexpr double kJointItems = 8;
/// Cycles until a core of a CPU has the line of an address that another core has changed, about 20
/// ns. A GPU performs atomics in its last cache, where one follows another.
inline constexpr double kCpuAtomicCycles = 60;
/// Machine instructions of an integer division by a value that the compiler does not know: GPUs and
/// the vector units of CPUs have none for it.
inline constexpr double kIntegerDivision = 40;
/// Operations of a double-precision unit that a conversion takes the place of: a fused
/// multiplication and addition, two, in a rate.
inline constexpr double kConversion = 2;
/// Of a CPU's bandwidth, what OpenCL kernels reach: a store fetches its line first, and pages lie
/// at the socket that touched them first.
inline constexpr double kCpuMemoryShare = 0.5;
/// Of a CPU core: what misses it crosses the chip.
inline constexpr uint64_t kPrivateCacheBytes = uint64_t{256} * 1024;

/// How many groups of lanes can be resident on a compute unit, and how many work-groups: limits of
/// the hardware, NVIDIA CUDA C++ programming guide (compute capabilities 5 to 9), AMD GCN
/// architecture whitepaper (10 wavefronts on each of four vector units). `lanes` of a unit count
/// where the device's number of units is not known.
struct ComputeUnit {
  double lanes, laneGroups, workGroups;
};
inline constexpr ComputeUnit kNvidiaUnit = {128, 64, 32};
inline constexpr ComputeUnit kOtherUnit = {64, 40, 16};

/// A Xeon Phi's cores are many, slow and simple: at least so many, below this clock in GHz.
inline constexpr double kManyCores = 32, kSlowCoreClock = 1.6;
/// Without a link, the host copies within its memory, at this share of the bandwidth.
inline constexpr double kCopyShare = 0.5;
inline constexpr double kLeastTransferMicros = 1;

/// Microseconds of the shortest kernels on GPUs, from their start to their end.
inline constexpr double kShortestKernel = 2.5;
/// From queueing a kernel to its end, the shortest published times of 15 devices are so many
/// microseconds more than the launch overhead that clpeak measures. The second number stands for an
/// overhead that is not known.
inline constexpr double kQueueBeyondOverhead = 10, kUnknownOverhead = 10;

} // namespace hardware

using TermTimes = std::array<double, kTimeTermCount>;

/// What the time of a launch contains.
enum class Clock : uint8_t {
  kKernel, ///< from the kernel's start to its end
  kQueued, ///< from queueing it to its end
};
std::string_view toString(Clock clock);

/// Microseconds per term on `device`, by TimeTerm; 0 where the launch has nothing of it. The two
/// of transfers are 0 unless `transfers`.
///
/// A GPU executes groups of lanes (warps, wavefronts) of which a limited number is resident on its
/// compute units: the others wait for the next wave. A CPU executes a work-group on one core.
/// Throws MissingParameter for a device without clock, cores, lanes, bandwidths or cache size.
TermTimes unitTimes(const LaunchDemand &demand, const DeviceProfile &device, bool transfers,
                    Clock clock = Clock::kQueued);
/// The unit time of TimeTerm::kLaunch.
double launchMicros(const DeviceProfile &device, Clock clock);
/// The two terms of transfers only; the others are 0.
TermTimes transferTimes(const LaunchDemand &demand, const DeviceProfile &device);
/// Bytes that the device's last cache has to fetch from memory. Throws MissingParameter.
double memoryBytes(const LaunchDemand &demand, const DeviceProfile &device);
/// Microseconds that the floating-point operations take at the peak rates of the data sheet, those
/// of one width beside those of the other; 0 where the device's rates are not known.
double peakMicros(const LaunchDemand &demand, const DeviceProfile &device);
/// The parameters without which `unitTimes` throws.
inline constexpr std::array kTimeTermParameters = {
    Parameter::kCores,         Parameter::kCacheCapacity, Parameter::kCacheBandwidth,
    Parameter::kDramBandwidth, Parameter::kLaneWidth,     Parameter::kClock};

/// Whether the bandwidth of its memory was measured on the device.
bool hasMeasuredBandwidth(const DeviceProfile &device);
/// Integrated ones, too.
bool isGpu(const DeviceProfile &device);

/// Devices whose coefficients are alike.
enum class DeviceClass : uint8_t { kCpu, kNvidiaGpu, kAmdGpu, kManyCore, kOther };
inline constexpr size_t kDeviceClassCount = 5;
std::string_view toString(DeviceClass deviceClass);
DeviceClass classOf(const DeviceProfile &device);

} // namespace aiwc::predict
