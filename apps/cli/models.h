/// Chooses the model that predicts.
#pragma once

#include "command.h"
#include "predict/cost_model.h"
#include "predict/fitted/fitted_cost_model.h"

#include <memory>
#include <string>

namespace aiwc::cli {

struct ModelOptions {
  std::string model = "published";
};

/// Adds --model.
void addModelOptions(Command command, ModelOptions &options);

/// A sentence on what predicted times contain of a launch. `isOfMeasured`: as measured times do,
/// which chose it.
std::string noteOnClock(predict::Clock clock, bool isOfMeasured);

/// The published model, or the one in a file. Throws what predict::readModel throws.
std::unique_ptr<predict::FittedCostModel> fittedModel(const std::string &model,
                                                      predict::Clock clock = predict::kUsualClock);

/// The published model, AutoMatch's equations, the idiom model, or the model in a file. Times of
/// the first and the last contain of a launch what `clock` says. Throws what predict::readModel
/// throws.
std::unique_ptr<predict::CostModel> chosenModel(const ModelOptions &options,
                                                predict::Clock clock = predict::kUsualClock);

} // namespace aiwc::cli
