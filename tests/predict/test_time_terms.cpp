/// Every term of the fitted model from a demand and devices on paper, and the demand from a
/// profile.
#include "predict/fitted/features.h"
#include "predict/fitted/fitted_model.h"
#include "predict/fitted/launch_demand.h"
#include "predict/fitted/residency.h"
#include "predict/fitted/time_terms.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace aiwc::literals;
using namespace aiwc::predict;
using aiwc::profile::CacheMisses;
using aiwc::profile::Histogram;
using aiwc::profile::KernelProfile;
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
  demand.privateAccesses = 51'200;
  demand.jointAccesses = 0.5;
  demand.globalBytes = 1'600'000;
  demand.localBytes = 400'000;
  demand.barriers = 3;
  demand.divisions = 5000;
  demand.integerDivisions = 2048; // 39 instructions more for each: 79,872 in all, 7.8 a work-item
  demand.specialOperations = 7000;
  demand.singleOperations = 64'000;
  demand.doubleOperations = 9000;
  demand.doubleConversions = 500;
  demand.contendedAtomics = 600;
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

/// 256 cores of 1 GHz in two units. A work-group is 8 groups of lanes, of which a unit holds 64:
/// 16 work-groups at a time, so that 40 take 2.5 waves.
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
  // A core runs ten of the 40 groups, one after the other: 2560 work-items in turn.
  check(onPaper(), cpu(),
        std::array<Expected, kTimeTermCount>{
            {{TimeTerm::kLaunch, 10 + 5},
             {TimeTerm::kInstructions, 2560 * (1'079'872.0 / 10'240) / 2000},
             {TimeTerm::kSerialChain, 0},
             // A vector of 8 work-items makes half of the accesses as one.
             {TimeTerm::kLatency, 2560 * (20 * (0.5 + 0.5 / 8) + 5) / 2000},
             {TimeTerm::kDram, 3000 * 64 / (20'000 * 0.5)},
             {TimeTerm::kCache, 8000 * 64 / 20'000.0},
             {TimeTerm::kLocalMemory, 2'000'000 / 100'000.0},
             {TimeTerm::kBarriers, 2560 * 3 / 2000.0},
             {TimeTerm::kDispatch, 10 / 2000.0},
             {TimeTerm::kDivisions, 5000 / (4 * 2000.0)},
             {TimeTerm::kSpecialFunctions, 7000 / (4 * 2000.0)},
             {TimeTerm::kDoublePrecision, (9000 + 2 * 500) / (4 * 8000.0)},
             {TimeTerm::kAtomics, 600 * 60 / 2000.0},
             {TimeTerm::kTransferBytes, 3'000'000 / 12'000.0},
             {TimeTerm::kTransferCalls, 4 * 6}}},
        true);
}

TEST_CASE("each term of a GPU from a demand on paper") {
  constexpr double kOfItem = 1'079'872.0 / 10'240;
  check(onPaper(), gpu(),
        std::array<Expected, kTimeTermCount>{
            {{TimeTerm::kLaunch, 10 + 10}, // an overhead that is not known
             {TimeTerm::kInstructions, 1'079'872 / 0.5 / 256'000},
             // In the last wave the longest work-item, in those before it what lanes wait for.
             {TimeTerm::kSerialChain, (1.5 * kOfItem / 0.5 + 407.8) / 1000},
             {TimeTerm::kLatency, 2.5 * 20 / 1000},
             {TimeTerm::kDram, 3000 * 64 / 100'000.0},
             {TimeTerm::kCache, 1'600'000 / 0.5 / 100'000},
             {TimeTerm::kLocalMemory, 400'000 / 400'000.0},
             {TimeTerm::kBarriers, 2.5 * 3 / 1000},
             {TimeTerm::kDispatch, 40 / 2 / 1000.0},
             {TimeTerm::kDivisions, 5000 / 256'000.0},
             {TimeTerm::kSpecialFunctions, 7000 / 256'000.0},
             {TimeTerm::kDoublePrecision, (9000 + 2 * 500) / (256 * 500.0)},
             {TimeTerm::kAtomics, 600 / 1000.0},
             // Without a link, half of the bandwidth, and a microsecond a call.
             {TimeTerm::kTransferBytes, 3'000'000 / 50'000.0},
             {TimeTerm::kTransferCalls, 4 * 1}}},
        true);
}

TEST_CASE("what bounds a term otherwise") {
  LaunchDemand demand = onPaper();
  demand.groupInstructions = 500'000; // a group that takes longer than a core's ten others
  check(demand, cpu(),
        std::array<Expected, 1>{{{TimeTerm::kInstructions, (500'000 + 79'872 / 40.0) / 2000}}});
  demand = onPaper();
  demand.itemInstructions = 150; // less than what lanes wait for: every wave takes as long
  check(demand, gpu(), std::array<Expected, 1>{{{TimeTerm::kSerialChain, 2.5 * 157.8 / 1000}}});

  demand = onPaper();
  demand.workGroups = 3; // of a CPU's cores one is idle; of a GPU's units none
  demand.workItems = 768;
  check(demand, cpu(),
        std::array<Expected, 4>{{{TimeTerm::kDispatch, 1 / 2000.0},
                                 {TimeTerm::kBarriers, 256 * 3 / 2000.0},
                                 {TimeTerm::kDivisions, 5000 / (3 * 2000.0)},
                                 {TimeTerm::kSpecialFunctions, 7000 / (3 * 2000.0)}}});
  check(demand, gpu(),
        std::array<Expected, 3>{{{TimeTerm::kBarriers, 1 * 3 / 1000.0}, // a wave that is not full
                                 {TimeTerm::kLatency, 204'800.0 / 768 / 1000},
                                 {TimeTerm::kDoublePrecision, 10'000 / (256 * 500.0)}}});
  demand.workGroups = 1;
  check(demand, gpu(),
        std::array<Expected, 1>{{{TimeTerm::kDoublePrecision, 10'000 / (128 * 500.0)}}});
  check(demand, cpu(),
        std::array<Expected, 1>{{{TimeTerm::kDoublePrecision, 10'000 / (4 * 8000.0)}}});

  // Terms of transfers only where they are asked for and there are some.
  check(onPaper(), cpu(),
        std::array<Expected, 2>{{{TimeTerm::kTransferBytes, 0}, {TimeTerm::kTransferCalls, 0}}});
  demand.hostTransfers = 0;
  check(demand, cpu(),
        std::array<Expected, 2>{{{TimeTerm::kTransferBytes, 0}, {TimeTerm::kTransferCalls, 0}}},
        true);
  check(onPaper(), cpu(), std::array<Expected, 1>{{{TimeTerm::kLaunch, 2.5}}}, false,
        Clock::kKernel);
}

TEST_CASE("terms of devices that say more or less") {
  DeviceProfile device = cpu();
  device.set(Parameter::kDramBandwidth, 20, "measured: on paper"); // what kernels do reach
  check(onPaper(), device, std::array<Expected, 1>{{{TimeTerm::kDram, 3000 * 64 / 20'000.0}}});
  device.set(Parameter::kComputeUnits, 8, "paper"); // hardware threads: five rounds
  check(onPaper(), device,
        std::array<Expected, 3>{{{TimeTerm::kDispatch, 5 / 2000.0},
                                 {TimeTerm::kDivisions, 5000 / (8 * 2000.0)},
                                 {TimeTerm::kDoublePrecision, 10'000 / (4 * 8000.0)}}});
  device.set(Parameter::kHostLinkLatency, 0.25, "paper"); // less than any transfer takes
  check(onPaper(), device, std::array<Expected, 1>{{{TimeTerm::kTransferCalls, 4}}}, true);
  device.quantities[static_cast<size_t>(Parameter::kFp64Rate)].reset();
  check(onPaper(), device, std::array<Expected, 1>{{{TimeTerm::kDoublePrecision, 0}}});

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
    check(onPaper(), device,
          std::array<Expected, 2>{{{TimeTerm::kInstructions, 1'079'872 / lanes / 256'000},
                                   {TimeTerm::kCache, 16 / coalescing}}});
  }
}

TEST_CASE("groups of lanes that a unit holds: the hardware's limits") {
  struct Case {
    const char *vendor;
    double units, width, groupSize; ///< units of 0: not known, of 1280 cores
    Residency held;
  };
  for (const Case &is : std::array<Case, 7>{{{"NVIDIA", 20, 32, 256, {20, 64, 8, 64}},
                                             {"NVIDIA", 20, 32, 32, {20, 64, 1, 32}}, // 32 groups
                                             {"NVIDIA", 20, 32, 33, {20, 64, 2, 64}},
                                             {"NVIDIA", 0, 32, 256, {10, 64, 8, 64}},
                                             {"AMD", 0, 64, 256, {20, 40, 4, 40}},
                                             {"AMD", 12, 64, 64, {12, 40, 1, 16}}, // 16 groups
                                             {"Intel", 24, 8, 128, {24, 40, 16, 40}}}}) {
    DeviceProfile device =
        deviceWith(DeviceType::kGpu, is.vendor,
                   {{Parameter::kCores, 1280}, {Parameter::kLaneWidth, is.width}});
    if (is.units > 0)
      device.set(Parameter::kComputeUnits, is.units, "paper");
    INFO(is.vendor << ", " << is.groupSize);
    const Residency held = residencyOf(device, is.groupSize);
    CHECK(held.units == is.held.units);
    CHECK(held.laneGroups == is.held.laneGroups);
    CHECK(held.laneGroupsPerGroup == is.held.laneGroupsPerGroup);
    CHECK(held.residentLaneGroups == is.held.residentLaneGroups);
    CHECK(held.residentGroups() ==
          is.held.units * is.held.residentLaneGroups / is.held.laneGroupsPerGroup);
  }
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
  DeviceProfile device = gpu();
  device.set(Parameter::kComputeUnits, 3, "paper"); // 24 groups
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
  constexpr std::array<Field, 21> kFields = {
      {{&LaunchDemand::workItems, true},         {&LaunchDemand::workGroups, true},
       {&LaunchDemand::workGroupSize, false},    {&LaunchDemand::instructions, true},
       {&LaunchDemand::itemInstructions, false}, {&LaunchDemand::groupInstructions, false},
       {&LaunchDemand::accesses, true},          {&LaunchDemand::privateAccesses, true},
       {&LaunchDemand::jointAccesses, false},    {&LaunchDemand::globalBytes, true},
       {&LaunchDemand::localBytes, true},        {&LaunchDemand::barriers, false},
       {&LaunchDemand::divisions, true},         {&LaunchDemand::integerDivisions, true},
       {&LaunchDemand::specialOperations, true}, {&LaunchDemand::singleOperations, true},
       {&LaunchDemand::doubleOperations, true},  {&LaunchDemand::doubleConversions, true},
       {&LaunchDemand::contendedAtomics, true},  {&LaunchDemand::hostBytes, false},
       {&LaunchDemand::hostTransfers, false}}};
  // A field that is not in this list: lanes, coalescing, the line, the share itself and private
  // memory are.
  static_assert(sizeof(LaunchDemand) ==
                (kFields.size() + 4 + 3 + 1 + 1 + 3 + 3) * sizeof(double) + sizeof(CacheMisses));
  LaunchDemand whole = onPaper();
  whole.stackBytes = {128, 64, 32};
  whole.scratchBytes = {4096, 2048, 1024};
  const LaunchDemand part = whole.scaled(0.25);
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
  const std::array<std::pair<Metric, uint64_t>, 26> counts = {{
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
      {"int_div_uniform"_metric, 13},
      {"fp_special"_metric, 17},
      {"fp_ops"_metric, 100},
      {"fp_ops_f16"_metric, 3},
      {"fp_ops_f64"_metric, 19},
      {"fp_conversions"_metric, 23},
      {"atomic_contention_max"_metric, 29},
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
  CHECK(demand.workGroupSize == 64);
  CHECK(demand.instructions == 90'000);
  CHECK(demand.itemInstructions == 311);
  CHECK(demand.groupInstructions == 9500);
  CHECK(demand.accesses == 1200);
  CHECK(demand.privateAccesses == 77);
  CHECK(demand.jointAccesses == 0.75);
  CHECK(demand.globalBytes == 4830);
  CHECK(demand.localBytes == 560);
  CHECK(demand.barriers == 2);
  CHECK(demand.divisions == 11);
  CHECK(demand.integerDivisions == 13);
  CHECK(demand.specialOperations == 17);
  CHECK(demand.singleOperations == 78);
  CHECK(demand.doubleOperations == 19);
  CHECK(demand.doubleConversions == 23);
  CHECK(demand.contendedAtomics == 29);
  CHECK(demand.hostBytes == 5700);
  CHECK(demand.hostTransfers == 5);
  CHECK(demand.laneUtilization == std::array{0.9, 0.8, 0.7, 1.0 / 64});
  CHECK(demand.coalescing == std::array{0.6, 0.4, 0.3});
  CHECK(demand.cacheMisses.all() == 7);
  CHECK(demand.lineBytes == 32);

  profile.setCount("work_group_instructions_max"_metric, 8999); // of sampled groups: below the mean
  CHECK(demandOf(profile).groupInstructions == 9000);
  profile.setReal("uniform_accesses"_metric, 0.75);
  CHECK(demandOf(profile).jointAccesses == 1);
  profile.setCount("fp_ops_f64"_metric, 0); // numbers of 64 bits that nothing is computed from
  CHECK(demandOf(profile).doubleConversions == 0);
  profile.setNone("coalescing_32"_metric); // no access that it is a share of
  CHECK(demandOf(profile).coalescing[1] == 1);
  profile.setNone("private_accesses"_metric);
  CHECK(demandOf(profile).privateAccesses == 0);
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
  for (size_t k = 0; k < kTimeTermCount; ++k)
    values[k] = 0.1 * static_cast<double>(k);
  model.classes = {{DeviceClass::kCpu, values}, {DeviceClass::kNvidiaGpu, values}};
  for (double &value : model.classes[1].values)
    value += 1;
  Coefficients more{};
  more.fill(0.5);
  model.devices = {{"paper", "one", more, 1}, {"paper", "two", more, 1}, {"other", "one", more, 1}};
  model.devices[1].values.fill(1);
  constexpr size_t kLaunch = static_cast<size_t>(TimeTerm::kLaunch);
  constexpr size_t kDram = static_cast<size_t>(TimeTerm::kDram);
  constexpr size_t kCache = static_cast<size_t>(TimeTerm::kCache);
  // The mean of what others published, without the launch.
  CHECK(model.coefficientsFor(cpu())[kCache] == Approx(0.1 * kCache + 0.75));
  CHECK(model.coefficientsFor(cpu())[kLaunch] == 0);
  CHECK(model.coefficientsFor(cpu(), "two")[kCache] == Approx(0.1 * kCache + 1));
  CHECK(model.coefficientsFor(cpu(), "two")[kLaunch] == 1);
  CHECK(model.coefficientsFor(cpu(), "three")[kCache] == Approx(0.1 * kCache + 0.75));
  CHECK(model.coefficientsFor(gpu())[kCache] == Approx(0.1 * kCache + 1.75));
  // What its user measured goes before.
  model.devices.push_back({"paper", std::string(kOwnMeasurements), more, 1});
  model.devices.back().values.fill(-3);
  CHECK(model.coefficientsFor(cpu())[kCache] == Approx(0.1 * kCache - 3));
  CHECK(model.coefficientsFor(cpu())[kLaunch] == -3);
  CHECK(model.coefficientsFor(cpu())[kDram] == 0);
  model.devices.clear();
  CHECK(model.coefficientsFor(cpu())[kDram] == Approx(0.1 * kDram));
  DeviceProfile measured = cpu();
  measured.set(Parameter::kDramBandwidth, 20, "measured: on paper");
  CHECK(model.coefficientsFor(measured)[kDram] == 0);
  measured.set(Parameter::kLaunchOverhead, 30, std::string(kShortestLaunchSource));
  CHECK(model.coefficientsFor(measured)[kLaunch] == Approx(std::log(30 / 40.0) + 0.25));
  // A class that was never measured is the mean of those of its kind.
  measured = cpu();
  measured.type = DeviceType::kAccelerator;
  CHECK(model.coefficientsFor(measured)[kCache] == Approx(0.1 * kCache));
  measured.type = DeviceType::kIntegratedGpu;
  CHECK(model.coefficientsFor(measured)[kCache] == Approx(0.1 * kCache + 1));
  model.classes.erase(model.classes.begin());
  measured = cpu();
  CHECK(model.coefficientsFor(measured)[kCache] == Approx(0.1 * kCache + 1)); // of no kind but one
  model.classes.push_back({DeviceClass::kAmdGpu, {}});
  CHECK(model.coefficientsFor(measured)[kCache] == Approx((0.1 * kCache + 1) / 2));
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

  LaunchDemand demand = onPaper();
  demand.cacheMisses = {};
  FittedModel model; // only launch and transfers take time
  model.classes = {{DeviceClass::kCpu, {}}};
  Coefficients &values = model.classes[0].values;
  values.fill(-90);
  constexpr size_t kInstructions = static_cast<size_t>(TimeTerm::kInstructions);
  for (const TimeTerm term :
       {TimeTerm::kLaunch, TimeTerm::kTransferBytes, TimeTerm::kTransferCalls})
    values[static_cast<size_t>(term)] = 0;
  for (const bool transfers : {false, true}) {
    const TimeEstimate bound = estimate(model, demand, device, transfers);
    CHECK(bound.leastMicros == Approx(16));
    CHECK(bound.terms[kInstructions] == Approx(16));
    CHECK(bound.micros == Approx(15 + 16 + (transfers ? 250 + 24 : 0)));
  }
  values[kInstructions] = 0; // 135 us
  CHECK(estimate(model, demand, device).micros ==
        Approx(15 + 2560 * (1'079'872.0 / 10'240) / 2000));
}

TEST_CASE("classes of devices: by vendor, and a Xeon Phi by its many slow cores") {
  struct Case {
    DeviceType type;
    const char *vendor;
    double cores, clock;
    DeviceClass expected;
  };
  for (const Case &is : {Case{DeviceType::kGpu, "NVIDIA", 128, 1, DeviceClass::kNvidiaGpu},
                         Case{DeviceType::kGpu, "AMD", 128, 1, DeviceClass::kAmdGpu},
                         Case{DeviceType::kIntegratedGpu, "AMD", 128, 1, DeviceClass::kAmdGpu},
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

TEST_CASE("an interval is each part's time between the ends of its spread") {
  TermTimes times{};
  times[static_cast<size_t>(TimeTerm::kLaunch)] = 2;
  times[static_cast<size_t>(TimeTerm::kDram)] = 3;
  times[static_cast<size_t>(TimeTerm::kCache)] = 4;
  times[static_cast<size_t>(TimeTerm::kTransferBytes)] = 1;
  const PartTimes parts = errorPartsOf(times);
  CHECK(parts == PartTimes{2, 3, 5});
  const Interval interval =
      intervalOf(parts, {{{-std::log(2.0), std::log(3.0)}, {0, std::log(2.0)}, {-1, 0}}});
  CHECK(interval.low == Approx(1 + 3 + 5 / std::exp(1.0)));
  CHECK(interval.high == Approx(6 + 6 + 5));
}
