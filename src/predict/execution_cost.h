/// The execution-cost model of AutoMatch ([AM] §III, equations 1 to 5) on the profile of an OpenCL
/// kernel. docs/prediction.md derives it and works an example.
#pragma once

#include "predict/cost_model.h"

namespace aiwc::predict {

/// At which of a device's rates floating-point work is costed.
enum class Precision : uint8_t {
  kAsProfiled, ///< 64-bit operations at pi0 in double precision, all others at that in single
  kSingle,     ///< everything as if written in single precision
  kDouble,     ///< everything as if written in double precision
};

/// cost = T_comp + T_mem + T_sync, with
///   T_comp = D / pi0 + sum over levels w_i / (min(w_i, n_p) pi0 f_v f_im)
///   T_mem  = (alpha_f + alpha_s) D + Q_f L / beta_f + Q_s L / beta_s
///   T_sync = S s0
/// T_mem in its three parts. L is the line of the profile's reuse distances, not the device's.
///
/// - f_v: `lane_utilization_fp_w` and coalescing: `coalescing_w`, each at the smallest measured w
///   that is not below the device's lane width, or at the largest; a lane width of 1 has both 1.
/// - pi0: the rates' harmonic mean by operations. Single precision on a device that is known by its
///   double-precision rate alone is costed at that, and the cost says so; double precision on a
///   device without a rate for it is no cost: nothing bounds it.
/// - All operations, where the work is not floating point: the nodes of the schedule behind
///   `asap_depth`, evenly over its levels since no widths are kept; f_v from all instructions; f_im
///   = 1/2, since pi0 counts a fused multiply-add as two and such an operation is one; and D of the
///   latency is the part of the depth that accesses to memory have in the operations.
///
/// A cost takes O(log bins of the reuse histogram + log distinct level widths).
class ExecutionCostModel : public CostModel {
public:
  explicit ExecutionCostModel(Precision precision = Precision::kAsProfiled)
      : precision_(precision) {}

  using CostModel::cost;
  using CostModel::lacking;
  using CostModel::unusable;
  std::string_view name() const override { return "execution cost"; }
  std::string unusable(const KernelWork &work) const override;
  std::vector<Parameter> lacking(const KernelWork &work,
                                 const DeviceProfile &device) const override;
  /// Throws Error also where `share` is not in (0, 1].
  Cost cost(const KernelWork &work, const DeviceProfile &device, double share) const override;

private:
  Precision precision_;
};

} // namespace aiwc::predict
