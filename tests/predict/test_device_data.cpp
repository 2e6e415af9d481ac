/// The devices that come with the project: what can be checked of them without their data sheets.
#include "predict/device_json.h"
#include "predict/device_library.h"
#include "predict/fitted/compute_unit.h"
#include "support/files.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace aiwc::predict;
using namespace aiwc::test;
using Catch::Matchers::WithinRel;

namespace {

const DeviceLibrary &devices() {
  static const DeviceLibrary library({AIWC_TEST_DEVICES, AIWC_TEST_DEVICES "/automatch"});
  return library;
}

bool isMeasured(const DeviceProfile &device) {
  return device.id.starts_with("automatch-");
}

/// GPUs that cannot calculate in double precision, or whose OpenCL does not.
bool withoutDouble(const DeviceProfile &device) {
  return device.vendor == "Apple" || device.vendor == "Qualcomm" || device.series == "Alchemist" ||
         device.series == "Gen7.5";
}

/// Processors with cores of two kinds, whose rate is a mean.
bool isHybrid(const DeviceProfile &device) {
  return device.id == "i9-13900k";
}

bool isGpu(const DeviceProfile &device) {
  return device.type == DeviceType::kGpu || device.type == DeviceType::kIntegratedGpu;
}

} // namespace

TEST_CASE("the library has the devices that times were published of, by the ids of the data") {
  for (const char *id : {"automatch-arc1-i5-2400", "automatch-arc2-i7-4700", "automatch-arc3-c2075",
                         "automatch-arc4-k20c", "automatch-arc5-k20x",
                         // As in eod-2018/devices.csv, so that measurements join by id.
                         "xeon_es-2697v2", "i7-6700k", "i5-3550", "titanx", "gtx1080", "gtx1080ti",
                         "k20m", "k40m", "firepro-s9150", "tahiti-hd7970", "hawaii-r9-290x",
                         "hawaii-r9-295x2", "fiji-furyx", "polaris-rx480", "knl",
                         // devmap-2017; its third is tahiti-hd7970.
                         "i7-3820", "gtx970"})
    CHECK(devices()[id].id == id);
}

TEST_CASE("the library has recent devices of each type that several vendors make") {
  const auto vendorsOf = [](DeviceType type) {
    std::set<std::string> vendors;
    for (const DeviceProfile &device : devices().devices())
      if (device.type == type && device.year >= 2020)
        vendors.insert(device.vendor);
    return vendors;
  };
  CHECK(vendorsOf(DeviceType::kCpu) == std::set<std::string>{"AMD", "Intel", "NVIDIA"});
  CHECK(vendorsOf(DeviceType::kGpu) == std::set<std::string>{"AMD", "Intel", "NVIDIA"});
  CHECK(vendorsOf(DeviceType::kIntegratedGpu) ==
        std::set<std::string>{"AMD", "Apple", "Intel", "NVIDIA", "Qualcomm"});
}

TEST_CASE("every device has a year and a memory, and all but one an OpenCL implementation") {
  std::vector<std::string> without;
  for (const DeviceProfile &device : devices().devices()) {
    INFO(device.id);
    CHECK(device.year >= 2009); // OpenCL 1.0 is of December 2008
    REQUIRE(device.has(Parameter::kMemoryCapacity));
    CHECK(device[Parameter::kMemoryCapacity] >= 3 * std::pow(2.0, 30));
    CHECK(device[Parameter::kMemoryCapacity] > device[Parameter::kCacheCapacity]);
    if (!device.opencl)
      without.push_back(device.id);
  }
  // The vendor's compilers for it are of C, C++ and Fortran.
  CHECK(without == std::vector<std::string>{"sx-aurora-ve20b"});
}

TEST_CASE("every file is written as the writer writes it") {
  for (const DeviceProfile &device : devices().devices())
    CHECK(contents(std::string(AIWC_TEST_DEVICES) +
                   (device.id.starts_with("automatch-") ? "/automatch/" : "/") + device.id +
                   ".json") == toJson(device));
}

