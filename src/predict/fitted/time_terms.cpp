#include "predict/fitted/time_terms.h"

#include "predict/fitted/residency.h"

#include <algorithm>
#include <cmath>

namespace aiwc::predict {

using namespace hardware;

namespace {

constexpr double kCyclesPerMicrosecond = 1e3; // at 1 GHz
constexpr double kBytesPerMicrosecond = 1e3;  // at 1 GB/s

constexpr std::array<TimeTermInfo, kTimeTermCount> kTimeTerms = {{
    {"launch", "launch", Term::kLaunch, 0, 2},
    {"instructions", "instructions", Term::kCompute, -1.5, 2},
    {"serial_chain", "serial chain", Term::kCompute, 2, 0.6},
    {"latency", "memory latency", Term::kLatency, 0.3, 0.6},
    {"dram", "DRAM", Term::kDram, 0.1, 6}, // streams reach 0.8 to 0.95 of the bandwidth
    {"cache", "cache", Term::kCache, -2, 0.6},
    {"local_memory", "local memory", Term::kCache, 0, 0.6},
    {"barriers", "barriers", Term::kLaunch, 3.2, 0.6},
    {"dispatch", "work-group dispatch", Term::kLaunch, 4.5, 0.6},
    {"divisions", "divisions", Term::kCompute, 0.7, 0.6},
    {"special_functions", "special functions", Term::kCompute, 0.7, 0.6},
    {"double_precision", "double precision", Term::kCompute, 0, 2},
    {"atomics", "contended atomics", Term::kLaunch, 1, 0.6},
    {"transfer_bytes", "transfers", Term::kLatency, 1.6, 2}, // pageable memory, touched first
    {"transfer_calls", "transfer calls", Term::kLatency, 1, 2},
}};

bool isVendor(const DeviceProfile &device, std::string_view name) {
  return std::string_view(device.vendor).substr(0, name.size()) == name;
}

/// The value at the smallest of the widths `smallest`, 2 `smallest`, ... that is not below the
/// device's, or at the last.
template <size_t N>
double atWidth(const std::array<double, N> &values, const std::array<double, N> &widths,
               double width) {
  size_t i = 0;
  while (i + 1 < N && widths[i] < width)
    ++i;
  return values[i];
}

/// Of the bandwidth, what kernels reach at most.
double memoryShare(const DeviceProfile &device) {
  return classOf(device) == DeviceClass::kCpu && !hasMeasuredBandwidth(device) ? kCpuMemoryShare
                                                                               : 1;
}

} // namespace

bool hasMeasuredBandwidth(const DeviceProfile &device) {
  const auto &quantity = device.quantities[static_cast<size_t>(Parameter::kDramBandwidth)];
  return quantity && quantity->source.starts_with("measured: ");
}

bool isGpu(const DeviceProfile &device) {
  return device.type == DeviceType::kGpu || device.type == DeviceType::kIntegratedGpu;
}

std::span<const TimeTermInfo, kTimeTermCount> timeTerms() {
  return kTimeTerms;
}

std::string_view toString(Clock clock) {
  return clock == Clock::kKernel ? "kernel" : "queued";
}

double launchMicros(const DeviceProfile &device, Clock clock) {
  if (clock == Clock::kKernel)
    return kShortestKernel;
  return kQueueBeyondOverhead + (device.has(Parameter::kLaunchOverhead)
                                     ? device[Parameter::kLaunchOverhead]
                                     : kUnknownOverhead);
}

double memoryBytes(const LaunchDemand &demand, const DeviceProfile &device) {
  const auto cacheBytes = static_cast<uint64_t>(device[Parameter::kCacheCapacity]);
  return isGpu(device) ? demand.missedBytes(
                             cacheBytes, residencyOf(device, demand.workGroupSize).residentGroups())
                       : demand.missedBytes(cacheBytes);
}

TermTimes unitTimes(const LaunchDemand &demand, const DeviceProfile &device, bool transfers,
                    Clock clock) {
  const bool gpu = isGpu(device);
  const double cycles = device[Parameter::kClock] * kCyclesPerMicrosecond;
  const double cores = device[Parameter::kCores];
  const double width = device[Parameter::kLaneWidth];
  const Residency held =
      gpu ? residencyOf(device, demand.workGroupSize)
          : Residency{device.has(Parameter::kComputeUnits) ? device[Parameter::kComputeUnits]
                                                           : cores};
  const double units = held.units; // or cores of a CPU
  const double dram = device[Parameter::kDramBandwidth] * kBytesPerMicrosecond;
  const double cache = device[Parameter::kCacheBandwidth] * kBytesPerMicrosecond;
  const double items = demand.workItems;
  const double moreInstructions = (kIntegerDivision - 1) * demand.integerDivisions;
  const double instructions = demand.instructions + moreInstructions;

  TermTimes times = transfers ? transferTimes(demand, device) : TermTimes{};
  const auto set = [&](TimeTerm term, double value) { times[static_cast<size_t>(term)] = value; };
  set(TimeTerm::kLaunch, launchMicros(device, clock));
  set(TimeTerm::kAtomics, demand.contendedAtomics * (gpu ? 1 : kCpuAtomicCycles) / cycles);
  if (gpu) {
    const double waves = std::max(1.0, demand.workGroups / held.residentGroups());
    set(TimeTerm::kInstructions,
        instructions / atWidth(demand.laneUtilization, kLaneWidths, width) / (cores * cycles));
    const double inGroupOfLanes = // instructions that lanes of its group wait for count, too
        instructions / items / atWidth(demand.laneUtilization, kLaneWidths, width);
    const double longest = demand.itemInstructions + moreInstructions / items;
    set(TimeTerm::kSerialChain,
        ((waves - 1) * std::min(inGroupOfLanes, longest) + longest) / cycles);
    set(TimeTerm::kLatency, waves * demand.accesses / items / cycles);
    set(TimeTerm::kDram, memoryBytes(demand, device) / dram);
    set(TimeTerm::kCache,
        demand.globalBytes / atWidth(demand.coalescing, kCoalescingWidths, width) / dram);
    set(TimeTerm::kLocalMemory, demand.localBytes / cache);
    set(TimeTerm::kBarriers, waves * demand.barriers / cycles);
    set(TimeTerm::kDispatch, demand.workGroups / units / cycles);
    set(TimeTerm::kDivisions, demand.divisions / (cores * cycles));
    set(TimeTerm::kSpecialFunctions, demand.specialOperations / (cores * cycles));
  } else {
    const double rounds = std::ceil(demand.workGroups / units); // of a core
    const double itemsInTurn = rounds * demand.workGroupSize;
    const double busy = std::min(demand.workGroups, units);
    // An access of a vector of work-items counts once. Work-items keep private memory apart.
    const double accesses = demand.accesses * (1 - demand.jointAccesses * (1 - 1 / kJointItems)) +
                            demand.privateAccesses;
    set(TimeTerm::kInstructions,
        std::max(itemsInTurn * instructions / items,
                 demand.groupInstructions + moreInstructions / demand.workGroups) /
            cycles);
    set(TimeTerm::kLatency, itemsInTurn * accesses / items / cycles);
    set(TimeTerm::kDram, memoryBytes(demand, device) / (dram * memoryShare(device)));
    set(TimeTerm::kCache, demand.missedBytes(kPrivateCacheBytes) / dram);
    set(TimeTerm::kLocalMemory, (demand.globalBytes + demand.localBytes) / cache);
    set(TimeTerm::kBarriers, itemsInTurn * demand.barriers / cycles);
    set(TimeTerm::kDispatch, rounds / cycles);
    set(TimeTerm::kDivisions, demand.divisions / (busy * cycles));
    set(TimeTerm::kSpecialFunctions, demand.specialOperations / (busy * cycles));
  }
  if (device.has(Parameter::kFp64Rate)) { // GFLOP/s of a core: thousands of operations per us
    const double busyCores = cores * (gpu ? std::min(1.0, demand.workGroups / units) : 1);
    set(TimeTerm::kDoublePrecision,
        (demand.doubleOperations + kConversion * demand.doubleConversions) /
            (busyCores * device[Parameter::kFp64Rate] * 1e3));
  }
  return times;
}

double peakMicros(const LaunchDemand &demand, const DeviceProfile &device) {
  const auto micros = [&](double operations, Parameter rate) { // rate in GFLOP/s of a core
    return device.has(rate) ? operations / (device[Parameter::kCores] * device[rate] * 1e3) : 0;
  };
  return std::max(micros(demand.singleOperations, Parameter::kFp32Rate),
                  micros(demand.doubleOperations, Parameter::kFp64Rate));
}

TermTimes transferTimes(const LaunchDemand &demand, const DeviceProfile &device) {
  TermTimes times{};
  if (demand.hostTransfers == 0)
    return times;
  const double link = device.has(Parameter::kHostLinkBandwidth)
                          ? device[Parameter::kHostLinkBandwidth]
                          : device[Parameter::kDramBandwidth] * kCopyShare;
  const double latency = device.has(Parameter::kHostLinkLatency)
                             ? device[Parameter::kHostLinkLatency]
                             : kLeastTransferMicros;
  times[static_cast<size_t>(TimeTerm::kTransferBytes)] =
      demand.hostBytes / (link * kBytesPerMicrosecond);
  times[static_cast<size_t>(TimeTerm::kTransferCalls)] =
      demand.hostTransfers * std::max(latency, kLeastTransferMicros);
  return times;
}

std::string_view toString(DeviceClass deviceClass) {
  constexpr std::array<std::string_view, kDeviceClassCount> kNames = {
      "cpu", "nvidia_gpu", "amd_gpu", "many_core", "other"};
  return kNames[static_cast<size_t>(deviceClass)];
}

DeviceClass classOf(const DeviceProfile &device) {
  if (isGpu(device))
    return isVendor(device, "NVIDIA") ? DeviceClass::kNvidiaGpu
           : isVendor(device, "AMD")  ? DeviceClass::kAmdGpu
                                      : DeviceClass::kOther;
  if (device.type != DeviceType::kCpu)
    return DeviceClass::kOther;
  return device.has(Parameter::kClock) && device[Parameter::kClock] < kSlowCoreClock &&
                 device[Parameter::kCores] >= kManyCores
             ? DeviceClass::kManyCore
             : DeviceClass::kCpu;
}

} // namespace aiwc::predict
