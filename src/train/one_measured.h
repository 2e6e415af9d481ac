/// How good predictions are once the kernel was measured on one device: each workload is judged
/// once for every device that it was measured on, by its times on the others.
#pragma once

#include "train/scores.h"

#include <span>
#include <vector>

namespace aiwc::train {

struct OneMeasured {
  /// Workloads, each once for every device that is taken to be the measured one, and their times on
  /// the other devices; without profiles.
  TrainingSet set;
  std::vector<size_t> time; ///< of each of these times, its place in the set that they are from
  // By time:
  std::vector<bool> sameClass; ///< whether the measured device is of the class of the time's
  std::vector<LeftOutPrediction> unconditioned; ///< as without the measured device
  std::vector<LeftOutPrediction> scaled;        ///< times its measured over its predicted time
  std::vector<LeftOutPrediction> conditioned;   ///< predict::CorrelatedErrors
};

/// `predicted`: by time of `set`. Times without a prediction are left out.
OneMeasured oneMeasured(const TrainingSet &set, std::span<const LeftOutPrediction> predicted);

} // namespace aiwc::train
