/// The prose of the catalogue: what each metric means, and examples of its value.
#pragma once

#include "catalogue/catalogue.h"
#include "catalogue/description.h"

namespace aiwc::metrics {

/// One or two sentences; the same for all parameters of a description.
std::string_view definitionOf(Metric metric);
std::span<const Example> examplesOf(Metric metric);

} // namespace aiwc::metrics
