/// The fitted model as a cost model: what `aiwc predict`, `aiwc split` and the C interface use
/// unless they are asked for another one.
#pragma once

#include "predict/cost_model.h"
#include "predict/fitted/fitted_model.h"

namespace aiwc::predict {

/// Transfers between host and device are not part of a cost; `transferSeconds` gives them.
class FittedCostModel : public CostModel {
public:
  /// `name`: for people, such as "published" or the file it was read from.
  FittedCostModel(std::string name, FittedModel model);

  using CostModel::cost;
  using CostModel::lacking;
  using CostModel::unusable;
  std::string_view name() const override { return name_; }
  std::span<const TermInfo> parts() const override;
  std::optional<Interval> interval(const DeviceProfile &device) const override;
  bool knows(const DeviceProfile &device) const override;
  std::vector<std::string> unlike(const KernelWork &work) const override;
  double transferSeconds(const HostTraffic &traffic, const DeviceProfile &device) const override;
  /// None: a device without a host link copies within the host's memory.
  std::vector<Parameter> lackingForTransfers(const HostTraffic &traffic,
                                             const DeviceProfile &device) const override;
  std::string unusable(const KernelWork &work) const override;
  std::vector<Parameter> lacking(const KernelWork &work,
                                 const DeviceProfile &device) const override;
  /// Throws Error also if `share` is not in (0, 1].
  Cost cost(const KernelWork &work, const DeviceProfile &device, double share) const override;

  const FittedModel &model() const { return model_; }

private:
  std::string name_;
  FittedModel model_;
};

/// The model that this version of the library was released with, models/published.json.
/// Thread-safe; the object lives as long as the process.
const FittedCostModel &publishedModel();

} // namespace aiwc::predict
