#pragma once

#include "eod/energy/energy.h"
#include "run/run.h"

#include <memory>

namespace aiwc::launcher {

/// The energy that the machine takes, by the counters of the benchmark suite. AIWC_POWERCAP: the
/// folder of the processors' counters, in place of Linux's.
class Energy {
public:
  /// Of the time since now.
  Energy();
  /// Call it at least every few minutes: counters wrap around.
  run::Energy soFar();

private:
  struct Counter {
    std::unique_ptr<eod::EnergyCounter> counter; ///< null: there is none
    std::optional<double> begin = {};            ///< joules

    std::optional<double> soFar();
  };

  Counter processors_, board_;
};

} // namespace aiwc::launcher
