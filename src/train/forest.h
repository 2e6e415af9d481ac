/// The random forest of Johnston et al., on OpenCV's trees. A build without OpenCV has none.
#pragma once

#include "train/folds.h"
#include "train/training_set.h"

#include <vector>

namespace aiwc::train {

/// Throws Error, in one line, if forests were not built in.
void requireForests();

/// ln of the microseconds of every time of `fold.test`, in its order, by a forest that is grown on
/// `fold.training`; NaN for a device without a training time. The published forest (OpenCL
/// performance prediction using architecture-independent features, HPCS 2018; B. Johnston's thesis,
/// section 5.1) is of R's ranger: 505 trees on bootstrap samples, 30 features tried at each split,
/// nodes of fewer than 9 times not split. The response is ln t; the predictors are `features` and
/// the number of the device, in the order of their ids. Deterministic.
///
/// Takes some seconds for 1300 times.
std::vector<double> forestPredictions(const TrainingSet &set,
                                      const std::vector<std::vector<double>> &features,
                                      const Fold &fold);

} // namespace aiwc::train
