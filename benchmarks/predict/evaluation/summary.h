/// The accuracy of a model on the kernels of several applications and devices.
#pragma once

#include "evaluation/published.h"
#include "predict/accuracy.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace aiwc::evaluation {

/// Results for one kernel at one size.
struct CaseScore {
  CaseId id;
  std::optional<double> spearman, kendall; ///< over the devices
  predict::Deviation deviation;
  predict::Choice choice;
  size_t predictedBest = 0; ///< the device predicted to be fastest, the first of equals
  size_t fastest = 0;
};
CaseScore scoreOf(const Case &both);

/// Means: arithmetic for correlations and topOne, geometric for factors.
struct Score {
  std::string application;                 ///< empty: the mean over applications, equally weighted
  size_t kernels = 0;                      ///< number of pairs of kernel and size
  std::optional<double> spearman, kendall; ///< over the kernels that have one
  predict::Deviation deviation;
  predict::Choice choice;
  /// The error after calibration: all predictions are multiplied by one factor, or those for each
  /// device by a factor of its own, so that the bias is 1 on the *other* applications. Times of the
  /// application itself are not used. None with a single application.
  std::optional<double> scaledError, deviceScaledError;
  /// The result without a model: devices are ordered by their mean times on the other applications.
  std::optional<double> fixedOrderSpearman;
};

/// The result of always choosing the same device; means over applications as above.
struct Habit {
  size_t device = 0;
  predict::Choice choice;
};

struct Summary {
  std::vector<Score> applications;
  Score all;
  /// For each device: geometric means over its kernels, then over applications.
  std::vector<predict::Deviation> devices;
  std::vector<Habit> habits; ///< least regret first
};

/// Summarises the cases of one size, or of several together. `cases` must not be empty, and must be
/// in the order of CaseOrder.
Summary summarise(std::span<const Case> cases);

} // namespace aiwc::evaluation
