/// Launches as the predictor takes them.
#pragma once

#include "inputs.h"
#include "predict/prediction.h"

#include <vector>

namespace aiwc::cli {

/// The launches of these profiles. A profile that represents many launches is prepared for the
/// model once. Throws whatever predict::Invocation does.
std::vector<predict::Invocation> invocationsOf(const std::vector<NamedProfile> &profiles,
                                               const predict::CostModel &model);

/// The devices on which launches were measured.
std::vector<predict::DeviceProfile> devicesOf(const std::vector<predict::Invocation> &invocations,
                                              const predict::DeviceLibrary &library);

} // namespace aiwc::cli
