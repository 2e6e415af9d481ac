/// What a model says of times that it was not fitted to.
#pragma once

#include "train/fit.h"

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

/// ln of the predicted microseconds of time i, by a model that was fitted without it. A device that
/// was left out has the launch overhead of its profile if that was measured; with
/// kApplicationAndDeviceGivenLaunch, that of its shortest time of another application among the
/// times `usable`, if these contain no transfers.
double lnPredictedLeftOut(const predict::FittedModel &model, const TrainingSet &set,
                          std::span<const FitRow> rows, std::span<const size_t> usable,
                          LeaveOut leaveOut, size_t i);

/// lnPredictedLeftOut of every time; NaN where no model could be fitted.
std::vector<double> leaveOneOut(const TrainingSet &set, std::span<const FitRow> rows,
                                std::span<const size_t> usable, LeaveOut leaveOut,
                                const FitOptions &options = {});

/// The 10 % and 90 % quantiles of ln(measured / predicted) over the times `usable`, at least 5 %.
/// `which`, by row, leaves out those that are false; empty: none.
predict::Spread spreadOf(std::span<const FitRow> rows, std::span<const size_t> usable,
                         std::span<const double> lnPredicted, const std::vector<bool> &which = {});

/// The correlation of the errors of two devices for one workload, 0 to 0.95: the mean product of
/// the errors of all pairs over their mean square, around the mean error. 0 without pairs. NaN in
/// `lnPredicted` is left out.
double errorCorrelationOf(std::span<const FitRow> rows, std::span<const size_t> usable,
                          std::span<const double> lnPredicted);

} // namespace aiwc::train
