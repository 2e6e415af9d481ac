/// How good predicted times are, and the choices of a device that follow from them.
#pragma once

#include "predict/fitted/fitted_model.h"
#include "train/training_set.h"

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace aiwc::train {

/// What is predicted of each time while it is left out.
struct LeftOutPrediction {
  double lnMicros = std::numeric_limits<double>::quiet_NaN(); ///< NaN: nothing
  predict::ErrorFactor errorFactor;                           ///< of `lnMicros`
  double errorCorrelation = 0;                                ///< errorCorrelationOf (folds.h)
  predict::ClassCorrelation classCorrelation = {};            ///< classCorrelationOf
  /// Where the workload was measured on one device: the correlation of the error with that
  /// device's, on which it is conditioned.
  std::optional<double> withMeasured = {};
};

/// Of times that have a prediction (not NaN).
struct ErrorScore {
  size_t times = 0;
  double lnError = 0;        ///< mean |ln(predicted / measured)|
  double factor = 1;         ///< exp of it
  double bias = 1;           ///< geometric mean of predicted / measured: below 1 is too fast
  double perApplication = 0; ///< the same, each application counting the same
  /// Share of the measured times within their 80 % interval, each application counting the same.
  double coverage = 0;
};
/// `predicted`: by time.
ErrorScore errorOf(const TrainingSet &set, std::span<const size_t> times,
                   std::span<const LeftOutPrediction> predicted);

/// Of workloads whose times on several devices all have predictions.
struct ChoiceScore {
  size_t workloads = 0;
  double spearman = 0;   ///< mean over workloads, of devices' times
  double topOne = 0;     ///< share of workloads whose fastest device is chosen
  double withinFive = 0; ///< share where the chosen one takes at most 5 % more
  /// Share of the pairs of devices whose measured times differ that are in the right order; a pair
  /// that is predicted to take the same time counts half.
  double pairs = 0;
  /// Of the pairs of devices of which one is said to be faster with a probability of 90 % or more,
  /// the share of all pairs, and the share of them where it is.
  double surePairs = 0, surePairsRight = 0;
  double regret = 1; ///< geometric mean of time of the chosen over time of the fastest
  double worst = 1;  ///< largest of these
};
/// From this probability of being the faster one on, a device is surely faster than another one.
inline constexpr double kSureProbability = 0.9;

/// The devices of each workload are those of `times`. None where there is no such workload.
/// `predicted`: by time. Without `hasIntervals`, no pair is sure.
std::optional<ChoiceScore> choiceOf(const TrainingSet &set, std::span<const size_t> times,
                                    std::span<const LeftOutPrediction> predicted,
                                    bool hasIntervals);

/// What always taking one device would have been worth. Such a choice ranks no other devices:
/// `spearman` and `pairs` are 0.
struct BestDevice {
  std::string id;
  ChoiceScore choice;
};
/// Of the devices that have a time in `times` for every workload with several devices, the one of
/// the least regret, which only who knows all times can name. None where there is no such device.
std::optional<BestDevice> bestDevice(const TrainingSet &set, std::span<const size_t> times);

} // namespace aiwc::train
