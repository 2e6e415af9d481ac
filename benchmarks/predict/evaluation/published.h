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

/// What the published kernels did, as their authors characterised the first launch.
struct PublishedWork {
  double instructions = 0, workItems = 0;
};
using PublishedWorks = std::map<CaseId, PublishedWork, CaseOrder>;
/// From a CSV with `application`, `size`, `kernel`, `total_instruction_count` and `workitems`.
/// Throws Error for one that cannot be read and a row that is there twice.
PublishedWorks readPublishedWork(const std::filesystem::path &file);

/// Why a kernel does not do what the published one of the same name and size does: a number of
/// instructions or of work-items that is off by more than `factor`, up or down. Empty where it
/// does.
std::string otherWork(const PredictedCase &ours, const PublishedWork &theirs, double factor);

struct JoinOptions {
  bool doubted = false;                  ///< also times that are not the kernel's
  const PublishedWorks *works = nullptr; ///< where given, leave other work out
  double factor = 4;                     ///< of `otherWork`
};

struct Joined {
  std::vector<Case> cases;
  std::vector<LeftOut> leftOut; ///< published or predicted, and not joined
};
/// The mean launch of every kernel and size that both have.
Joined join(const PredictedCases &predicted, const PublishedTimes &published,
            const JoinOptions &options = {});

} // namespace aiwc::evaluation
