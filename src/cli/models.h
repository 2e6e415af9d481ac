/// Chooses the model that predicts.
#pragma once

#include "predict/cost_model.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace aiwc::cli {

struct ModelOptions {
  std::string model = "published";
  std::string precision = "profiled"; ///< of AutoMatch's equations
};

/// Adds --model and --precision.
void addModelOptions(CLI::App &command, ModelOptions &options);

/// The published model, AutoMatch's equations, the idiom model, or the model in a file. Throws
/// Error, beginning with `what` (the name of the subcommand), for a precision with another model
/// than AutoMatch's equations, and whenever predict::readModel does.
std::unique_ptr<predict::CostModel> chosenModel(const ModelOptions &options, std::string_view what);

} // namespace aiwc::cli
