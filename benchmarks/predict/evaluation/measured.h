/// Reads times measured by `eod run` on one device, and joins them with the predictions for it.
#pragma once

#include "evaluation/published.h"
#include "predict/accuracy.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::evaluation {

struct MeasuredCase {
  std::map<uint64_t, Launch> launches; ///< by invocation
  std::vector<double> seconds;         ///< per sample, the sum over all launches of a run
};

struct MeasuredTimes {
  std::string device; ///< its name in OpenCL
  std::map<CaseId, MeasuredCase, CaseOrder> cases;
};

/// Reads the rows.csv of folders, or such files; samples from several are combined. Throws Error
/// for a file that cannot be read, rows of several devices, and launches that are not the same in
/// every sample. `paths` must not be empty.
MeasuredTimes readMeasured(const std::vector<std::filesystem::path> &paths);

/// All launches of a kernel in a run, at a size.
struct Comparison {
  CaseId id;
  size_t launches = 0;
  double predicted = 0;           ///< s
  double median = 0, minimum = 0; ///< s, measured
  double measured = 0;            ///< the one of these two that the prediction is compared with
  std::string boundBy;            ///< the predicted largest term
};

struct Comparisons {
  std::vector<Comparison> cases;
  std::vector<LeftOut> leftOut;
};
/// Which sample a prediction is compared with.
enum class Reference : uint8_t {
  kMedian,
  kMinimum, ///< for a machine under other load, which can only add time
};
/// Joins times and predictions. Their launches must be the same, including NDRange and source.
/// `predicted` must be for one device.
Comparisons compare(const PredictedCases &predicted, const MeasuredTimes &measured,
                    Reference reference = Reference::kMedian);

/// Results over the kernels of one application, or the mean over applications if `application` is
/// empty.
struct ComparisonScore {
  std::string application;
  size_t kernels = 0;
  predict::Deviation deviation; ///< geometric means
};

struct ComparisonSummary {
  std::vector<ComparisonScore> applications;
  ComparisonScore all;
  std::optional<double>
      spearman; ///< over all kernels: whether longer kernels are predicted to take longer
};
/// `cases` must not be empty.
ComparisonSummary summarise(const std::vector<Comparison> &cases);

} // namespace aiwc::evaluation
