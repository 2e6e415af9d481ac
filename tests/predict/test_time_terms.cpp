/// Every term of the fitted model from a demand and devices on paper, and the demand from a
/// profile.
#include "predict/fitted/compute_unit.h"
#include "predict/fitted/features.h"
#include "predict/fitted/fitted_model.h"
#include "predict/fitted/launch_demand.h"
#include "predict/fitted/time_terms.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace aiwc::literals;
using namespace aiwc::predict;
using aiwc::profile::AccessRow;
using aiwc::profile::CacheMisses;
using aiwc::profile::Histogram;
using aiwc::profile::KernelProfile;
using aiwc::profile::MemorySpace;
using aiwc::profile::Metric;
using aiwc::profile::PrivateTraffic;

namespace {

CacheMisses cacheMisses(uint64_t cold, const Histogram &distances) {
  KernelProfile profile;
  profile.reuse = {64, cold};
  profile.histograms.reuseDistances = distances;
  return CacheMisses(profile);
}

/// 40 work-groups of 256 work-items, everything different from everything else.
LaunchDemand onPaper() {
  LaunchDemand demand;
  demand.workItems = 10'240;
  demand.workGroups = 40;
  demand.workGroupSize = 256;
  demand.instructions = 1'000'000;
  demand.itemInstructions = 400;
  demand.groupInstructions = 30'000;
  demand.accesses = 204'800;
  demand.loads = 153'600;
  demand.loadRounds = 102'400; // ten of a work-item
  demand.privateAccesses = 51'200;
  demand.jointAccesses = 0.5;
  demand.globalBytes = 1'600'000;
  demand.localBytes = 400'000;
  demand.bankTurns = 1.5;
  demand.localArrayBytes = 512; // of 512 KiB of each unit
  demand.barriers = 3;
  demand.divisions = 5000;
  demand.integerDivisions = 2048; // 39 instructions more for each: 79,872 in all, 7.8 a work-item
  demand.specialOperations = 7000;
  demand.specialInstructions = 21'000; // 3 of a function: 15 of a CPU
  demand.doubleSpecialInstructions = 6000;
  demand.doubleDivisions = 2000;
  demand.integerOperations = 300'000;
  demand.halfOperations = 2000;
  demand.singleOperations = 64'000;
  demand.doubleOperations = 9000;
  demand.doubleConversions = 500;
  demand.contendedAtomics = 600;
  demand.contendedLineAtomics = 900;
  demand.hostBytes = 3'000'000;
  demand.hostTransfers = 4;
  demand.laneUtilization = {0.9, 0.8, 0.5, 0.4};
  demand.coalescing = {0.8, 0.5, 0.25};
  // 3000 lines miss a cache of 1 MiB, 8000 one of 256 KiB.
  demand.cacheMisses = cacheMisses(1000, {{2, 20'000}, {4096, 5000}, {16'384, 2000}});
  demand.lineBytes = 64;
  return demand;
}

DeviceProfile deviceWith(DeviceType type, const std::string &vendor,
                         const std::vector<std::pair<Parameter, double>> &values) {
  DeviceProfile device;
  device.id = "paper";
  device.type = type;
  device.vendor = vendor;
  for (const auto &[parameter, value] : values)
    device.set(parameter, value, "paper");
  return device;
}

/// Four cores of 2 GHz: 2000 cycles a microsecond.
DeviceProfile cpu() {
  return deviceWith(DeviceType::kCpu, "Intel",
                    {{Parameter::kCores, 4},
                     {Parameter::kClock, 2},
                     {Parameter::kLaneWidth, 8},
                     {Parameter::kCacheCapacity, 1 << 20},
                     {Parameter::kCacheBandwidth, 100},
                     {Parameter::kDramBandwidth, 20},
                     {Parameter::kFp64Rate, 8},
                     {Parameter::kLaunchOverhead, 5},
                     {Parameter::kHostLinkBandwidth, 12},
                     {Parameter::kHostLinkLatency, 6}});
}

/// 256 cores of 1 GHz in two units, of the newest generation. A work-group is 8 groups of lanes, of
/// which a unit holds 48: it executes 20 work-groups, 6 at a time.
DeviceProfile gpu() {
  return deviceWith(DeviceType::kGpu, "NVIDIA",
                    {{Parameter::kCores, 256},
                     {Parameter::kComputeUnits, 2},
                     {Parameter::kClock, 1},
                     {Parameter::kLaneWidth, 32},
                     {Parameter::kCacheCapacity, 1 << 20},
                     {Parameter::kCacheBandwidth, 400},
                     {Parameter::kDramBandwidth, 100},
                     {Parameter::kFp64Rate, 0.5}});
}

struct Expected {
  TimeTerm term;
  double micros;
};

template <size_t N>
void check(const LaunchDemand &demand, const DeviceProfile &device,
           const std::array<Expected, N> &expected, bool transfers = false,
           Clock clock = Clock::kQueued) {
  const TermTimes times = unitTimes(demand, device, transfers, clock);
  for (const auto &[term, micros] : expected) {
    INFO(timeTerms()[static_cast<size_t>(term)].key);
    CHECK(times[static_cast<size_t>(term)] == Approx(micros).epsilon(1e-12));
  }
}

} // namespace

