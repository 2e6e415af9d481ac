#include "predict/cost_model.h"

#include "common/error.h"

#include <fmt/format.h>

namespace aiwc::predict {

std::string_view toString(Term term) {
  switch (term) {
  case Term::kCompute:
    return "compute";
  case Term::kFastMemory:
    return "cache";
  case Term::kSlowMemory:
    return "DRAM";
  case Term::kLatency:
    return "latency";
  case Term::kSynchronization:
    break;
  }
  return "launch";
}

void CostModel::requireShare(const KernelWork &work, double share) {
  if (!(share > 0 && share <= 1))
    throw Error(fmt::format("kernel {}: a share of {:g} of its work-groups: expected one above 0 "
                            "and at most 1",
                            work.kernel, share));
}

std::span<const TermInfo> CostModel::parts() const {
  static constexpr std::array<TermInfo, kTermCount> kTerms = {{
      {"compute", "compute", Term::kCompute},
      {"cache", "cache", Term::kFastMemory},
      {"dram", "DRAM", Term::kSlowMemory},
      {"latency", "latency", Term::kLatency},
      {"launch", "launch", Term::kSynchronization},
  }};
  return kTerms;
}

std::optional<Interval> CostModel::interval(const DeviceProfile & /*device*/) const {
  return std::nullopt;
}

bool CostModel::knows(const DeviceProfile & /*device*/) const {
  return false;
}

std::vector<std::string> CostModel::unlike(const KernelWork & /*work*/) const {
  return {};
}

double CostModel::transferSeconds(const HostTraffic &traffic, const DeviceProfile &device) const {
  return predict::transferSeconds(traffic, device);
}

std::vector<Parameter> CostModel::lackingForTransfers(const HostTraffic &traffic,
                                                      const DeviceProfile &device) const {
  return lackingHostLink(traffic, device);
}

std::string CostModel::unusable(const KernelWork & /*work*/) const {
  return {};
}

std::vector<Parameter> CostModel::lacking(const KernelWork & /*work*/,
                                          const DeviceProfile & /*device*/) const {
  return {};
}

std::vector<std::string> CostModel::lackingCurves(const KernelWork & /*work*/,
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
