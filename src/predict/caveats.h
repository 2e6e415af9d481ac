/// Why a prediction may mislead, in words.
#pragma once

#include "predict/prediction.h"

#include <string>
#include <vector>

namespace aiwc::predict {

/// One sentence per reason, without an end of line: the notes of the prediction, launches that take
/// most of the time, kernels that are unlike those that the model was fitted to, transfers that
/// outweigh the kernels, data that does not fit into a device's memory, profiles that are samples
/// or had simulator errors.
std::vector<std::string> caveats(const Prediction &prediction);

} // namespace aiwc::predict
