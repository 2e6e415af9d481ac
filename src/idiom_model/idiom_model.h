/// The model of Meswani et al. (2012), sections VI to VIII: the time of a kernel is the sum over
/// its idioms of the bytes that each moves, divided by the bandwidth that the device reaches in
/// this idiom at its footprint. docs/prediction.md describes it.
#pragma once

#include "predict/cost_model.h"

namespace aiwc::idiom_model {

/// cost = sum over the idioms of a kernel, in each of its loops, of bytes / bandwidth(footprint)
///
/// - Bytes are those that work-items read and write in global and constant memory. What all
///   work-items that execute together read at one address counts once per lane of the device's lane
///   width (`lane_width`; 1 if the profile has none), but where the device has a curve of matrix
///   multiplication: this counts them all.
/// - Bandwidths are the curves that `aiwc devices measure` made. They contain the launch of a
///   kernel, so no term is added for it. Where the device has no curve of gather/scatter, half of
///   the bytes are gathered and half scattered; where it has none of matrix multiplication, they
///   are streamed.
/// - A kernel without idioms takes the device's launch overhead.
///
/// Computation and local memory take no time of their own. The parts are the idioms, in the order
/// of the enumeration, and the launch.
class IdiomModel : public predict::CostModel {
public:
  std::string_view name() const override { return "idiom"; }
  std::span<const predict::TermInfo> parts() const override;
  /// A profile without accesses: embedded, or scaled from other launches.
  std::string whyNot(const profile::KernelProfile &profile) const override;
  std::unique_ptr<const predict::LaunchCosts>
  prepare(const profile::KernelProfile &profile) const override;
};

} // namespace aiwc::idiom_model
