#include "train/folds.h"

#include "predict/correlated_errors.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <utility>

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

std::vector<Fold> joined(const std::vector<Fold> &folds, size_t most) {
  if (folds.size() <= most)
    return folds;
  std::vector<Fold> result(most);
  for (size_t i = 0; i < folds.size(); ++i) {
    Fold &fold = result[i % most];
    fold.test.insert(fold.test.end(), folds[i].test.begin(), folds[i].test.end());
    if (i < most) {
      fold.training = folds[i].training;
    } else {
      std::vector<size_t> both;
      std::ranges::set_intersection(fold.training, folds[i].training, std::back_inserter(both));
      fold.training = std::move(both);
    }
  }
  std::erase_if(result, [](const Fold &fold) { return fold.training.empty(); });
  return result;
}

namespace {

/// ln of the shortest launch of the row's device in the row's data set, in another application,
/// over its unit time; infinite where no time without transfers tells.
double lnShortestOverUnit(const TrainingSet &set, std::span<const FitRow> rows,
                          std::span<const size_t> usable, const FitRow &row) {
  double shortest = std::numeric_limits<double>::infinity();
  double overUnit = shortest;
  const std::string &application = set.workloads[row.workload].application;
  for (const size_t i : usable)
    if (rows[i].device == row.device && !hasTransfers(rows[i]) &&
        set.workloads[rows[i].workload].application != application &&
        rows[i].lnShortestLaunch < shortest) {
      shortest = rows[i].lnShortestLaunch;
      overUnit = shortest - lnLaunchUnit(rows[i]);
    }
  return overUnit;
}

} // namespace

predict::PartTimes predictedLeftOut(const predict::FittedModel &model, const TrainingSet &set,
                                    std::span<const FitRow> rows, std::span<const size_t> usable,
                                    LeaveOut leaveOut, size_t i) {
  return predictedParts(model, set, rows[i],
                        leaveOut == LeaveOut::kApplicationAndDeviceGivenLaunch
                            ? lnShortestOverUnit(set, rows, usable, rows[i])
                            : std::numeric_limits<double>::infinity());
}

std::vector<predict::PartTimes> leaveOneOut(const TrainingSet &set, std::span<const FitRow> rows,
                                            std::span<const size_t> usable, LeaveOut leaveOut,
                                            const FitOptions &options) {
  std::vector<predict::PartTimes> predicted(
      rows.size(), predict::PartTimes{std::numeric_limits<double>::quiet_NaN()});
  const std::vector<Fold> folds = foldsOf(set, usable, leaveOut);
  if (folds.empty())
    return predicted;
  const predict::FittedModel all = fit(set, rows, usable, options);
  for (const Fold &fold : folds) {
    const predict::FittedModel model = fit(set, rows, fold.training, options, &all);
    for (const size_t i : fold.test)
      predicted[i] = predictedLeftOut(model, set, rows, usable, leaveOut, i);
  }
  return predicted;
}

double lnOf(const predict::PartTimes &parts) {
  return std::log(std::accumulate(parts.begin(), parts.end(), 0.0));
}

std::vector<double> lnOf(std::span<const predict::PartTimes> predicted) {
  std::vector<double> result;
  result.reserve(predicted.size());
  for (const predict::PartTimes &parts : predicted)
    result.push_back(lnOf(parts));
  return result;
}

namespace {

/// A measured time over what a model that did not know it predicted, and the shares of the parts of
/// the latter.
struct Judged {
  double ratio = 1;
  predict::PartTimes shares{};
  double weight = 1;
};

/// The value below which `share` of the weight lies; the judged times are not empty.
template <typename ValueOf, typename WeightOf>
double quantile(const std::vector<Judged> &judged, double share, ValueOf valueOf,
                WeightOf weightOf) {
  std::vector<std::pair<double, double>> values;
  double all = 0;
  for (const Judged &one : judged)
    if (const double weight = weightOf(one); weight > 0) {
      values.emplace_back(valueOf(one), weight);
      all += weight;
    }
  std::ranges::sort(values);
  double below = 0;
  for (const auto &[value, weight] : values)
    if ((below += weight) >= share * all)
      return value;
  return values.empty() ? 1 : values.back().first;
}

/// The factors, by part, of one end of the interval: the quantile regression of measured over
/// predicted time on the shares of the parts, one factor after the other until all settle.
std::array<double, predict::kErrorPartCount> factorsOf(const std::vector<Judged> &judged,
                                                       double share) {
  constexpr int kRounds = 50;
  constexpr double kMost = 5; // of the factor's logarithm
  const bool isLow = share < 0.5;
  const auto within = [&](double factor) {
    const double ln = factor > 0 ? std::log(factor) : -kMost;
    return std::exp(isLow ? std::clamp(ln, -kMost, -predict::kRepeatedTime)
                          : std::clamp(ln, predict::kRepeatedTime, kMost));
  };
  std::array<double, predict::kErrorPartCount> factors{};
  factors.fill(within(quantile(
      judged, share, [](const Judged &one) { return one.ratio; },
      [](const Judged &one) { return one.weight; })));
  for (int round = 0; round < kRounds; ++round)
    for (size_t part = 0; part < factors.size(); ++part)
      factors[part] = within(quantile(
          judged, share,
          [&](const Judged &one) {
            double left = one.ratio;
            for (size_t other = 0; other < factors.size(); ++other)
              left -= other == part ? 0 : factors[other] * one.shares[other];
            return left / one.shares[part];
          },
          [&](const Judged &one) { return one.weight * one.shares[part]; }));
  return factors;
}

} // namespace

