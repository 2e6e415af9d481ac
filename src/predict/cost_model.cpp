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

std::string CostModel::unusable(const profile::KernelProfile & /*kernel*/) const {
  return {};
}

std::vector<Parameter> CostModel::lacking(const profile::KernelProfile & /*kernel*/,
                                          const DeviceProfile & /*device*/) const {
  return {};
}

} // namespace aiwc::predict
