/// The table of measured times of a run of `aiwc attach`.
#pragma once

#include "run/run.h"

#include <string>

namespace aiwc::cli {

/// The table (train/training_set.h) of a run whose launches were measured themselves: of each
/// kernel, the time of all launches that were characterised or are represented by one that was.
/// `dataSet` and `size` are the table's; runs of one application need different sizes. Empty if
/// there is no such launch.
std::string timesTable(const run::Run &run, const std::string &dataSet,
                       const std::string &application, const std::string &size,
                       const std::string &device);

} // namespace aiwc::cli
