#include "train/scores.h"

#include "predict/accuracy.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace aiwc::train {

ErrorScore errorOf(const TrainingSet &set, std::span<const size_t> times,
                   std::span<const double> lnPredicted, std::span<const predict::Spread> spreads) {
  ErrorScore score;
  std::map<std::string, std::pair<double, size_t>> applications;
  size_t within = 0;
  for (const size_t i : times) {
    if (std::isnan(lnPredicted[i]))
      continue;
    const double residual = std::log(set.times[i].micros) - lnPredicted[i];
    const Workload &workload = set.workloads[set.times[i].workload];
    auto &[sum, count] = applications[workload.dataSet + "/" + workload.application];
    sum += std::abs(residual);
    ++count;
    score.lnError += std::abs(residual);
    ++score.times;
    if (!spreads.empty() && residual >= spreads[i].low && residual <= spreads[i].high)
      ++within;
  }
  if (score.times == 0)
    return score;
  score.lnError /= static_cast<double>(score.times);
  score.factor = std::exp(score.lnError);
  score.coverage = static_cast<double>(within) / static_cast<double>(score.times);
  for (const auto &[name, total] : applications)
    score.perApplication +=
        total.first / static_cast<double>(total.second) / static_cast<double>(applications.size());
  return score;
}

std::optional<ChoiceScore> choiceOf(const TrainingSet &set, std::span<const size_t> times,
                                    std::span<const double> lnPredicted) {
  std::map<size_t, std::vector<size_t>> byWorkload;
  for (const size_t i : times)
    byWorkload[set.times[i].workload].push_back(i);
  ChoiceScore score;
  double lnRegret = 0;
  double spearmans = 0;
  size_t ranked = 0;
  size_t pairs = 0;
  size_t rightPairs = 0;
  for (const auto &[workload, rows] : byWorkload) {
    std::vector<double> predicted;
    std::vector<double> measured;
    for (const size_t i : rows) {
      predicted.push_back(lnPredicted[i]);
      measured.push_back(set.times[i].micros);
    }
    if (rows.size() < 2 || std::ranges::any_of(predicted, [](double v) { return std::isnan(v); }))
      continue;
    ++score.workloads;
    const predict::Choice choice = predict::choiceOf(predicted, measured);
    score.topOne += choice.topOne;
    score.withinFive += choice.regret <= 1.05 ? 1 : 0;
    lnRegret += std::log(choice.regret);
    score.worst = std::max(score.worst, choice.regret);
    if (const auto rho = predict::spearman(predicted, measured)) {
      spearmans += *rho;
      ++ranked;
    }
    for (size_t a = 0; a < rows.size(); ++a)
      for (size_t b = a + 1; b < rows.size(); ++b) {
        ++pairs;
        rightPairs += (predicted[a] < predicted[b]) == (measured[a] < measured[b]) ? 1 : 0;
      }
  }
  if (score.workloads == 0)
    return std::nullopt;
  const auto count = static_cast<double>(score.workloads);
  score.topOne /= count;
  score.withinFive /= count;
  score.regret = std::exp(lnRegret / count);
  score.spearman = ranked > 0 ? spearmans / static_cast<double>(ranked) : 0;
  score.pairs = static_cast<double>(rightPairs) / static_cast<double>(pairs);
  return score;
}

} // namespace aiwc::train