TEST_CASE("every device has the abstract machine, every number a source") {
  for (const DeviceProfile &device : devices().devices()) {
    INFO(device.id);
    for (const ParameterInfo &parameter : parameters()) {
      INFO(parameter.key);
      if (parameter.parameter <= Parameter::kSyncCost &&
          !(isMeasured(device) && parameter.parameter == Parameter::kFp32Rate) &&
          !(withoutDouble(device) && parameter.parameter == Parameter::kFp64Rate))
        CHECK(device.has(parameter.parameter));
      if (const auto &quantity = device.quantities[static_cast<size_t>(parameter.parameter)])
        CHECK(quantity->source.size() >= 8);
    }
    CHECK(device.has(Parameter::kLaneWidth));
    CHECK(device.has(Parameter::kFp64Rate) != withoutDouble(device));
  }
}

TEST_CASE("a rule that a source names, and every key, stand in the document") {
  const std::string document = contents(AIWC_TEST_DEVICE_DOCUMENT);
  const std::string reference = "docs/devices.md, rule ";
  size_t rules = 0;
  for (const DeviceProfile &device : devices().devices())
    for (const auto &quantity : device.quantities) {
      const size_t at = quantity ? quantity->source.find(reference) : std::string::npos;
      if (at == std::string::npos)
        continue;
      const std::string rest = quantity->source.substr(at + reference.size());
      const std::string rule = rest.substr(0, rest.find_first_of(":,"));
      INFO(device.id << ": " << rule);
      CHECK(document.find("**" + rule + "**") != std::string::npos);
      ++rules;
    }
  CHECK(rules > 100);
  for (const ParameterInfo &parameter : parameters()) {
    INFO(parameter.key);
    const std::string key(parameter.key), name(parameter.name);
    const auto isIn = [&](const std::string &text) {
      return document.find(text) != std::string::npos;
    };
    CHECK((isIn("| `" + key + "`") || isIn(", `" + key + "` |"))); // a row has up to two
    // A name is the key without its unit; the others are named.
    CHECK((key == name || key.starts_with(name + "_") || isIn("`" + name + "`")));
  }
}

TEST_CASE("AutoMatch's devices are as its table I has them") {
  struct Row {
    const char *id;
    double cores, rate, megabytes, line, betaF, alphaF, betaS, alphaS, s0, clock;
  };
  constexpr Row kTable[] = {
      {"automatch-arc1-i5-2400", 4, 20, 6, 64, 285, 0.004, 18.88, 0.065, 0.2, 3.1},
      {"automatch-arc2-i7-4700", 4, 33, 6, 64, 349, 0.004, 11.5, 0.052, 0.44, 2.4},
      {"automatch-arc3-c2075", 448, 0.9, 1.6, 128, 2117, 0.028, 87.92, 0.71, 7.22, 1.15},
      {"automatch-arc4-k20c", 2496, 0.41, 2.3, 128, 2018, 0.045, 129.73, 0.68, 6.5, 0.732},
      {"automatch-arc5-k20x", 2688, 0.42, 2.3, 128, 2424, 0.045, 160.1, 0.68, 6.5, 0.732},
  };
  for (const Row &row : kTable) {
    INFO(row.id);
    const DeviceProfile &device = devices()[row.id];
    CHECK(device[Parameter::kCores] == row.cores);
    CHECK(device[Parameter::kFp64Rate] == row.rate);
    CHECK(device[Parameter::kCacheCapacity] == std::round(row.megabytes * (1 << 20)));
    CHECK(device[Parameter::kCacheLine] == row.line);
    CHECK(device[Parameter::kCacheBandwidth] == row.betaF);
    CHECK(device[Parameter::kCacheLatency] == row.alphaF);
    CHECK(device[Parameter::kDramBandwidth] == row.betaS);
    CHECK(device[Parameter::kDramLatency] == row.alphaS);
    CHECK(device[Parameter::kSyncCost] == row.s0);
    CHECK(device[Parameter::kClock] == row.clock);
    CHECK_FALSE(device.has(Parameter::kFp32Rate)); // not published
  }
}

