/// The published times of the suite's ancestor on 15 devices, and their join with predictions.
#pragma once

#include "evaluation/predicted.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::evaluation {

/// A kernel at a size on all devices, in seconds per launch.
struct Case {
  CaseId id;
  std::vector<double> predicted, measured;
};

struct LeftOut {
  CaseId id;
  std::string reason;
};

struct PublishedTimes {
  std::vector<std::string> devices; ///< ids, in the order of the file
  /// Median seconds per device, by the names of this project's suite.
  std::map<CaseId, std::vector<double>, CaseOrder> seconds;
};

/// From a CSV with `application`, `size`, `kernel`, `device` and `median_us`. Throws Error for one
/// that cannot be read, a row that is there twice, and where a device is missing from a kernel.
PublishedTimes readPublished(const std::filesystem::path &file);

/// Those of `devices` alone, in their order. Throws Error for one that has no times.
PublishedTimes only(const PublishedTimes &times, const std::vector<std::string> &devices);

/// Why the published time of a kernel is not that of the kernel; empty where it is.
std::string doubt(const CaseId &id);

struct Joined {
  std::vector<Case> cases;
  std::vector<LeftOut> leftOut; ///< published or predicted, and not joined
};
/// The mean launch of every kernel and size that both have. Without `doubted`, times that are not
/// the kernel's are left out.
Joined join(const PredictedCases &predicted, const PublishedTimes &published, bool doubted);

} // namespace aiwc::evaluation
