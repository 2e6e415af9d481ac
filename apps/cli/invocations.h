/// Launches as the predictor takes them.
#pragma once

#include "inputs.h"
#include "predict/prediction.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::cli {

/// The launches of these profiles. A profile that represents many launches is prepared for the
/// model once. Throws whatever predict::Invocation does.
std::vector<predict::Invocation> invocationsOf(const std::vector<NamedProfile> &profiles,
                                               const predict::CostModel &model);

/// The devices on which launches were measured.
std::vector<predict::DeviceProfile> devicesOf(const std::vector<predict::Invocation> &invocations,
                                              const predict::DeviceLibrary &library);

/// What to say where --transfers is above 0 and no launch has any.
inline constexpr const char *kNoTransfers = "--transfers adds nothing: the launches have no "
                                            "transfers with the host (aiwc kernel makes none)";

/// A device that cannot be predicted, and the first parameter that its profile lacks.
struct LeftOut {
  std::string device;
  std::string lacks; ///< the key of a parameter or a measured curve
};

/// Removes the devices that lack something if `ids`, of --devices, names types or all. One that the
/// user named is not left out silently: whoever predicts for it throws. Throws Error if none
/// remains.
std::vector<LeftOut>
leaveOut(std::vector<predict::DeviceProfile> &devices, std::string_view ids,
         const std::function<predict::Missing(const predict::DeviceProfile &)> &missing);

/// The same for what the published model needs for these launches; warns of the devices.
void leaveOut(std::vector<predict::DeviceProfile> &devices, std::string_view ids,
              const std::vector<NamedProfile> &profiles);

} // namespace aiwc::cli