predict::ErrorFactors errorFactorsOf(const TrainingSet &set, std::span<const FitRow> rows,
                                     std::span<const size_t> usable,
                                     std::span<const predict::PartTimes> predicted) {
  std::map<std::string, std::vector<Judged>> ofApplication;
  for (const size_t i : usable) {
    const double ln = lnOf(predicted[i]);
    if (std::isnan(ln))
      continue;
    Judged judged{std::exp(rows[i].lnMicros - ln), predicted[i]};
    for (double &part : judged.shares)
      part /= std::exp(ln);
    const Workload &workload = set.workloads[rows[i].workload];
    ofApplication[workload.dataSet + "/" + workload.application].push_back(judged);
  }
  std::vector<Judged> all;
  for (auto &[application, judged] : ofApplication)
    for (Judged &one : judged) {
      one.weight = 1 / static_cast<double>(judged.size());
      all.push_back(one);
    }
  if (all.empty())
    return {};
  const auto low = factorsOf(all, 0.1);
  const auto high = factorsOf(all, 0.9);
  predict::ErrorFactors errorFactors;
  for (size_t part = 0; part < errorFactors.size(); ++part)
    errorFactors[part] = {std::log(low[part]), std::log(high[part])};
  return errorFactors;
}

std::vector<LeftOutPrediction> withIntervals(const TrainingSet &set, std::span<const FitRow> rows,
                                             std::span<const Fold> folds,
                                             std::span<const predict::PartTimes> predicted) {
  const std::vector<double> lnPredicted = lnOf(predicted);
  std::vector<LeftOutPrediction> result(rows.size());
  for (const Fold &fold : folds) {
    const predict::ErrorFactors errorFactors = errorFactorsOf(set, rows, fold.training, predicted);
    const double correlation = errorCorrelationOf(rows, fold.training, lnPredicted);
    const predict::ClassCorrelation ofClasses =
        classCorrelationOf(set, rows, fold.training, lnPredicted);
    for (const size_t i : fold.test) {
      const predict::Interval ends = predict::intervalOf(predicted[i], errorFactors);
      result[i] = {lnPredicted[i],
                   {std::log(ends.low) - lnPredicted[i], std::log(ends.high) - lnPredicted[i]},
                   correlation,
                   ofClasses};
    }
  }
  return result;
}

namespace {

/// Over the pairs of times of one workload, of which `isMeant` takes two indices.
template <typename IsMeant>
double correlationOf(std::span<const FitRow> rows, std::span<const size_t> usable,
                     std::span<const double> lnPredicted, IsMeant isMeant) {
  std::map<size_t, std::vector<size_t>> ofWorkload;
  const auto errorOf = [&](size_t i) { return rows[i].lnMicros - lnPredicted[i]; };
  double sum = 0;
  size_t count = 0;
  for (const size_t i : usable)
    if (!std::isnan(lnPredicted[i])) {
      ofWorkload[rows[i].workload].push_back(i);
      sum += errorOf(i);
      ++count;
    }
  const double mean = count > 0 ? sum / static_cast<double>(count) : 0;
  double products = 0;
  double squares = 0;
  for (const auto &[workload, times] : ofWorkload)
    for (size_t a = 0; a < times.size(); ++a)
      for (size_t b = 0; b < a; ++b) {
        if (!isMeant(times[a], times[b]))
          continue;
        const double x = errorOf(times[a]) - mean;
        const double y = errorOf(times[b]) - mean;
        products += x * y;
        squares += (x * x + y * y) / 2;
      }
  return squares > 0 ? std::clamp(products / squares, 0.0, predict::kGreatestCorrelation) : 0;
}

} // namespace

double errorCorrelationOf(std::span<const FitRow> rows, std::span<const size_t> usable,
                          std::span<const double> lnPredicted) {
  return correlationOf(rows, usable, lnPredicted, [](size_t, size_t) { return true; });
}

predict::ClassCorrelation classCorrelationOf(const TrainingSet &set, std::span<const FitRow> rows,
                                             std::span<const size_t> usable,
                                             std::span<const double> lnPredicted) {
  std::vector<predict::DeviceClass> classes;
  for (const MeasuredDevice &device : set.devices)
    classes.push_back(predict::classOf(device.profile));
  const auto of = [&](bool same) {
    return correlationOf(rows, usable, lnPredicted, [&](size_t a, size_t b) {
      return (classes[rows[a].device] == classes[rows[b].device]) == same;
    });
  };
  return {of(true), of(false)};
}

} // namespace aiwc::train
