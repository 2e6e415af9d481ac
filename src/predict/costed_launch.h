/// One launch of a kernel, ready to be predicted: what its profile says of the NDRange and the
/// transfers, and what a model made of the rest.
#pragma once

#include "predict/cost_model.h"
#include "predict/fitted/compute_unit.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::predict {

/// Whether the kernel's work is floating point: at least one floating-point operation per hundred
/// integer operations.
bool isFloatingPoint(const profile::KernelProfile &profile);

/// What the host moves for one launch.
struct LaunchTraffic {
  explicit LaunchTraffic(const profile::KernelProfile &profile);

  HostTraffic writes, reads;
  /// Whether it is known that there are none.
  bool isNone() const { return unknown.empty() && writes.transfers + reads.transfers == 0; }
  /// Why these are not known: `metrics.KEY has no value: ...`. Empty if they are known.
  std::string unknown;
};

class CostedLaunch {
public:
  /// Keeps a reference to `model`, and none to the profile. Throws Error, `kernel NAME: FIELD is
  /// VALUE: expected ...`, if the model cannot cost it (CostModel::whyNot).
  CostedLaunch(const profile::KernelProfile &profile, const CostModel &model);

  const CostModel &model() const { return *model_; }
  /// The same of two copies of a launch.
  const LaunchCosts *costs() const { return costs_.get(); }
  /// What the cost of the launch needs and `device` does not have.
  Missing missing(const DeviceProfile &device) const { return costs_->missing(device); }
  /// LaunchCosts::on. Throws Error also for a share that is not in (0, 1].
  Cost cost(const DeviceProfile &device, double share = 1) const;
  std::vector<std::string> outsideTrainingRange() const { return costs_->outsideTrainingRange(); }

  /// The time of all transfers in seconds if none overlaps with other work. With `share`, a device
  /// moves that part of the bytes, but all that the host writes if `wholeInput`, in as many
  /// transfers. Throws Error if they are not known, and what CostModel::transferSeconds throws.
  double transferSeconds(const DeviceProfile &device, double share = 1, bool wholeInput = false,
                         HostMemory memory = HostMemory::kPageable) const;
  /// CostModel::interval of the cost and this part of the transfers. Runs do not say which memory
  /// of the host transfers are of: the time is of pageable memory, the lower limit of pinned
  /// memory.
  std::optional<Interval> interval(const DeviceProfile &device, const Cost &cost,
                                   double exposed) const;

  std::string kernel; ///< its name
  uint32_t workDim = 0;
  profile::Size3 globalOffset{}, globalSize{}, localSize{};
  std::optional<uint64_t> footprintBytes;
  PerMatrixType matrixOps{}; ///< LaunchDemand::matrixOps
  LaunchTraffic traffic;

private:
  const CostModel *model_;
  std::shared_ptr<const LaunchCosts> costs_; ///< shared by copies
};

} // namespace aiwc::predict
