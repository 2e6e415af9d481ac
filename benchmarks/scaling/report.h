/// Writes the results as a table or as JSON.
#pragma once

#include "observed.h"
#include "predicted.h"

#include <string>

namespace aiwc::scaling_study {

std::string asTable(const Observed &observed, const std::vector<Trial> &trials);
std::string asJson(const Observed &observed, const std::vector<Trial> &trials);

} // namespace aiwc::scaling_study
