#include "predict/fitted/compute_unit.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

namespace aiwc::predict {

namespace {

/// 0 where a number is that of the unit's lanes.
struct Generation {
  std::string_view series; ///< its beginning; the first that fits counts
  double lanes;            ///< of a unit, where the device does not say how many units it has
  double laneGroups, workGroups, issueLanes, integerLanes, specialLanes, dependentCycles;
  double secondCacheBytes; ///< of a lane, in a cycle
  double product = 0.5, wideProduct = 7;
  double loadsInFlight = 2;
  AccessRates rates = {};
  double unitsOfDie = 0; ///< 0: of a device that is one die
};

constexpr AccessRates kSixteenLanes = {.cacheLanes = 16, .localLanes = 16};
constexpr AccessRates kHalfWidth = {64, 64, 16, 16};
constexpr AccessRates kGcn = {.cacheBytes = 64, .cacheLanes = 16};

constexpr std::array<Generation, 7> kNvidia = {{
    {"Fermi", 32, 48, 8, 0, 0, 4, 18, 0.25},
    {"Kepler", 192, 64, 16, 0, 160, 32, 9, 0.15, 4.5, 4.5},
    {"Maxwell", 128, 64, 32, 0, 0, 32, 6, 0.19, 3},
    {"Pascal", 128, 64, 32, 0, 0, 32, 6, 0.34, 3},
    {"Volta", 64, 64, 32, 128, 64, 16, 4, 0.3},
    {"Turing", 64, 32, 16, 128, 64, 16, 4, 0.3, 0.5, 7, 2, kHalfWidth},
    {"Hopper", 128, 64, 32, 128, 64, 16, 4, 0.31},
}};
constexpr Generation kGa100 = {"", 64, 64, 32, 128, 64, 16, 4, 0.56};
constexpr Generation kNewestNvidia = {
    "", 128, 48, 24, 128, 64, 16, 4, 0.12, 0.5, 7, 2, kSixteenLanes}; // GA102, Ada, Blackwell

constexpr std::array<Generation, 6> kAmd = {{
    {"RDNA", 64, 32, 32, 0, 0, 16, 5, 0.4, 3.7, 4.1},
    {"CDNA 2", 64, 32, 32, 0, 0, 16, 4, 0.54, 1.5, 16, 2, kGcn},
    {"CDNA 3", 64, 32, 32, 0, 0, 16, 4, 0.76, 1.5, 16, 2, kGcn, 38},
    {"CDNA 4", 64, 32, 32, 0, 0, 16, 4, 0.76, 1.5, 16, 2, kGcn, 32},
    {"CDNA", 64, 32, 32, 0, 0, 16, 4, 0.23, 1.5, 16, 2, kGcn},
    {"", 64, 40, 40, 0, 0, 16, 4, 0.23, 4.5, 16, 1, kGcn}, // GCN
}};
constexpr Generation kOther = {"", 64, 64, 16, 0, 0, 0, 4, 0.25, 2.6, 19, 2, kHalfWidth};
/// Of what the second cache gives.
constexpr double kThirdCacheShare = 0.45;
constexpr double kOtherSpecialShare = 0.25;

/// Of the chips of its series, the one that computes with double precision at half the rate.
bool isGa100(const DeviceProfile &device) {
  constexpr double kLeast = 0.25; // of the single-precision rate; others have 1/64
  return device.series == "Ampere" && device.has(Parameter::kFp64Rate) &&
         device.has(Parameter::kFp32Rate) &&
         device[Parameter::kFp64Rate] >= kLeast * device[Parameter::kFp32Rate];
}

Generation generationOf(const DeviceProfile &device) {
  const std::string_view series = device.series;
  const auto first = [&](std::span<const Generation> of, const Generation &otherwise) {
    const auto found = std::ranges::find_if(
        of, [&](const Generation &row) { return series.starts_with(row.series); });
    return found == of.end() ? otherwise : *found;
  };
  if (std::string_view(device.vendor).starts_with("NVIDIA"))
    return isGa100(device) ? kGa100 : first(kNvidia, kNewestNvidia);
  if (std::string_view(device.vendor).starts_with("AMD"))
    return first(kAmd, kOther);
  return kOther;
}

} // namespace

ComputeUnit computeUnitOf(const DeviceProfile &device) {
  const double cores = device[Parameter::kCores];
  const bool counted = device.has(Parameter::kComputeUnits);
  const Generation generation = generationOf(device);
  ComputeUnit unit;
  unit.count = counted ? device[Parameter::kComputeUnits]
                       : std::max(1.0, std::round(cores / generation.lanes));
  unit.lanes = cores / unit.count;
  unit.laneGroups = generation.laneGroups;
  unit.workGroups = generation.workGroups;
  const auto lanesOr = [&](double value) { return value > 0 ? value : unit.lanes; };
  const auto fusedLanes = [&](Parameter rate) { // a rate counts two for a fused operation
    return unit.lanes * device[rate] / (2 * device[Parameter::kClock]);
  };
  unit.floatLanes =
      device.has(Parameter::kFp32Rate) ? fusedLanes(Parameter::kFp32Rate) : unit.lanes;
  unit.issueLanes = std::max(lanesOr(generation.issueLanes), unit.floatLanes);
  unit.integerLanes = lanesOr(generation.integerLanes);
  unit.product = generation.product;
  unit.wideProduct = generation.wideProduct;
  unit.specialLanes =
      generation.specialLanes > 0 ? generation.specialLanes : kOtherSpecialShare * unit.lanes;
  if (device.has(Parameter::kFp64Rate))
    unit.doubleLanes = fusedLanes(Parameter::kFp64Rate);
  unit.dependentCycles = generation.dependentCycles;
  unit.loadsInFlight = generation.loadsInFlight;
  if (generation.unitsOfDie > 0)
    unit.dispatchers = std::max(1.0, std::round(unit.count / generation.unitsOfDie));
  unit.rates = generation.rates;
  unit.secondCacheBytes = generation.secondCacheBytes * unit.lanes;
  unit.thirdCacheBytes = kThirdCacheShare * unit.secondCacheBytes;
  return unit;
}

PerMatrixType matrixRatesOf(const DeviceProfile &device) {
  if (!device.has(Parameter::kMatrixRate))
    return {};
  constexpr double kPerMicrosecond = 1e6; // at 1 TFLOP/s
  const double halves = device[Parameter::kMatrixRate] * kPerMicrosecond;
  const std::string_view series = device.series;
  if (series == "Volta")
    return {halves};
  const double bytes = (device.name.starts_with("GeForce") ? 4 : 2) * halves;
  if (series == "Turing")
    return {halves, 0, bytes};
  if (series == "Blackwell Ultra") // has few units for integers
    return {halves, halves / 2};
  const double doubles = (isGa100(device) || series == "Hopper") && device.has(Parameter::kFp64Rate)
                             ? 2 * device[Parameter::kCores] * device[Parameter::kFp64Rate] * 1e3
                             : 0; // at 1 GFLOP/s
  return {halves, halves / 2, bytes, doubles};
}

double localMemoryOfUnit(const DeviceProfile &device) {
  if (!device.has(Parameter::kComputeUnits) || !device.has(Parameter::kCacheCapacity))
    return 0;
  // The cache of a device is its local memory and the caches that all units share.
  double bytes = device[Parameter::kCacheCapacity];
  for (const Parameter shared : {Parameter::kL2Capacity, Parameter::kL3Capacity})
    if (device.has(shared))
      bytes -= device[shared];
  bytes /= device[Parameter::kComputeUnits];
  // NVIDIA CUDA C++ programming guide, compute capabilities 7.0 to 9.0: 96 of 128 KiB, 64 of 96,
  // 164 of 192, 100 of 128, 228 of 256.
  constexpr double kLeastL1 = 28 * 1024;
  if (device.has(Parameter::kL1Capacity) && device[Parameter::kL1Capacity] >= bytes)
    bytes -= kLeastL1;
  return std::max(0.0, std::floor(bytes));
}

Residency residencyOf(const DeviceProfile &device, double workGroupSize, double localBytes) {
  const ComputeUnit unit = computeUnitOf(device);
  const double perGroup = std::ceil(workGroupSize / device[Parameter::kLaneWidth]);
  double groups = std::clamp(std::floor(unit.laneGroups / perGroup), 1.0, unit.workGroups);
  if (const double bytes = localMemoryOfUnit(device); localBytes > 0 && bytes > 0)
    groups = std::clamp(std::floor(bytes / localBytes), 1.0, groups);
  return {unit.count, unit.laneGroups, perGroup, groups};
}

} // namespace aiwc::predict
