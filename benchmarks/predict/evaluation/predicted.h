/// Predictions for the kernels in a folder written by `eod characterise`.
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

/// A kernel of an application at one of its sizes, by their names in the suite.
struct CaseId {
  std::string application;
  std::string size;
  std::string kernel;
};
/// Orders by application, then size from tiny to large, then kernel.
struct CaseOrder {
  bool operator()(const CaseId &a, const CaseId &b) const;
};
/// 0 for tiny to 3 for large, 4 for anything else.
int rankOf(const std::string &size);

/// The properties by which a measured time and a profile are recognised as the same launch.
struct Launch {
  std::string parameter, seed, globalSize, localSize, sourceHash;
  bool operator==(const Launch &) const = default;
};

struct PredictedCase {
  std::map<uint64_t, Launch> launches; ///< by invocation
  /// The value of invocation 0; 0 if that was not characterised.
  uint64_t instructions = 0, workItems = 0;
  std::vector<double> seconds;      ///< per device, the sum over all launches
  std::vector<std::string> boundBy; ///< per device
  /// `DEVICE has no KEY` if a device lacks a parameter for the application; `seconds` is then
  /// empty.
  std::string ruledOut;
};
using PredictedCases = std::map<CaseId, PredictedCase, CaseOrder>;

/// Predicts all cases of the folder's index.csv whose size is in `sizes` (empty: all sizes), on
/// every device. Throws Error for an index or profile that cannot be read or used, and if no case
/// is left.
PredictedCases predictCases(const std::filesystem::path &folder,
                            const std::vector<std::string> &sizes,
                            std::span<const predict::DeviceProfile *const> devices,
                            const predict::CostModel &model);

} // namespace aiwc::evaluation
