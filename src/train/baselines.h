/// What predicts in place of the fitted model, to judge that by.
#pragma once

#include "train/folds.h"
#include "train/training_set.h"

#include <array>
#include <string_view>
#include <vector>

namespace aiwc::train {

enum class Baseline : uint8_t {
  /// Of each launch, the unit time of TimeTerm::kLaunch and the longest of three times by the data
  /// sheet: bytes
  /// that miss the last cache over the memory's bandwidth, and 32-bit and 64-bit floating-point
  /// operations over the peak rates (Williams et al., CACM 52(4), 2009); and the workload's host
  /// transfers. Nothing is fitted.
  kRoofline,
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
inline constexpr std::array kBaselines = {Baseline::kRoofline, Baseline::kNearest,
                                          Baseline::kAutomatch, Baseline::kForest};
std::string_view toString(Baseline baseline); ///< "roofline", "nearest", ...

/// ln of the microseconds that a baseline predicts.
class BaselinePredictor {
public:
  /// Keeps a reference to `set`. Throws Error for kForest if forests were not built in.
  BaselinePredictor(Baseline baseline, const TrainingSet &set);
  Baseline baseline() const { return baseline_; }
  /// For every time of `fold.test`, in its order; NaN where the baseline says nothing: a device
  /// that `fold.training` has no time of (kRoofline and kAutomatch need none), or one that lacks a
  /// parameter.
  std::vector<double> lnPredicted(const Fold &fold) const;

private:
  std::vector<double> roofline(const Fold &fold) const;
  std::vector<double> nearest(const Fold &fold) const;
  std::vector<double> automatch(const Fold &fold) const;

  Baseline baseline_;
  const TrainingSet &set_;
  std::vector<std::vector<double>> features_; ///< by workload, where the baseline uses them
};

} // namespace aiwc::train
