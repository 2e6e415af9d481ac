#include "machines.h"

#include <cmath>
#include <utility>

namespace aiwc::test {

using predict::Parameter;
using profile::Metric;

predict::DeviceProfile deviceOf(const Machine &machine) {
  predict::DeviceProfile device;
  device.id = device.name = machine.id;
  device.type = machine.lanes > 16 ? predict::DeviceType::kGpu : predict::DeviceType::kCpu;
  const auto set = [&](Parameter parameter, double value) { device.set(parameter, value, "test"); };
  set(Parameter::kCores, machine.cores);
  if (machine.fp32)
    set(Parameter::kFp32Rate, *machine.fp32);
  if (machine.fp64)
    set(Parameter::kFp64Rate, *machine.fp64);
  set(Parameter::kCacheCapacity, std::round(machine.cacheMebibytes * 1048576));
  set(Parameter::kCacheLine, machine.line);
  set(Parameter::kCacheBandwidth, machine.cacheBandwidth);
  set(Parameter::kCacheLatency, machine.cacheLatency);
  set(Parameter::kDramBandwidth, machine.dramBandwidth);
  set(Parameter::kDramLatency, machine.dramLatency);
  set(Parameter::kSyncCost, machine.sync);
  set(Parameter::kLaneWidth, machine.lanes);
  return device;
}

predict::DeviceProfile namedDevice(const std::string &id, std::vector<std::string> openclNames) {
  predict::DeviceProfile device;
  device.id = id;
  device.name = "The " + id;
  device.vendor = "Somebody";
  device.series = "First";
  device.year = 2020;
  device.openclNames = std::move(openclNames);
  return device;
}

std::vector<predict::DeviceProfile> automatchDevices() {
  std::vector<predict::DeviceProfile> devices;
  // n_p, pi0 (fp32, fp64), Z, L, beta_f, alpha_f, beta_s, alpha_s, s0, lanes
  for (const Machine &machine : {
           Machine{"arc1", 4, {}, 20, 6, 64, 285, 0.004, 18.88, 0.065, 0.2, 4},
           Machine{"arc2", 4, {}, 33, 6, 64, 349, 0.004, 11.5, 0.052, 0.44, 4},
           Machine{"arc3", 448, {}, 0.9, 1.6, 128, 2117, 0.028, 87.92, 0.71, 7.22, 32},
           Machine{"arc4", 2496, {}, 0.41, 2.3, 128, 2018, 0.045, 129.73, 0.68, 6.5, 32},
           Machine{"arc5", 2688, {}, 0.42, 2.3, 128, 2424, 0.045, 160.1, 0.68, 6.5, 32},
       })
    devices.push_back(deviceOf(machine));
  return devices;
}

profile::KernelProfile kernelOf(const Work &work) {
  profile::KernelProfile kernel;
  kernel.provenance.kernel = work.name;
  kernel.provenance.workDim = 1;
  kernel.provenance.globalSize = kernel.provenance.localSize = {64, 1, 1};
  kernel.provenance.engine = "interpreter";
  uint64_t operations = 0;
  uint64_t levels = 0;
  for (const auto &[width, count] : work.levels) {
    operations += width * count;
    levels += count;
  }
  const auto count = [&](Metric metric, uint64_t value) { kernel.setCount(metric, value); };
  kernel.histograms.asapFpLevels = work.levels;
  count("fp_ops"_metric, operations);
  count("fp_ops_f16"_metric, 0);
  count("fp_ops_f32"_metric, work.doublePrecision ? 0 : operations);
  count("fp_ops_f64"_metric, work.doublePrecision ? operations : 0);
  count("int_ops"_metric, work.intOps);
  kernel.setReal("instruction_mix_factor"_metric, work.instructionMix);
  count("asap_fp_depth"_metric, levels);
  count("asap_depth"_metric, work.depth);
  kernel.setRatio("asap_parallelism"_metric, static_cast<double>(work.nodes),
                  static_cast<double>(work.depth));
  for (size_t i = 0; i < 4; ++i) {
    kernel.setReal(kVectorMetric<"lane_utilization">[i], work.lanes[i]);
    if (operations > 0)
      kernel.setReal(kVectorMetric<"lane_utilization_fp">[i], work.lanes[i]);
  }
  for (size_t i = 0; i < 3; ++i)
    kernel.setReal(kVectorMetric<"coalescing">[i], work.coalescing[i]);
  count("sync_points"_metric, work.syncPoints);
  count("total_reads"_metric, work.accesses);
  count("total_writes"_metric, 0);
  constexpr uint64_t kItems = 64;
  count("work_items"_metric, kItems);
  count("work_groups"_metric, 1);
  const uint64_t instructions = std::max(work.nodes, operations + work.intOps);
  count("total_instruction_count"_metric, instructions);
  count("ipt_max"_metric, (instructions + kItems - 1) / kItems);
  for (const Metric metric : {"barriers_hit"_metric, "fp_div"_metric, "fp_special"_metric})
    count(metric, 0);
  count("bytes_read_global"_metric, work.bytesRead);
  count("bytes_written_global"_metric, work.bytesWritten);
  count("bytes_read_constant"_metric, 0);
  count("bytes_written_constant"_metric, 0);
  count("bytes_read_local"_metric, work.localBytes);
  count("bytes_written_local"_metric, 0);
  for (const Metric metric : {"host_to_device_bytes"_metric, "host_to_device_transfers"_metric,
                              "device_to_host_bytes"_metric, "device_to_host_transfers"_metric})
    count(metric, 0);
  kernel.reuse.lineBytes = 64;
  kernel.reuse.coldAccesses = work.cold;
  kernel.histograms.reuseDistances = work.reuse;
  return kernel;
}

Work triad() {
  constexpr uint64_t n = 1U << 20U;
  Work work;
  work.name = "triad";
  work.levels = {{n, 2}};
  // Three accesses an element, eight elements a line: the first finds it gone, seven find it with
  // two others in between.
  work.cold = 3 * n / 8;
  work.reuse = {{2, 7 * 3 * n / 8}};
  work.bytesRead = 16 * n;
  work.bytesWritten = 8 * n;
  return work;
}

Work factorisation() {
  Work work;
  work.name = "factorisation";
  work.levels = {{1, 100}, {64, 50}, {5000, 10}};
  work.instructionMix = 0.75;
  work.lanes = {0.8, 0.7, 0.5, 0.4};
  work.coalescing = {0.5, 0.25, 0.2};
  work.cold = 1000;
  work.reuse = {{16384, 4000}, {28672, 3000}, {81920, 2000}}; // beyond 1, 1.75 and 5 MiB
  work.bytesRead = 60000;
  work.bytesWritten = 20000;
  work.localBytes = 12000;
  work.syncPoints = 7;
  return work;
}

Work blockedProduct() {
  constexpr uint64_t n = 1024;
  Work work;
  work.name = "product";
  work.levels = {{n * n, n}, {n * n * n, 1}};
  work.cold = 3 * n * n / 8;
  work.bytesRead = 2 * 8 * n * n * n / 64; // a tile is 64 x 64
  work.bytesWritten = 8 * n * n;
  const uint64_t accesses = (work.bytesRead + work.bytesWritten) / 8;
  work.reuse = {{80, accesses - work.cold - n * n}, {40960, n * n}}; // 2.5 MiB
  work.localBytes = 2 * 8 * n * n * n / 8; // what a work-item holds in registers is read once
  return work;
}

} // namespace aiwc::test
