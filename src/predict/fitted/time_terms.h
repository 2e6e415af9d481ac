/// The parts that the time of a launch is made of, before any of them is fitted: how long each
/// would take if the device did what its data sheet says.
#pragma once

#include "predict/cost_term.h"
#include "predict/device_profile.h"
#include "predict/fitted/launch_demand.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace aiwc::predict {

/// The parts of a time. Those of what compute units and cores do share one coefficient, and those
/// of what work-items wait for another one.
enum class TimeTerm : uint8_t {
  kLaunch,       ///< to start a kernel
  kInstructions, ///< to issue all instructions
  kFloatingPoint,
  kIntegers,
  kSpecialFunctions,
  kDoublePrecision,
  kMatrices,      ///< products of matrices, in the units for these
  kAccesses,      ///< of work-items, to caches and local memory
  kSerialChain,   ///< instructions of one work-item after another's
  kLatency,       ///< waits for loads; CPU: for chained loads
  kDispatch,      ///< to hand out work-groups, and barriers
  kDram,          ///< bytes that miss the last cache
  kAtomics,       ///< atomics on one address, one after the other
  kTransferBytes, ///< between host and device
  kTransferCalls,
};
inline constexpr size_t kTimeTermCount = static_cast<size_t>(TimeTerm::kTransferCalls) + 1;

/// What is fitted: the factors between times by the data sheet and times.
enum class Coefficient : uint8_t {
  kLaunch,
  kCompute, ///< of what compute units and cores do
  kWaits,   ///< of what work-items wait for
  kDram,
  kAtomics,
  kTransferBytes,
  kTransferCalls
};
inline constexpr size_t kCoefficientCount = static_cast<size_t>(Coefficient::kTransferCalls) + 1;

struct CoefficientInfo {
  std::string_view key; ///< in model files and JSON
  /// What is known before anything is measured: ln of the factor, and how many times the residual's
  /// standard deviation fits into the uncertainty of that (its inverse): large where physics fixes
  /// it.
  double priorMean, priorWeight;
  double deviceWeight; ///< likewise of what a device deviates from its class
};
std::span<const CoefficientInfo, kCoefficientCount> coefficients();

struct TimeTermInfo {
  std::string_view key;  ///< in JSON
  std::string_view name; ///< for people
  Term group;
  Coefficient coefficient;
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
/// Those of a 64-bit integer operation on a GPU, whose units are 32 bits wide.
inline constexpr double kWideInteger = 3;
/// Instructions that a division of floating-point numbers takes on a GPU, in their precision, and
/// that of a vector on a CPU. A mathematical function takes
/// five times as many as on a GPU there (a square root 20), but at most 16 more.
inline constexpr double kDivision = 8, kCpuDivision = 4;
inline constexpr double kCpuPerSpecial = 5, kCpuSpecialFunction = 16;
/// Operations of a double-precision unit that a conversion takes the place of: a fused
/// multiplication and addition, two, in a rate.
inline constexpr double kConversion = 2;
/// Instructions of a machine for one of LLVM IR: of two floating-point or integer operations most
/// are fused to one (multiplication and addition, three logic operations, a rotation), and half of
/// what neither computes nor accesses memory (branches, addresses, vector elements) needs none.
inline constexpr double kPerFloatingPoint = 0.5, kPerInteger = 0.5, kPerOther = 0.4;
/// Exponents of the p-norms that join work that overlaps: of the pipes of a compute unit, which
/// differ little from their maximum; and of these, what work-items wait for and the memory.
inline constexpr double kPipesOverlap = 6, kUnitsOverlap = 2;
/// Bytes of the first cache of a GPU's unit and of a CPU's core, and of the way from it to memory,
/// how much is that to the last cache.
inline constexpr uint64_t kFirstCacheBytes = uint64_t{16} * 1024;
inline constexpr uint64_t kCpuFirstCacheBytes = uint64_t{32} * 1024;
inline constexpr double kLastCacheShare = 0.4;
/// Microseconds of an access that hits the first cache, and of one to memory, where the device's
/// are not known.
inline constexpr double kUnknownCacheLatency = 0.03, kUnknownDramLatency = 0.4;
/// Work-groups that a die of a GPU starts in a cycle (gpu-benches: 0.5 to 0.95).
inline constexpr double kGroupsPerCycle = 0.8;
/// Cycles of a core of a CPU to begin a work-group, and for each work-item at a barrier.
inline constexpr double kCpuGroupCycles = 150, kCpuBarrierCycles = 20;
/// Instructions, and accesses to caches, that a core of a CPU completes in a cycle.
inline constexpr double kCpuPerCycle = 2;
/// Instructions that a core of a CPU has under way, and loads that wait for memory: those of
/// several work-items, if they are short.
inline constexpr double kCpuReorderBuffer = 224, kCpuLoadsInFlight = 10;
/// Vectors that a core of a CPU computes in a cycle at its peak rate.
inline constexpr double kVectorsPerCycle = 2;
/// Of a CPU's bandwidth, what OpenCL kernels reach: a store fetches its line first; of two
/// sockets', pages lie at the one that touched them first.
inline constexpr double kCpuMemoryShare = 0.8, kTwoSocketsMemoryShare = 0.45;

/// A Xeon Phi's cores are many, slow and simple: at least so many, below this clock in GHz.
inline constexpr double kManyCores = 32, kSlowCoreClock = 1.6;
/// Without a link, the host copies within its memory, at this share of the bandwidth.
inline constexpr double kCopyShare = 0.5;
inline constexpr double kLeastTransferMicros = 1;

/// Microseconds of the shortest kernels on GPUs, from their start to their end. A kernel that is
/// queued after others takes them, too, beside what it computes: gpu-benches' times of kernels one
/// after another exceed those in a graph by a constant.
inline constexpr double kShortestKernel = 2.5;
/// Microseconds between empty kernels that are queued one after another: 1.6 to 3.3 on GPUs of two
/// vendors (gpu-benches), 0.9 on two cores of a CPU (aiwc devices measure).
inline constexpr double kGpuLaunchInterval = 2.3, kLaunchInterval = 0.9;
/// From queueing a kernel to its end, the shortest published times of 15 devices are so many
/// microseconds more than the launch overhead that clpeak measures. The second number stands for an
/// overhead that is not known.
inline constexpr double kQueueBeyondOverhead = 10, kUnknownOverhead = 10;
/// Microseconds until the further cores of a CPU that the groups after the first one need have left
/// their idle state (Linux, drivers/idle/intel_idle.c: the exit latency of C1E, Ivy Bridge to
/// Skylake).
inline constexpr double kCoresWake = 10;

} // namespace hardware