TEST_CASE("the units for matrices do what the vendor states") {
  struct Rate {
    const char *id;
    PerMatrixType tera; ///< 16 bits, tf32, 8-bit integers, double; dense
  };
  constexpr Rate kRates[] = {
      {"v100-sxm2", {125, 0, 0, 0}},
      {"tesla-t4", {65, 0, 130, 0}},
      {"rtx2080ti", {53.8, 0, 215.2, 0}},
      {"a100-sxm4-40gb", {312, 156, 624, 19.5}},
      {"rtx3090", {71, 35.6, 284, 0}},
      {"a40", {149.7, 74.8, 299.3, 0}},
      {"rtx4090", {165.2, 82.6, 660.6, 0}},
      {"l40s", {362.05, 183, 733, 0}},
      {"h100-sxm5", {989.4, 494.7, 1978.9, 66.9}},
      {"h100-pcie", {756, 378, 1513, 51.2}},
      {"rtx5090", {209.5, 104.8, 838, 0}},
      {"b200", {2250, 1125, 4500, 0}},
  };
  for (const Rate &row : kRates) {
    INFO(row.id);
    const PerMatrixType rates = matrixRatesOf(devices()[row.id]); // in a microsecond
    for (size_t type = 0; type < rates.size(); ++type)
      CHECK(rates[type] / 1e6 == Approx(row.tera[type]).epsilon(0.013));
  }
  for (const DeviceProfile &device : devices().devices()) {
    INFO(device.id);
    const bool has = device.vendor == "NVIDIA" && device.type == DeviceType::kGpu &&
                     device.year >= 2017 && !device.name.starts_with("GeForce GTX");
    CHECK(device.has(Parameter::kMatrixRate) == has);
    const auto &rate = device.quantities[static_cast<size_t>(Parameter::kMatrixRate)];
    if (rate && rate->source.find("rule gpu-matrix-rate") != std::string::npos)
      CHECK(rate->value ==
            Approx(0.512 * device[Parameter::kComputeUnits] * device[Parameter::kClock])
                .margin(0.05001));
  }
}

