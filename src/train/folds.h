/// What a model says of times that it was not fitted to.
#pragma once

#include "train/fit.h"
#include "train/scores.h"

#include <span>
#include <string_view>
#include <vector>

namespace aiwc::train {

/// What all the times that are left out together have in common.
enum class LeaveOut : uint8_t {
  kApplication,
  kKernel,
  kSize,
  kSuite,
  kDevice,
  kApplicationAndDevice,            ///< training sees neither the application nor the device
  kApplicationAndDeviceGivenLaunch, ///< the same, but the device's shortest launch is known
  kRandomTimes,                     ///< a tenth of the times: misleading, since their repeats stay
};
inline constexpr std::array kLeaveOuts = {LeaveOut::kApplication,
                                          LeaveOut::kKernel,
                                          LeaveOut::kSize,
                                          LeaveOut::kSuite,
                                          LeaveOut::kDevice,
                                          LeaveOut::kApplicationAndDevice,
                                          LeaveOut::kApplicationAndDeviceGivenLaunch,
                                          LeaveOut::kRandomTimes};
std::string_view toString(LeaveOut leaveOut); ///< "application", "application and device", ...

/// Indices of the times of workloads without a doubt.
std::vector<size_t> withoutDoubt(const TrainingSet &set);

/// A group of times, and the times that may be trained on while it is left out.
struct Fold {
  std::vector<size_t> test, training;
};
/// `usable`: times that may be trained on; all times are tested. Folds without training times are
/// not there.
std::vector<Fold> foldsOf(const TrainingSet &set, std::span<const size_t> usable,
                          LeaveOut leaveOut);

/// The predicted microseconds of time i, by a model that was fitted without it. A device that
/// was left out has the launch overhead of its profile if that was measured; with
/// kApplicationAndDeviceGivenLaunch, that of its shortest time of another application among the
/// times `usable`, if these contain no transfers.
predict::PartTimes predictedLeftOut(const predict::FittedModel &model, const TrainingSet &set,
                                    std::span<const FitRow> rows, std::span<const size_t> usable,
                                    LeaveOut leaveOut, size_t i);

/// At most `most` folds, each of which leaves out what several of `folds` do.
std::vector<Fold> joined(const std::vector<Fold> &folds, size_t most);

/// predictedLeftOut of every time; NaN where no model could be fitted.
std::vector<predict::PartTimes> leaveOneOut(const TrainingSet &set, std::span<const FitRow> rows,
                                            std::span<const size_t> usable, LeaveOut leaveOut,
                                            const FitOptions &options = {});

/// ln of the sums of the parts.
double lnOf(const predict::PartTimes &parts);
std::vector<double> lnOf(std::span<const predict::PartTimes> predicted);

/// Of each part, the factors with which a tenth of the measured times `usable` is below the ends of
/// their intervals and a tenth above: the quantile regression of measured over predicted time on
/// the parts' shares. Each application counts the same, however many times it has, so that the
/// interval is one of four in five programs. Each factor is 5 % or more from 1, as much as a time
/// that is measured again may differ by.
predict::ErrorFactors errorFactorsOf(const TrainingSet &set, std::span<const FitRow> rows,
                                     std::span<const size_t> usable,
                                     std::span<const predict::PartTimes> predicted);

/// The predictions of every time by models that were fitted without it, with intervals from the
/// errors of other times that were left out in the same way: those that may be trained on while
/// this one is left out (cross-conformal; Barber et al., Annals of Statistics 49(1), 2021).
/// `predicted`: of leaveOneOut.
std::vector<LeftOutPrediction> withIntervals(const TrainingSet &set, std::span<const FitRow> rows,
                                             std::span<const Fold> folds,
                                             std::span<const predict::PartTimes> predicted);

/// The correlation of the errors of two devices for one workload, 0 to
/// predict::kGreatestCorrelation: the mean product of the errors of all pairs over their mean
/// square, around the mean error. 0 without pairs. NaN in `lnPredicted` is left out.
double errorCorrelationOf(std::span<const FitRow> rows, std::span<const size_t> usable,
                          std::span<const double> lnPredicted);
/// The same of pairs of devices of one class, and of two classes.
predict::ClassCorrelation classCorrelationOf(const TrainingSet &set, std::span<const FitRow> rows,
                                             std::span<const size_t> usable,
                                             std::span<const double> lnPredicted);

} // namespace aiwc::train
