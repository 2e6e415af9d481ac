/// The output of `aiwc split`.
#pragma once

#include "invocations.h"
#include "predict/mapping.h"

#include <optional>
#include <string>
#include <vector>

namespace aiwc::cli {

struct SplitReport {
  std::string model;
  predict::SplitOptions options;
  std::vector<predict::DeviceProfile> devices;
  std::vector<LeftOut> leftOut; ///< devices that cannot get a share
  std::vector<NamedProfile> profiles;
  std::vector<predict::Split> splits;        ///< one per profile
  std::optional<predict::Mappings> mappings; ///< if there is more than one profile
};

std::string splitText(const SplitReport &report);
std::string splitJson(const SplitReport &report);

} // namespace aiwc::cli
