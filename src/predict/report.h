/// Predictions as text: tables for people, JSON and CSV for programs.
#pragma once

#include "predict/prediction.h"
#include "predict/what_if.h"

#include <span>
#include <string>

namespace aiwc::predict {

/// One table per kernel with its devices by rank, and one for the application if it has several
/// kernels; then the devices that are ruled out, and notes.
std::string toTable(const Prediction &prediction);

/// A JSON object; docs/prediction.md lists its keys. Infinite values are null.
std::string toJson(const Prediction &prediction);

/// One row per kernel and device, and one per device for the application, with "*" as the kernel. A
/// device that is ruled out has only the application's row, with the keys of the parameters that it
/// lacks.
std::string toCsv(const Prediction &prediction);

/// A table of the application's cost: one row per value of the sweep, one column per device, the
/// best of each row marked.
std::string sweepTable(const Sweep &sweep, std::span<const Prediction> predictions);
/// A JSON object with the parameter and, for each value, the object of `toJson`.
std::string sweepJson(const Sweep &sweep, std::span<const Prediction> predictions);
/// The rows of `toCsv`, each after the parameter's key and value.
std::string sweepCsv(const Sweep &sweep, std::span<const Prediction> predictions);

} // namespace aiwc::predict