TEST_CASE("each term of a CPU from a demand on paper") {
  // A core runs ten of the 40 groups, one after the other: 2560 work-items in turn, a quarter of
  // all. Eight work-items are a vector in 0.5 * 0.9 of the instructions, four for doubles.
  constexpr double kVectorShare = 1 - 0.45 * 7 / 8;
  constexpr double kOfDoubles = 9000 * 0.45 / 8;
  check(onPaper(), cpu(),
        std::array<Expected, kTimeTermCount>{
            {{TimeTerm::kLaunch, 10 + 5 + 10}, // further cores wake up
             {TimeTerm::kInstructions,
              0.25 * ((1'000'000 + 4 * 5000 + 5 * 21'000) * kVectorShare + kOfDoubles + 79'872) /
                  2 / 2000},
             {TimeTerm::kFloatingPoint, 0},
             {TimeTerm::kIntegers, 0},
             {TimeTerm::kSpecialFunctions, 0},
             {TimeTerm::kDoublePrecision, 0},
             {TimeTerm::kMatrices, 0},
             {TimeTerm::kAccesses, 2560 * (20 * (0.5 + 0.5 / 8) + 5 * kVectorShare) / 2 / 2000},
             {TimeTerm::kSerialChain, 0},
             {TimeTerm::kLatency, 0},
             {TimeTerm::kDispatch, (10 * 150 + 2560 * 3 * 20) / 2000.0},
             {TimeTerm::kDram, 3000 * 64 / (20'000 * 0.8)},
             {TimeTerm::kAtomics, 600 * 60 / 2000.0},
             {TimeTerm::kTransferBytes, 3'000'000 / 12'000.0},
             {TimeTerm::kTransferCalls, 4 * 6}}},
        true);
}

TEST_CASE("each term of a GPU from a demand on paper") {
  // Of 375,000 operations half as many instructions, of 369,000 others 0.4.
  constexpr double kInstructions =
      37'500 + 150'000 + 204'800 + 51'200 + 0.4 * 369'000 + 79'872 + 8 * 5000 + 21'000;
  // A unit executes 20 of 40 groups, with half of the lanes: a cycle of a lane per operation.
  const double fromSharedCaches = onPaper().groupBytes(1 << 14) - 64 * 3000;
  const std::array<std::pair<TimeTerm, double>, 7> pipes = {
      {{TimeTerm::kInstructions, kInstructions / 128 / 1000},
       {TimeTerm::kFloatingPoint, 0.5 * 66'000 / 128 / 1000},
       {TimeTerm::kIntegers, 229'872.0 / 64 / 1000},
       {TimeTerm::kSpecialFunctions, 7000.0 / 16 / 1000},
       {TimeTerm::kDoublePrecision, (9000 + 2 * 500 + 2 * 6000 + 2 * 8 * 2000) / 2.0 / 32 / 1000},
       // Segments of global memory take longer than lanes, accesses to local memory do not.
       {TimeTerm::kAccesses, (1'600'000 / 0.5 / 128 + 204'800 * 0.2 / 0.5 / 16) / 2 / 1000},
       {TimeTerm::kAccesses, fromSharedCaches / (0.12 * 128) / 2 / 1000}}};
  constexpr double kWaves = 20 / 6.0;
  // In the last wave the longest work-item, in those before it what lanes wait for.
  constexpr double kOfItem = kInstructions / 10'240;
  const double chain = ((kWaves - 1) * kOfItem / 0.5 + kInstructions / 1'000'000 * 400) * 4 / 1000;
  // 8000 lines miss the first cache and 3000 the last; three of four accesses are loads, for which
  // groups of lanes wait 6400 times.
  const double latency = 0.03 + 0.37 * (0.4 * 0.75 * 8000 / 6400 + 0.6 * 0.75 * 3000 / 6400);
  const double loads = kWaves * 10 / 0.5 * latency / 2;
  const double barriers = kWaves * 3 * 0.03;

  double powers = 0;
  for (const auto &[term, time] : pipes)
    powers += std::pow(time, 6);
  const double working = std::pow(powers, 1 / 6.0);
  const auto ofPipe = [&](double time) { return working * std::pow(time / working, 6); };
  check(onPaper(), gpu(),
        std::array<Expected, kTimeTermCount>{
            {{TimeTerm::kLaunch, 10 + 10}, // an overhead that is not known
             {TimeTerm::kInstructions, ofPipe(pipes[0].second)},
             {TimeTerm::kFloatingPoint, ofPipe(pipes[1].second)},
             {TimeTerm::kIntegers, ofPipe(pipes[2].second)},
             {TimeTerm::kSpecialFunctions, ofPipe(pipes[3].second)},
             {TimeTerm::kDoublePrecision, ofPipe(pipes[4].second)},
             {TimeTerm::kMatrices, 0},
             {TimeTerm::kAccesses, ofPipe(pipes[5].second) + ofPipe(pipes[6].second)},
             {TimeTerm::kSerialChain, chain},
             {TimeTerm::kLatency, loads},
             {TimeTerm::kDispatch, barriers}, // handed out meanwhile
             {TimeTerm::kDram, 3000 * 64 / 100'000.0},
             {TimeTerm::kAtomics, 900 / 1000.0},
             // Without a link, half of the bandwidth, and a microsecond a call.
             {TimeTerm::kTransferBytes, 3'000'000 / 50'000.0},
             {TimeTerm::kTransferCalls, 4 * 1}}},
        true);
  const CoefficientTimes times = byCoefficient(unitTimes(onPaper(), gpu(), false));
  CHECK(times[static_cast<size_t>(Coefficient::kCompute)] == Approx(working));
  CHECK(times[static_cast<size_t>(Coefficient::kWaits)] == Approx(chain + loads + barriers));
  CHECK(times[static_cast<size_t>(Coefficient::kLaunch)] == 20);
  CHECK(times[static_cast<size_t>(Coefficient::kDram)] == Approx(1.92));
  CHECK(times[static_cast<size_t>(Coefficient::kAtomics)] == Approx(0.9));
}

namespace {

/// Of compute units and what work-items wait for; those of a GPU work meanwhile.
double computeMicros(const TermTimes &terms, bool isGpu) {
  const CoefficientTimes times = byCoefficient(terms);
  const double working = times[static_cast<size_t>(Coefficient::kCompute)];
  const double waiting = times[static_cast<size_t>(Coefficient::kWaits)];
  return isGpu ? std::hypot(working, waiting) : working + waiting;
}
double computeMicros(const LaunchDemand &demand, const DeviceProfile &device) {
  return computeMicros(unitTimes(demand, device, false), isGpu(device));
}

/// 2^20 work-items in groups of 256.
LaunchDemand manyItems() {
  LaunchDemand demand;
  demand.workItems = 1 << 20;
  demand.workGroups = 1 << 12;
  demand.workGroupSize = 256;
  demand.lineBytes = 64;
  return demand;
}

} // namespace

TEST_CASE("fused multiplications and additions reach most of the data sheet's rate") {
  struct Case {
    const char *vendor, *series;
    double lanes, flopsPerCycle, width;
    double least = 0.7; ///< share of the rate
  };
  LaunchDemand demand = manyItems();
  constexpr double kOfItem = 8192; // 4096 fused operations, which are as many instructions
  demand.singleOperations = kOfItem * demand.workItems;
  demand.instructions = demand.singleOperations / 2 * 1.125;
  demand.integerOperations = 0.0625 * demand.instructions;
  demand.itemInstructions = demand.instructions / demand.workItems;
  demand.groupInstructions = 256 * demand.itemInstructions;
  demand.jointAccesses = 1;
  for (const Case &is :
       {Case{"NVIDIA", "Kepler", 192, 2, 32, 0.6} /* waits longest */,
        Case{"NVIDIA", "Pascal", 128, 2, 32}, Case{"NVIDIA", "Turing", 64, 2, 32},
        Case{"NVIDIA", "Ampere", 64, 2, 32}, Case{"NVIDIA", "Ampere", 128, 2, 32},
        Case{"NVIDIA", "Ada", 128, 2, 32}, Case{"AMD", "Tahiti", 64, 2, 64},
        Case{"AMD", "CDNA 2", 64, 4, 64}, Case{"AMD", "RDNA 2", 64, 2, 32},
        Case{"AMD", "RDNA 3", 64, 4, 32}, Case{"Intel", "Battlemage", 128, 2, 16}}) {
    INFO(is.vendor << " " << is.series << ", " << is.lanes);
    DeviceProfile device = deviceWith(DeviceType::kGpu, is.vendor,
                                      {{Parameter::kCores, 20 * is.lanes},
                                       {Parameter::kComputeUnits, 20},
                                       {Parameter::kClock, 1.5},
                                       {Parameter::kLaneWidth, is.width},
                                       {Parameter::kCacheCapacity, 1 << 20},
                                       {Parameter::kDramBandwidth, 500},
                                       {Parameter::kFp32Rate, 1.5 * is.flopsPerCycle}});
    device.series = is.series;
    const double peak = peakMicros(demand, device);
    CHECK(computeMicros(demand, device) > 0.95 * peak);
    CHECK(computeMicros(demand, device) < peak / is.least);
  }
  DeviceProfile device = cpu();
  device.set(Parameter::kFp32Rate, 64, "paper"); // two vectors of 8
  CHECK(2 * computeMicros(demand, device) ==
        Approx(0.25 * demand.instructions / 8 / 2000 + 1024 * 300 / 2000.0));
}

TEST_CASE("products of matrices take what the units for them do, beside the other pipes") {
  DeviceProfile device = gpu();
  device.series = "Ampere";
  device.set(Parameter::kMatrixRate, 0.5, "paper"); // 500,000 operations in a microsecond
  LaunchDemand demand = onPaper();
  const TermTimes without = unitTimes(demand, device, false);
  demand.matrixOps = {8'000'000, 2'000'000, 4'000'000, 0};
  // Both units have as many groups; tf32 at half of the rate, 8-bit integers at twice it.
  constexpr double kMatrices = 16.0 + 8 + 4;
  const auto pipes = {TimeTerm::kInstructions,     TimeTerm::kFloatingPoint,   TimeTerm::kIntegers,
                      TimeTerm::kSpecialFunctions, TimeTerm::kDoublePrecision, TimeTerm::kMatrices,
                      TimeTerm::kAccesses};
  const TermTimes with = unitTimes(demand, device, false);
  const auto sum = [&](const TermTimes &times) {
    double all = 0;
    for (const TimeTerm pipe : pipes)
      all += times[static_cast<size_t>(pipe)];
    return all;
  };
  // A part of a 6-norm: norm^-5 time^6.
  const double both = std::pow(std::pow(sum(without), 6) + std::pow(kMatrices, 6), 1 / 6.0);
  CHECK(with[static_cast<size_t>(TimeTerm::kMatrices)] ==
        Approx(both * std::pow(kMatrices / both, 6)));
  CHECK(byCoefficient(with)[static_cast<size_t>(Coefficient::kCompute)] == Approx(both));
  demand = manyItems();
  demand.workGroups = 1; // one of two units is idle
  demand.workItems = 256;
  demand.matrixOps = {3'000'000};
  CHECK(unitTimes(demand, device, false)[static_cast<size_t>(TimeTerm::kMatrices)] ==
        Approx(2 * 3'000'000 / 500'000.0));
}

TEST_CASE("rates of the units for matrices follow from that of 16 bits by generation") {
  DeviceProfile device = gpu();
  CHECK(matrixRatesOf(device) == PerMatrixType{});
  device.set(Parameter::kMatrixRate, 100, "paper");
  const auto ratesOf = [&](const char *series, const char *name) {
    device.series = series;
    device.name = name;
    PerMatrixType rates = matrixRatesOf(device);
    for (double &rate : rates)
      rate /= 1e8;
    return rates;
  };
  CHECK(ratesOf("Volta", "V100") == PerMatrixType{1, 0, 0, 0});
  CHECK(ratesOf("Turing", "T4") == PerMatrixType{1, 0, 2, 0});
  CHECK(ratesOf("Turing", "GeForce RTX 2080") == PerMatrixType{1, 0, 4, 0});
  CHECK(ratesOf("Ampere", "GeForce RTX 3080") == PerMatrixType{1, 0.5, 4, 0});
  CHECK(ratesOf("Ada", "L40") == PerMatrixType{1, 0.5, 2, 0});
  CHECK(ratesOf("Blackwell", "B200") == PerMatrixType{1, 0.5, 2, 0});
  CHECK(ratesOf("Blackwell Ultra", "B300") == PerMatrixType{1, 0.5, 0, 0});
  // 256 cores at 0.5 GFLOP/s, and twice that.
  CHECK(ratesOf("Hopper", "H100")[3] == Approx(2 * 256 * 500 / 1e8));
  device.set(Parameter::kFp32Rate, 1, "paper"); // twice that of double precision: GA100
  CHECK(ratesOf("Ampere", "A100")[3] == Approx(2 * 256 * 500 / 1e8));
}

TEST_CASE("without known units, products of matrices are ordinary operations") {
  const DeviceProfile device = gpu();
  LaunchDemand demand = onPaper(), ordinary = onPaper();
  demand.matrixOps = {1'000'000, 2'000'000, 400'000, 30'000};
  ordinary.singleOperations += 3'000'000;
  ordinary.integerOperations += 400'000;
  ordinary.doubleOperations += 30'000;
  ordinary.instructions += 3'430'000;
  ordinary.itemInstructions += 3'430'000 / ordinary.workItems;
  ordinary.groupInstructions += 3'430'000 / ordinary.workGroups;
  CHECK(lacksMatrixUnits(demand.matrixOps, device));
  CHECK_FALSE(lacksMatrixUnits(ordinary.matrixOps, device));
  CHECK(unitTimes(demand, device, false) == unitTimes(ordinary, device, false));
  CHECK(unitTimes(demand, cpu(), false) == unitTimes(ordinary, cpu(), false));
  CHECK(peakMicros(demand, device) == peakMicros(ordinary, device));
  DeviceProfile volta = device;
  volta.series = "Volta";
  volta.set(Parameter::kMatrixRate, 100, "paper");
  CHECK(lacksMatrixUnits({0, 1, 0, 0}, volta));
  CHECK_FALSE(lacksMatrixUnits({1, 0, 0, 0}, volta));
}

TEST_CASE(
    "units and memory of a GPU work while work-items wait, those of a CPU one after another") {
  CoefficientTimes times{};
  times[static_cast<size_t>(Coefficient::kLaunch)] = 7;
  times[static_cast<size_t>(Coefficient::kCompute)] = 3;
  times[static_cast<size_t>(Coefficient::kDram)] = 4;
  times[static_cast<size_t>(Coefficient::kWaits)] = 12;
  overlapUnits(times); // 13 together, 9, 16 and 144 parts of 169
  CHECK(times[static_cast<size_t>(Coefficient::kLaunch)] == 7);
  CHECK(times[static_cast<size_t>(Coefficient::kCompute)] == Approx(9 / 13.0));
  CHECK(times[static_cast<size_t>(Coefficient::kDram)] == Approx(16 / 13.0));
  CHECK(times[static_cast<size_t>(Coefficient::kWaits)] == Approx(144 / 13.0));
  CoefficientTimes none{};
  overlapUnits(none);
  CHECK(none == CoefficientTimes{});

  FittedModel model;
  for (const DeviceClass of : {DeviceClass::kCpu, DeviceClass::kNvidiaGpu})
    model.classes.push_back({of, {0.1, 0.2, 0.25, 0.3, 0.4, 0, 0}});
  for (const DeviceProfile &device : {gpu(), cpu()}) {
    INFO((isGpu(device) ? "GPU" : "CPU"));
    const CoefficientTimes unit = byCoefficient(unitTimes(onPaper(), device, false));
    const auto of = [&](Coefficient coefficient, double ln) {
      return std::exp(ln) * unit[static_cast<size_t>(coefficient)];
    };
    const double compute = of(Coefficient::kCompute, 0.2);
    const double waits = of(Coefficient::kWaits, 0.25);
    const double memory = of(Coefficient::kDram, 0.3);
    const double together =
        isGpu(device) ? std::hypot(compute, waits, memory) : compute + waits + memory;
    const TimeEstimate time = estimate(model, onPaper(), device);
    CHECK(time.micros ==
          Approx(of(Coefficient::kLaunch, 0.1) + of(Coefficient::kAtomics, 0.4) + together));
    CHECK(time.terms[static_cast<size_t>(TimeTerm::kDram)] ==
          Approx(isGpu(device) ? memory * memory / together : memory));
  }
}

TEST_CASE("a launch that leaves units idle has the rates of those that work") {
  LaunchDemand demand = manyItems();
  demand.instructions = 1e9;
  demand.integerOperations = 1e9;
  demand.itemInstructions = 1e9 / demand.workItems;
  const double all = computeMicros(demand, gpu());
  demand.workGroups = 2;
  demand.workItems = 512;
  demand.itemInstructions = 1e9 / 512;
  const double oneEach = computeMicros(demand, gpu());
  CHECK(oneEach > all); // as much on both units, but nothing hides what the lanes wait for
  demand.workGroups = 1;
  demand.workItems = 256;
  demand.itemInstructions = 1e9 / 256;
  CHECK(computeMicros(demand, gpu()) == Approx(2 * oneEach).epsilon(0.01));
}

TEST_CASE("accesses that follow one another take the latency of the caches that they hit") {
  DeviceProfile device = gpu();
  device.set(Parameter::kCacheLatency, 0.02, "paper");
  device.set(Parameter::kDramLatency, 0.5, "paper");
  LaunchDemand demand;                          // a group of lanes that reads, all at one address
  demand.workItems = demand.workGroupSize = 32; // one group of lanes
  demand.workGroups = 1;
  demand.accesses = demand.loads = demand.loadRounds = 32 * 100'000;
  demand.lineBytes = 64;
  demand.instructions = demand.accesses;
  demand.itemInstructions = 100'000;
  // As often as each lane reads; the profile has the lanes one after the other.
  const auto latencyTerm = [&](Histogram distances) {
    for (auto &[distance, accesses] : distances)
      accesses *= 32;
    demand.cacheMisses = cacheMisses(0, distances);
    const TermTimes times = unitTimes(demand, device, false);
    const double waits = times[static_cast<size_t>(TimeTerm::kLatency)] +
                         times[static_cast<size_t>(TimeTerm::kSerialChain)];
    return times[static_cast<size_t>(TimeTerm::kLatency)] / waits;
  };
  const double chain = 100'000 * 4 / 1000.0;
  double together = 2; // accesses
  const auto expected = [&](double latency) {
    return 100'000 * latency / together / (100'000 * latency / together + chain);
  };
  CHECK(latencyTerm({{1, 100'000}}) == Approx(expected(0.02)));
  CHECK(latencyTerm({{1024, 100'000}}) == Approx(expected(0.02 + 0.4 * 0.48)));
  CHECK(latencyTerm({{1 << 20, 100'000}}) == Approx(expected(0.5)));
  CHECK(latencyTerm({{1, 50'000}, {1024, 50'000}}) == Approx(expected(0.02 + 0.2 * 0.48)));
  device.vendor = "AMD";
  device.series = "CDNA 3";
  CHECK(latencyTerm({{1, 100'000}}) == Approx(expected(0.02)));
  device.series = "Hawaii";
  together = 1;
  CHECK(latencyTerm({{1, 100'000}}) == Approx(expected(0.02)));
  device.series = "CDNA 3";
  demand.chainedLoads = 2 * demand.accesses; // as many as there are: none beside the one before
  CHECK(latencyTerm({{1, 100'000}}) == Approx(expected(0.02)));
  demand.chainedLoads = demand.accesses / 2;
  together = 1 / (0.5 + 0.5 / 2);
  CHECK(latencyTerm({{1, 100'000}}) == Approx(expected(0.02)));
  demand.chainedLoads = 0;
  demand.loadRounds = demand.accesses / 4; // four begin together
  together = 8;
  CHECK(latencyTerm({{1, 100'000}}) == Approx(expected(0.02)));
  demand.chainedLoads = demand.accesses; // each round waits for the one before
  together = 4;
  CHECK(latencyTerm({{1, 100'000}}) == Approx(expected(0.02)));
}

TEST_CASE("on a CPU, loads that follow one another wait for the caches that they hit") {
  DeviceProfile device = cpu();
  device.set(Parameter::kCacheLatency, 0.005, "paper");
  device.set(Parameter::kDramLatency, 0.105, "paper");
  LaunchDemand demand = onPaper();
  demand.workItems = demand.workGroups = demand.workGroupSize = 1;
  demand.instructions = demand.itemInstructions = demand.groupInstructions = 400'000;
  demand.accesses = 100'000;
  demand.lineBytes = 64;
  const auto latency = [&](const Histogram &distances) {
    demand.cacheMisses = cacheMisses(0, distances);
    return unitTimes(demand, device, false)[static_cast<size_t>(TimeTerm::kLatency)];
  };
  demand.chainedLoads = 0; // all others are under way while the core goes on
  CHECK(latency({{1 << 20, 100'000}}) == 0);
  demand.chainedLoads = 50'000;
  CHECK(latency({{1, 100'000}}) == Approx(50'000 * 0.005));
  CHECK(latency({{1024, 100'000}}) == Approx(50'000 * (0.005 + 0.4 * 0.1)));
  CHECK(latency({{1 << 24, 100'000}}) == Approx(50'000 * 0.105));
  // Work-items of 112 instructions: two are under way. Of 8, ten are, as many as there are buffers.
  demand.workItems = demand.workGroupSize = 1000;
  demand.instructions = 112'000;
  CHECK(latency({{1, 100'000}}) == Approx(50'000 * 0.005 / 2));
  demand.instructions = 8000;
  CHECK(latency({{1, 100'000}}) == Approx(50'000 * 0.005 / 10));
}

TEST_CASE("an integer operation of 64 bits takes a GPU three of 32") {
  LaunchDemand demand = onPaper();
  const auto integers = [&] {
    return unitTimes(demand, gpu(), false)[static_cast<size_t>(TimeTerm::kIntegers)];
  };
  // So many that nothing else of the launch counts
  demand.integerOperations = 1e12;
  demand.instructions += demand.integerOperations;
  const double narrow = integers();
  demand.wideIntegerOperations = demand.integerOperations;
  CHECK(integers() == Approx(3 * narrow).epsilon(1e-3));
}

TEST_CASE("a division in double precision takes eight of its instructions") {
  LaunchDemand demand = onPaper();
  const auto doubles = [&] {
    return unitTimes(demand, gpu(), false)[static_cast<size_t>(TimeTerm::kDoublePrecision)];
  };
  demand.doubleOperations = 1e12; // so many that nothing else of the launch counts
  demand.instructions += demand.doubleOperations;
  const double fused = doubles(); // two operations are an instruction
  demand.divisions = demand.doubleDivisions = 1e11;
  CHECK(doubles() == Approx((0.5 + 0.1 * 8) / 0.5 * fused).epsilon(1e-2));
}

TEST_CASE("a product of integers takes what its generation needs for it") {
  LaunchDemand demand = onPaper();
  DeviceProfile device = gpu();
  // So many that nothing else of the launch counts; microseconds for as many sums of 32 bits.
  demand.integerOperations = 1e12;
  demand.instructions += demand.integerOperations;
  const auto integers = [&] {
    return unitTimes(demand, device, false)[static_cast<size_t>(TimeTerm::kIntegers)];
  };
  const auto ratios = [&](const std::string &vendor, const std::string &series) {
    device.vendor = vendor;
    device.series = series;
    demand.integerProducts = demand.wideIntegerProducts = demand.wideIntegerOperations = 0;
    const double sums = integers();
    demand.integerProducts = demand.integerOperations;
    const double products = integers();
    demand.wideIntegerProducts = demand.wideIntegerOperations = demand.integerOperations;
    return std::pair(products / sums, integers() / sums);
  };
  const auto check = [&](const std::string &vendor, const std::string &series, double narrow,
                         double wide) {
    CAPTURE(vendor, series);
    const auto [of32, of64] = ratios(vendor, series);
    CHECK(of32 == Approx(narrow).epsilon(1e-2)); // a sum is half an instruction
    CHECK(of64 == Approx(wide).epsilon(1e-2));
  };
  check("NVIDIA", "Ada", 1, 14);
  check("NVIDIA", "Pascal", 6, 14);
  check("AMD", "Tahiti", 9, 32);
  check("AMD", "CDNA 3", 3, 32);
  check("AMD", "RDNA 3", 7.4, 8.2);
  check("Intel", "Battlemage", 5.2, 38);
}

TEST_CASE("work-groups are handed out while others run and the memory works") {
  LaunchDemand demand =
      manyItems(); // 4096 groups, of which a GPU of 1 GHz starts 0.8 in a nanosecond
  const double handedOut = 4096 / 0.8 / 1000;
  const auto total = [&] {
    const CoefficientTimes times = byCoefficient(unitTimes(demand, gpu(), false));
    return std::hypot(times[static_cast<size_t>(Coefficient::kCompute)],
                      times[static_cast<size_t>(Coefficient::kWaits)],
                      times[static_cast<size_t>(Coefficient::kDram)]);
  };
  CHECK(total() == Approx(handedOut));        // of empty groups
  demand.cacheMisses = cacheMisses(4000, {}); // 64 bytes at 100 GB/s: 2.56 us
  CHECK(total() == Approx(handedOut));
  demand.cacheMisses = cacheMisses(40'000, {});
  CHECK(total() == Approx(25.6));
  demand.integerOperations = demand.instructions = 1e9;
  const double working = computeMicros(demand, gpu());
  REQUIRE(working > handedOut);
  CHECK(unitTimes(demand, gpu(), false)[static_cast<size_t>(TimeTerm::kDispatch)] == 0);
}

TEST_CASE("the last cache, and no other, has what the launches before left there") {
  KernelProfile profile;
  profile.reuse = {64, 4000, {{999, 0.5}, {100'000, 0.25}}}; // 62 KiB and 6 MiB were accessed since
  LaunchDemand demand = manyItems();
  demand.cacheMisses = CacheMisses(profile);
  for (const DeviceProfile &device : {gpu(), cpu()}) // with last caches of 1 MiB
    CHECK(memoryBytes(demand, device) == 64 * 2000);
  CHECK(demand.missedBytes(1 << 20, 1000) == 64 * 4000); // groups share none of it
  CHECK(demand.scaled(0.5).foundBytes(1 << 23) == 64 * 1500);
}

TEST_CASE(
    "what a group has not fetched yet comes from the caches behind the first, at their rate") {
  // 100,000 accesses of 10,000 lines, one after the other, ten times.
  KernelProfile profile;
  profile.reuse = {64, 10'000};
  profile.histograms.reuseDistances = {{9999, 90'000}};
  LaunchDemand demand;
  demand.workGroupSize = 1024; // of which two are on the device together
  demand.workItems = 100 * demand.workGroupSize;
  demand.lineBytes = 64;
  demand.cacheMisses = CacheMisses(profile);
  DeviceProfile device = gpu();
  const auto bytes = [&](double rate) { // that both units move from these caches
    return unitTimes(demand, device, false)[static_cast<size_t>(TimeTerm::kAccesses)] * 1000 * 2 *
           rate;
  };
  const double rate = 0.12 * 128;
  demand.workGroups = 100; // of 1000 lines each
  CHECK(demand.groupBytes(1 << 14) == 64 * 100'000);
  CHECK(bytes(rate) == Approx(64 * 90'000)); // the first time they come from memory
  CHECK(demand.scaled(0.5).groupBytes(1 << 14) == 64 * 50'000);
  profile.reuse.found = {{100, 0.5}}; // but half of them
  demand.cacheMisses = CacheMisses(profile);
  CHECK(bytes(rate) == Approx(64 * 95'000));
  profile.reuse.found.clear();
  demand.cacheMisses = CacheMisses(profile);
  CHECK(demand.groupBytes(1 << 20) == 64 * 10'000); // a first cache for all of them
  demand.workGroups = 5;                            // each goes through all lines twice
  CHECK(demand.groupBytes(1 << 14) == 64 * 10'000);
  CHECK(bytes(rate) == 0);
  demand.profiledGroups = 5; // the work of five groups
  demand.workGroups = 100;
  CHECK(demand.groupBytes(1 << 14) == 64 * 10'000);
  CHECK(demand.scaled(0.5).groupBytes(1 << 14) == 64 * 5000);

  demand.profiledGroups = 100;
  device.vendor = "AMD";
  device.series = "RDNA 2";
  device.set(Parameter::kL2Capacity, 1 << 18, "paper");
  device.set(Parameter::kL3Capacity, 1 << 20, "paper");
  const double second = 0.4 * 128;
  CHECK(bytes(0.45 * second) == Approx(64 * 90'000));
  device.set(Parameter::kL2Capacity, 1 << 20, "paper");
  device.set(Parameter::kL3Capacity, 1 << 24, "paper");
  CHECK(bytes(second) == Approx(64 * 90'000));
  device.set(Parameter::kL3Capacity, 1 << 18, "paper"); // all come from memory
  CHECK(bytes(second) == 0);
}

TEST_CASE("a group of lanes takes as long for some of its lanes as for all") {
  DeviceProfile amd = gpu();
  amd.vendor = "AMD";
  amd.set(Parameter::kLaneWidth, 64, "paper");
  for (const DeviceProfile &device : {gpu(), amd}) {
    const double width = device[Parameter::kLaneWidth];
    for (const double groups : {1.0, 1000.0})
      for (const double items : {1.0, 16.0, width / 2}) {
        INFO(width << " lanes, " << groups << " groups of " << items);
        LaunchDemand demand; // each work-item computes and reads, all of a group the same address
        const auto launch = [&](double groupSize) {
          demand.workGroups = groups;
          demand.workGroupSize = groupSize;
          demand.workItems = groups * groupSize;
          demand.itemInstructions = 10'000;
          demand.instructions = 10'000 * demand.workItems;
          demand.groupInstructions = 10'000 * groupSize;
          demand.accesses = demand.loads = demand.loadRounds = 1000 * demand.workItems;
          demand.integerOperations = 4000 * demand.workItems;
          demand.singleOperations = 2000 * demand.workItems;
          demand.cacheMisses = cacheMisses(0, {{1, 500 * 1000}, {1024, 500 * 1000}});
          demand.lineBytes = 64;
          for (size_t i = 0; i < demand.laneUtilization.size(); ++i) {
            const double lanes = hardware::kLaneWidths[i];
            demand.laneUtilization[i] = groupSize / (std::ceil(groupSize / lanes) * lanes);
          }
        };
        launch(width);
        const TermTimes whole = unitTimes(demand, device, false);
        launch(items);
        const TermTimes part = unitTimes(demand, device, false);
        for (size_t k = 0; k < kTimeTermCount; ++k) {
          INFO(timeTerms()[k].key);
          CHECK(part[k] == Approx(whole[k]));
        }
        demand.laneUtilization = {1, 1, 1, 1}; // a profile that does not tell
        CHECK(computeMicros(demand, device) == Approx(computeMicros(whole, true)));
      }
  }
}

TEST_CASE("a launch that asks for more takes no less") {
  DeviceProfile amd = gpu();
  amd.vendor = "AMD";
  for (const DeviceProfile &device : {cpu(), gpu(), amd})
    for (double LaunchDemand::*more :
         {&LaunchDemand::itemInstructions, &LaunchDemand::groupInstructions,
          &LaunchDemand::loadRounds, &LaunchDemand::privateAccesses, &LaunchDemand::globalBytes,
          &LaunchDemand::bankTurns, &LaunchDemand::localBytes, &LaunchDemand::barriers,
          &LaunchDemand::divisions, &LaunchDemand::doubleDivisions, &LaunchDemand::integerDivisions,
          &LaunchDemand::specialOperations, &LaunchDemand::specialInstructions,
          &LaunchDemand::doubleSpecialInstructions, &LaunchDemand::integerOperations,
          &LaunchDemand::singleOperations, &LaunchDemand::doubleConversions,
          &LaunchDemand::contendedAtomics, &LaunchDemand::contendedLineAtomics}) {
      LaunchDemand demand = onPaper();
      const CoefficientTimes before = byCoefficient(unitTimes(demand, device, false));
      const double added = demand.*more;
      demand.*more *= 2;
      if (more != &LaunchDemand::itemInstructions &&
          more != &LaunchDemand::groupInstructions) { // operations are instructions, too
        const double factor = 1 + added / demand.instructions;
        for (double LaunchDemand::*count :
             {&LaunchDemand::instructions, &LaunchDemand::itemInstructions,
              &LaunchDemand::groupInstructions})
          demand.*count *= factor;
      }
      const CoefficientTimes after = byCoefficient(unitTimes(demand, device, false));
      for (size_t k = 0; k < kCoefficientCount; ++k)
        CHECK(after[k] >= before[k] * (1 - 1e-12));
    }
}

TEST_CASE("an access takes a GPU as long as its bytes, and as its lanes") {
  struct Case {
    const char *vendor, *series;
    double width;
    /// Cycles of a group of lanes for an access to global and one to local memory: 4 and 16 bytes
    /// of each lane, segments twice as many as needed, two turns of the banks, one address.
    double global, local, wideGlobal, wideLocal, apart, conflicts, uniform;
  };
  for (const Case &is : {Case{"NVIDIA", "Volta", 32, 1, 1, 4, 4, 2, 2, 1},
                         Case{"NVIDIA", "Turing", 32, 2, 2, 8, 8, 4, 4, 2},
                         Case{"NVIDIA", "Ada", 32, 2, 2, 4, 4, 2, 2, 2},
                         Case{"AMD", "CDNA 2", 64, 4, 2, 16, 8, 8, 4, 4},
                         Case{"AMD", "RDNA 2", 32, 1, 1, 4, 4, 2, 2, 1}}) {
    DeviceProfile device = gpu();
    device.vendor = is.vendor;
    device.series = is.series;
    device.set(Parameter::kLaneWidth, is.width, "paper");
    INFO(is.series);
    constexpr double kAccesses = 1e12; // beside which all else is nothing
    const auto cycles = [&](LaunchDemand demand) {
      demand.accesses = kAccesses;
      return unitTimes(demand, device, false)[static_cast<size_t>(TimeTerm::kAccesses)] * 1000 * 2 /
             (kAccesses / is.width);
    };
    const auto expect = [&](double expected, const auto &change) {
      LaunchDemand demand = manyItems();
      demand.laneUtilization = {1, 1, 1, 1};
      change(demand);
      // Of the instruction that starts the access, little is left beside.
      CHECK(cycles(demand) == Approx(expected).epsilon(0.02));
    };
    expect(is.global, [](LaunchDemand &demand) { demand.globalBytes = 4 * kAccesses; });
    expect(is.local, [](LaunchDemand &demand) { demand.localBytes = 4 * kAccesses; });
    expect(is.wideGlobal, [](LaunchDemand &demand) { demand.globalBytes = 16 * kAccesses; });
    expect(is.wideLocal, [](LaunchDemand &demand) { demand.localBytes = 16 * kAccesses; });
    expect(is.apart, [](LaunchDemand &demand) {
      demand.globalBytes = 4 * kAccesses;
      demand.coalescing = {0.5, 0.5, 0.5};
    });
    expect(is.conflicts, [](LaunchDemand &demand) {
      demand.localBytes = 4 * kAccesses;
      demand.bankTurns = 2;
    });
    expect(is.uniform, [](LaunchDemand &demand) { // whatever the bytes
      demand.globalBytes = 16 * kAccesses;
      demand.uniformAccesses = 1;
    });
    expect(is.local, [](LaunchDemand &demand) { // no more is constant than is read
      demand.localBytes = 4 * kAccesses;
      demand.constantBytes = 4 * kAccesses;
      demand.uniformAccesses = 0.5;
    });
    expect(0.5 * is.global, [](LaunchDemand &demand) { // the rest is uniform and constant
      demand.globalBytes = 4 * kAccesses;
      demand.constantBytes = 2 * kAccesses;
      demand.uniformAccesses = 0.5;
    });
  }
}

TEST_CASE("fewer loads or stores leave as many rounds as there are loads, at most") {
  LaunchDemand demand;
  demand.accesses = 100;
  demand.loads = 80;
  demand.loadRounds = 30;
  demand.withoutLoads(40);
  CHECK(std::array{demand.accesses, demand.loads, demand.loadRounds} == std::array{60., 40., 30.});
  demand.withoutLoads(20);
  CHECK(std::array{demand.accesses, demand.loads, demand.loadRounds} == std::array{40., 20., 20.});
  demand.withoutStores(10);
  CHECK(std::array{demand.accesses, demand.loads, demand.loadRounds} == std::array{30., 20., 20.});
  demand.withoutStores(20); // a profile that takes all accesses for loads
  CHECK(std::array{demand.accesses, demand.loads, demand.loadRounds} == std::array{10., 10., 10.});
  demand.withoutLoads(20);
  CHECK(std::array{demand.accesses, demand.loads, demand.loadRounds} == std::array{0., 0., 0.});
}

TEST_CASE("private memory that stays in memory is accessed, and overflows the caches") {
  LaunchDemand demand = manyItems();
  demand.instructions = demand.workItems;
  demand.itemInstructions = 1;
  demand.stackBytes = {256, 512, 1024}; // gfx906, gfx1030, PTX
  demand.scratchBytes = {1e11, 2e11, 4e11};
  DeviceProfile device = gpu(); // holds 12 groups of 256, with a last cache of 1 MiB
  const auto memory = [&] { return memoryBytes(demand, device); };
  const auto accesses = [&] { return computeMicros(demand, device); };
  CHECK(memory() == Approx(4e11 * (1 - (1 << 20) / (1024 * 3072.0))));
  CHECK(accesses() == Approx(4e11 / 2 / 64 / 1000).epsilon(1e-6));
  demand.stackBytes[2] = 256; // they fit
  CHECK(memory() == 0);
  device.vendor = "AMD";
  device.series = "RDNA 2"; // holds 8 groups of 256 work-items
  CHECK(accesses() == Approx(2e11 / 2 / 128 / 1000).epsilon(1e-6));
  CHECK(memory() == 0);
  device.series = "Vega 20"; // 10
  CHECK(accesses() == Approx(1e11 / 2 / 64 / 1000).epsilon(1e-6));
  device.vendor = "Intel";
  CHECK(accesses() < 1e5);
}

TEST_CASE("what bounds a term otherwise") {
  LaunchDemand demand = onPaper();
  demand.groupInstructions = 500'000; // a group that takes longer than a core's ten others
  constexpr double kVectorShare = 1 - 0.45 * 7 / 8;
  check(demand, cpu(),
        std::array<Expected, 1>{
            {{TimeTerm::kInstructions,
              0.5 * (1'125'000 * kVectorShare + 9000 * 0.45 / 8 + 79'872) / 2 / 2000}}});

  demand = onPaper();
  demand.workGroups = 3; // one of a CPU's cores is idle
  demand.workItems = 768;
  check(demand, cpu(),
        std::array<Expected, 1>{{{TimeTerm::kDispatch, (150 + 256 * 3 * 20) / 2000.0}}});

  // Terms of transfers only where they are asked for and there are some.
  check(onPaper(), cpu(),
        std::array<Expected, 2>{{{TimeTerm::kTransferBytes, 0}, {TimeTerm::kTransferCalls, 0}}});
  demand.hostTransfers = 0;
  check(demand, cpu(),
        std::array<Expected, 2>{{{TimeTerm::kTransferBytes, 0}, {TimeTerm::kTransferCalls, 0}}},
        true);
  check(onPaper(), cpu(), std::array<Expected, 1>{{{TimeTerm::kLaunch, 10 + 5 + 10}}});
  for (const Clock clock : {Clock::kKernel, Clock::kPipelined})
    check(onPaper(), cpu(), std::array<Expected, 1>{{{TimeTerm::kLaunch, 2.5}}}, false, clock);
  // One work-group needs no further core.
  demand.workGroups = 1;
  demand.workItems = 256;
  check(demand, cpu(), std::array<Expected, 1>{{{TimeTerm::kLaunch, 10 + 5}}});
  check(demand, cpu(), std::array<Expected, 1>{{{TimeTerm::kLaunch, 2.5}}}, false, Clock::kKernel);
  check(demand, gpu(), std::array<Expected, 1>{{{TimeTerm::kLaunch, 10 + 10}}});
  check(onPaper(), gpu(), std::array<Expected, 1>{{{TimeTerm::kLaunch, 2.5}}}, false,
        Clock::kPipelined);
}

TEST_CASE("launches queued one after another take the kernel's time, or the host's to queue them") {
  FittedModel model;
  Coefficients values{};
  values[static_cast<size_t>(Coefficient::kLaunch)] = std::log(0.2);
  model.classes = {{DeviceClass::kCpu, values}, {DeviceClass::kNvidiaGpu, values}};
  const LaunchDemand work = onPaper();
  const double kernel = estimate(model, work, gpu(), false, {}, Clock::kKernel).micros;
  CHECK(kernel > 3);
  CHECK(estimate(model, work, gpu(), false, {}, Clock::kPipelined).micros == kernel);
  LaunchDemand nothing;
  nothing.workItems = nothing.workGroups = nothing.workGroupSize = 1;
  const auto launchOf = [&](const DeviceProfile &device, Clock clock) {
    const TimeEstimate time = estimate(model, nothing, device, false, {}, clock);
    double sum = 0;
    for (const double term : time.terms)
      sum += term;
    CHECK(sum == Approx(time.micros));
    return time.micros;
  };
  CHECK(launchOf(gpu(), Clock::kKernel) < 0.6); // 0.5 and what one group takes
  CHECK(launchOf(gpu(), Clock::kPipelined) == Approx(2.3));
  CHECK(launchOf(cpu(), Clock::kPipelined) == Approx(0.9));
  DeviceProfile measured = gpu();
  measured.set(Parameter::kSyncCost, 7, "a data sheet");
  CHECK(launchOf(measured, Clock::kPipelined) == Approx(2.3));
  measured.set(Parameter::kSyncCost, 7, std::string(kBackToBackSource));
  CHECK(launchOf(measured, Clock::kPipelined) == Approx(7));
  CHECK(launchOf(measured, Clock::kKernel) < 0.6);
}

TEST_CASE("terms of devices that say more or less") {
  DeviceProfile device = cpu();
  device.name = "2 x Paper"; // sockets
  check(onPaper(), device,
        std::array<Expected, 1>{{{TimeTerm::kDram, 3000 * 64 / (20'000 * 0.45)}}});
  device.set(Parameter::kDramBandwidth, 20, "measured: on paper"); // what kernels do reach
  check(onPaper(), device, std::array<Expected, 1>{{{TimeTerm::kDram, 3000 * 64 / 20'000.0}}});
  device.set(Parameter::kComputeUnits, 8, "paper"); // hardware threads: five rounds
  check(onPaper(), device,
        std::array<Expected, 1>{{{TimeTerm::kDispatch, (5 * 150 + 1280 * 3 * 20) / 2000.0}}});
  device.set(Parameter::kHostLinkLatency, 0.25, "paper"); // less than any transfer takes
  check(onPaper(), device, std::array<Expected, 1>{{{TimeTerm::kTransferCalls, 4}}}, true);
  device = gpu();
  device.quantities[static_cast<size_t>(Parameter::kFp64Rate)].reset();
  check(onPaper(), device, std::array<Expected, 1>{{{TimeTerm::kDoublePrecision, 0}}});

  // The last cache of a GPU is that of all units, not their local memory.
  device.set(Parameter::kL2Capacity, 256 * 1024, "paper");
  check(onPaper(), device, std::array<Expected, 1>{{{TimeTerm::kDram, 8000 * 64 / 100'000.0}}});
  device.set(Parameter::kL3Capacity, 2 << 20, "paper");
  check(onPaper(), device, std::array<Expected, 1>{{{TimeTerm::kDram, 1000 * 64 / 100'000.0}}});

  // The shares of the lanes are those of the smallest width that is not below the device's.
  for (const auto &[width, lanes, coalescing] :
       std::vector<std::array<double, 3>>{{4, 0.9, 0.8},
                                          {8, 0.9, 0.8},
                                          {16, 0.8, 0.8},
                                          {32, 0.5, 0.5},
                                          {48, 0.4, 0.25},
                                          {64, 0.4, 0.25},
                                          {128, 0.4, 0.25}}) {
    INFO(width);
    device = gpu();
    device.set(Parameter::kLaneWidth, width, "paper");
    LaunchDemand demand = onPaper();
    demand.globalBytes = 1e12; // all else is hidden
    CHECK(computeMicros(demand, device) ==
          Approx(1e12 / coalescing / 2 / 128 / 1000).epsilon(1e-4));
    demand = onPaper();
    demand.integerOperations = demand.instructions = 1e12;
    demand.itemInstructions = 0;
    const TermTimes times = unitTimes(demand, device, false);
    // With the pipe that issues them beside, which is twice as wide.
    CHECK(times[static_cast<size_t>(TimeTerm::kIntegers)] / std::pow(1 / (1 + 1 / 64.0), 5 / 6.0) ==
          Approx(0.5e12 / lanes / 2 / 64 / 1000).epsilon(1e-4));
  }
}

TEST_CASE("each die of CDNA 3 and 4 hands out work-groups") {
  struct Case {
    const char *series;
    int units, dies;
  };
  for (const auto &[series, units, dies] : {Case{"CDNA 3", 304, 8}, // MI300X
                                            {"CDNA 3", 228, 6},     // MI300A
                                            {"CDNA 4", 256, 8},     // MI355X
                                            {"CDNA 3", 10, 1},
                                            {"CDNA 2", 104, 1}}) {
    DeviceProfile device = deviceWith(DeviceType::kGpu, "AMD",
                                      {{Parameter::kCores, 64 * units},
                                       {Parameter::kComputeUnits, units},
                                       {Parameter::kClock, 2}});
    device.series = series;
    CHECK(computeUnitOf(device).dispatchers == dies);
  }
}

TEST_CASE("compute units of each generation") {
  struct Case {
    const char *vendor, *series;
    double units, lanes; ///< units of 0: not known
    double count, laneGroups, workGroups, issueLanes, integerLanes, specialLanes, dependentCycles;
    AccessRates rates = {};
    bool halvesDoubles = false; ///< computes with double precision at half the rate
  };
  constexpr AccessRates kGcn = {64, 128, 16, 32};
  constexpr AccessRates kNarrow = {64, 64, 16, 16};
  constexpr AccessRates kFewLanes = {128, 128, 16, 16};
  for (const Case &is : {
           Case{"NVIDIA", "Kepler", 10, 192, 10, 64, 16, 192, 160, 32, 9},
           Case{"NVIDIA", "Kepler", 0, 192, 10, 64, 16, 192, 160, 32, 9},
           Case{"NVIDIA", "Maxwell", 10, 128, 10, 64, 32, 128, 128, 32, 6},
           Case{"NVIDIA", "Pascal", 10, 64, 10, 64, 32, 64, 64, 32, 6},
           Case{"NVIDIA", "Volta", 10, 64, 10, 64, 32, 128, 64, 16, 4},
           Case{"NVIDIA", "Turing", 10, 64, 10, 32, 16, 128, 64, 16, 4, kNarrow},
           Case{"NVIDIA", "Ampere", 10, 64, 10, 64, 32, 128, 64, 16, 4, {}, true},
           Case{"NVIDIA", "Ampere", 10, 128, 10, 64, 32, 128, 64, 16, 4, {}, true},
           Case{"NVIDIA", "Ampere", 10, 128, 10, 48, 24, 128, 64, 16, 4, kFewLanes},
           Case{"NVIDIA", "Hopper", 10, 128, 10, 64, 32, 128, 64, 16, 4},
           Case{"NVIDIA", "Blackwell", 10, 128, 10, 48, 24, 128, 64, 16, 4, kFewLanes},
           Case{"AMD", "Polaris", 10, 64, 10, 40, 40, 64, 64, 16, 4, kGcn},
           Case{"AMD", "CDNA 3", 10, 64, 10, 32, 32, 64, 64, 16, 4, kGcn},
           Case{"AMD", "RDNA 4", 10, 64, 10, 32, 32, 64, 64, 16, 5},
           Case{"Apple", "M1", 10, 128, 10, 64, 16, 128, 128, 32, 4, kNarrow},
       }) {
    DeviceProfile device = deviceWith(DeviceType::kGpu, is.vendor,
                                      {{Parameter::kCores, 10 * is.lanes}, {Parameter::kClock, 2}});
    device.series = is.series;
    if (is.units > 0)
      device.set(Parameter::kComputeUnits, is.units, "paper");
    if (is.halvesDoubles) {
      device.set(Parameter::kFp32Rate, 4, "paper");
      device.set(Parameter::kFp64Rate, 2, "paper");
    }
    INFO(is.vendor << " " << is.series << ", " << is.lanes);
    ComputeUnit unit = computeUnitOf(device);
    CHECK(unit.count == is.count);
    CHECK(unit.lanes == is.lanes);
    CHECK(unit.laneGroups == is.laneGroups);
    CHECK(unit.workGroups == is.workGroups);
    CHECK(unit.issueLanes == is.issueLanes);
    CHECK(unit.floatLanes == is.lanes);
    CHECK(unit.integerLanes == is.integerLanes);
    CHECK(unit.specialLanes == is.specialLanes);
    CHECK(unit.doubleLanes == (is.halvesDoubles ? is.lanes / 2 : 0));
    CHECK(unit.dependentCycles == is.dependentCycles);
    CHECK(unit.dispatchers == 1);
    CHECK(unit.rates.cacheBytes == is.rates.cacheBytes);
    CHECK(unit.rates.localBytes == is.rates.localBytes);
    CHECK(unit.rates.cacheLanes == is.rates.cacheLanes);
    CHECK(unit.rates.localLanes == is.rates.localLanes);
    if (is.halvesDoubles)
      continue;
    // Units that start two operations of a lane at once.
    device.set(Parameter::kFp32Rate, 8, "paper");
    device.set(Parameter::kFp64Rate, 0.125, "paper");
    unit = computeUnitOf(device);
    CHECK(unit.floatLanes == 2 * is.lanes);
    CHECK(unit.issueLanes == std::max(is.issueLanes, 2 * is.lanes));
    CHECK(unit.doubleLanes == is.lanes / 32);
  }
}

TEST_CASE("a unit holds whole work-groups, up to the hardware's limits") {
  struct Case {
    const char *vendor;
    double width, groupSize;
    Residency held;
  };
  for (const Case &is : std::array<Case, 7>{{{"NVIDIA", 32, 256, {20, 48, 8, 6}},
                                             {"NVIDIA", 32, 32, {20, 48, 1, 24}}, // 24 groups
                                             {"NVIDIA", 32, 33, {20, 48, 2, 24}},
                                             {"NVIDIA", 32, 1024, {20, 48, 32, 1}},
                                             {"AMD", 64, 256, {20, 40, 4, 10}},
                                             {"Intel", 8, 256, {20, 64, 32, 2}},
                                             {"Intel", 8, 1024, {20, 64, 128, 1}}}}) {
    const DeviceProfile device = deviceWith(DeviceType::kGpu, is.vendor,
                                            {{Parameter::kCores, 1280},
                                             {Parameter::kClock, 1},
                                             {Parameter::kComputeUnits, 20},
                                             {Parameter::kLaneWidth, is.width}});
    INFO(is.vendor << ", " << is.groupSize);
    const Residency held = residencyOf(device, is.groupSize);
    CHECK(held.units == is.held.units);
    CHECK(held.laneGroups == is.held.laneGroups);
    CHECK(held.laneGroupsPerGroup == is.held.laneGroupsPerGroup);
    CHECK(held.groups == is.held.groups);
    CHECK(held.residentLaneGroups() == is.held.groups * is.held.laneGroupsPerGroup);
    CHECK(held.residentGroups() == 20 * is.held.groups);
  }
}

TEST_CASE("a unit holds no more work-groups than their local memory allows") {
  DeviceProfile device = gpu(); // 512 KiB of local memory a unit
  const auto groups = [&](double kibibytes) {
    return residencyOf(device, 256, kibibytes * 1024).groups;
  };
  CHECK(groups(0) == 6);
  CHECK(groups(80) == 6);
  CHECK(groups(128) == 4);
  CHECK(groups(129) == 3);
  CHECK(groups(512) == 1);
  CHECK(groups(600) == 1); // it ran
  device.quantities[static_cast<size_t>(Parameter::kComputeUnits)].reset();
  CHECK(groups(512) == 6); // what a unit has is not known
}

TEST_CASE("local memory of a unit: what the caches of all units leave, and L1 does not take") {
  struct Case {
    double l1, l2, bytes; ///< KiB
  };
  for (const Case &is : std::array<Case, 4>{
           {{0, 2048, 96}, {48, 2048, 96}, {96, 2048, 68}, {0, 0, 96 + 2048 / 20.0}}}) {
    DeviceProfile device = deviceWith(
        DeviceType::kGpu, "NVIDIA",
        {{Parameter::kComputeUnits, 20}, {Parameter::kCacheCapacity, (20 * 96 + 2048) * 1024}});
    if (is.l1 > 0)
      device.set(Parameter::kL1Capacity, is.l1 * 1024, "paper");
    if (is.l2 > 0)
      device.set(Parameter::kL2Capacity, is.l2 * 1024, "paper");
    CHECK(localMemoryOfUnit(device) == std::floor(is.bytes * 1024));
  }
  DeviceProfile device = gpu();
  device.set(Parameter::kL3Capacity, 1 << 19, "paper");
  CHECK(localMemoryOfUnit(device) == 1 << 18);
  device.set(Parameter::kL3Capacity, 1 << 21, "paper");
  CHECK(localMemoryOfUnit(device) == 0);
  for (const Parameter needed : {Parameter::kComputeUnits, Parameter::kCacheCapacity}) {
    device = gpu();
    device.quantities[static_cast<size_t>(needed)].reset();
    CHECK(localMemoryOfUnit(device) == 0);
  }
}

TEST_CASE("groups that run together fetch the lines that they share once") {
  // 25 groups of 1000 accesses of 1000 lines each. All but 1000 accesses are reuse from 4096 lines
  // away: of another group.
  LaunchDemand demand = onPaper();
  demand.workGroups = 25;
  demand.cacheMisses = cacheMisses(1000, {{4096, 24'000}});
  constexpr uint64_t kSmall = 4096; // 64 lines
  CHECK(demand.missedBytes(kSmall) == 25'000 * 64);
  CHECK(demand.missedBytes(kSmall, 2) == 25'000 * 64); // the third group before has them
  CHECK(demand.missedBytes(kSmall, 16) == 1000 * 64);
  CHECK(demand.missedBytes(1 << 20, 16) == 1000 * 64);
  CHECK(demand.missedBytes(1 << 20) == 1000 * 64);
  // Reuse within a group stays.
  demand.cacheMisses = cacheMisses(1000, {{128, 14'000}, {4096, 10'000}});
  CHECK(demand.missedBytes(kSmall, 20) == 15'000 * 64);
  // A share of the groups has as large groups.
  const LaunchDemand half = demand.scaled(0.5);
  CHECK(half.missedBytes(kSmall) == 12'500 * 64);
  CHECK(half.missedBytes(kSmall, 20) == 7500 * 64);
  CHECK(half.scaled(0.5).missedBytes(kSmall) == 6250 * 64);

  // On a GPU those run together that it holds; on a CPU the profile's order stands.
  demand.localArrayBytes = 0;
  DeviceProfile device = gpu();
  device.set(Parameter::kComputeUnits, 4, "paper"); // 24 groups
  device.set(Parameter::kCacheCapacity, kSmall, "paper");
  CHECK(memoryBytes(demand, device) == 15'000 * 64);
  device.type = DeviceType::kCpu;
  CHECK(memoryBytes(demand, device) == 25'000 * 64);
}

TEST_CASE("a share of a launch has its share of every sum, and all else of the launch") {
  struct Field {
    double LaunchDemand::*field;
    bool isSum;
  };
  // What the host moves is moved before and after the launch, whatever the share.
  constexpr std::array<Field, 38> kFields = {{{&LaunchDemand::workItems, true},
                                              {&LaunchDemand::workGroups, true},
                                              {&LaunchDemand::workGroupSize, false},
                                              {&LaunchDemand::instructions, true},
                                              {&LaunchDemand::itemInstructions, false},
                                              {&LaunchDemand::groupInstructions, false},
                                              {&LaunchDemand::accesses, true},
                                              {&LaunchDemand::privateAccesses, true},
                                              {&LaunchDemand::jointAccesses, false},
                                              {&LaunchDemand::globalBytes, true},
                                              {&LaunchDemand::localBytes, true},
                                              {&LaunchDemand::bankTurns, false},
                                              {&LaunchDemand::localArrayBytes, false},
                                              {&LaunchDemand::barriers, false},
                                              {&LaunchDemand::divisions, true},
                                              {&LaunchDemand::doubleDivisions, true},
                                              {&LaunchDemand::integerDivisions, true},
                                              {&LaunchDemand::specialOperations, true},
                                              {&LaunchDemand::specialInstructions, true},
                                              {&LaunchDemand::doubleSpecialInstructions, true},
                                              {&LaunchDemand::integerOperations, true},
                                              {&LaunchDemand::halfOperations, true},
                                              {&LaunchDemand::singleOperations, true},
                                              {&LaunchDemand::doubleOperations, true},
                                              {&LaunchDemand::doubleConversions, true},
                                              {&LaunchDemand::contendedAtomics, true},
                                              {&LaunchDemand::contendedLineAtomics, true},
                                              {&LaunchDemand::hostBytes, false},
                                              {&LaunchDemand::hostTransfers, false},
                                              {&LaunchDemand::chainedLoads, true},
                                              {&LaunchDemand::loadRounds, true},
                                              {&LaunchDemand::wideIntegerOperations, true},
                                              {&LaunchDemand::integerProducts, true},
                                              {&LaunchDemand::wideIntegerProducts, true},
                                              {&LaunchDemand::uniformAccesses, false},
                                              {&LaunchDemand::constantBytes, true},
                                              {&LaunchDemand::loads, true},
                                              {&LaunchDemand::profiledGroups, false}}};
  // A field that is not in this list: products of matrices, lanes, coalescing, the line, the share
  // itself and private memory are.
  static_assert(sizeof(LaunchDemand) ==
                (kFields.size() + 4 + 4 + 3 + 1 + 1 + 3 + 3) * sizeof(double) +
                    sizeof(CacheMisses));
  LaunchDemand whole = onPaper();
  whole.stackBytes = {128, 64, 32};
  whole.scratchBytes = {4096, 2048, 1024};
  whole.matrixOps = {4, 8, 12, 16};
  whole.chainedLoads = 400;
  whole.uniformAccesses = 0.25;
  whole.constantBytes = 8000;
  whole.wideIntegerOperations = 80;
  whole.integerProducts = 60;
  whole.wideIntegerProducts = 40;
  whole.profiledGroups = 40;
  const LaunchDemand part = whole.scaled(0.25);
  CHECK(part.matrixOps == PerMatrixType{1, 2, 3, 4});
  for (size_t i = 0; i < kFields.size(); ++i) {
    INFO("field " << i);
    const auto &[field, isSum] = kFields[i];
    CHECK(whole.*field > 0);
    CHECK(part.*field == whole.*field * (isSum ? 0.25 : 1));
  }
  CHECK(part.stackBytes == whole.stackBytes);
  CHECK(part.scratchBytes == PerFamily{1024, 512, 256});
  CHECK(part.laneUtilization == whole.laneUtilization);
  CHECK(part.coalescing == whole.coalescing);
  CHECK(part.lineBytes == whole.lineBytes);
  CHECK(part.missedBytes(1 << 20) == 0.25 * whole.missedBytes(1 << 20));
}

TEST_CASE("each number of a demand is its metric's") {
  KernelProfile profile;
  profile.reuse = {32, 7};
  const std::array<std::pair<Metric, uint64_t>, 41> counts = {{
      {"work_items"_metric, 640},
      {"work_groups"_metric, 10},
      {"total_instruction_count"_metric, 90'000},
      {"ipt_max"_metric, 311},
      {"work_group_instructions_max"_metric, 9500},
      {"total_reads"_metric, 1000},
      {"total_writes"_metric, 200},
      {"private_accesses"_metric, 77},
      {"bytes_read_global"_metric, 4000},
      {"bytes_written_global"_metric, 800},
      {"bytes_read_constant"_metric, 30},
      {"bytes_read_local"_metric, 500},
      {"bytes_written_local"_metric, 60},
      {"barriers_hit"_metric, 1280},
      {"fp_div"_metric, 11},
      {"fp_div_f64"_metric, 7},
      {"int_div_uniform"_metric, 13},
      {"fp_special"_metric, 17},
      {"fp_special_instructions"_metric, 170},
      {"fp_special_instructions_f64"_metric, 90},
      {"fp_ops"_metric, 100},
      {"int_ops"_metric, 31},
      {"int_ops_64"_metric, 12},
      {"int_mul"_metric, 9},
      {"int_mul_64"_metric, 5},
      {"joined_accesses"_metric, 640},
      {"chained_loads"_metric, 44},
      {"load_rounds"_metric, 300},
      {"fp_ops_f16"_metric, 3},
      {"fp_ops_f64"_metric, 19},
      {"fp_conversions"_metric, 23},
      {"matrix_ops_f16"_metric, 8192},
      {"matrix_ops_tf32"_metric, 4096},
      {"matrix_ops_i8"_metric, 2048},
      {"matrix_ops_f64"_metric, 512},
      {"atomic_contention_max"_metric, 29},
      {"atomic_line_contention_max"_metric, 31},
      {"host_to_device_bytes"_metric, 5000},
      {"device_to_host_bytes"_metric, 700},
      {"host_to_device_transfers"_metric, 3},
      {"device_to_host_transfers"_metric, 2},
  }};
  for (const auto &[metric, count] : counts)
    profile.setCount(metric, count);
  const std::array<std::pair<Metric, double>, 9> reals = {{
      {"uniform_accesses"_metric, 0.25},
      {"consecutive_accesses"_metric, 0.5},
      {"lane_utilization_8"_metric, 0.9},
      {"lane_utilization_16"_metric, 0.8},
      {"lane_utilization_32"_metric, 0.7},
      {"lane_utilization_64"_metric, 1.0 / 128}, // no launch has less than one of 64 lanes
      {"coalescing_16"_metric, 0.6},
      {"coalescing_32"_metric, 0.4},
      {"coalescing_64"_metric, 0.3},
  }};
  for (const auto &[metric, real] : reals)
    profile.setReal(metric, real);
  profile.targets = {PrivateTraffic{128, 4096}, std::nullopt, PrivateTraffic{64, 2048}};
  const LaunchDemand demand = demandOf(profile);
  CHECK(demand.stackBytes == PerFamily{128, 0, 64});
  CHECK(demand.scratchBytes == PerFamily{4096, 0, 2048});
  CHECK(demand.workItems == 640);
  CHECK(demand.workGroups == 10);
  CHECK(demand.profiledGroups == 10);
  CHECK(demand.workGroupSize == 64);
  CHECK(demand.instructions == 90'000 - 640);
  CHECK(demand.itemInstructions == Approx(311 * (1 - 640 / 90'000.0)));
  CHECK(demand.groupInstructions == Approx(9500 * (1 - 640 / 90'000.0)));
  CHECK(demand.accesses == 1200 - 640);
  CHECK(demand.chainedLoads == 44);
  CHECK(demand.loads == Approx(560 * 1000 / 1200.0));
  CHECK(demand.loadRounds == 300);
  CHECK(demand.privateAccesses == 77);
  CHECK(demand.jointAccesses == 0.75);
  CHECK(demand.globalBytes == 4830);
  CHECK(demand.constantBytes == 30);
  CHECK(demand.localBytes == 560);
  CHECK(demand.barriers == 2);
  CHECK(demand.divisions == 11);
  CHECK(demand.doubleDivisions == 7);
  CHECK(demand.integerDivisions == 13);
  CHECK(demand.specialOperations == 17);
  CHECK(demand.specialInstructions == 170);
  CHECK(demand.doubleSpecialInstructions == 90);
  CHECK(demand.singleOperations == 78);
  CHECK(demand.halfOperations == 3);
  CHECK(demand.integerOperations == 31);
  CHECK(demand.wideIntegerOperations == 12);
  CHECK(demand.integerProducts == 9);
  CHECK(demand.wideIntegerProducts == 5);
  CHECK(demand.floatOperations() == 100);
  CHECK(demand.doubleOperations == 19);
  CHECK(demand.doubleConversions == 23);
  CHECK(demand.matrixOps == PerMatrixType{8192, 4096, 2048, 512});
  CHECK(demand.contendedAtomics == 29);
  CHECK(demand.contendedLineAtomics == 31);
  CHECK(demand.hostBytes == 5700);
  CHECK(demand.hostTransfers == 5);
  CHECK(demand.laneUtilization == std::array{0.9, 0.8, 0.7, 1.0 / 64});
  CHECK(demand.coalescing == std::array{0.6, 0.4, 0.3});
  CHECK(demand.cacheMisses.all() == 7);
  CHECK(demand.lineBytes == 32);

  profile.setCount("atomic_line_contention_max"_metric, 10); // joined by the compiler
  CHECK(demandOf(profile).contendedLineAtomics == 10);
  profile.setNone("atomic_line_contention_max"_metric); // as in older profiles
  CHECK(demandOf(profile).contendedLineAtomics == 29);
  profile.setCount("work_group_instructions_max"_metric, 8999); // of sampled groups: below the mean
  CHECK(demandOf(profile).groupInstructions == 9000 - 64);
  for (const Metric further : {"int_ops_64"_metric, "int_mul"_metric, "joined_accesses"_metric,
                               "chained_loads"_metric, "load_rounds"_metric})
    profile.setNone(further); // as in older profiles
  CHECK(demandOf(profile).accesses == 1200);
  CHECK(demandOf(profile).chainedLoads == 0);
  CHECK(demandOf(profile).loads == 1200);
  CHECK(demandOf(profile).loadRounds == 1200);
  CHECK(demandOf(profile).wideIntegerOperations == 0);
  CHECK(demandOf(profile).integerProducts == 0);
  CHECK(demandOf(profile).wideIntegerProducts == 0);
  // Of the instructions, those that a machine has; a profile of all that says more is scaled.
  LaunchDemand machine = demandOf(profile);
  CHECK(machine.instructions == 90'000);
  const double longest = machine.itemInstructions;
  profile.setCount("machine_instruction_count"_metric, 60'000);
  machine = demandOf(profile);
  CHECK(machine.instructions == 60'000);
  CHECK(machine.itemInstructions == Approx(longest * 2 / 3));
  profile.setCount("machine_instruction_count"_metric, 100'000);
  CHECK(demandOf(profile).instructions == 90'000);
  profile.setNone("machine_instruction_count"_metric);
  // A scaled profile, whose metrics follow laws of their own
  profile.setCount("joined_accesses"_metric, 5000);
  profile.setCount("int_ops_64"_metric, 5000);
  CHECK(demandOf(profile).accesses == 1200 / 16.0);
  CHECK(demandOf(profile).wideIntegerOperations == 31);
  profile.setNone("joined_accesses"_metric);
  profile.setReal("uniform_accesses"_metric, 0.75);
  CHECK(demandOf(profile).jointAccesses == 1);
  profile.setCount("fp_ops_f64"_metric, 0); // numbers of 64 bits that nothing is computed from
  CHECK(demandOf(profile).doubleConversions == 0);
  profile.setNone("coalescing_32"_metric); // no access that it is a share of
  CHECK(demandOf(profile).coalescing[1] == 1);
  profile.setNone("private_accesses"_metric);
  CHECK(demandOf(profile).privateAccesses == 0);
  profile.setNone("fp_special_instructions"_metric); // as older profiles
  profile.setNone("fp_special_instructions_f64"_metric);
  CHECK(demandOf(profile).specialInstructions == 4 * 17);
  CHECK(demandOf(profile).doubleSpecialInstructions == 0);
}

TEST_CASE("a profile without a metric that the terms need is refused by name") {
  KernelProfile profile;
  profile.provenance.kernel = "paper";
  profile.reuse.lineBytes = 64;
  for (const Metric metric :
       {"work_items"_metric, "work_groups"_metric, "total_instruction_count"_metric})
    profile.setCount(metric, 1);
  const std::string reason = whyNoDemand(profile);
  CHECK(reason == "metrics.ipt_max has no value: expected a number");
  CHECK_THROWS_WITH(demandOf(profile), "kernel paper: " + reason);
}

TEST_CASE("features of a launch are its own, or in a hundred instructions") {
  const std::array<std::pair<std::string_view, double>, kFeatureCount> expected = {{
      {"work_items", 10'240},
      {"work_group_size", 256},
      {"item_instructions", 400},
      {"barriers", 3},
      {"local_bytes", 40},
      {"special_operations", 1.2},
      {"double_operations", 0.9},
      {"contended_atomics", 600},
  }};
  LaunchDemand none = onPaper();
  none.instructions = 0;
  for (size_t i = 0; i < kFeatureCount; ++i) {
    const Feature &feature = features()[i];
    INFO(feature.key);
    CHECK(feature.key == expected[i].first);
    CHECK(feature.of(onPaper()) == Approx(expected[i].second));
    CHECK(feature.of(none) == Approx(i >= 4 && i <= 6 ? 0 : expected[i].second));
  }
}

TEST_CASE("no memory is faster than its data sheet, and a measured one is as fast as that") {
  FittedModel model;
  model.launchAboveShortest = 0.25;
  Coefficients values{};
  for (size_t k = 0; k < kCoefficientCount; ++k)
    values[k] = 0.1 * static_cast<double>(k);
  model.classes = {{DeviceClass::kCpu, values}, {DeviceClass::kNvidiaGpu, values}};
  for (double &value : model.classes[1].values)
    value += 1;
  Coefficients more{};
  more.fill(0.5);
  model.devices = {{"paper", "one", more, 1}, {"paper", "two", more, 1}, {"other", "one", more, 1}};
  model.devices[1].values.fill(1);
  model.devices[1].clock = Clock::kKernel;
  constexpr size_t kLaunch = static_cast<size_t>(Coefficient::kLaunch);
  constexpr size_t kDram = static_cast<size_t>(Coefficient::kDram);
  constexpr size_t kCompute = static_cast<size_t>(Coefficient::kCompute);
  // The mean of what others published; the launch of times that contain the same of it.
  CHECK(model.coefficientsFor(cpu())[kCompute] == Approx(0.1 * kCompute + 0.75));
  CHECK(model.coefficientsFor(cpu())[kLaunch] == 0.5);
  CHECK(model.coefficientsFor(cpu(), {}, Clock::kKernel)[kLaunch] == 1);
  CHECK(model.coefficientsFor(cpu(), {}, Clock::kPipelined)[kLaunch] == 1);
  model.devices[1].clock = Clock::kQueued;
  CHECK(model.coefficientsFor(cpu())[kLaunch] == 0.75);
  CHECK(model.coefficientsFor(cpu(), {}, Clock::kKernel)[kLaunch] == 0);
  CHECK(model.coefficientsFor(cpu(), "two")[kCompute] == Approx(0.1 * kCompute + 1));
  CHECK(model.coefficientsFor(cpu(), "two")[kLaunch] == 1);
  CHECK(model.coefficientsFor(cpu(), "three")[kCompute] == Approx(0.1 * kCompute + 0.75));
  CHECK(model.coefficientsFor(gpu())[kCompute] == Approx(0.1 * kCompute + 1.75));
  // What its user measured goes before.
  model.devices.push_back({"paper", std::string(kOwnMeasurements), more, 1});
  model.devices.back().values.fill(-3);
  CHECK(model.coefficientsFor(cpu())[kCompute] == Approx(0.1 * kCompute - 3));
  CHECK(model.coefficientsFor(cpu())[kLaunch] == -3);
  CHECK(model.coefficientsFor(cpu())[kDram] == 0);
  CHECK(model.coefficientsFor(cpu(), {}, Clock::kKernel)[kCompute] == Approx(0.1 * kCompute - 3));
  CHECK(model.coefficientsFor(cpu(), {}, Clock::kKernel)[kLaunch] == 0); // its times say nothing
  model.devices.back().clock = Clock::kKernel;
  CHECK(model.coefficientsFor(cpu())[kLaunch] == 0.75);
  CHECK(model.coefficientsFor(cpu(), {}, Clock::kPipelined)[kLaunch] == -3);
  DeviceProfile shortest =
      cpu(); // what the device's own times do not say, its measured launch does
  shortest.set(Parameter::kLaunchOverhead, 30, std::string(kShortestLaunchSource));
  CHECK(model.coefficientsFor(shortest)[kLaunch] == Approx(std::log(30 / 40.0) + 0.25));
  CHECK(model.coefficientsFor(shortest, {}, Clock::kKernel)[kLaunch] == -3);
  model.devices.clear();
  CHECK(model.coefficientsFor(cpu())[kDram] == Approx(0.1 * kDram));
  DeviceProfile measured = cpu();
  measured.set(Parameter::kDramBandwidth, 20, "measured: on paper");
  CHECK(model.coefficientsFor(measured)[kDram] == 0);
  measured.set(Parameter::kLaunchOverhead, 30, std::string(kShortestLaunchSource));
  CHECK(model.coefficientsFor(measured)[kLaunch] == Approx(std::log(30 / 40.0) + 0.25));
  CHECK(model.coefficientsFor(measured, {}, Clock::kKernel)[kLaunch] ==
        Approx(std::log(30 / 2.5) + 0.25));
  // A class that was never measured is the mean of those of its kind.
  measured = cpu();
  measured.type = DeviceType::kAccelerator;
  CHECK(model.coefficientsFor(measured)[kCompute] == Approx(0.1 * kCompute));
  measured.type = DeviceType::kIntegratedGpu;
  CHECK(model.coefficientsFor(measured)[kCompute] == Approx(0.1 * kCompute + 1));
  model.classes.erase(model.classes.begin());
  measured = cpu();
  CHECK(model.coefficientsFor(measured)[kCompute] ==
        Approx(0.1 * kCompute + 1)); // of no kind but one
  model.classes.push_back({DeviceClass::kAmdGpu, {}});
  CHECK(model.coefficientsFor(measured)[kCompute] == Approx((0.1 * kCompute + 1) / 2));
}

TEST_CASE(
    "beside its launch and transfers, a kernel takes no less than its operations at the peak") {
  DeviceProfile device = cpu();
  CHECK(peakMicros(onPaper(), device) == Approx(9000 / (4 * 8000.0)));
  device.set(Parameter::kFp32Rate, 1, "paper");
  CHECK(peakMicros(onPaper(), device) == Approx(64'000 / (4 * 1000.0)));
  device.set(Parameter::kFp64Rate, 0.125, "paper");
  CHECK(peakMicros(onPaper(), device) == Approx(9000 / (4 * 125.0)));
  device.set(Parameter::kFp64Rate, 8, "paper");
  LaunchDemand matrices = onPaper();
  matrices.matrixOps = {0, 50'000'000};
  DeviceProfile withUnits = device;
  withUnits.series = "Ada";
  withUnits.set(Parameter::kMatrixRate, 1, "paper"); // half of it for tf32
  CHECK(peakMicros(matrices, withUnits) == Approx(100));

  LaunchDemand demand = onPaper();
  demand.cacheMisses = {};
  FittedModel model; // only launch and transfers take time
  model.classes = {{DeviceClass::kCpu, {}}};
  Coefficients &values = model.classes[0].values;
  values.fill(-90);
  constexpr size_t kInstructions = static_cast<size_t>(TimeTerm::kInstructions);
  constexpr size_t kCompute = static_cast<size_t>(Coefficient::kCompute);
  for (const Coefficient coefficient :
       {Coefficient::kLaunch, Coefficient::kTransferBytes, Coefficient::kTransferCalls})
    values[static_cast<size_t>(coefficient)] = 0;
  for (const bool transfers : {false, true}) {
    const TimeEstimate bound = estimate(model, demand, device, transfers);
    CHECK(bound.leastMicros == Approx(16));
    CHECK(bound.terms[kInstructions] == Approx(16));
    CHECK(bound.micros == Approx(25 + 16 + (transfers ? 250 + 24 : 0)));
  }
  values[kCompute] = 0; // 280 us
  values[static_cast<size_t>(Coefficient::kWaits)] = 0;
  CHECK(estimate(model, demand, device).micros == Approx(25 + computeMicros(demand, device)));
}

TEST_CASE("classes of devices: by vendor, and a Xeon Phi by its many slow cores") {
  struct Case {
    DeviceType type;
    const char *vendor;
    double cores, clock;
    DeviceClass expected;
  };
  for (const Case &is :
       {Case{DeviceType::kGpu, "NVIDIA", 128, 1, DeviceClass::kNvidiaGpu},
        Case{DeviceType::kGpu, "AMD", 128, 1, DeviceClass::kAmdGpu},
        Case{DeviceType::kIntegratedGpu, "AMD", 128, 1, DeviceClass::kAmdGpu},
        Case{DeviceType::kIntegratedGpu, "Qualcomm", 9, 1, DeviceClass::kMobileGpu},
        Case{DeviceType::kIntegratedGpu, "Intel", 128, 1, DeviceClass::kOther},
        Case{DeviceType::kAccelerator, "NVIDIA", 64, 1, DeviceClass::kOther},
        Case{DeviceType::kCpu, "NVIDIA", 64, 1.6, DeviceClass::kCpu},
        Case{DeviceType::kCpu, "Intel", 64, 1.5, DeviceClass::kManyCore},
        Case{DeviceType::kCpu, "Intel", 32, 1.5, DeviceClass::kManyCore},
        Case{DeviceType::kCpu, "Intel", 31, 1.5, DeviceClass::kCpu}}) {
    INFO(is.vendor << ", " << is.cores);
    const DeviceProfile device = deviceWith(
        is.type, is.vendor, {{Parameter::kCores, is.cores}, {Parameter::kClock, is.clock}});
    CHECK(classOf(device) == is.expected);
    CHECK(isGpu(device) == (is.type == DeviceType::kGpu || is.type == DeviceType::kIntegratedGpu));
  }
}

TEST_CASE("an interval is each part's time between the ends of its error factors") {
  CoefficientTimes times{};
  times[static_cast<size_t>(Coefficient::kLaunch)] = 2;
  times[static_cast<size_t>(Coefficient::kDram)] = 3;
  times[static_cast<size_t>(Coefficient::kCompute)] = 4;
  times[static_cast<size_t>(Coefficient::kTransferBytes)] = 1;
  const PartTimes parts = errorPartsOf(times);
  CHECK(parts == PartTimes{2, 3, 5});
  const Interval interval =
      intervalOf(parts, {{{-std::log(2.0), std::log(3.0)}, {0, std::log(2.0)}, {-1, 0}}});
  CHECK(interval.low == Approx(1 + 3 + 5 / std::exp(1.0)));
  CHECK(interval.high == Approx(6 + 6 + 5));
}
