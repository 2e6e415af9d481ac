/// Reads the published times of the suite's predecessor on 15 devices, and joins them with
/// predictions.
#pragma once

#include "evaluation/predicted.h"

#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::evaluation {

/// The times of one kernel at one size on all devices, in seconds per launch.
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
  /// Median seconds per device, by names of kernels in this project's suite.
  std::map<CaseId, std::vector<double>, CaseOrder> seconds;
};

/// Reads a CSV file with the columns `application`, `size`, `kernel`, `device` and `median_us`.
/// Throws Error if it cannot be read, if a row occurs twice, and if a kernel lacks a device.
PublishedTimes readPublished(const std::filesystem::path &file);

/// Selects the times on `devices`, in their order. Throws Error for a device that has no times.
PublishedTimes only(const PublishedTimes &times, const std::vector<std::string> &devices);

/// Why a kernel's published time is not the time of that kernel; empty if it is.
std::string doubt(const CaseId &id);

/// The work of the published kernels, as their authors characterised the first launch.
struct PublishedWork {
  double instructions = 0, workItems = 0;
};
using PublishedWorks = std::map<CaseId, PublishedWork, CaseOrder>;
/// Reads a CSV file with the columns `application`, `size`, `kernel`, `total_instruction_count` and
/// `workitems`. Throws Error if it cannot be read or a row occurs twice.
PublishedWorks readPublishedWork(const std::filesystem::path &file);

/// Why a kernel does not do the same work as the published kernel of the same name and size: its
/// number of instructions or of work-items differs by more than `factor`, up or down. Empty if the
/// work is the same.
std::string otherWork(const PredictedCase &ours, const PublishedWork &theirs, double factor);

struct JoinOptions {
  bool doubted = false;                  ///< if set, also use times that are not the kernel's own
  const PublishedWorks *works = nullptr; ///< if given, leave out kernels whose work differs
  double factor = 4;                     ///< passed to `otherWork`
};

struct Joined {
  std::vector<Case> cases;
  std::vector<LeftOut> leftOut; ///< kernels that are only published or only predicted
};
/// Joins published times and predictions: the mean launch of every kernel and size in both.
Joined join(const PredictedCases &predicted, const PublishedTimes &published,
            const JoinOptions &options = {});

} // namespace aiwc::evaluation