TEST_CASE("cores and rates make the peaks that the vendors state") {
  struct Peak {
    const char *id;
    double fp32, fp64; // TFLOP/s, in the digits of the vendor's own figures
    double tolerance;  // half of their last digit
  };
  constexpr Peak kPeaks[] = {
      {"titanx", 10.97, 0.343, 0.002},
      {"gtx1080", 8.873, 0.277, 0.002},
      {"gtx1080ti", 11.34, 0.354, 0.002},
      {"k20m", 3.52, 1.17, 0.005},
      {"k40m", 4.29, 1.43, 0.005},
      {"firepro-s9150", 5.07, 2.53, 0.005},
      {"tahiti-hd7970", 3.79, 0.947, 0.005},
      {"hawaii-r9-290x", 5.6, 0.7, 0.01},
      {"hawaii-r9-295x2", 5.73, 0.717, 0.01},
      {"fiji-furyx", 8.6, 0.538, 0.005},
      {"polaris-rx480", 5.8, 0.365, 0.01},
      {"knl", 5.32, 2.66, 0.005},
      {"xeon_es-2697v2", 0.5184, 0.2592, 0.001},
      {"i7-6700k", 0.512, 0.256, 0.001},
      {"h100-sxm5", 66.9, 33.5, 0.005},
      {"mi300x", 163.4, 81.7, 0.002},
      {"sx-aurora-ve20b", 4.91, 2.45, 0.005},
      {"radeon-780m", 8.29, 0.259, 0.005},
      {"rtx2080ti", 13.45, 0.420, 0.002},
      {"rtx3060", 12.7, 0.199, 0.005},
      {"rtx3080", 29.8, 0.465, 0.002},
      {"rtx3090", 35.6, 0.556, 0.002},
      {"rtx4080", 48.7, 0.762, 0.002},
      {"rtx4090", 82.6, 1.29, 0.002},
      {"rtx5090", 104.8, 1.637, 0.002},
      {"b200", 74.45, 37.22, 0.005},
      {"h200-sxm", 66.9, 33.5, 0.005},
      {"rtx5080", 56.28, 0.879, 0.002},
      {"rtx-pro-6000-blackwell", 126, 1.968, 0.002},
      {"mi300a", 122.6, 61.3, 0.002},
      {"mi325x", 163.4, 81.7, 0.002},
      {"mi355x", 157.3, 78.6, 0.002},
      {"rx9070xt", 48.66, 1.521, 0.002},
      {"radeon-8060s", 29.7, 0.928, 0.002},
      {"max-1550", 26.21, 26.21, 0.002},
      {"a40", 37.4, 0.585, 0.002},
      {"l40", 90.5, 1.414, 0.002},
      {"v100-sxm2", 15.7, 7.8, 0.005},
      {"v100-pcie", 14, 7, 0.02},
      {"a100-sxm4-40gb", 19.5, 9.7, 0.005},
      {"a100-sxm4-80gb", 19.5, 9.7, 0.005},
      {"tesla-t4", 8.1, 0.254, 0.01},
      {"mi50", 13.3, 6.6, 0.01},
      {"mi100", 23.1, 11.5, 0.005},
      {"mi210", 45.3, 22.6, 0.005},
      {"mi250x", 47.9, 23.95, 0.002}, // half of what is stated for both of its GPUs
      {"rx6900xt", 23.04, 1.44, 0.002},
      {"rx7900xtx", 61.4, 1.92, 0.002},
      {"rx7800xt", 37.3, 1.17, 0.005},
      {"uhd-630", 0.4608, 0.1152, 0.002},
      {"k20x", 3.95, 1.31, 0.005},
      {"p100-pcie", 9.3, 4.7, 0.01},
      {"a100-pcie-40gb", 19.5, 9.7, 0.005},
      {"a100-pcie-80gb", 19.5, 9.7, 0.005},
      {"vega-56", 10.5, 0.656, 0.005},
      {"mi60", 14.7, 7.4, 0.005},
      {"pro-w6600", 10.4, 0.65, 0.005},
      {"pro-w7800", 45.2, 1.41, 0.005},
  };
  for (const auto &[id, tflops] :
       {std::pair("arc-a770", 17.2), std::pair("apple-m1", 2.6), std::pair("apple-m1-pro", 5.2),
        std::pair("rtx-a4000", 19.2), std::pair("rtx-a6000", 38.7), std::pair("l4", 30.3),
        std::pair("titan-rtx", 16.3)})
    CHECK_THAT(devices()[id][Parameter::kCores] * devices()[id][Parameter::kFp32Rate] / 1000,
               WithinRel(tflops, 0.002));
  for (const Peak &peak : kPeaks) {
    INFO(peak.id);
    const DeviceProfile &device = devices()[peak.id];
    const double cores = device[Parameter::kCores];
    CHECK_THAT(cores * device[Parameter::kFp32Rate] / 1000, WithinRel(peak.fp32, peak.tolerance));
    CHECK_THAT(cores * device[Parameter::kFp64Rate] / 1000, WithinRel(peak.fp64, peak.tolerance));
  }
}

TEST_CASE("a core's rate is a power of two of operations per cycle, in double at most as many") {
  for (const DeviceProfile &device : devices().devices()) {
    if (isMeasured(device) || isHybrid(device) || device.type == DeviceType::kAccelerator)
      continue; // the accelerator has three pipes
    INFO(device.id);
    const double perCycle = std::log2(device[Parameter::kFp32Rate] / device[Parameter::kClock]);
    CHECK(std::abs(perCycle - std::round(perCycle)) < 1e-6);
    if (!withoutDouble(device))
      CHECK(device[Parameter::kFp64Rate] <=
            device[Parameter::kFp32Rate] / (device.series == "Ponte Vecchio" ? 1 : 2));
  }
}