using TermTimes = std::array<double, kTimeTermCount>;           ///< by TimeTerm
using CoefficientTimes = std::array<double, kCoefficientCount>; ///< by Coefficient
CoefficientTimes byCoefficient(const TermTimes &terms);
/// Of a GPU, whose compute units work while work-items wait and the memory works: the three take
/// the 2-norm of their times, of which each has its square's share. Each takes longer if its own
/// time grows, and the sum is at least the longest one.
void overlapUnits(CoefficientTimes &times);

/// What the time of a launch contains.
enum class Clock : uint8_t {
  kKernel,    ///< from the kernel's start to its end
  kPipelined, ///< of launches queued one after another: from the end of one to the end of the next
  kQueued,    ///< from queueing it to its end, with none before it
};
inline constexpr std::array kClocks = {Clock::kKernel, Clock::kPipelined, Clock::kQueued};
/// What predictions have unless another one is asked for.
inline constexpr Clock kUsualClock = Clock::kPipelined;
std::string_view toString(Clock clock);

/// Microseconds per term on `device`, by TimeTerm; 0 where the launch has nothing of it. The two
/// of transfers are 0 unless `transfers`.
///
/// A compute unit of a GPU executes groups of lanes (warps, wavefronts) of which it holds a limited
/// number: the others wait for the next wave. Its pipes work at the same time, while work-items
/// wait for results and memory. A CPU executes a work-group on one core, work-items that access
/// memory together as vectors. Throws MissingParameter for a device without clock, cores, lanes,
/// bandwidth or cache size.
TermTimes unitTimes(const LaunchDemand &demand, const DeviceProfile &device, bool transfers,
                    Clock clock = Clock::kQueued);
/// The unit time of TimeTerm::kLaunch of one work-group.
double launchMicros(const DeviceProfile &device, Clock clock);
/// No launch that is queued after others takes less, however short the kernel is: the microseconds
/// that the host needs to queue it.
double launchIntervalMicros(const DeviceProfile &device);
/// The two terms of transfers only; the others are 0.
TermTimes transferTimes(const LaunchDemand &demand, const DeviceProfile &device);
/// Bytes that the device's last cache has to fetch from memory. Throws MissingParameter.
double memoryBytes(const LaunchDemand &demand, const DeviceProfile &device);
/// Microseconds that the floating-point operations take at the peak rates of the data sheet, those
/// of one width, and products of matrices, beside the others; 0 where the device's rates are not
/// known.
double peakMicros(const LaunchDemand &demand, const DeviceProfile &device);
/// Whether a launch with these operations multiplies matrices of a type for which no units of the
/// device are known: its time is that of ordinary multiplications and additions.
bool lacksMatrixUnits(const PerMatrixType &operations, const DeviceProfile &device);
/// The parameters without which `unitTimes` throws.
inline constexpr std::array kTimeTermParameters = {Parameter::kCores, Parameter::kCacheCapacity,
                                                   Parameter::kDramBandwidth, Parameter::kLaneWidth,
                                                   Parameter::kClock};

/// Where Parameter::kSyncCost of a device comes from that was measured.
inline constexpr std::string_view kBackToBackSource =
    "measured: empty kernels one after the other, by the host's clock";
/// Whether the bandwidth of its memory was measured on the device.
bool hasMeasuredBandwidth(const DeviceProfile &device);
/// Integrated ones, too.
bool isGpu(const DeviceProfile &device);
/// The index in profile::kTargetFamilies of the one whose compilers place private memory as those
/// of the GPU do; none for CPUs and other vendors.
std::optional<size_t> targetFamilyOf(const DeviceProfile &device);

/// Devices whose coefficients are alike.
enum class DeviceClass : uint8_t { kCpu, kNvidiaGpu, kAmdGpu, kMobileGpu, kManyCore, kOther };
inline constexpr size_t kDeviceClassCount = 6;
std::string_view toString(DeviceClass deviceClass);
DeviceClass classOf(const DeviceProfile &device);

} // namespace aiwc::predict
