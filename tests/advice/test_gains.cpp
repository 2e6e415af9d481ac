/// The gain of each rule as a number: the predicted time of a launch on paper over that of the
/// demand that is left without the fault, written down by hand.
#include "advice/findings.h"
#include "advice/limit.h"
#include "predict/fitted/fitted_cost_model.h"
#include "profile/access_row.h"
#include "profile/reuse.h"

#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

using namespace aiwc::advice;
using namespace aiwc::literals;
using aiwc::predict::Cost;
using aiwc::predict::demandOf;
using aiwc::predict::DeviceProfile;
using aiwc::predict::DeviceType;
using aiwc::predict::FittedCostModel;
using aiwc::predict::FittedModel;
using aiwc::predict::LaunchDemand;
using aiwc::predict::Parameter;
using aiwc::profile::AccessKind;
using aiwc::profile::AccessRow;
using aiwc::profile::KernelProfile;
using aiwc::profile::LineRow;
using aiwc::profile::MemorySpace;
using aiwc::profile::Metric;
using aiwc::profile::PrivateTraffic;

namespace {

/// Every term takes its unit time. Launches start in no time, unless `starts`.
const FittedCostModel &paperModel(bool starts = false) {
  const auto made = [](double launch) {
    FittedModel model;
    for (const auto deviceClass :
         {aiwc::predict::DeviceClass::kCpu, aiwc::predict::DeviceClass::kNvidiaGpu}) {
      model.classes.push_back({deviceClass, {}});
      model.classes.back().values[static_cast<size_t>(aiwc::predict::Coefficient::kLaunch)] =
          launch;
    }
    return FittedCostModel("paper", model, aiwc::predict::Clock::kQueued);
  };
  static const FittedCostModel instant = made(-50), whole = made(0);
  return starts ? whole : instant;
}

DeviceProfile device(DeviceType type, double cores, double clock, double lanes) {
  DeviceProfile device;
  device.type = type;
  device.id = type == DeviceType::kGpu ? "gpu" : "cpu";
  device.vendor = "NVIDIA";
  for (const auto &[parameter, value] :
       std::array<std::pair<Parameter, double>, 8>{{{Parameter::kCores, cores},
                                                    {Parameter::kClock, clock},
                                                    {Parameter::kLaneWidth, lanes},
                                                    {Parameter::kCacheCapacity, 1 << 20},
                                                    {Parameter::kCacheBandwidth, 400},
                                                    {Parameter::kDramBandwidth, 100},
                                                    {Parameter::kFp64Rate, 0.5},
                                                    {Parameter::kLaunchOverhead, 2}}})
    device.set(parameter, value, "paper");
  return device;
}

/// Four cores, and 256 lanes in two units.
const std::vector<DeviceProfile> &devices() {
  static const std::vector<DeviceProfile> both = {device(DeviceType::kCpu, 4, 2, 8),
                                                  device(DeviceType::kGpu, 256, 1, 32)};
  return both;
}
constexpr size_t kCpu = 0, kGpu = 1;

void setCounts(KernelProfile &profile, const std::vector<std::pair<Metric, uint64_t>> &counts) {
  for (const auto &[metric, count] : counts)
    profile.setCount(metric, count);
}

/// 100 work-groups of 64 work-items, which execute 156 instructions on average and 200 at most.
KernelProfile onPaper() {
  KernelProfile profile;
  profile.provenance.kernel = "k";
  profile.provenance.sourceKind = "opencl-c";
  setCounts(profile, {{"work_items"_metric, 6400},
                      {"work_groups"_metric, 100},
                      {"total_instruction_count"_metric, 1'000'000},
                      {"ipt_max"_metric, 200},
                      {"work_group_instructions_max"_metric, 12'000},
                      {"total_reads"_metric, 150'000},
                      {"total_writes"_metric, 50'000},
                      {"load_rounds"_metric, 120'000},
                      {"bytes_read_global"_metric, 800'000},
                      {"bytes_written_global"_metric, 50'000},
                      {"bytes_read_constant"_metric, 0},
                      {"bytes_read_local"_metric, 0},
                      {"bytes_written_local"_metric, 0},
                      {"barriers_hit"_metric, 0},
                      {"fp_div"_metric, 0},
                      {"fp_special"_metric, 0},
                      {"fp_ops"_metric, 300'000},
                      {"fp_ops_f64"_metric, 0},
                      {"int_ops"_metric, 150'000},
                      {"int_ops_64"_metric, 100'000}});
  for (const Metric metric :
       {"coalescing_16"_metric, "coalescing_32"_metric, "coalescing_64"_metric})
    profile.setReal(metric, 0.5);
  profile.setReal("uniform_accesses"_metric, 0.4);
  profile.reuse = {64, 5000};
  profile.histograms.reuseDistances = {{2, 100'000}};
  profile.accesses.emplace();
  return profile;
}

AccessRow read(const std::string &array, uint64_t accesses, uint64_t bytes,
               std::optional<int64_t> laneStride, std::optional<int64_t> loopStride) {
  return {.line = 5,
          .loop = 4,
          .array = array,
          .accesses = accesses,
          .bytes = bytes,
          .footprint = bytes,
          .laneStride = laneStride,
          .loopStride = loopStride};
}

void multiplyInstructions(LaunchDemand &demand, double times) {
  for (double LaunchDemand::*part :
       {&LaunchDemand::instructions, &LaunchDemand::itemInstructions,
        &LaunchDemand::groupInstructions, &LaunchDemand::integerOperations,
        &LaunchDemand::wideIntegerOperations, &LaunchDemand::integerProducts,
        &LaunchDemand::wideIntegerProducts, &LaunchDemand::halfOperations,
        &LaunchDemand::singleOperations})
    demand.*part *= times;
}

Cost costOf(const LaunchDemand &demand, size_t on) {
  return paperModel().cost(demand, devices()[on]);
}

std::optional<Finding> found(Rule rule, const KernelProfile &profile) {
  for (Finding &finding : findingsOf(profile, devices(), paperModel()))
    if (finding.rule == rule)
      return finding;
  return std::nullopt;
}

/// What is left of the demand on a device.
using Repair = std::function<void(LaunchDemand &demand, bool gpu)>;

/// As what is likely: nothing takes the place of what the repair takes away.
struct NothingElse {};
constexpr NothingElse nothingElse;

struct Case {
  Rule rule;
  std::string name;
  std::function<void(KernelProfile &)> fault;
  Repair repaired;
  /// None: it is not known.
  std::variant<Repair, NothingElse> likely = Repair();
  bool isLikelyKnownOnCpu = true;
};

void check(const Case &is) {
  KernelProfile profile = onPaper();
  is.fault(profile);
  INFO(info(is.rule).key << ", " << is.name);
  const auto finding = found(is.rule, profile);
  REQUIRE(finding);
  REQUIRE(finding->gains.size() == devices().size());
  for (size_t on = 0; on < devices().size(); ++on) {
    INFO(devices()[on].id);
    const LaunchDemand demand = demandOf(profile);
    const auto factorOf = [&](const Repair &repair) {
      LaunchDemand left = demand;
      repair(left, on == kGpu);
      return costOf(demand, on).seconds / costOf(left, on).seconds;
    };
    const Gain &gain = finding->gains[on];
    CHECK(gain.factor == Approx(factorOf(is.repaired)));
    CHECK(gain.savedSeconds ==
          Approx(costOf(demand, on).seconds * (1 - 1 / gain.factor)).margin(1e-15));
    const Repair *const likely = std::get_if<Repair>(&is.likely);
    const bool isLikely = !likely || (*likely && (on == kGpu || is.isLikelyKnownOnCpu));
    REQUIRE(gain.likely.has_value() == isLikely);
    if (isLikely)
      CHECK(*gain.likely ==
            Approx(std::min(gain.factor, factorOf(likely ? *likely : is.repaired))));
  }
}

} // namespace

TEST_CASE("what limits a kernel is in its language's words, with barriers only where it has some") {
  const auto limitOfGroups = [&](const char *sourceKind, uint64_t barriers) {
    KernelProfile profile = onPaper();
    profile.provenance.sourceKind = sourceKind;
    profile.setCount("work_items"_metric, 1'000'000'000);
    profile.setCount("work_groups"_metric, 1'000'000'000);
    profile.setCount("barriers_hit"_metric, barriers);
    const std::string text = inWords(
        limitOf(std::vector<LaunchKind>{{&profile, 1}}, devices()[kGpu], paperModel()).value());
    return text.substr(0, text.find(',')) + text.substr(text.find(':'));
  };
  CHECK(limitOfGroups("opencl-c", 1'000'000'000) ==
        "starting work-groups and waiting at barriers: fewer barriers help, or more work in each "
        "work-group");
  CHECK(limitOfGroups("opencl-c", 0) == "starting work-groups: more work in each work-group helps");
  CHECK(limitOfGroups("cuda", 0) == "starting blocks: more work in each block helps");
}

TEST_CASE("a limit by functions of doubles is at no part of the peak rate") {
  const auto limit = [](uint64_t ofFunctions) {
    KernelProfile profile = onPaper();
    setCounts(profile, {{"fp_ops"_metric, 100'000'000},
                        {"fp_ops_f64"_metric, 100'000'000},
                        {"fp_special"_metric, ofFunctions / 53},
                        {"fp_special_instructions"_metric, ofFunctions},
                        {"fp_special_instructions_f64"_metric, ofFunctions}});
    DeviceProfile slow = devices()[kGpu];
    slow.set(Parameter::kFp64Rate, 0.01, "paper");
    return limitOf(std::vector<LaunchKind>{{&profile, 1}}, slow, paperModel()).value();
  };
  CHECK(limit(0).part == "double_precision");
  CHECK(limit(0).ofRoof);
  CHECK(limit(1'000'000'000).part == "double_precision");
  CHECK_FALSE(limit(1'000'000'000).ofRoof);
}

TEST_CASE("the gain of a rule is the time without what it finds") {
  const std::vector<Case> cases = {
      {Rule::kContendedAtomics, "6400 on one address",
       [](KernelProfile &faulty) { faulty.setCount("atomic_contention_max"_metric, 6400); },
       [](LaunchDemand &left, bool) { left.contendedAtomics = left.contendedLineAtomics = 0; }},
      {Rule::kIntegerDivision, "a tenth of the instructions",
       [](KernelProfile &faulty) {
         faulty.setCount("int_div_uniform"_metric, 100'000);
         faulty.histograms.lineRow(3).divisionsByConstants = 100'000;
       },
       [](LaunchDemand &left, bool) { left.integerDivisions = 0; }, nothingElse},
      {Rule::kDoublePrecision, "operations",
       [](KernelProfile &faulty) {
         setCounts(faulty, {{"fp_ops_f64"_metric, 300'000}, {"fp_conversions"_metric, 1000}});
       },
       [](LaunchDemand &left, bool) {
         left.singleOperations += left.doubleOperations;
         left.doubleOperations = left.doubleConversions = 0;
       },
       nothingElse},
      {Rule::kDoublePrecision, "at most, a quarter of the bytes are gone as well",
       [](KernelProfile &faulty) {
         setCounts(faulty, {{"fp_ops_f64"_metric, 300'000}, {"fp_conversions"_metric, 1000}});
         faulty.accesses->push_back(read("in", 53'125, 425'000, 8, 8));
         faulty.accesses->push_back(read("rows", 106'250, 425'000, 4, 4));
       },
       [](LaunchDemand &left, bool) {
         left.singleOperations += left.doubleOperations;
         left.doubleOperations = left.doubleConversions = 0;
         left.globalBytes = 637'500;
         KernelProfile fewer;
         fewer.reuse = {64, 3750};
         fewer.histograms.reuseDistances = {{0, 1250}, {1, 100'000}};
         left.cacheMisses = aiwc::profile::CacheMisses(fewer);
       },
       [](LaunchDemand &left, bool) {
         left.singleOperations += left.doubleOperations;
         left.doubleOperations = left.doubleConversions = 0;
       }},
      {Rule::kAccidentalDouble, "operations and conversions",
       [](KernelProfile &faulty) {
         setCounts(faulty, {{"fp_ops_f64"_metric, 300'000},
                            {"fp_conversions"_metric, 20'000},
                            {"fp_div"_metric, 8000},
                            {"fp_special"_metric, 4000}});
         LineRow &row = faulty.histograms.lineRow(4);
         row.instructions = 400'000;
         row.accidentalDoubles = 300'000;
         row.accidentalConversions = 20'000;
         faulty.histograms.lineRow(5).instructions = 600'000;
       },
       [](LaunchDemand &left, bool) {
         left.singleOperations += left.doubleOperations;
         left.doubleOperations = left.doubleConversions = 0;
         multiplyInstructions(left, 0.98);
       },
       nothingElse},
      {Rule::kRedundantBarriers, "no array is written and read",
       [](KernelProfile &faulty) {
         faulty.setCount("barriers_hit"_metric, 6'400'000);
         faulty.accesses->push_back(read("in", 150'000, 600'000, 4, 4));
       },
       [](LaunchDemand &left, bool) { left.barriers = 0; }, nothingElse},
      {Rule::kMemorySums, "the writes, and reads of the same line",
       [](KernelProfile &faulty) {
         AccessRow row = read("sum", 50'000, 200'000, 4, 0);
         faulty.accesses->push_back(row);
         row.kind = AccessKind::kWrite;
         faulty.accesses->push_back(row);
         row = read("sum", 20'000, 80'000, 4, 0);
         row.line = 6;
         faulty.accesses->push_back(row);
         faulty.accesses->push_back(read("in", 80'000, 320'000, 4, 4));
       },
       [](LaunchDemand &left, bool) {
         left.accesses = left.loads = left.loadRounds = 100'000;
         left.globalBytes = 450'000;
         multiplyInstructions(left, 0.9);
       },
       nothingElse},
      // 56,400 loads, of which 6400 are needed: one for each work-item. Neighbours use a half of
      // what they fetch, as all accesses do.
      {Rule::kRepeatedLoads, "every other element",
       [](KernelProfile &faulty) { faulty.accesses->push_back(read("in", 56'400, 225'600, 8, 0)); },
       [](LaunchDemand &left, bool) {
         left.accesses = 150'000;
         left.loads = left.loadRounds = 100'000; // none of which waits with another one
         left.globalBytes = 650'000;
         left.coalescing.fill(650'000 / (1'700'000 - 400'000.0));
         left.jointAccesses = left.uniformAccesses = 80'000 / 150'000.0;
         multiplyInstructions(left, 0.95);
       },
       [](LaunchDemand &left, bool) {
         left.accesses = 150'000;
         left.loads = left.loadRounds = 100'000; // none of which waits with another one
         left.globalBytes = 650'000;
         left.coalescing.fill(650'000 / (1'700'000 - 400'000.0));
         left.jointAccesses = left.uniformAccesses = 80'000 / 150'000.0;
         multiplyInstructions(left, 0.95);
       }},
      {Rule::kRepeatedLoads, "one element",
       [](KernelProfile &faulty) { faulty.accesses->push_back(read("in", 56'400, 225'600, 0, 0)); },
       [](LaunchDemand &left, bool) {
         left.accesses = 150'000;
         left.loads = left.loadRounds = 100'000; // none of which waits with another one
         left.globalBytes = 650'000;
         left.coalescing.fill(650'000 / (1'700'000 - 200'000.0));
         left.jointAccesses = left.uniformAccesses = 30'000 / 150'000.0;
         multiplyInstructions(left, 0.95);
       },
       [](LaunchDemand &left, bool) {
         left.accesses = 150'000;
         left.loads = left.loadRounds = 100'000; // none of which waits with another one
         left.globalBytes = 650'000;
         left.coalescing.fill(650'000 / (1'700'000 - 200'000.0));
         left.jointAccesses = left.uniformAccesses = 30'000 / 150'000.0;
         multiplyInstructions(left, 0.95);
       }},
      // Three bytes of four less for 150,000 of the accesses: 0.4375 of the work-items, but four
      // instructions for each access that is not made.
      {Rule::kNarrowAccesses, "bytes",
       [](KernelProfile &faulty) {
         faulty.accesses->push_back(read("in", 150'000, 150'000, 1, 64));
         faulty.accesses->push_back(read("out", 50'000, 200'000, 4, 64));
         faulty.accesses->back().kind = AccessKind::kWrite;
       },
       [](LaunchDemand &left, bool) {
         left.workItems = 2800;
         left.workGroups = 44;
         left.accesses = 87'500;
         left.loads = 65'625;
         left.loadRounds = 52'500;
         multiplyInstructions(left, 0.55);
         left.itemInstructions /= 0.4375;
         left.groupInstructions /= 0.4375;
       },
       nothingElse},
      {Rule::kUnevenWorkGroups, "thirty times the mean",
       [](KernelProfile &faulty) {
         faulty.setCount("work_group_instructions_max"_metric, 300'000);
       },
       [](LaunchDemand &left, bool) {
         left.groupInstructions = 10'000;
         left.itemInstructions = 156.25;
       }},
      // Half of the work-items read a flag and return. The line of the flag has 400 first accesses
      // and 6000 others.
      {Rule::kIdleWorkItems, "a half",
       [](KernelProfile &faulty) {
         faulty.setCount("total_instruction_count"_metric, 998'400);
         faulty.histograms.instructionsPerThread = {{8, 3200}, {304, 3200}};
         faulty.accesses->push_back(read("flags", 6400, 25'600, 4, std::nullopt));
         faulty.accesses->back().loop = 0;
         faulty.accesses->push_back(read("in", 143'600, 774'400, 4, 4));
         faulty.accesses->back().line = 6;
         LineRow &row = faulty.histograms.lineRow(5);
         row.coldAccesses = 400;
         row.reuseDistances = {{2, 6000}};
         faulty.histograms.lineRow(6).coldAccesses = 4600;
         for (const Metric metric : {"lane_utilization_8"_metric, "lane_utilization_32"_metric})
           faulty.setReal(metric, 0.5);
       },
       [](LaunchDemand &left, bool) {
         multiplyInstructions(left, 972'800 / 998'400.0);
         left.accesses -= 3200;
         left.loads -= 3200;
         left.globalBytes -= 12'800;
         left.workItems = 3200;
         left.workGroups = 50;
         left.groupInstructions = 972'800 / 50.0;
         left.jointAccesses = 1;
         left.laneUtilization = {1, 1, 1, 1};
         KernelProfile others;
         others.reuse = {64, 4800};
         others.histograms.reuseDistances = {{2, 97'000}};
         left.cacheMisses = aiwc::profile::CacheMisses(others);
       }},
      {Rule::kPartialLaneGroups, "eight of 32 lanes",
       [](KernelProfile &faulty) {
         faulty.setCount("work_groups"_metric, 800);
         faulty.setReal("lane_utilization_8"_metric, 0.8);
         faulty.setReal("lane_utilization_16"_metric, 0.4);
         faulty.setReal("lane_utilization_32"_metric, 0.2);
         faulty.setReal("lane_utilization_64"_metric, 0.1);
       },
       [](LaunchDemand &left, bool) {
         left.laneUtilization = {0.8, 0.8, 0.8, 0.8};
         left.workGroups = 100;
         left.workGroupSize = 64;
         left.groupInstructions *= 8;
       },
       nothingElse},
      {Rule::kFewWorkItems, "one group",
       [](KernelProfile &faulty) {
         setCounts(
             faulty,
             {{"work_items"_metric, 64}, {"work_groups"_metric, 1}, {"ipt_max"_metric, 20'000}});
       },
       // As many as two units of the GPU hold, 48 groups of 32 lanes each; as many groups as cores.
       [](LaunchDemand &left, bool gpu) {
         left.workItems = gpu ? 3072 : 256;
         left.workGroups = gpu ? 48 : 4;
         left.workGroupSize = 64;
         left.itemInstructions = 20'000 * 64 / left.workItems;
         left.groupInstructions = 1'000'000 / left.workGroups;
       }},
      {Rule::kSerialLoop, "three instructions of a counter less",
       [](KernelProfile &faulty) {
         setCounts(
             faulty,
             {{"work_items"_metric, 1}, {"work_groups"_metric, 1}, {"ipt_max"_metric, 1'000'000}});
         faulty.histograms.loops.push_back({.function = "k",
                                            .line = 3,
                                            .entries = 1,
                                            .trips = 10'000,
                                            .minTrips = 10'000,
                                            .maxTrips = 10'000,
                                            .carriesDependence = false,
                                            .dependences = {}});
       },
       [](LaunchDemand &left, bool gpu) {
         multiplyInstructions(left, 0.97);
         left.workItems = gpu ? 3072 : 4;
         left.workGroups = gpu ? 48 : 4;
         left.workGroupSize = left.workItems / left.workGroups;
         left.itemInstructions = 970'000 / left.workItems;
         left.groupInstructions = 970'000 / left.workGroups;
       }},
      // 800,000 bytes of 40,000 different ones. The work-groups touch 2000 lines, 50,000 bytes of
      // which are written.
      {Rule::kUntiledReads, "each element 20 times",
       [](KernelProfile &faulty) {
         faulty.accesses->push_back(read("in", 200'000, 800'000, 4, 4));
         faulty.accesses->back().footprint = 40'000;
         faulty.histograms.lineRow(5).groupLines = 1218; // the read's
         faulty.histograms.lineRow(6).groupLines = 782;
       },
       [](LaunchDemand &left, bool gpu) {
         if (!gpu)
           return;
         left.globalBytes = 128'000;
         left.localBytes = 800'000;
       },
       [](LaunchDemand &left, bool) { // tiles of 78,000 bytes are 19,500 elements
         left.globalBytes = 128'000;
         left.localBytes = 878'000;
         left.accesses = 239'000;
         left.loads += 19'500;
         left.loadRounds += 19'500;
         left.barriers = 2 * 19'500 / 6400.0;
         multiplyInstructions(left, 1.078);
       },
       false},
      {Rule::kUntiledReads, "a tile that one copy of each work-item fills",
       [](KernelProfile &faulty) {
         faulty.accesses->push_back(read("in", 200'000, 800'000, 4, 4));
         faulty.accesses->back().footprint = 10'000;
         faulty.histograms.lineRow(5).groupLines = 218; // 14,000 bytes beside what is written
         faulty.histograms.lineRow(6).groupLines = 782;
         faulty.setCount("work_groups"_metric, 100);
       },
       [](LaunchDemand &left, bool gpu) {
         if (!gpu)
           return;
         left.globalBytes = 66'000; // a quarter of the lines at least
         left.localBytes = 800'000;
       },
       [](LaunchDemand &left, bool) {
         left.globalBytes = 66'000;
         left.localBytes = 816'000;
         left.accesses = 208'000;
         left.loads += 4000;
         left.loadRounds += 4000;
         left.barriers = 2;
         multiplyInstructions(left, 1.016);
       },
       false},
  };
  for (const Case &is : cases)
    check(is);
}

TEST_CASE("functions that work-items repeat gain what the launch takes without them") {
  KernelProfile faulty = onPaper();
  setCounts(faulty, {{"fp_special"_metric, 60'000}, {"fp_div"_metric, 40'000}});
  faulty.histograms.lineRow(3).repeatedOps = 50'000;
  const auto finding = found(Rule::kRepeatedWork, faulty);
  REQUIRE(finding);
  for (const size_t on : {kCpu, kGpu}) {
    LaunchDemand left = demandOf(faulty);
    const Cost cost = costOf(left, on);
    left.keepDivisions(0.5);
    left.keepSpecial(0.5);
    multiplyInstructions(left, 0.95);
    CHECK(finding->gains[on].factor == Approx(cost.seconds / costOf(left, on).seconds));
  }
}

TEST_CASE("indices of 64 bits are a finding where they may take 5 % of a GPU's time") {
  for (const uint64_t divisions : {100, 50'000}) { // of ten instructions each, in a million
    KernelProfile faulty = onPaper();
    faulty.setCount("int_ops"_metric, 400'000);
    faulty.histograms.lineRow(3).wideIndexDivisions = divisions;
    LaunchDemand wide = demandOf(faulty);
    const double seconds = costOf(wide, kGpu).seconds;
    const double added = 10 * static_cast<double>(divisions);
    multiplyInstructions(wide, 1 + added / wide.instructions);
    wide.integerOperations = 400'000 + 2 * added; // two are an instruction
    const auto finding = found(Rule::kWideIndices, faulty);
    CHECK(finding.has_value() == (costOf(wide, kGpu).seconds > 1.05 * seconds));
    CHECK(finding.has_value() == (divisions == 50'000));
    if (finding)
      CHECK((!finding->isCosted && finding->gains.empty()));
  }
}

TEST_CASE("a working set above the cache gains what a cache that holds it would") {
  KernelProfile faulty = onPaper();
  faulty.histograms.reuseDistances = {{2, 100'000}, {24'576, 60'000}}; // 1.5 MiB
  const auto finding = found(Rule::kCacheTooSmall, faulty);
  REQUIRE(finding);
  const LaunchDemand demand = demandOf(faulty);
  for (const size_t on : {kCpu, kGpu}) {
    DeviceProfile larger = devices()[on];
    larger.set(Parameter::kCacheCapacity, 26'624 * 64, "paper"); // the end of the distances' bin
    CHECK(finding->gains[on].factor ==
          Approx(costOf(demand, on).seconds / paperModel().cost(demand, larger).seconds));
  }
  faulty.histograms.reuseDistances = {{2, 100'000}, {81'920, 60'000}}; // more than four times
  CHECK_FALSE(found(Rule::kCacheTooSmall, faulty));
}

TEST_CASE("how many turns an access to local memory takes, from its stride and its element") {
  struct Turns {
    uint64_t element; ///< bytes
    int64_t stride;
    uint64_t groups; ///< of 6400 work-items
    double turns;    ///< as many as an access that has no conflict takes once
  };
  for (const Turns &is : std::vector<Turns>{{4, 0, 100, 1}, // all read one word
                                            {4, 2, 100, 1}, // in one bank, but in one word
                                            {4, 4, 100, 1},
                                            {4, 8, 100, 2},
                                            {4, 12, 100, 1},
                                            {4, 64, 100, 16},
                                            {4, 128, 100, 32},
                                            {4, -128, 100, 32},
                                            {4, 132, 100, 1},
                                            {4, 128, 800, 8}, // eight work-items
                                            {8, 8, 100, 1},
                                            {8, 16, 100, 2},
                                            {8, 32, 100, 4},
                                            {8, 128, 100, 16},
                                            {16, 16, 100, 1},
                                            {16, 64, 100, 4},
                                            {16, 128, 100, 8},
                                            {16, 128, 800, 2},
                                            {2, 128, 100, 32}}) {
    INFO(is.element << " bytes, " << is.stride << " apart, " << is.groups << " groups");
    KernelProfile faulty = onPaper();
    setCounts(faulty, {{"work_groups"_metric, is.groups},
                       {"bytes_read_local"_metric, 2'400'000},
                       {"bytes_written_local"_metric, 1'600'000}});
    // As many bytes in the worst conflict there is, so that there is a finding.
    for (const auto &[element, stride] : {std::pair(is.element, is.stride), {4, int64_t{128}}}) {
      faulty.accesses->push_back(read("tile", 2'000'000 / element, 2'000'000, stride, 0));
      faulty.accesses->back().space = MemorySpace::kLocal;
    }
    faulty.accesses->push_back(read("in", 1'000'000, 4'000'000, 128, 0)); // global: no matter
    const auto finding = found(Rule::kBankConflicts, faulty);
    REQUIRE(finding);
    const double worst = is.groups == 800 ? 8 : 32;
    LaunchDemand without = demandOf(faulty);
    CHECK(without.bankTurns == Approx((is.turns + worst) / 2));
    const double seconds = costOf(without, kGpu).seconds;
    without.bankTurns = 1;
    CHECK(finding->gains[kGpu].factor == Approx(seconds / costOf(without, kGpu).seconds));
    CHECK(finding->gains[kCpu].factor == 1);
    // Two turns are no conflict worth a finding.
    faulty.accesses->erase(faulty.accesses->begin() + 1);
    CHECK(found(Rule::kBankConflicts, faulty).has_value() == (is.turns > 2));
  }
}

TEST_CASE("lanes that wait gain what the launch takes with all of them") {
  KernelProfile faulty = onPaper();
  for (const Metric metric : {"lane_utilization_8"_metric, "lane_utilization_16"_metric,
                              "lane_utilization_32"_metric, "lane_utilization_64"_metric})
    faulty.setReal(metric, 0.5);
  const auto finding = found(Rule::kIdleLanes, faulty);
  REQUIRE(finding);
  for (const size_t on : {kCpu, kGpu}) {
    INFO(devices()[on].id);
    LaunchDemand left = demandOf(faulty);
    const double cost = costOf(left, on).seconds;
    left.laneUtilization.fill(1);
    left.itemInstructions = 156.25;
    CHECK(finding->gains[on].factor == Approx(cost / costOf(left, on).seconds));
  }
}

TEST_CASE("indices are not exchanged where more than 0.3 of the bytes would get the stride") {
  for (const uint64_t sideBySide : {75, 76}) { // elements, of 250 or 251
    KernelProfile faulty = onPaper();
    faulty.provenance.workDim = 2;
    faulty.setReal("coalescing_32"_metric, 0.25);
    faulty.setCount("footprint_bytes"_metric, 1'000'000);
    faulty.accesses->push_back(read("in", sideBySide, 4 * sideBySide, 4, 0));
    faulty.accesses->push_back(read("out", 175, 700, 1024, 0));
    const auto finding = found(Rule::kUncoalescedAccess, faulty);
    REQUIRE(finding);
    CHECK(finding->remedy.starts_with(sideBySide == 75 ? "Exchange the indices" : "Copy a tile"));
  }
}

TEST_CASE("private memory is a fault where a device's code has any") {
  KernelProfile faulty = onPaper();
  faulty.targets = {PrivateTraffic{}, PrivateTraffic{}, PrivateTraffic{968, 64'000'000}};
  const auto spilled = found(Rule::kPrivateArrays, faulty);
  REQUIRE(spilled);
  CHECK(spilled->title == "Spilled registers");
  CHECK(spilled->problem == "Code for NVIDIA (nvptx) spills 968 bytes of each work-item, and each "
                            "work-item reads and writes 10,000 bytes there.");
  CHECK_THAT(spilled->remedy, Catch::Contains("`reqd_work_group_size`"));
  LaunchDemand left = demandOf(faulty);
  const double seconds = costOf(left, kGpu).seconds;
  left.scratchBytes = {};
  CHECK(spilled->gains[kGpu].factor == Approx(seconds / costOf(left, kGpu).seconds));
  CHECK(spilled->gains[kCpu].factor == 1);

  faulty.setCount("private_accesses"_metric, 300'000);
  faulty.provenance.sourceKind = "cuda";
  const auto arrays = found(Rule::kPrivateArrays, faulty);
  REQUIRE(arrays);
  CHECK(arrays->title == "Private arrays in memory");
  CHECK_THAT(arrays->problem, Catch::Contains("keeps 968 bytes of each thread in memory, arrays "
                                              "and spilled registers"));
  CHECK_THAT(arrays->remedy, Catch::Contains("`__launch_bounds__`"));

  faulty.targets = {PrivateTraffic{968, 64'000'000}, PrivateTraffic{}, PrivateTraffic{}};
  CHECK(!found(Rule::kPrivateArrays, faulty)); // of AMD, which was not asked about
  faulty.targets[0] = PrivateTraffic{};
  CHECK(!found(Rule::kPrivateArrays, faulty)); // registers hold the arrays everywhere
  faulty.targets[0].reset();                   // that code may have them in memory
  const auto unknown = found(Rule::kPrivateArrays, faulty);
  REQUIRE(unknown);
  CHECK((!unknown->isCosted && unknown->gains.empty()));

  // 200,000 accesses of 6,400 work-items to other memory.
  const auto said = [&](uint64_t accesses) {
    faulty.setCount("private_accesses"_metric, accesses);
    return found(Rule::kPrivateArrays, faulty)->problem;
  };
  CHECK_THAT(said(800'000),
             Catch::StartsWith("Each thread makes 125 accesses to arrays of its own, 4 for each "
                               "access to other memory. Whether"));
  CHECK_THAT(said(1'280'000'000),
             Catch::StartsWith("Each thread makes 200,000 accesses to arrays of its own, and "
                               "hardly any to other memory. Whether"));
}

TEST_CASE("a run gains its transfers, round trips and starts") {
  KernelProfile launch = onPaper();
  setCounts(launch, {{"host_to_device_bytes"_metric, 40'000'000},
                     {"host_to_device_transfers"_metric, 2},
                     {"device_to_host_bytes"_metric, 240},
                     {"device_to_host_transfers"_metric, 60}});
  const std::array<const KernelProfile *, 2> run = {&launch, &launch};
  const auto findings = applicationFindings(run, devices(), paperModel(true));
  const auto gainsOf = [&](Rule rule) {
    const auto finding = std::ranges::find(findings, rule, &Finding::rule);
    REQUIRE(finding != findings.end());
    return finding->gains;
  };
  for (const size_t on : {kCpu, kGpu}) {
    const Cost cost = paperModel(true).cost(demandOf(launch), devices()[on]);
    // Copies at half of the bandwidth, and a microsecond a call.
    const double bytes = 40'000'240 / 50'000.0 * 1e-6;
    const double trips = 60e-6 + 240 / 50'000.0 * 1e-6;
    const double all = 2 * (cost.seconds + bytes + 62e-6);
    CHECK(gainsOf(Rule::kTransfers)[on].savedSeconds == Approx(2 * (bytes + 62e-6)));
    CHECK(gainsOf(Rule::kTransfers)[on].factor == Approx(all / (2 * cost.seconds)));
    // After the last launch, nothing waits.
    CHECK(gainsOf(Rule::kRoundTrips)[on].savedSeconds == Approx(trips));
    CHECK(gainsOf(Rule::kRoundTrips)[on].factor == Approx(all / (all - trips)));
  }
  // Launches that do little: starting them is 12 microseconds each, and 10 more on a CPU, whose
  // further cores wake up.
  setCounts(launch, {{"total_instruction_count"_metric, 1000},
                     {"ipt_max"_metric, 1},
                     {"work_group_instructions_max"_metric, 10},
                     {"total_reads"_metric, 100},
                     {"total_writes"_metric, 100},
                     {"bytes_read_global"_metric, 400},
                     {"bytes_written_global"_metric, 400}});
  launch.reuse.coldAccesses = 100;
  const auto bound = applicationFindings(run, devices(), paperModel(true));
  const auto starts = std::ranges::find(bound, Rule::kLaunchBound, &Finding::rule);
  REQUIRE(starts != bound.end());
  for (const size_t on : {kCpu, kGpu}) {
    const double kernels = paperModel(true).cost(demandOf(launch), devices()[on]).seconds;
    const double start = on == kCpu ? 22e-6 : 12e-6;
    CHECK(starts->gains[on].savedSeconds == Approx(2 * start));
    CHECK(starts->gains[on].factor == Approx(kernels / (kernels - start)));
  }
}
