/// What `aiwc split` prints.
#pragma once

#include "inputs.h"
#include "predict/mapping.h"

#include <optional>
#include <string>
#include <vector>

namespace aiwc::cli {

/// A device that can get no share, and the first parameter that its profile lacks for one.
struct LeftOut {
  std::string device;
  predict::Parameter lacks;
};

struct SplitReport {
  std::string model;
  predict::SplitOptions options;
  std::vector<predict::DeviceProfile> devices;
  std::vector<LeftOut> leftOut; ///< of "all" devices
  std::vector<NamedProfile> profiles;
  std::vector<predict::Split> splits;        ///< of each profile
  std::optional<predict::Mappings> mappings; ///< where there is more than one
};

std::string splitText(const SplitReport &report);
std::string splitJson(const SplitReport &report);

} // namespace aiwc::cli
