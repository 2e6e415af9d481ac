#pragma once

#include "predict/split.h"

#include <string>
#include <vector>

namespace aiwc::test {

/// A cost model with a closed form: `work_items` operations of one second, divided by the cores of
/// the device, after a constant part of its launch overhead and `sync_cost`. So a share s of n
/// work-items on p cores takes l + s0 + s n / p, and a test can say what is optimal.
class SpeedModel : public predict::CostModel {
public:
  std::string_view name() const override { return "speed"; }
  std::span<const predict::TermInfo> parts() const override { return {}; }
  std::string whyNot(const profile::KernelProfile & /*profile*/) const override { return {}; }
  std::unique_ptr<const predict::LaunchCosts>
  prepare(const profile::KernelProfile &profile) const override;
};

struct Machine {
  double speed = 1;         ///< work-items per second
  double launchSeconds = 0; ///< of each launch
  double syncSeconds = 0;
  double linkSeconds = 0;      ///< latency of a transfer
  double bytesPerSecond = 1e9; ///< of the link
};
predict::DeviceProfile machine(const std::string &id, const Machine &machine);

/// A kernel over `global` work-items in groups of `local`, for which the host writes `in` bytes and
/// from which it reads `out` bytes, in one transfer each (none where there are no bytes).
profile::KernelProfile profileOf(const profile::Size3 &global, const profile::Size3 &local,
                                 uint64_t in = 0, uint64_t out = 0);
/// Its launch, by the SpeedModel.
predict::CostedLaunch launch(const profile::Size3 &global, const profile::Size3 &local,
                             uint64_t in = 0, uint64_t out = 0);

} // namespace aiwc::test
