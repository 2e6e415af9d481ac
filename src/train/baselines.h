/// What predicts in place of the fitted model, to judge that by.
#pragma once

#include "train/folds.h"
#include "train/training_set.h"

#include <array>
#include <string_view>
#include <vector>

namespace aiwc::train {

enum class Baseline : uint8_t {
  /// Devices by the mean of ln(time over the workload's mean): the same order for every workload.
  kFixedOrder,
  /// The three workloads on the same device whose features are nearest: the mean of the ln of their
  /// times, weighted by 1 / distance. The distance is Euclid's, between ln(1 + feature), centred
  /// and divided by their standard deviation over the workloads of the fold's training; features
  /// that are constant there do not count. Nothing is chosen or scaled to fit.
  kNearest,
  /// AutoMatch's equations, from data sheets (automatch/automatch_model.h), and the workload's host
  /// transfers. Nothing is fitted.
  kAutomatch,
  /// A random forest as Johnston et al. published (forest.h).
  kForest,
};
inline constexpr std::array kBaselines = {Baseline::kFixedOrder, Baseline::kNearest,
                                          Baseline::kAutomatch, Baseline::kForest};
std::string_view toString(Baseline baseline); ///< "fixed-order", "nearest", ...
/// Whether it predicts times; if not, only which device is faster.
bool predictsTimes(Baseline baseline);

/// ln of the microseconds that a baseline predicts.
class BaselinePredictor {
public:
  /// Keeps a reference to `set`. Throws Error for kForest if forests were not built in.
  BaselinePredictor(Baseline baseline, const TrainingSet &set);
  Baseline baseline() const { return baseline_; }
  /// For every time of `fold.test`, in its order; NaN where the baseline says nothing: a device
  /// that `fold.training` has no time of (kAutomatch needs none), or one that lacks a parameter.
  std::vector<double> lnPredicted(const Fold &fold) const;

private:
  std::vector<double> fixedOrder(const Fold &fold) const;
  std::vector<double> nearest(const Fold &fold) const;
  std::vector<double> automatch(const Fold &fold) const;

  Baseline baseline_;
  const TrainingSet &set_;
  std::vector<std::vector<double>> features_; ///< by workload, where the baseline uses them
};

} // namespace aiwc::train
