/// Times measured by `eod run` on one device, and their join with the prediction for it.
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
  std::vector<double> seconds;         ///< per sample, all launches of a run together
};

struct MeasuredTimes {
  std::string device; ///< as OpenCL names it
  std::map<CaseId, MeasuredCase, CaseOrder> cases;
};

/// From folders' rows.csv, or such files; samples of several are taken together. Throws Error for
/// one that cannot be read, rows of several devices, and launches that are not the same in every
/// sample. `paths` is not empty.
MeasuredTimes readMeasured(const std::vector<std::filesystem::path> &paths);

/// All launches of a kernel in a run, at a size.
struct Comparison {
  CaseId id;
  size_t launches = 0;
  double predicted = 0;           ///< s
  double median = 0, minimum = 0; ///< s, measured
  double measured = 0;            ///< the one of these that the prediction is compared with
  std::string boundBy;            ///< as predicted
};

struct Comparisons {
  std::vector<Comparison> cases;
  std::vector<LeftOut> leftOut;
};
/// Which sample a prediction is compared with.
enum class Reference : uint8_t {
  kMedian,
  kMinimum, ///< where the machine had other work, which can only add
};
/// Launches have to be the same ones, NDRange and source included. `predicted` is of one device.
Comparisons compare(const PredictedCases &predicted, const MeasuredTimes &measured,
                    Reference reference = Reference::kMedian);

/// Over the kernels of an application, or the mean over applications where it is empty.
struct ComparisonScore {
  std::string application;
  size_t kernels = 0;
  predict::Deviation deviation; ///< geometric means
};

struct ComparisonSummary {
  std::vector<ComparisonScore> applications;
  ComparisonScore all;
  std::optional<double> spearman; ///< over all kernels: whether the long ones are predicted long
};
/// `cases` is not empty.
ComparisonSummary summarise(const std::vector<Comparison> &cases);

} // namespace aiwc::evaluation
