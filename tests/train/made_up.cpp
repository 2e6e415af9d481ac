#include "train/made_up.h"

#include <cmath>

namespace aiwc::test {

using predict::Parameter;

namespace {

predict::DeviceProfile device(const std::string &id, predict::DeviceType type,
                              const std::string &vendor) {
  predict::DeviceProfile profile;
  profile.id = profile.name = id;
  profile.vendor = vendor;
  profile.type = type;
  profile.year = 2020;
  return profile;
}

} // namespace

predict::DeviceProfile madeUpCpu(const std::string &id) {
  predict::DeviceProfile cpu = device(id, predict::DeviceType::kCpu, "Somebody");
  cpu.set(Parameter::kCores, 4, "test");
  cpu.set(Parameter::kClock, 2, "test");
  cpu.set(Parameter::kLaneWidth, 8, "test");
  cpu.set(Parameter::kDramBandwidth, 10, "test");
  cpu.set(Parameter::kCacheBandwidth, 100, "test");
  cpu.set(Parameter::kCacheCapacity, 1 << 20, "test");
  cpu.set(Parameter::kFp32Rate, 32, "test");
  cpu.set(Parameter::kFp64Rate, 16, "test");
  return cpu;
}

predict::DeviceProfile madeUpGpu(const std::string &id, const std::string &vendor) {
  predict::DeviceProfile gpu = device(id, predict::DeviceType::kGpu, vendor);
  gpu.set(Parameter::kCores, 512, "test");
  gpu.set(Parameter::kComputeUnits, 4, "test");
  gpu.set(Parameter::kClock, 1, "test");
  gpu.set(Parameter::kLaneWidth, 32, "test");
  gpu.set(Parameter::kDramBandwidth, 100, "test");
  gpu.set(Parameter::kCacheBandwidth, 1000, "test");
  gpu.set(Parameter::kCacheCapacity, 1 << 20, "test");
  gpu.set(Parameter::kFp32Rate, 2, "test");
  gpu.set(Parameter::kFp64Rate, 0.0625, "test");
  gpu.set(Parameter::kHostLinkBandwidth, 8, "test");
  gpu.set(Parameter::kHostLinkLatency, 10, "test");
  return gpu;
}

profile::KernelProfile profileOf(const MadeUpKernel &kernel) {
  const uint64_t items = kernel.workGroups * kernel.workGroupSize;
  profile::KernelProfile result;
  result.provenance.kernel = "made_up";
  result.provenance.workDim = 1;
  result.provenance.globalSize = {items, 1, 1};
  result.provenance.localSize = {kernel.workGroupSize, 1, 1};
  result.setCount("work_items"_metric, items);
  result.setCount("work_groups"_metric, kernel.workGroups);
  result.setCount("work_group_size"_metric, kernel.workGroupSize);
  result.setCount("total_instruction_count"_metric, items * kernel.itemInstructions);
  result.setCount("ipt_max"_metric, std::max(kernel.itemInstructions, kernel.longestItem));
  result.setCount("total_reads"_metric, items * kernel.itemAccesses);
  result.setCount("total_writes"_metric, 0);
  result.setCount("bytes_read_global"_metric, 4 * items * kernel.itemAccesses);
  result.setCount("bytes_written_global"_metric, 0);
  result.setCount("bytes_read_constant"_metric, 0);
  result.setCount("bytes_read_local"_metric, kernel.localBytes);
  result.setCount("bytes_written_local"_metric, 0);
  result.setCount("barriers_hit"_metric, kernel.barriersHit);
  result.setCount("fp_div"_metric, kernel.divisions);
  result.setCount("fp_special"_metric, kernel.specialOperations);
  result.setCount("private_accesses"_metric, kernel.privateAccesses);
  if (kernel.groupInstructions > 0)
    result.setCount("work_group_instructions_max"_metric, kernel.groupInstructions);
  result.setReal("uniform_accesses"_metric, kernel.uniformAccesses);
  result.setReal("consecutive_accesses"_metric, kernel.consecutiveAccesses);
  result.setCount("fp_ops_f64"_metric, kernel.doubleOperations);
  result.setCount("fp_conversions"_metric, kernel.conversions);
  result.setCount("atomic_contention_max"_metric, kernel.contendedAtomics);
  for (const auto metric : {"lane_utilization_8"_metric, "lane_utilization_16"_metric,
                            "lane_utilization_32"_metric, "lane_utilization_64"_metric})
    result.setReal(metric, kernel.laneUtilization);
  for (const auto metric : {"coalescing_16"_metric, "coalescing_32"_metric, "coalescing_64"_metric})
    result.setReal(metric, kernel.coalescing);
  result.reuse.lineBytes = 64;
  result.reuse.coldAccesses = kernel.coldLines;
  result.histograms.reuseDistances = kernel.reuseDistances;
  result.setCount("int_div_uniform"_metric, kernel.integerDivisions);
  return result;
}

predict::FittedModel madeUpModel() {
  predict::FittedModel model;
  model.toolVersion = "0.0.0";
  const auto shifted = [](double by) {
    predict::Coefficients values{};
    for (size_t k = 0; k < predict::kCoefficientCount; ++k)
      values[k] = predict::coefficients()[k].priorMean + by * (k % 3 == 0 ? 1 : -0.5);
    return values;
  };
  model.classes = {{predict::DeviceClass::kCpu, shifted(-0.4)},
                   {predict::DeviceClass::kNvidiaGpu, shifted(0.3)}};
  return model;
}

train::TrainingSet madeUpTimes() {
  train::TrainingSet set;
  set.devices = {{madeUpCpu("cpu"), "made-up"},
                 {madeUpGpu("gpu-a"), "made-up"},
                 {madeUpGpu("gpu-b"), "made-up"}};
  set.devices[2].profile.set(Parameter::kDramBandwidth, 300, "test");
  const predict::FittedModel truth = madeUpModel();
  uint64_t state = 1;
  const auto upTo = [&](uint64_t most) { // a Lehmer generator: the same numbers everywhere
    state = state * 48271 % 2147483647;
    return state % most;
  };
  for (size_t i = 0; i < 60; ++i) {
    MadeUpKernel kernel;
    kernel.workGroups = uint64_t{1} << upTo(13);
    kernel.workGroupSize = uint64_t{16} << upTo(5);
    kernel.itemInstructions = 10 + upTo(5000);
    kernel.itemAccesses = 1 + upTo(200);
    kernel.coldLines = uint64_t{1} << upTo(24);
    kernel.specialOperations = i % 3 == 0 ? kernel.workGroups * upTo(100000) : 0;
    kernel.coalescing = 1.0 / static_cast<double>(1 + upTo(16));
    auto owned = std::make_unique<profile::KernelProfile>(profileOf(kernel));
    const std::string name = std::to_string(i);
    set.workloads.push_back({"made-up",
                             "suite-" + std::to_string(i % 2),
                             "application-" + std::to_string(i % 3),
                             "size",
                             name,
                             {{owned.get(), 1}},
                             0,
                             0,
                             ""});
    const predict::LaunchDemand demand = predict::demandOf(*owned);
    for (size_t d = 0; d < set.devices.size(); ++d)
      set.times.push_back({i, d, predict::estimate(truth, demand, set.devices[d].profile).micros});
    set.profiles.emplace(name, std::move(owned));
  }
  return set;
}

} // namespace aiwc::test
