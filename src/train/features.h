/// Workloads as numbers, for what predicts without physics: nearest neighbours and forests.
#pragma once

#include "profile/metric.h"
#include "train/training_set.h"

#include <span>
#include <vector>

namespace aiwc::train {

/// The metrics that Johnston et al. (OpenCL performance prediction using architecture-independent
/// features, HPCS 2018) trained their forest on.
std::span<const profile::Metric> publishedFeatures();

/// By index of the workload: the publishedFeatures(), each the mean over the launches, 0 where a
/// launch has no value; then the number of launches and the host's bytes and transfers.
std::vector<std::vector<double>> featuresOf(const TrainingSet &set);

} // namespace aiwc::train
