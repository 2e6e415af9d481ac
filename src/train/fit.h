/// Fits the coefficients of predict::FittedModel to measured times.
#pragma once

#include "predict/fitted/fitted_model.h"
#include "train/training_set.h"

#include <limits>
#include <span>
#include <vector>

namespace aiwc::train {

/// How strongly coefficients are held together, in units of the residual's standard deviation over
/// theirs. docs/evaluation.md says how these values were chosen.
struct FitOptions {
  double priorWeight = 2;    ///< of the mean of the classes to the prior, times that of the term
  double classWeight = 2;    ///< of a class to the mean of the classes
  double deviceWeight = 2;   ///< of a device to its class
  std::vector<bool> without; ///< coefficients whose terms to leave out, by Coefficient; empty: none
};

/// Below this, the shortest time of a device is little more than a launch.
inline constexpr double kShortLaunchMicros = 300;

/// The unit times of each measured time, summed over its launches: all that a fit needs of it.
struct FitRow {
  predict::CoefficientTimes unit{};
  bool overlaps = false; ///< predict::overlapUnits: the device is a GPU
  double lnMicros = 0;
  double launches = 1;
  /// ln of the microseconds of its shortest launch; infinite where that is not known.
  double lnShortestLaunch = std::numeric_limits<double>::infinity();
  size_t device = 0;   ///< index into TrainingSet::devices
  size_t workload = 0; ///< index into TrainingSet::workloads
};
std::vector<FitRow> fitRows(const TrainingSet &set, const FitOptions &options = {});

/// Minimises, over the coefficients c of classes and devices,
///
///   sum over rows of h(ln(sum_k exp(c_k) u_k) - ln t) + squared distances from the priors, of the
///   classes from their mean and of the devices from their class,
///
/// where the sum is that of overlapUnits() for rows that have it,
/// h(r) = 2 (sqrt(1 + r^2) - 1), by Levenberg-Marquardt. Times that contain transfers contain those
/// of the whole application: c_k of the transfers has one more summand per application and device,
/// held to 0, which is not in the result. So whatever the application does unlike others, pinned
/// memory or a first touch, does not become a property of the device. `rows` are indices into
/// `all`. Classes and devices without a row have no coefficients in the result; its error factors
/// are not set. `near`: a model of similar rows, at which the search begins; it saves steps. Throws
/// Error where there are no rows.
predict::FittedModel fit(const TrainingSet &set, std::span<const FitRow> all,
                         std::span<const size_t> rows, const FitOptions &options = {},
                         const predict::FittedModel *near = nullptr);

/// The model with the deviations of the devices of `set` fitted to all times in it, as fit() does,
/// while the coefficients of the classes and all other devices stay. They are rows of the data set
/// predict::kOwnMeasurements, instead of earlier ones of these devices, and held to what the model
/// knows of the device from other data sets, or else to the class. Throws Error where there are no
/// times.
predict::FittedModel update(const predict::FittedModel &model, const TrainingSet &set,
                            const FitOptions &options = {});

/// Whether the row's time contains transfers.
bool hasTransfers(const FitRow &row);

/// ln of the unit time of one of the row's launches.
double lnLaunchUnit(const FitRow &row);

/// The predicted microseconds of a row, for its own device. If `lnShortestOverUnit` is finite, it
/// is the ln of the shortest launch that was measured on the device, which the model must not know,
/// over that launch's unit time.
predict::PartTimes
predictedParts(const predict::FittedModel &model, const TrainingSet &set, const FitRow &row,
               double lnShortestOverUnit = std::numeric_limits<double>::infinity());
/// ln of their sum.
double lnPredicted(const predict::FittedModel &model, const TrainingSet &set, const FitRow &row,
                   double lnShortestOverUnit = std::numeric_limits<double>::infinity());

/// The model that ships: fitted to all times without a doubt, its error factors from applications
/// (and devices) that were left out. Throws Error for fewer than two applications or two devices.
predict::FittedModel train(const TrainingSet &set, const FitOptions &options = {});

} // namespace aiwc::train