TEST_CASE("fast memory is faster, on-chip capacities nest") {
  for (const DeviceProfile &device : devices().devices()) {
    INFO(device.id);
    CHECK(device[Parameter::kCacheLatency] < device[Parameter::kDramLatency]);
    const double ratio = device[Parameter::kCacheBandwidth] / device[Parameter::kDramBandwidth];
    // Of the devices of table I it is 15 to 30; memory in the package is closer to the cores, and
    // GPUs with caches of tens of MB, and desktop processors with many cores, have little bandwidth
    // for them.
    CHECK(ratio > 1.9);
    CHECK(ratio < 65);
    const bool hasL2 = device.has(Parameter::kL2Capacity);
    const auto capacity = [&](Parameter level) { return device.has(level) ? device[level] : 0; };
    if (isGpu(device))
      CHECK(device[Parameter::kCacheCapacity] >
            capacity(Parameter::kL2Capacity) + capacity(Parameter::kL3Capacity));
    if (device.type == DeviceType::kCpu && device.has(Parameter::kL3Capacity))
      CHECK(device[Parameter::kCacheCapacity] == device[Parameter::kL3Capacity]);
    if (hasL2 && device.has(Parameter::kL1Capacity))
      CHECK(device[Parameter::kL1Capacity] < device[Parameter::kL2Capacity]);
    if (isGpu(device))
      CHECK(std::fmod(device[Parameter::kCores], device[Parameter::kLaneWidth]) == 0);
  }
}

