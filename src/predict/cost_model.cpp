#include "predict/cost_model.h"

namespace aiwc::predict {

std::string_view toString(Term term) {
  switch (term) {
  case Term::kCompute:
    return "compute";
  case Term::kFastMemory:
    return "fast memory";
  case Term::kSlowMemory:
    return "slow memory";
  case Term::kLatency:
    return "latency";
  case Term::kSynchronization:
    break;
  }
  return "synchronisation";
}

std::string CostModel::unusable(const KernelWork & /*work*/) const {
  return {};
}

std::vector<Parameter> CostModel::lacking(const KernelWork & /*work*/,
                                          const DeviceProfile & /*device*/) const {
  return {};
}

std::string CostModel::unusable(const profile::KernelProfile &kernel) const {
  return unusable(KernelWork::from(kernel));
}

std::vector<Parameter> CostModel::lacking(const profile::KernelProfile &kernel,
                                          const DeviceProfile &device) const {
  return lacking(KernelWork::from(kernel), device);
}

Cost CostModel::cost(const profile::KernelProfile &kernel, const DeviceProfile &device,
                     double share) const {
  return cost(KernelWork::from(kernel), device, share);
}

} // namespace aiwc::predict
