/// Predictions as text: tables for people, JSON and CSV for programs.
#pragma once

#include "predict/prediction.h"
#include "predict/what_if.h"
#include "text/terminal.h"

#include <cstddef>
#include <span>
#include <string>

namespace aiwc::predict {

/// Two significant digits and a unit: "12 us".
std::string duration(double seconds);

struct TableOptions {
  size_t top = SIZE_MAX; ///< how many of the fastest devices a table shows
  /// Where the tables are read: the headings and the fastest device stand out where it has colour,
  /// and the names of devices are cut to make lines fit.
  text::Terminal terminal = {};
};

/// One table per kernel with its devices, fastest first, and one for the application if it has
/// several kernels; then the caveats and the devices that are left out.
std::string toTable(const Prediction &prediction, const TableOptions &options = {});

/// One table of several programs that do the same, with the time of all launches of each on each
/// device, the device and program that are fastest first; then the notes of the first.
std::string alternativesTable(std::span<const std::string> names,
                              std::span<const Prediction> alternatives,
                              const TableOptions &options = {});

/// A JSON object; docs/prediction.md lists its keys. Infinite values are null.
std::string toJson(const Prediction &prediction);

/// One row per kernel and device, and one per device for the application, with "*" as the kernel. A
/// device that is ruled out has only the application's row, with the keys of the parameters that it
/// lacks.
std::string toCsv(const Prediction &prediction);

} // namespace aiwc::predict
