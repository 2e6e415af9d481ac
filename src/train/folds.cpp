#include "train/folds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace aiwc::train {

namespace {

std::string workloadGroup(const Workload &workload, LeaveOut leaveOut) {
  switch (leaveOut) {
  case LeaveOut::kSuite:
    return workload.dataSet + "/" + workload.suite;
  case LeaveOut::kKernel:
    return workload.dataSet + "/" + workload.application + "/" + workload.kernel;
  case LeaveOut::kSize:
    return workload.dataSet + "/" + workload.size;
  case LeaveOut::kApplication:
  case LeaveOut::kApplicationAndDevice:
  case LeaveOut::kApplicationAndDeviceGivenLaunch:
    return workload.dataSet + "/" + workload.application;
  case LeaveOut::kDevice:
  case LeaveOut::kRandomTimes:
    break;
  }
  return {};
}

} // namespace

std::string_view toString(LeaveOut leaveOut) {
  switch (leaveOut) {
  case LeaveOut::kApplication:
    return "application";
  case LeaveOut::kKernel:
    return "kernel";
  case LeaveOut::kSize:
    return "size";
  case LeaveOut::kSuite:
    return "suite";
  case LeaveOut::kDevice:
    return "device";
  case LeaveOut::kApplicationAndDevice:
    return "application and device";
  case LeaveOut::kApplicationAndDeviceGivenLaunch:
    return "application and device given its launch";
  case LeaveOut::kRandomTimes:
    break;
  }
  return "random times";
}

std::vector<size_t> withoutDoubt(const TrainingSet &set) {
  std::vector<size_t> usable;
  for (size_t i = 0; i < set.times.size(); ++i)
    if (set.workloads[set.times[i].workload].doubt.empty())
      usable.push_back(i);
  return usable;
}

std::vector<Fold> foldsOf(const TrainingSet &set, std::span<const size_t> usable,
                          LeaveOut leaveOut) {
  const bool byWorkload = leaveOut != LeaveOut::kDevice && leaveOut != LeaveOut::kRandomTimes;
  const bool both = leaveOut == LeaveOut::kApplicationAndDevice ||
                    leaveOut == LeaveOut::kApplicationAndDeviceGivenLaunch;
  const bool byDevice = leaveOut == LeaveOut::kDevice || both;
  constexpr size_t kRandomFolds = 10;
  // A device is the same one in every data set.
  const auto keyOf = [&](size_t i) {
    const MeasuredTime &time = set.times[i];
    if (leaveOut == LeaveOut::kRandomTimes) // spread by a multiplicative hash, always the same
      return std::pair(std::to_string((i * 2654435761U >> 8U) % kRandomFolds), std::string());
    return std::pair(byWorkload ? workloadGroup(set.workloads[time.workload], leaveOut)
                                : std::string(),
                     byDevice ? set.devices[time.device].profile.id : std::string());
  };
  std::map<std::pair<std::string, std::string>, Fold> folds;
  for (size_t i = 0; i < set.times.size(); ++i)
    folds[keyOf(i)].test.push_back(i);
  std::vector<Fold> result;
  for (auto &[key, fold] : folds) {
    for (const size_t i : usable) {
      const auto other = keyOf(i);
      const bool related =
          both ? other.first == key.first || other.second == key.second : other == key;
      if (!related)
        fold.training.push_back(i);
    }
    if (!fold.training.empty())
      result.push_back(std::move(fold));
  }
  return result;
}

namespace {

/// ln of the microseconds of the shortest launch of the row's device in the row's data set, in
/// another application; infinite where no time without transfers tells.
double lnShortestLaunch(const TrainingSet &set, std::span<const FitRow> rows,
                        std::span<const size_t> usable, const FitRow &row) {
  double shortest = std::numeric_limits<double>::infinity();
  const std::string &application = set.workloads[row.workload].application;
  for (const size_t i : usable)
    if (rows[i].device == row.device && !hasTransfers(rows[i]) &&
        set.workloads[rows[i].workload].application != application)
      shortest = std::min(shortest, rows[i].lnShortestLaunch);
  return shortest;
}

} // namespace

double lnPredictedLeftOut(const predict::FittedModel &model, const TrainingSet &set,
                          std::span<const FitRow> rows, std::span<const size_t> usable,
                          LeaveOut leaveOut, size_t i) {
  return lnPredicted(model, set, rows[i],
                     leaveOut == LeaveOut::kApplicationAndDeviceGivenLaunch
                         ? lnShortestLaunch(set, rows, usable, rows[i])
                         : std::numeric_limits<double>::infinity());
}

std::vector<double> leaveOneOut(const TrainingSet &set, std::span<const FitRow> rows,
                                std::span<const size_t> usable, LeaveOut leaveOut,
                                const FitOptions &options) {
  std::vector<double> predicted(rows.size(), std::numeric_limits<double>::quiet_NaN());
  for (const Fold &fold : foldsOf(set, usable, leaveOut)) {
    const predict::FittedModel model = fit(set, rows, fold.training, options);
    for (const size_t i : fold.test)
      predicted[i] = lnPredictedLeftOut(model, set, rows, usable, leaveOut, i);
  }
  return predicted;
}

predict::Spread spreadOf(std::span<const FitRow> rows, std::span<const size_t> usable,
                         std::span<const double> lnPredicted, const std::vector<bool> &which) {
  std::vector<double> residuals;
  for (const size_t i : usable)
    if (!std::isnan(lnPredicted[i]) && (which.empty() || which[i]))
      residuals.push_back(rows[i].lnMicros - lnPredicted[i]);
  if (residuals.empty())
    return {};
  std::ranges::sort(residuals);
  const auto quantile = [&](double q) {
    return residuals[static_cast<size_t>(q * static_cast<double>(residuals.size() - 1))];
  };
  constexpr double kRepeat = 0.05; // as much as a time that is measured again may differ by
  return {std::min(quantile(0.1), -kRepeat), std::max(quantile(0.9), kRepeat)};
}

double errorCorrelationOf(std::span<const FitRow> rows, std::span<const size_t> usable,
                          std::span<const double> lnPredicted) {
  constexpr double kMost = 0.95;
  std::map<size_t, std::vector<double>> ofWorkload;
  double sum = 0;
  size_t count = 0;
  for (const size_t i : usable)
    if (!std::isnan(lnPredicted[i])) {
      const double error = rows[i].lnMicros - lnPredicted[i];
      ofWorkload[rows[i].workload].push_back(error);
      sum += error;
      ++count;
    }
  const double mean = count > 0 ? sum / static_cast<double>(count) : 0;
  double products = 0;
  double squares = 0;
  for (const auto &[workload, errors] : ofWorkload)
    for (size_t a = 0; a < errors.size(); ++a)
      for (size_t b = 0; b < a; ++b) {
        const double x = errors[a] - mean;
        const double y = errors[b] - mean;
        products += x * y;
        squares += (x * x + y * y) / 2;
      }
  return squares > 0 ? std::clamp(products / squares, 0.0, kMost) : 0;
}

} // namespace aiwc::train
