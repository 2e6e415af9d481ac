/// How well a model does on the kernels of several applications and devices.
#pragma once

#include "evaluation/published.h"
#include "predict/accuracy.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace aiwc::evaluation {

/// A kernel at a size.
struct CaseScore {
  CaseId id;
  std::optional<double> spearman, kendall; ///< over the devices
  predict::Deviation deviation;
  predict::Choice choice;
  size_t predictedBest = 0; ///< device, the first of equals
  size_t fastest = 0;
};
CaseScore scoreOf(const Case &both);

/// Means: of correlations and of topOne arithmetic, of factors geometric.
struct Score {
  std::string application; ///< empty: the mean of the applications, each counting the same
  size_t kernels = 0;      ///< and sizes
  std::optional<double> spearman, kendall; ///< of the kernels that have one
  predict::Deviation deviation;
  predict::Choice choice;
  /// The error after multiplying all predictions by one factor, or those for each device by a
  /// factor of its own, which bring the bias to 1 on the *other* applications: no time of the
  /// application itself is used. None with a single application.
  std::optional<double> scaledError, deviceScaledError;
  /// What no model at all gives: the devices in the order of their mean times on the other
  /// applications.
  std::optional<double> fixedOrderSpearman;
};

/// Always taking the same device; means over applications as above.
struct Habit {
  size_t device = 0;
  predict::Choice choice;
};

struct Summary {
  std::vector<Score> applications;
  Score all;
  /// Of each device by itself: geometric means over its kernels, then over applications.
  std::vector<predict::Deviation> devices;
  std::vector<Habit> habits; ///< least regret first
};

/// Of one size, or of several together. `cases` is not empty and in the order of CaseOrder.
Summary summarise(std::span<const Case> cases);

} // namespace aiwc::evaluation
