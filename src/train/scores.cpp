#include "train/scores.h"

#include "predict/accuracy.h"
#include "predict/prediction.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace aiwc::train {

ErrorScore errorOf(const TrainingSet &set, std::span<const size_t> times,
                   std::span<const LeftOutPrediction> predicted) {
  ErrorScore score;
  struct Application {
    double errors = 0;
    double within = 0, times = 0;
  };
  std::map<std::string, Application> applications;
  double sumOfLn = 0;
  for (const size_t i : times) {
    if (std::isnan(predicted[i].lnMicros))
      continue;
    const double residual = std::log(set.times[i].micros) - predicted[i].lnMicros;
    const Workload &workload = set.workloads[set.times[i].workload];
    Application &application = applications[workload.dataSet + "/" + workload.application];
    application.errors += std::abs(residual);
    ++application.times;
    if (residual >= predicted[i].errorFactor.low && residual <= predicted[i].errorFactor.high)
      ++application.within;
    score.lnError += std::abs(residual);
    sumOfLn -= residual;
    ++score.times;
  }
  if (score.times == 0)
    return score;
  score.lnError /= static_cast<double>(score.times);
  score.factor = std::exp(score.lnError);
  score.bias = std::exp(sumOfLn / static_cast<double>(score.times));
  const auto count = static_cast<double>(applications.size());
  for (const auto &[name, application] : applications) {
    score.perApplication += application.errors / application.times / count;
    score.coverage += application.within / application.times / count;
  }
  return score;
}

namespace {

/// Of each workload, its times in `times`; only workloads with several.
std::vector<std::vector<size_t>> byWorkload(const TrainingSet &set, std::span<const size_t> times) {
  std::map<size_t, std::vector<size_t>> all;
  for (const size_t i : times)
    all[set.times[i].workload].push_back(i);
  std::vector<std::vector<size_t>> result;
  for (auto &[workload, rows] : all)
    if (rows.size() > 1)
      result.push_back(std::move(rows));
  return result;
}

/// Sums over workloads, which `mean` divides.
class Choices {
public:
  void add(const predict::Choice &choice) {
    ++sum_.workloads;
    sum_.topOne += choice.topOne;
    sum_.withinFive += choice.regret <= 1.05 ? 1 : 0;
    lnRegret_ += std::log(choice.regret);
    sum_.worst = std::max(sum_.worst, choice.regret);
  }
  ChoiceScore mean() const {
    ChoiceScore score = sum_;
    const auto count = static_cast<double>(score.workloads);
    score.topOne /= count;
    score.withinFive /= count;
    score.regret = std::exp(lnRegret_ / count);
    return score;
  }
  size_t workloads() const { return sum_.workloads; }

private:
  ChoiceScore sum_;
  double lnRegret_ = 0;
};

/// Of the errors of two devices, given that of a measured one if there is one.
double correlationOf(const LeftOutPrediction &a, const predict::DeviceProfile &deviceA,
                     const LeftOutPrediction &b, const predict::DeviceProfile &deviceB) {
  if (!a.withMeasured || !b.withMeasured)
    return a.errorCorrelation;
  const double left =
      (1 - *a.withMeasured * *a.withMeasured) * (1 - *b.withMeasured * *b.withMeasured);
  return (a.classCorrelation.of(deviceA, deviceB) - *a.withMeasured * *b.withMeasured) /
         std::sqrt(left);
}

/// Of a being faster than b.
double probabilityOfFaster(const LeftOutPrediction &a, const LeftOutPrediction &b,
                           double correlation) {
  const auto interval = [](const LeftOutPrediction &of) {
    return predict::Interval{std::exp(of.lnMicros + of.errorFactor.low),
                             std::exp(of.lnMicros + of.errorFactor.high)};
  };
  return predict::compared(std::exp(a.lnMicros), interval(a), std::exp(b.lnMicros), interval(b),
                           correlation)
      .probability;
}

} // namespace

std::optional<ChoiceScore> choiceOf(const TrainingSet &set, std::span<const size_t> times,
                                    std::span<const LeftOutPrediction> leftOut, bool hasIntervals) {
  Choices choices;
  double spearmans = 0;
  size_t ranked = 0;
  size_t pairs = 0;
  double rightPairs = 0;
  size_t surePairs = 0;
  size_t sureAndRight = 0;
  for (const std::vector<size_t> &rows : byWorkload(set, times)) {
    std::vector<double> predicted;
    std::vector<double> measured;
    for (const size_t i : rows) {
      predicted.push_back(leftOut[i].lnMicros);
      measured.push_back(set.times[i].micros);
    }
    if (std::ranges::any_of(predicted, [](double v) { return std::isnan(v); }))
      continue;
    choices.add(predict::choiceOf(predicted, measured));
    if (const auto rho = predict::spearman(predicted, measured)) {
      spearmans += *rho;
      ++ranked;
    }
    for (size_t a = 0; a < rows.size(); ++a)
      for (size_t b = a + 1; b < rows.size(); ++b) {
        if (measured[a] == measured[b])
          continue;
        ++pairs;
        rightPairs += predicted[a] == predicted[b]                                   ? 0.5
                      : (predicted[a] < predicted[b]) == (measured[a] < measured[b]) ? 1
                                                                                     : 0;
        if (!hasIntervals)
          continue;
        const LeftOutPrediction &one = leftOut[rows[a]];
        const LeftOutPrediction &other = leftOut[rows[b]];
        const double correlation =
            correlationOf(one, set.devices[set.times[rows[a]].device].profile, other,
                          set.devices[set.times[rows[b]].device].profile);
        const double probability = probabilityOfFaster(one, other, correlation);
        if (std::max(probability, 1 - probability) < kSureProbability)
          continue;
        ++surePairs;
        sureAndRight += (probability > 0.5) == (measured[a] < measured[b]) ? 1 : 0;
      }
  }
  if (choices.workloads() == 0)
    return std::nullopt;
  ChoiceScore score = choices.mean();
  score.spearman = ranked > 0 ? spearmans / static_cast<double>(ranked) : 0;
  score.pairs = pairs > 0 ? rightPairs / static_cast<double>(pairs) : 0;
  score.surePairs = pairs > 0 ? static_cast<double>(surePairs) / static_cast<double>(pairs) : 0;
  score.surePairsRight =
      surePairs > 0 ? static_cast<double>(sureAndRight) / static_cast<double>(surePairs) : 0;
  return score;
}

std::optional<BestDevice> bestDevice(const TrainingSet &set, std::span<const size_t> times) {
  const auto workloads = byWorkload(set, times);
  std::map<std::string, Choices> devices;
  for (const std::vector<size_t> &rows : workloads) {
    std::vector<double> measured;
    measured.reserve(rows.size());
    for (const size_t i : rows)
      measured.push_back(set.times[i].micros);
    for (size_t k = 0; k < rows.size(); ++k)
      devices[set.devices[set.times[rows[k]].device].profile.id].add(
          predict::choiceOf(k, measured));
  }
  std::optional<BestDevice> best;
  for (const auto &[id, choices] : devices) {
    if (choices.workloads() < workloads.size())
      continue;
    const ChoiceScore choice = choices.mean();
    if (!best || choice.regret < best->choice.regret)
      best = {id, choice};
  }
  return best;
}

} // namespace aiwc::train
