/// Predictions as text: tables for people, JSON and CSV for programs.
#pragma once

#include "predict/prediction.h"
#include "predict/what_if.h"

#include <span>
#include <string>

namespace aiwc::predict {

/// A table per kernel, its devices by rank, and one for the application where it has several
/// kernels; then the devices that are ruled out, and notes.
std::string toTable(const Prediction &prediction);

/// An object; docs/prediction.md lists its keys. Infinite values are null.
std::string toJson(const Prediction &prediction);

/// A row per kernel and device, and per device one for the application with "*" as the kernel; a
/// device that is ruled out has that row alone, with the keys that it lacks.
std::string toCsv(const Prediction &prediction);

/// The cost of the application: a row per value, a column per device, the best of a row marked.
std::string sweepTable(const Sweep &sweep, std::span<const Prediction> predictions);
/// An object with the parameter and, per value, what `toJson` says.
std::string sweepJson(const Sweep &sweep, std::span<const Prediction> predictions);
/// The rows of `toCsv` behind the parameter's key and its value.
std::string sweepCsv(const Sweep &sweep, std::span<const Prediction> predictions);

} // namespace aiwc::predict
