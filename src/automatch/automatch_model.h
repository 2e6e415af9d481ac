/// The execution-cost model of AutoMatch ([AM] §III, equations 1 to 5), applied to the profile of
/// an OpenCL kernel. src/automatch/README.md has a worked example.
#pragma once

#include "predict/cost_model.h"

namespace aiwc::automatch {

/// cost = T_comp + T_mem + T_sync, with
///   T_comp = D / pi0 + sum over levels w_i / (min(w_i, n_p) pi0 f_v f_im)
///   T_mem  = (alpha_f + alpha_s) D + Q_f L / beta_f + Q_s L / beta_s
///   T_sync = S s0
/// The cost has the three parts of T_mem as separate terms. T_sync includes the launch, which is
/// one of the S synchronisations. L is the cache line of the profile's reuse distances, not the
/// device's.
///
/// - f_v is `lane_utilization_fp_w` and the coalescing factor is `coalescing_w`. Of the measured
///   widths w, each uses the smallest that is not below the device's lane width, or the largest if
///   all are below it. Both are 1 if the lane width is 1.
/// - pi0 is the harmonic mean of the rates in single and double precision, weighted by operations.
///   If a device has only a double-precision rate, single precision is costed at that rate, and the
///   cost is an upper bound. If a device has no double-precision rate, double precision has no
///   cost, since nothing would bound it.
/// - If the work is not floating point, all operations are costed: the nodes of the schedule that
///   gives `asap_depth`, spread evenly over its levels since no widths are kept. f_v is that of all
///   instructions. f_im is 1/2, since pi0 counts a fused multiply-add as two operations and each of
///   these is one. D of the latency is the depth times the fraction of the operations that access
///   memory.
///
/// One cost takes O(log bins of the reuse histogram + log distinct level widths).
class AutomatchModel : public predict::CostModel {
public:
  std::string_view name() const override { return "automatch"; }
  std::span<const predict::TermInfo> parts() const override;
  std::string whyNot(const profile::KernelProfile &profile) const override;
  std::unique_ptr<const predict::LaunchCosts>
  prepare(const profile::KernelProfile &profile) const override;
};

} // namespace aiwc::automatch
