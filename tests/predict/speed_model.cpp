#include "speed_model.h"

namespace aiwc::test {

using predict::Parameter;

namespace {

class SpeedCosts : public predict::LaunchCosts {
public:
  explicit SpeedCosts(uint64_t workItems) : workItems_(workItems) {}

  predict::Missing missing(const predict::DeviceProfile & /*device*/) const override { return {}; }
  predict::Cost on(const predict::DeviceProfile &device, double share) const override {
    predict::Cost cost;
    cost.seconds = (device[Parameter::kLaunchOverhead] + device[Parameter::kSyncCost]) * 1e-6 +
                   share * static_cast<double>(workItems_) / device[Parameter::kFp32Rate];
    return cost;
  }

private:
  uint64_t workItems_;
};

} // namespace

std::unique_ptr<const predict::LaunchCosts>
SpeedModel::prepare(const profile::KernelProfile &profile) const {
  return std::make_unique<SpeedCosts>(profile.count("work_items"_metric));
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

profile::KernelProfile profileOf(const profile::Size3 &global, const profile::Size3 &local,
                                 uint64_t in, uint64_t out) {
  profile::KernelProfile kernel;
  kernel.provenance.kernel = "kernel";
  kernel.provenance.globalSize = global;
  kernel.provenance.localSize = local;
  kernel.provenance.workDim = global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1;
  kernel.setCount("work_items"_metric, global[0] * global[1] * global[2]);
  kernel.setCount("host_to_device_bytes"_metric, in);
  kernel.setCount("host_to_device_transfers"_metric, in > 0);
  kernel.setCount("device_to_host_bytes"_metric, out);
  kernel.setCount("device_to_host_transfers"_metric, out > 0);
  kernel.setCount("footprint_bytes"_metric, in + out);
  return kernel;
}

predict::CostedLaunch launch(const profile::Size3 &global, const profile::Size3 &local, uint64_t in,
                             uint64_t out) {
  static const SpeedModel kModel;
  return {profileOf(global, local, in, out), kModel};
}

} // namespace aiwc::test
