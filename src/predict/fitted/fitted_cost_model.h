/// The fitted model as a cost model: what `aiwc predict`, `aiwc split` and the C interface use
/// unless they are asked for another one.
#pragma once

#include "predict/cost_model.h"
#include "predict/fitted/fitted_model.h"

namespace aiwc::predict {

/// The standard deviation of ln of the error that a variant of a kernel has for itself in the time
/// that is neither its launch nor memory. With it, configurations of two kernels that the model was
/// not fitted to are near the best of them as often as variantOddsOf says.
inline constexpr double kVariantError = 0.4;

/// Transfers between host and device are not part of a cost; `transferSeconds` gives them.
class FittedCostModel : public CostModel {
public:
  /// `name`: for people, such as "published" or the file it was read from.
  FittedCostModel(std::string name, FittedModel model, Clock clock = kUsualClock);

  std::string_view name() const override { return name_; }
  std::span<const TermInfo> parts() const override;
  std::string whyNot(const profile::KernelProfile &profile) const override;
  std::unique_ptr<const LaunchCosts> prepare(const profile::KernelProfile &profile) const override;
  std::optional<Interval> interval(const DeviceProfile &device, const Cost &cost,
                                   double transferSeconds = 0) const override;
  /// The 80 % interval of before / after, times of one launch as it is and after a change. An error
  /// of a part of the time (launch, memory, the rest) is that of both; beside it, the rest of each
  /// has an error of its own (kVariantError), less in proportion if the times differ by less than a
  /// factor of 2. Errors are independent, and their logarithms add up as variances do. 1 where
  /// either takes no time.
  Interval ratioInterval(const DeviceProfile &device, const Cost &before, const Cost &after) const;
  double errorCorrelation() const override { return model_.errorCorrelation; }
  double errorCorrelation(const DeviceProfile &a, const DeviceProfile &b) const override {
    return model_.classCorrelation.of(a, b);
  }
  bool knows(const DeviceProfile &device) const override;
  /// By the device's measured curve; else, unless the model was fitted to transfers of this very
  /// device, its bytes at what transfers reach on its link (reachedGbPerS). The coefficients of
  /// classes, which were fitted to whole applications, say what these do with their data, too.
  double transferSeconds(const HostTraffic &traffic, const DeviceProfile &device,
                         HostMemory memory = HostMemory::kPageable) const override;
  /// None: a device without a host link copies within the host's memory.
  Missing missingForTransfers(const HostTraffic &traffic,
                              const DeviceProfile &device) const override;

  /// The cost of a launch that asks this of the device: of one that was profiled, or of what it
  /// would be after a change. Throws MissingParameter.
  Cost cost(const LaunchDemand &demand, const DeviceProfile &device) const;
  const FittedModel &model() const { return model_; }

private:
  std::string name_;
  FittedModel model_;
  Clock clock_;
};

/// The model that this version of the library was released with, devices/models/published.json.
/// Thread-safe; the object lives as long as the process.
const FittedCostModel &publishedModel();

} // namespace aiwc::predict
