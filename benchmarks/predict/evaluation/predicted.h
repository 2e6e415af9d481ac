/// What the model says of the kernels in a folder that `eod characterise` filled.
#pragma once

#include "predict/cost_model.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace aiwc::evaluation {

/// A kernel of an application at one of its sizes, by the suite's names.
struct CaseId {
  std::string application;
  std::string size;
  std::string kernel;
};
/// By application, size from tiny to large, kernel.
struct CaseOrder {
  bool operator()(const CaseId &a, const CaseId &b) const;
};
/// 0 for tiny to 3 for large, 4 for anything else.
int rankOf(const std::string &size);

/// What has to be the same for a time and a profile to be of the same launch.
struct Launch {
  std::string parameter, seed, globalSize, localSize, sourceHash;
  bool operator==(const Launch &) const = default;
};

struct PredictedCase {
  std::map<uint64_t, Launch> launches; ///< by invocation
  /// Of invocation 0; 0 where that was not characterised.
  uint64_t instructions = 0, workItems = 0;
  std::vector<double> seconds;      ///< per device, all launches together
  std::vector<std::string> boundBy; ///< per device
  /// `DEVICE has no KEY` where one of the devices cannot run the application; then there are no
  /// seconds.
  std::string ruledOut;
};
using PredictedCases = std::map<CaseId, PredictedCase, CaseOrder>;

/// All cases of the folder's index.csv whose size is among `sizes` (empty: all of them), on every
/// device. Throws Error for an index or profile that cannot be read or used, and where none is
/// left.
PredictedCases predictCases(const std::filesystem::path &folder,
                            const std::vector<std::string> &sizes,
                            std::span<const predict::DeviceProfile *const> devices,
                            const predict::CostModel &model);

} // namespace aiwc::evaluation
