#include "predict/fitted/time_terms.h"

#include "predict/fitted/compute_unit.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace aiwc::predict {

using namespace hardware;

namespace {

constexpr double kCyclesPerMicrosecond = 1e3; // at 1 GHz
constexpr double kBytesPerMicrosecond = 1e3;  // at 1 GB/s

constexpr std::array<CoefficientInfo, kCoefficientCount> kCoefficients = {{
    {"launch", 0, 2, 0.5},   // drivers and links differ more
    {"compute", 0.1, 20, 2}, // plain kernels reach 0.8 to 1 of what data sheets have
    {"waits", 0, 2, 1},
    {"dram", 0.1, 12, 4}, // streams reach 0.8 to 0.95 of the bandwidth
    {"atomics", 1, 0.6, 1},
    {"transfer_bytes", 1.6, 2, 0.5}, // pageable memory, touched first
    {"transfer_calls", 1, 2, 0.5},
}};

constexpr std::array<TimeTermInfo, kTimeTermCount> kTimeTerms = {{
    {"launch", "launch", Term::kLaunch, Coefficient::kLaunch},
    {"instructions", "instructions", Term::kCompute, Coefficient::kCompute},
    {"floating_point", "floating point", Term::kCompute, Coefficient::kCompute},
    {"integers", "integers", Term::kCompute, Coefficient::kCompute},
    {"special_functions", "special functions", Term::kCompute, Coefficient::kCompute},
    {"double_precision", "double precision", Term::kCompute, Coefficient::kCompute},
    {"matrices", "products of matrices", Term::kCompute, Coefficient::kCompute},
    {"accesses", "cache accesses", Term::kCache, Coefficient::kCompute},
    {"serial_chain", "serial chain", Term::kCompute, Coefficient::kWaits},
    {"latency", "memory latency", Term::kLatency, Coefficient::kWaits},
    {"dispatch", "dispatch", Term::kLaunch, Coefficient::kWaits},
    {"dram", "DRAM", Term::kDram, Coefficient::kDram},
    {"atomics", "contended atomics", Term::kLaunch, Coefficient::kAtomics},
    {"transfer_bytes", "transfers", Term::kLatency, Coefficient::kTransferBytes},
    {"transfer_calls", "transfer calls", Term::kLatency, Coefficient::kTransferCalls},
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
  if (classOf(device) != DeviceClass::kCpu || hasMeasuredBandwidth(device))
    return 1;
  return device.name.starts_with("2 x ") ? kTwoSocketsMemoryShare : kCpuMemoryShare;
}

/// The last cache of a GPU is shared by its units: local memory, which counts as the cache of the
/// abstract machine, keeps nothing.
uint64_t lastCacheBytes(const DeviceProfile &device) {
  const auto all = static_cast<uint64_t>(device[Parameter::kCacheCapacity]);
  if (isGpu(device))
    for (const Parameter cache : {Parameter::kL3Capacity, Parameter::kL2Capacity})
      if (device.has(cache))
        return static_cast<uint64_t>(device[cache]);
  return all;
}

double &at(TermTimes &times, TimeTerm term) {
  return times[static_cast<size_t>(term)];
}

struct Part {
  TimeTerm term;
  double time;
};

/// Divides the p-norm of the parts among them and writes that to `times`: of work that overlaps,
/// the longest hides most of the others. Returns the norm.
template <size_t N> double overlap(const std::array<Part, N> &parts, double p, TermTimes &times) {
  const double longest = std::ranges::max(parts, {}, &Part::time).time;
  if (longest == 0)
    return 0;
  double powers = 0;
  for (const Part &part : parts)
    powers += std::pow(part.time / longest, p);
  const double norm = longest * std::pow(powers, 1 / p);
  for (const Part &part : parts)
    at(times, part.term) += norm * std::pow(part.time / norm, p);
  return norm;
}

/// What an access to the first cache waits, in microseconds.
double cacheMicros(const DeviceProfile &device) {
  return device.has(Parameter::kCacheLatency) ? device[Parameter::kCacheLatency]
                                              : kUnknownCacheLatency;
}

/// How long the caches and memory are waited for, in microseconds, in the mean over `waits`; by
/// `share` of all accesses, which miss like the others. The first cache misses `missedBytes`, of
/// which `fetchedBytes` come from memory.
double accessMicros(const LaunchDemand &demand, const DeviceProfile &device, double missedBytes,
                    double waits, double share, double fetchedBytes) {
  const double firstCache = cacheMicros(device);
  const double dram =
      std::max(firstCache, device.has(Parameter::kDramLatency) ? device[Parameter::kDramLatency]
                                                               : kUnknownDramLatency);
  const auto missShare = [&](double bytes) {
    return waits > 0 ? std::min(1.0, share * bytes / demand.lineBytes / waits) : 0;
  };
  const double missFirst = missShare(missedBytes);
  const double missLast = std::min(missFirst, missShare(fetchedBytes));
  return firstCache +
         (dram - firstCache) * (kLastCacheShare * missFirst + (1 - kLastCacheShare) * missLast);
}

/// Machine instructions of integer operations but divisions, on a GPU.
double integerInstructions(const LaunchDemand &demand, const ComputeUnit &unit) {
  const double others =
      kPerInteger *
      (demand.integerOperations - demand.integerProducts +
       (kWideInteger - 1) * (demand.wideIntegerOperations - demand.wideIntegerProducts));
  return others + unit.product * (demand.integerProducts - demand.wideIntegerProducts) +
         unit.wideProduct * demand.wideIntegerProducts;
}

/// Machine instructions of all work-items.
double machineInstructions(const LaunchDemand &demand, const ComputeUnit &unit) {
  const double others =
      std::max(0.0, demand.instructions - demand.floatOperations() - demand.integerOperations -
                        demand.accesses - demand.privateAccesses);
  return kPerFloatingPoint * demand.floatOperations() + integerInstructions(demand, unit) +
         demand.accesses + demand.privateAccesses + kPerOther * others +
         (kIntegerDivision - 1) * demand.integerDivisions + kDivision * demand.divisions +
         demand.specialInstructions;
}

/// Microseconds that all units for matrices take.
double matrixMicros(const PerMatrixType &operations, const DeviceProfile &device) {
  const PerMatrixType rates = matrixRatesOf(device);
  double micros = 0;
  for (size_t type = 0; type < rates.size(); ++type)
    micros += operations[type] > 0 ? operations[type] / rates[type] : 0;
  return micros;
}

/// With products of matrices for which the device has no units as ordinary operations.
LaunchDemand withOrdinaryMatrices(LaunchDemand demand, const DeviceProfile &device) {
  const PerMatrixType rates = matrixRatesOf(device);
  constexpr std::array kOrdinary = {
      &LaunchDemand::singleOperations, &LaunchDemand::singleOperations,
      &LaunchDemand::integerOperations, &LaunchDemand::doubleOperations};
  for (size_t type = 0; type < rates.size(); ++type)
    if (rates[type] == 0) {
      const double operations = std::exchange(demand.matrixOps[type], 0);
      demand.*kOrdinary[type] += operations;
      demand.instructions += operations;
      demand.itemInstructions += operations / demand.workItems;
      demand.groupInstructions += operations / demand.workGroups;
    }
  return demand;
}

/// Cycles that one compute unit of a GPU would take for the accesses of all work-items. An access
/// of a group of lanes takes what its lanes take, or what its bytes take if that is longer; what
/// its lanes take if all have one address. One address of constant memory takes nothing: that
/// memory has a cache of its own.
double accessCycles(const LaunchDemand &demand, const AccessRates &rates, double width,
                    double utilization, double scratchBytes) {
  const double allBytes = demand.globalBytes + demand.localBytes;
  const double uniformBytes = demand.uniformAccesses * allBytes;
  const double constants = std::min({demand.constantBytes, uniformBytes, demand.globalBytes});
  const double uniform = allBytes > constants ? (uniformBytes - constants) / (allBytes - constants)
                                              : 0; // of the other accesses
  const auto cycles = [&](double bytes, double movedBytes, double bytesOfCycle, double lanes) {
    const double slots =
        allBytes > 0 ? demand.accesses * (bytes / allBytes) / utilization / lanes : 0;
    return std::max((movedBytes - uniform * bytes) / bytesOfCycle, (1 - uniform) * slots) +
           uniform * slots;
  };
  const double global = demand.globalBytes - constants;
  constexpr double kRegisterBytes = 4;
  return scratchBytes / std::min(rates.cacheBytes, kRegisterBytes * rates.cacheLanes) +
         cycles(global, global / atWidth(demand.coalescing, kCoalescingWidths, width),
                rates.cacheBytes, rates.cacheLanes) +
         cycles(demand.localBytes, demand.localBytes * demand.bankTurns, rates.localBytes,
                rates.localLanes);
}

/// Cycles that one compute unit of a GPU would take for what its first cache misses and a cache
/// that the units share has. `groups` are on the device together; `fetchedBytes` come from memory.
double sharedCacheCycles(const LaunchDemand &demand, const DeviceProfile &device,
                         const ComputeUnit &unit, double groups, double fetchedBytes) {
  const double missFirst = demand.groupBytes(kFirstCacheBytes);
  const double missAll = std::min(missFirst, fetchedBytes);
  double missSecond = missAll;
  if (device.has(Parameter::kL2Capacity) && device.has(Parameter::kL3Capacity)) {
    const auto secondBytes = static_cast<uint64_t>(device[Parameter::kL2Capacity]);
    missSecond = std::clamp(demand.missedBytes(secondBytes, groups), missAll, missFirst);
  }
  return (missFirst - missSecond) / unit.secondCacheBytes +
         (missSecond - missAll) / unit.thirdCacheBytes;
}

/// What the compute units of a GPU do; `fetchedBytes` come from memory.
void addGpuCompute(const LaunchDemand &demand, const DeviceProfile &device, double fetchedBytes,
                   TermTimes &times) {
  const ComputeUnit unit = computeUnitOf(device);
  const double width = device[Parameter::kLaneWidth];
  const Residency held = residencyOf(device, demand.workGroupSize, demand.localArrayBytes);
  const double cycles = device[Parameter::kClock] * kCyclesPerMicrosecond;
  // Lanes without a work-item are among those that idle: a profile that does not tell its lanes'
  // utilization has these at least.
  const double utilization = std::min(atWidth(demand.laneUtilization, kLaneWidths, width),
                                      demand.workGroupSize / (held.laneGroupsPerGroup * width));
  const double instructions = machineInstructions(demand, unit);

  // The pipes of the units that have work-groups, in microseconds per lane and operation.
  const double groupsOfUnit = std::max(1.0, demand.workGroups / held.units);
  const double laneOperation = groupsOfUnit / demand.workGroups / utilization / cycles;
  const auto family = targetFamilyOf(device);
  const double scratch = family ? demand.scratchBytes[*family] : 0;
  const double doubles = demand.doubleOperations + kConversion * demand.doubleConversions +
                         2 * (demand.doubleSpecialInstructions +
                              kDivision * demand.doubleDivisions); // each in the place of two
  const std::array<Part, 8> pipes = {{
      {TimeTerm::kInstructions, instructions * laneOperation / unit.issueLanes},
      {TimeTerm::kFloatingPoint, kPerFloatingPoint *
                                     (demand.floatOperations() - demand.doubleOperations) *
                                     laneOperation / unit.floatLanes},
      {TimeTerm::kIntegers,
       (integerInstructions(demand, unit) + (kIntegerDivision - 1) * demand.integerDivisions) *
           laneOperation / unit.integerLanes},
      {TimeTerm::kSpecialFunctions, demand.specialOperations * laneOperation / unit.specialLanes},
      {TimeTerm::kDoublePrecision,
       unit.doubleLanes > 0 ? doubles / 2 * laneOperation / unit.doubleLanes : 0},
      {TimeTerm::kAccesses, accessCycles(demand, unit.rates, width, utilization, scratch) *
                                groupsOfUnit / demand.workGroups / cycles},
      {TimeTerm::kAccesses,
       sharedCacheCycles(demand, device, unit, held.residentGroups(), fetchedBytes) * groupsOfUnit /
           demand.workGroups / cycles},
      {TimeTerm::kMatrices,
       matrixMicros(demand.matrixOps, device) * unit.count * groupsOfUnit / demand.workGroups},
  }};

  // What a work-item waits for, wave after wave of the work-groups that the units hold.
  const double waves = std::max(1.0, groupsOfUnit / held.groups);
  const double laneGroups = demand.workGroups * held.laneGroupsPerGroup;
  const auto ofLaneGroup = [&](double ofWorkItems) { // what one executes for its work-items
    return ofWorkItems / (width * utilization) / laneGroups;
  };
  // Lanes that take different ways execute all of them.
  const double inGroupOfLanes = ofLaneGroup(instructions);
  const double longest = std::max(
      inGroupOfLanes,
      demand.instructions > 0 ? instructions / demand.instructions * demand.itemInstructions : 0);
  // The profile has the work-items one after the other. Those of a group, which go through memory
  // together, fetch once what all of them miss in turn.
  const double missedBytes = std::max(demand.groupBytes(kFirstCacheBytes),
                                      demand.missedBytes(kFirstCacheBytes) / demand.workGroupSize);
  const double latency =
      accessMicros(demand, device, missedBytes, demand.loadRounds / (width * utilization),
                   demand.accesses > 0 ? demand.loads / demand.accesses : 0, fetchedBytes);
  // Rounds of loads that wait for one another in a loop have none beside them.
  const double chained = std::min(demand.chainedLoads, demand.loadRounds);
  const double turns = (demand.loadRounds - chained) / unit.loadsInFlight + chained;
  at(times, TimeTerm::kSerialChain) =
      ((waves - 1) * inGroupOfLanes + longest) * unit.dependentCycles / cycles;
  at(times, TimeTerm::kLatency) = waves * ofLaneGroup(turns) * latency;
  at(times, TimeTerm::kDispatch) = waves * demand.barriers * cacheMicros(device);
  const double waiting = at(times, TimeTerm::kSerialChain) + at(times, TimeTerm::kLatency) +
                         at(times, TimeTerm::kDispatch);
  const double working = overlap(pipes, kPipesOverlap, times);

  // Groups are handed out while others run, which takes longer than these and the memory
  // (`overlapUnits`) only where groups do little.
  const double handedOut = demand.workGroups / (kGroupsPerCycle * unit.dispatchers) / cycles;
  const double others = std::hypot(working, at(times, TimeTerm::kDram));
  const double alone = std::sqrt(std::max(0.0, handedOut * handedOut - others * others));
  at(times, TimeTerm::kDispatch) += std::max(0.0, alone - waiting);
}

/// What the cores of a CPU do.
void addCpuCompute(const LaunchDemand &demand, const DeviceProfile &device, double cores,
                   double fetchedBytes, TermTimes &times) {
  const double cycles = device[Parameter::kClock] * kCyclesPerMicrosecond;
  const double rounds = std::ceil(demand.workGroups / cores); // of a core
  const double itemsInTurn = rounds * demand.workGroupSize;
  double vector = device[Parameter::kLaneWidth];
  if (device.has(Parameter::kFp32Rate))
    vector = std::max(1.0, device[Parameter::kFp32Rate] /
                               (2 * device[Parameter::kClock] * kVectorsPerCycle));
  const double inVectors = demand.jointAccesses * demand.laneUtilization[0];
  const double vectorShare = 1 - inVectors * (1 - 1 / vector);
  const double special =
      std::min(kCpuPerSpecial * demand.specialInstructions,
               kCpuSpecialFunction * demand.specialOperations + demand.specialInstructions);
  const double instructions =
      (demand.instructions + kCpuDivision * demand.divisions + special) * vectorShare +
      demand.doubleOperations * inVectors / vector + // half as many in one
      (kIntegerDivision - 1) * demand.integerDivisions;
  // Work-items keep private memory apart.
  const double accesses = demand.accesses * (1 - demand.jointAccesses * (1 - 1 / kJointItems)) +
                          demand.privateAccesses * vectorShare;
  at(times, TimeTerm::kInstructions) =
      std::max(itemsInTurn / demand.workItems,
               demand.instructions > 0 ? demand.groupInstructions / demand.instructions : 0) *
      instructions / kCpuPerCycle / cycles;
  at(times, TimeTerm::kAccesses) =
      itemsInTurn * accesses / demand.workItems / kCpuPerCycle / cycles;
  if (demand.chainedLoads > 0) {
    const double chains = std::clamp(kCpuReorderBuffer * demand.workItems / demand.instructions,
                                     1.0, kCpuLoadsInFlight); // that are under way together
    at(times, TimeTerm::kLatency) =
        itemsInTurn * demand.chainedLoads / demand.workItems / chains *
        accessMicros(demand, device, demand.missedBytes(kCpuFirstCacheBytes), demand.accesses, 1,
                     fetchedBytes);
  }
  at(times, TimeTerm::kDispatch) =
      (rounds * kCpuGroupCycles + itemsInTurn * demand.barriers * kCpuBarrierCycles) / cycles;
}

} // namespace

bool hasMeasuredBandwidth(const DeviceProfile &device) {
  const auto &quantity = device.quantities[static_cast<size_t>(Parameter::kDramBandwidth)];
  return quantity && quantity->source.starts_with("measured: ");
}

bool isGpu(const DeviceProfile &device) {
  return device.type == DeviceType::kGpu || device.type == DeviceType::kIntegratedGpu;
}

std::optional<size_t> targetFamilyOf(const DeviceProfile &device) {
  using enum profile::TargetFamily;
  if (isGpu(device) && isVendor(device, "NVIDIA"))
    return static_cast<size_t>(kNvptx);
  if (isGpu(device) && isVendor(device, "AMD"))
    return static_cast<size_t>(device.series.starts_with("RDNA") ? kGfx1030 : kGfx906);
  return std::nullopt;
}

std::span<const CoefficientInfo, kCoefficientCount> coefficients() {
  return kCoefficients;
}

std::span<const TimeTermInfo, kTimeTermCount> timeTerms() {
  return kTimeTerms;
}

std::string_view toString(Clock clock) {
  constexpr std::array<std::string_view, kClocks.size()> kNames = {"kernel", "pipelined", "queued"};
  return kNames[static_cast<size_t>(clock)];
}

double launchMicros(const DeviceProfile &device, Clock clock) {
  if (clock != Clock::kQueued)
    return kShortestKernel;
  return kQueueBeyondOverhead + (device.has(Parameter::kLaunchOverhead)
                                     ? device[Parameter::kLaunchOverhead]
                                     : kUnknownOverhead);
}

double launchIntervalMicros(const DeviceProfile &device) {
  const auto &measured = device.quantities[static_cast<size_t>(Parameter::kSyncCost)];
  if (measured && measured->source.starts_with(kBackToBackSource))
    return measured->value;
  return isGpu(device) ? kGpuLaunchInterval : kLaunchInterval;
}

double memoryBytes(const LaunchDemand &demand, const DeviceProfile &device) {
  const uint64_t cacheBytes = lastCacheBytes(device);
  if (!isGpu(device))
    return demand.missedBytes(cacheBytes) - demand.foundBytes(cacheBytes);
  const double groups =
      residencyOf(device, demand.workGroupSize, demand.localArrayBytes).residentGroups();
  double bytes = demand.missedBytes(cacheBytes, groups) - demand.foundBytes(cacheBytes);
  if (const auto family = targetFamilyOf(device)) {
    const double stacks =
        demand.stackBytes[*family] * std::min(demand.workItems, groups * demand.workGroupSize);
    if (const auto cache = static_cast<double>(cacheBytes); stacks > cache)
      bytes += demand.scratchBytes[*family] * (1 - cache / stacks);
  }
  return bytes;
}

TermTimes unitTimes(const LaunchDemand &demand, const DeviceProfile &device, bool transfers,
                    Clock clock) {
  if (lacksMatrixUnits(demand.matrixOps, device)) // else no copy: there may be no memory for it
    return unitTimes(withOrdinaryMatrices(demand, device), device, transfers, clock);
  const bool gpu = isGpu(device);
  const double cycles = device[Parameter::kClock] * kCyclesPerMicrosecond;
  const double fetchedBytes = memoryBytes(demand, device);
  TermTimes times = transfers ? transferTimes(demand, device) : TermTimes{};
  const bool coresWake = !gpu && demand.workGroups > 1 && clock == Clock::kQueued;
  at(times, TimeTerm::kLaunch) = launchMicros(device, clock) + (coresWake ? kCoresWake : 0);
  at(times, TimeTerm::kDram) = fetchedBytes / (device[Parameter::kDramBandwidth] *
                                               kBytesPerMicrosecond * memoryShare(device));
  at(times, TimeTerm::kAtomics) =
      (gpu ? demand.contendedLineAtomics : kCpuAtomicCycles * demand.contendedAtomics) / cycles;
  if (gpu)
    addGpuCompute(demand, device, fetchedBytes, times);
  else
    addCpuCompute(
        demand, device,
        device[device.has(Parameter::kComputeUnits) ? Parameter::kComputeUnits : Parameter::kCores],
        fetchedBytes, times);
  return times;
}

CoefficientTimes byCoefficient(const TermTimes &terms) {
  CoefficientTimes times{};
  for (size_t k = 0; k < kTimeTermCount; ++k)
    times[static_cast<size_t>(kTimeTerms[k].coefficient)] += terms[k];
  return times;
}

void overlapUnits(CoefficientTimes &times) {
  constexpr std::array kUnits = {static_cast<size_t>(Coefficient::kCompute),
                                 static_cast<size_t>(Coefficient::kWaits),
                                 static_cast<size_t>(Coefficient::kDram)};
  const double norm = std::hypot(times[kUnits[0]], times[kUnits[1]], times[kUnits[2]]);
  static_assert(kUnitsOverlap == 2);
  if (norm == 0)
    return;
  for (const size_t unit : kUnits)
    times[unit] *= times[unit] / norm;
}

double peakMicros(const LaunchDemand &demand, const DeviceProfile &device) {
  if (lacksMatrixUnits(demand.matrixOps, device))
    return peakMicros(withOrdinaryMatrices(demand, device), device);
  const auto micros = [&](double operations, Parameter rate) { // rate in GFLOP/s of a core
    return device.has(rate) ? operations / (device[Parameter::kCores] * device[rate] * 1e3) : 0;
  };
  return std::max({micros(demand.singleOperations, Parameter::kFp32Rate),
                   micros(demand.doubleOperations, Parameter::kFp64Rate),
                   matrixMicros(demand.matrixOps, device)});
}

bool lacksMatrixUnits(const PerMatrixType &operations, const DeviceProfile &device) {
  const PerMatrixType rates = matrixRatesOf(device);
  for (size_t type = 0; type < rates.size(); ++type)
    if (operations[type] > 0 && rates[type] == 0)
      return true;
  return false;
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
      "cpu", "nvidia_gpu", "amd_gpu", "mobile_gpu", "many_core", "other"};
  return kNames[static_cast<size_t>(deviceClass)];
}

DeviceClass classOf(const DeviceProfile &device) {
  if (isGpu(device))
    return isVendor(device, "NVIDIA")     ? DeviceClass::kNvidiaGpu
           : isVendor(device, "AMD")      ? DeviceClass::kAmdGpu
           : isVendor(device, "Qualcomm") ? DeviceClass::kMobileGpu
                                          : DeviceClass::kOther;
  if (device.type != DeviceType::kCpu)
    return DeviceClass::kOther;
  return device.has(Parameter::kClock) && device[Parameter::kClock] < kSlowCoreClock &&
                 device[Parameter::kCores] >= kManyCores
             ? DeviceClass::kManyCore
             : DeviceClass::kCpu;
}

} // namespace aiwc::predict
