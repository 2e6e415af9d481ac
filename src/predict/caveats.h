/// Why a prediction may mislead, in words.
#pragma once

#include "predict/prediction.h"

#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

/// One sentence per reason, without an end of line: the notes of the prediction, launches that take
/// most of the time, kernels that are outside the training range of the model, transfers that
/// outweigh the kernels, data that does not fit into a device's memory, profiles that are samples
/// or had simulator errors.
std::vector<std::string> caveats(const Prediction &prediction);

/// What to know of devices that are of another type than the application saw, `seenType` as
/// openClType, of which it asked `questions`. Neither list is empty; `devices` are ids.
std::string otherTypeNote(std::string_view seenType, const std::vector<std::string> &questions,
                          const std::vector<std::string> &devices);

} // namespace aiwc::predict
