#include "speed_model.h"

namespace aiwc::test {

using predict::Parameter;

predict::Cost SpeedModel::cost(const profile::KernelProfile &kernel,
                               const predict::DeviceProfile &device, double share) const {
  predict::Cost cost;
  cost.seconds = device[Parameter::kSyncCost] * 1e-6 +
                 share * static_cast<double>(kernel.count(profile::Metric::kWorkItems)) /
                     device[Parameter::kFp32Rate];
  return cost;
}

predict::DeviceProfile machine(const std::string &id, const Machine &machine) {
  predict::DeviceProfile device;
  device.id = id;
  device.type = predict::DeviceType::kGpu;
  device.set(Parameter::kFp32Rate, machine.speed, "made up");
  device.set(Parameter::kLaunchOverhead, machine.launchSeconds * 1e6, "made up");
  device.set(Parameter::kSyncCost, machine.syncSeconds * 1e6, "made up");
  device.set(Parameter::kHostLinkLatency, machine.linkSeconds * 1e6, "made up");
  device.set(Parameter::kHostLinkBandwidth, machine.bytesPerSecond / 1e9, "made up");
  return device;
}

profile::KernelProfile launch(const profile::Size3 &global, const profile::Size3 &local,
                              uint64_t in, uint64_t out) {
  using profile::Metric;
  profile::KernelProfile kernel;
  kernel.provenance.kernel = "kernel";
  kernel.provenance.globalSize = global;
  kernel.provenance.localSize = local;
  kernel.provenance.workDim = global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1;
  kernel.setCount(Metric::kWorkItems, global[0] * global[1] * global[2]);
  kernel.setCount(Metric::kHostToDeviceBytes, in);
  kernel.setCount(Metric::kHostToDeviceTransfers, in > 0);
  kernel.setCount(Metric::kDeviceToHostBytes, out);
  kernel.setCount(Metric::kDeviceToHostTransfers, out > 0);
  kernel.setCount(Metric::kFootprintBytes, in + out);
  return kernel;
}

} // namespace aiwc::test
