/// The output of `aiwc split`.
#pragma once

#include "inputs.h"
#include "predict/mapping.h"

#include <optional>
#include <string>
#include <vector>

namespace aiwc::cli {

/// A device that cannot get a share, and the first parameter that its profile lacks.
struct LeftOut {
  std::string device;
  std::string lacks; ///< the key of a parameter or a measured curve
};

struct SplitReport {
  std::string model;
  predict::SplitOptions options;
  std::vector<predict::DeviceProfile> devices;
  std::vector<LeftOut> leftOut; ///< devices excluded when the user asked for "all"
  std::vector<NamedProfile> profiles;
  std::vector<predict::Split> splits;        ///< one per profile
  std::optional<predict::Mappings> mappings; ///< if there is more than one profile
};

std::string splitText(const SplitReport &report);
std::string splitJson(const SplitReport &report);

} // namespace aiwc::cli
