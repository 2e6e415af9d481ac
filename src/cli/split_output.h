/// What `aiwc split` prints.
#pragma once

#include "predict/mapping.h"
#include "profiles.h"

#include <optional>
#include <string>
#include <vector>

namespace aiwc::cli {

struct SplitReport {
  std::string model;
  predict::SplitOptions options;
  std::vector<predict::DeviceProfile> devices;
  std::vector<NamedProfile> profiles;
  std::vector<predict::Split> splits;        ///< of each profile
  std::optional<predict::Mappings> mappings; ///< where there is more than one
};

std::string splitText(const SplitReport &report);
std::string splitJson(const SplitReport &report);

} // namespace aiwc::cli