namespace {

const std::string &sourceOf(const DeviceProfile &device, Parameter parameter) {
  return device.quantities[static_cast<size_t>(parameter)]->source;
}

/// Whether a number was measured; otherwise a rule must have derived it.
bool wasMeasured(const DeviceProfile &device, Parameter parameter) {
  const std::string &source = sourceOf(device, parameter);
  INFO(device.id << ": " << source);
  CHECK(source.starts_with("measured: ") != (source.find("docs/devices.md, rule ") == 0));
  return source.starts_with("measured: ");
}

bool isRdna(const DeviceProfile &device) {
  return device.vendor == "AMD" && device.series.starts_with("RDNA");
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Latencies of ten GPUs that gpu-benches measured: the L1 cache in cycles, the memory in us.
struct GpuLatencies {
  std::vector<double> l1, memory;
};
const GpuLatencies kNvidia = {{28, 33, 33, 34, 32}, {0.315, 0.392, 0.320, 0.251, 0.348}};
const GpuLatencies kCdna = {{134, 128, 120, 121}, {0.445, 0.409, 0.394, 0.434}};
const GpuLatencies kRdna = {{73}, {0.784}};

std::vector<double> allOf(const std::vector<double> GpuLatencies::*member) {
  std::vector<double> all;
  for (const GpuLatencies *group : {&kNvidia, &kCdna, &kRdna})
    all.insert(all.end(), (group->*member).begin(), (group->*member).end());
  return all;
}

/// Launch latencies that clpeak's logs have, us.
const std::vector<double> kHawaii = {31.72, 34.63, 98.17};
const std::vector<double> kPascal = {4.14, 4.35, 4.22, 3.5, 3.78};
const std::map<std::string, std::vector<double>> kMeasuredLaunches = {
    {"median of four measured Kepler cards", {6.89, 6.58, 9.27, 8.2}},
    {"median of three measured GeForce cards with Maxwell", {4.6, 5.16, 3.69}},
    {"median of five measured Pascal cards", kPascal},
    {"median of nine measured GeForce cards, Pascal to Blackwell",
     {4.14, 4.35, 4.22, 4.14, 3.44, 3.85, 3.46, 3.81, 6.66}},
    {"median of five measured cards for servers and workstations, Volta to Ampere",
     {6.51, 19.29, 7.88, 5.82, 5.73}},
    {"median of three measured Hawaii cards", kHawaii},
    {"the measured Polaris card", {42.83}},
    {"median of eight measured GCN cards",
     {120.57, 118.09, 98.17, 63.5, 42.83, 35.82, 34.63, 31.72}},
    {"median of four measured Vega 20 cards", {11.44, 10.55, 15.64, 14.06}},
    {"median of eight measured CDNA 2 chips", {8.0, 4.27, 8.17, 7.25, 8.05, 7.33, 3.67, 3.88}},
    {"the measured RDNA card", {12.77}},
    {"Intel's developers expect about 8 us of an A770M", {8}},
    {"as measured on the A100 of 40 GB, which has the same chip", {5.76, 5.65, 5.75, 5.7}},
    {"median of three measured integrated GPUs of Intel", {34.17, 34.59, 29.41}},
    {"the measured Adreno 730", {66.59}},
    {"the measured M1 Pro", {2.39}},
};
const std::vector<double> kCpuLaunches = {1.95, 2.25, 2.36, 2.77, 2.96,
                                          3.08, 3.27, 4.12, 5.33, 8.59};
const std::vector<double> kXeonPhiLaunches = {77.33, 79.6};

} // namespace

TEST_CASE("latencies that were not measured follow the rules of docs/devices.md") {
  CHECK_THAT(median(kNvidia.l1), WithinRel(32.0, 0.04)); // the rule is older
  const double amd = std::round(median(kCdna.l1) + 0.01);
  const double others = std::round(median(allOf(&GpuLatencies::l1)));
  const std::string sameChip = "gpu-dram-latency: as measured on the ";
  const std::map<std::string, double> measuredOn = {
      {"V100", 0.315},  {"A100 of 80 GB", 0.392}, {"A40", 0.320},        {"L40", 0.251},
      {"GH200", 0.348}, {"MI210", 0.409},         {"RX 6900 XT", 0.784}, {"MI300X", 0.434}};
  for (const DeviceProfile &device : devices().devices()) {
    if (isMeasured(device) || device.type == DeviceType::kAccelerator)
      continue;
    INFO(device.id);
    const bool nvidia = device.vendor == "NVIDIA";
    if (!wasMeasured(device, Parameter::kCacheLatency)) {
      const double cycles = device[Parameter::kCacheLatency] * 1000 * device[Parameter::kClock];
      const double rule = !isGpu(device)           ? 11.0
                          : nvidia                 ? 32.0
                          : isRdna(device)         ? kRdna.l1[0]
                          : device.vendor == "AMD" ? amd
                                                   : others;
      CHECK_THAT(cycles, WithinRel(rule, 0.005)); // three digits are kept
    }
    const std::string &slow = sourceOf(device, Parameter::kDramLatency);
    if (const size_t at = slow.find(sameChip); at != std::string::npos) {
      const std::string relative = slow.substr(at + sameChip.size());
      REQUIRE(measuredOn.contains(relative.substr(0, relative.find(','))));
      CHECK(device[Parameter::kDramLatency] ==
            measuredOn.at(relative.substr(0, relative.find(','))));
    } else if (!wasMeasured(device, Parameter::kDramLatency)) {
      const double rule = !isGpu(device)              ? 0.058
                          : device.series == "Kepler" ? 0.69
                          : nvidia                    ? median(kNvidia.memory)
                          : device.vendor == "AMD" && !isRdna(device)
                              ? median(kCdna.memory)
                              : median(allOf(&GpuLatencies::memory));
      CHECK_THAT(device[Parameter::kDramLatency], WithinRel(rule, 0.01)); // two digits are kept
    }
    if (device.type == DeviceType::kGpu) {
      CHECK(device[Parameter::kHostLinkLatency] == 10);
    } else {
      CHECK_THAT(device[Parameter::kHostLinkBandwidth],
                 WithinRel(device[Parameter::kDramBandwidth] / 2, 0.001));
      CHECK(device[Parameter::kHostLinkLatency] == device[Parameter::kDramLatency]);
    }
  }
}

TEST_CASE("launch overheads are measured, or medians of what was") {
  const std::string rule = "docs/devices.md, rule gpu-launch: ";
  size_t measured = 0;
  for (const DeviceProfile &device : devices().devices()) {
    if (isMeasured(device) || device.type == DeviceType::kAccelerator)
      continue;
    INFO(device.id);
    const double launch = device[Parameter::kLaunchOverhead];
    if (wasMeasured(device, Parameter::kLaunchOverhead)) {
      ++measured;
      CHECK(launch > 1);
      CHECK(launch < 100);
    } else if (!isGpu(device)) {
      CHECK_THAT(launch,
                 WithinRel(median(device.id == "knl" ? kXeonPhiLaunches : kCpuLaunches), 0.01));
    } else if (const std::string &source = sourceOf(device, Parameter::kLaunchOverhead);
               source.starts_with(rule)) {
      REQUIRE(kMeasuredLaunches.contains(source.substr(rule.size())));
      CHECK_THAT(launch,
                 WithinRel(median(kMeasuredLaunches.at(source.substr(rule.size()))), 0.002));
    }
    if (isGpu(device))
      CHECK(device[Parameter::kSyncCost] == launch);
    else
      CHECK_THAT(device[Parameter::kSyncCost], // of whole threads, in four digits
                 WithinRel(0.052 * std::round(device[Parameter::kSyncCost] / 0.052), 0.0005));
  }
  CHECK(measured >= 25);
  CHECK(devices()["hawaii-r9-290x"][Parameter::kLaunchOverhead] == median(kHawaii));
}

TEST_CASE("the rules give what AutoMatch measured, to a fifth") {
  struct Measured {
    const char *id;
    double units, clock, bytesPerCycle, threads; // of the data sheets
  };
  constexpr Measured kCpus[] = {{"automatch-arc1-i5-2400", 4, 3.1, 32, 4},
                                {"automatch-arc2-i7-4700", 4, 2.4, 64, 8}};
  constexpr Measured kGpus[] = {{"automatch-arc3-c2075", 14, 1.15, 128, 0},
                                {"automatch-arc4-k20c", 13, 0.706, 256, 0},
                                {"automatch-arc5-k20x", 14, 0.732, 256, 0}};
  const auto check = [](const Measured &measured, double share, double cycles, double alphaS,
                        double s0) {
    INFO(measured.id);
    const DeviceProfile &device = devices()[measured.id];
    const auto near = [&](Parameter parameter, double rule) {
      INFO(info(parameter).name);
      CHECK_THAT(rule, WithinRel(device[parameter], 0.2));
    };
    near(Parameter::kCacheBandwidth,
         share * measured.units * measured.clock * measured.bytesPerCycle);
    near(Parameter::kCacheLatency, cycles / measured.clock / 1000);
    near(Parameter::kDramLatency, alphaS);
    near(Parameter::kSyncCost, s0);
  };
  for (const Measured &cpu : kCpus)
    check(cpu, 0.64, 11, 0.058, 0.052 * cpu.threads);
  for (const Measured &gpu : kGpus)
    check(gpu, 0.93, 32, 0.69, median({6.89, 6.58, 9.27, 8.2})); // of Kepler
}

TEST_CASE("no two devices answer to the same OpenCL name, and each answers to its own") {
  for (const DeviceProfile &device : devices().devices())
    for (const std::string &name : device.openclNames) {
      INFO(device.id << ": " << name);
      REQUIRE(devices().match(name) != nullptr);
      CHECK(devices().match(name)->id == device.id);
    }
  CHECK(devices().match("Intel(R) Xeon Phi(TM) CPU 7210 @ 1.30GHz")->id == "knl");
  CHECK(devices().match("NVIDIA H100 80GB HBM3")->id == "h100-sxm5");
  CHECK(devices().match("NVIDIA H100 PCIe")->id == "h100-pcie");
  CHECK(devices().match("NVIDIA H100 NVL") == nullptr);
  CHECK(devices().match("pthread-Intel(R) Core(TM) i7-6700K CPU @ 4.00GHz")->id == "i7-6700k");
}

TEST_CASE("devices answer to what implementations call them, and to no other product's name") {
  const std::pair<const char *, const char *> names[] = {
      {"cpu-skylake-Intel(R) Core(TM) i7-6700K CPU @ 4.00GHz", "i7-6700k"},
      {"       Intel(R) Xeon(R) CPU E5-2697 v2 @ 2.70GHz", "xeon_es-2697v2"},
      {"Intel(R) Xeon(R) 6980P", "xeon-6980p"},
      {"AMD EPYC 9654 96-Core Processor", "epyc-9654"},
      {"NVIDIA GeForce GTX 1080 Ti", "gtx1080ti"},
      {"NVIDIA TITAN X (Pascal)", "titanx"},
      {"AMD Radeon(TM) 780M", "radeon-780m"},
      {"AMD Radeon 780M Graphics (radeonsi, gfx1103_r1, LLVM 17.0.6)", "radeon-780m"},
      {"AMD Radeon (TM) R9 290X", "hawaii-r9-290x"},
      {"AMD Radeon RX 480 Graphics (polaris10, LLVM 15.0.6, DRM 3.49)", "polaris-rx480"},
      {"AMD Instinct MI300X", "mi300x"},
      {"NVIDIA GeForce RTX 3060", "rtx3060"},
      {"NVIDIA GeForce RTX 2080 SUPER", "rtx2080-super"},
      {"NVIDIA GeForce RTX 4090", "rtx4090"},
      {"NVIDIA A100-SXM4-80GB", "a100-sxm4-80gb"},
      {"NVIDIA L40", "l40"},
      {"Tesla V100-PCIE-32GB", "v100-pcie"},
      {"Intel(R) Arc(TM) A770 Graphics", "arc-a770"},
      {"Intel(R) UHD Graphics 630", "uhd-630"},
      {"Apple M1", "apple-m1"},
      {"Apple M1 Pro", "apple-m1-pro"},
      {"AMD Radeon RX 7900 XTX (radeonsi, navi31, LLVM 17.0.6)", "rx7900xtx"},
      {"cpu-haswell-AMD Ryzen 7 3700X 8-Core Processor", "ryzen7-3700x"},
      {"cpu-alderlake-12th Gen Intel(R) Core(TM) i5-12400F", "i5-12400"},
      {"cpu-alderlake-13th Gen Intel(R) Core(TM) i9-13900K", "i9-13900k"},
      {"INTEL(R) XEON(R) PLATINUM 8568Y+", "xeon-8568y"},
      {"Tesla K20Xm", "k20x"},
      {"NVIDIA L4", "l4"},
      {"NVIDIA L40S", "l40s"},
      {"NVIDIA H200", "h200-sxm"},
      {"NVIDIA H200 NVL", "h200-nvl"},
      {"NVIDIA GH200 480GB", "gh200"},
      {"NVIDIA GeForce RTX 3060 Ti", "rtx3060ti"},
      {"NVIDIA GeForce RTX 4070 Ti SUPER", "rtx4070ti-super"},
      {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "rtx-pro-6000-blackwell"},
      {"AMD Radeon RX 7600 XT", "rx7600xt"},
      {"AMD Radeon RX 9070 XT (radeonsi, gfx1201, LLVM 19.1.0)", "rx9070xt"},
      {"Intel(R) Arc(TM) B580 Graphics", "arc-b580"},
      {"Apple M1 Max", "apple-m1-max-24"},
      {"Apple M2 Ultra", "apple-m2-ultra-76"},
      {"AMD RYZEN AI MAX+ 395 w/ Radeon 8060S", "ryzen-ai-max-395"},
      {"NVIDIA RTX A4000", "rtx-a4000"},
      {"NVIDIA GeForce RTX 3060 Laptop GPU", "rtx3060-laptop"},
      {"NVIDIA A100 80GB PCIe", "a100-pcie-80gb"},
      {"Intel(R) Iris(R) Pro Graphics 580", "iris-pro-580"},
      {"QUALCOMM Adreno(TM) 730", "adreno-730"},
  };
  for (const auto &[name, id] : names) {
    INFO(name);
    const DeviceProfile *device = devices().match(name);
    REQUIRE(device != nullptr);
    CHECK(device->id == id);
  }
  for (const char *name :
       {"NVIDIA GeForce GTX TITAN X", "NVIDIA GeForce GTX 1080 with Max-Q Design",
        "NVIDIA H100 80GB HBM3 MIG 1g.10gb", "AMD Radeon HD 7970M", "gfx803",
        "Intel(R) Xeon(R) CPU E5-2697 v3 @ 2.60GHz", "NVIDIA GeForce RTX 4090 Laptop GPU",
        "NVIDIA GeForce RTX 4090 D", "NVIDIA L40G", "NVIDIA GeForce RTX 4060 Ti Laptop GPU",
        "Apple M3 Max", "Apple M3", "AMD Radeon RX 7900 GRE", "NVIDIA GeForce RTX 5080 SUPER",
        "Intel(R) Arc(TM) A770M Graphics", "AMD Ryzen 5 1600X Six-Core Processor",
        "AMD Radeon Pro VII"}) {
    INFO(name);
    CHECK(devices().match(name) == nullptr);
  }
}
