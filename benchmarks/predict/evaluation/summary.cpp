#include "evaluation/summary.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace aiwc::evaluation {

namespace {

using predict::Choice;
using predict::Deviation;

class Mean {
public:
  void add(double value) {
    sum_ += value;
    ++count_;
  }
  void add(std::optional<double> value) {
    if (value)
      add(*value);
  }
  bool empty() const { return count_ == 0; }
  double value() const { return sum_ / static_cast<double>(count_); }
  std::optional<double> optional() const { return empty() ? std::nullopt : std::optional(value()); }

private:
  double sum_ = 0;
  size_t count_ = 0;
};

std::optional<double> logOf(std::optional<double> value) {
  return value ? std::optional(std::log(*value)) : std::nullopt;
}

std::optional<double> expOf(std::optional<double> value) {
  return value ? std::optional(std::exp(*value)) : std::nullopt;
}

/// The means of scores: of kernels to an application's, of applications to that of all.
class ScoreMean {
public:
  void add(const Score &score) {
    spearman_.add(score.spearman);
    kendall_.add(score.kendall);
    error_.add(std::log(score.deviation.error));
    bias_.add(std::log(score.deviation.bias));
    topOne_.add(score.choice.topOne);
    regret_.add(std::log(score.choice.regret));
    scaled_.add(logOf(score.scaledError));
    deviceScaled_.add(logOf(score.deviceScaledError));
    fixedOrder_.add(score.fixedOrderSpearman);
    kernels_ += score.kernels;
  }
  Score score(const std::string &application) const {
    return {application,
            kernels_,
            spearman_.optional(),
            kendall_.optional(),
            {std::exp(error_.value()), std::exp(bias_.value())},
            {topOne_.value(), std::exp(regret_.value())},
            expOf(scaled_.optional()),
            expOf(deviceScaled_.optional()),
            fixedOrder_.optional()};
  }

private:
  Mean spearman_, kendall_, error_, bias_, topOne_, regret_, scaled_, deviceScaled_, fixedOrder_;
  size_t kernels_ = 0;
};

/// Of an application: per device, the mean logarithms of predicted over measured and of measured.
struct Logarithms {
  std::vector<double> ratio, measured;
};

using Grouped = std::map<std::string, std::vector<const Case *>>;

Logarithms logarithmsOf(const std::vector<const Case *> &cases) {
  const size_t devices = cases.front()->measured.size();
  Logarithms mean{std::vector<double>(devices), std::vector<double>(devices)};
  const auto count = static_cast<double>(cases.size());
  for (const Case *both : cases)
    for (size_t d = 0; d < devices; ++d) {
      mean.ratio[d] += std::log(both->predicted[d] / both->measured[d]) / count;
      mean.measured[d] += std::log(both->measured[d]) / count;
    }
  return mean;
}

/// The mean of all applications but one; empty where there is no other.
Logarithms meanWithout(const std::string &application,
                       const std::map<std::string, Logarithms> &logarithms) {
  Logarithms mean;
  const auto others = static_cast<double>(logarithms.size() - 1);
  for (const auto &[other, values] : logarithms) {
    if (other == application)
      continue;
    mean.ratio.resize(values.ratio.size());
    mean.measured.resize(values.measured.size());
    for (size_t d = 0; d < values.ratio.size(); ++d) {
      mean.ratio[d] += values.ratio[d] / others;
      mean.measured[d] += values.measured[d] / others;
    }
  }
  return mean;
}

double errorWithout(const Case &both, const std::vector<double> &bias) {
  double sum = 0;
  for (size_t d = 0; d < bias.size(); ++d)
    sum += std::abs(std::log(both.predicted[d] / both.measured[d]) - bias[d]);
  return std::exp(sum / static_cast<double>(bias.size()));
}

Score scoreAgainst(const Case &both, const Logarithms &others) {
  const CaseScore own = scoreOf(both);
  Score score{both.id.application, 1,  own.spearman, own.kendall, own.deviation,
              own.choice,          {}, {},           {}};
  if (others.ratio.empty())
    return score;
  Mean bias;
  for (const double value : others.ratio)
    bias.add(value);
  score.scaledError = errorWithout(both, std::vector(others.ratio.size(), bias.value()));
  score.deviceScaledError = errorWithout(both, others.ratio);
  score.fixedOrderSpearman = predict::spearman(others.measured, both.measured);
  return score;
}

std::vector<Deviation> deviceDeviations(const Grouped &grouped) {
  const size_t devices = grouped.begin()->second.front()->measured.size();
  std::vector<Deviation> deviations;
  for (size_t d = 0; d < devices; ++d) {
    std::vector<double> errors;
    std::vector<double> biases;
    for (const auto &[application, cases] : grouped) {
      std::vector<double> predicted;
      std::vector<double> measured;
      for (const Case *both : cases) {
        predicted.push_back(both->predicted[d]);
        measured.push_back(both->measured[d]);
      }
      const Deviation own = predict::deviationOf(predicted, measured);
      errors.push_back(own.error);
      biases.push_back(own.bias);
    }
    deviations.push_back({predict::geometricMean(errors), predict::geometricMean(biases)});
  }
  return deviations;
}

std::vector<Habit> habitsOf(const Grouped &grouped) {
  const size_t devices = grouped.begin()->second.front()->measured.size();
  std::vector<Habit> habits;
  for (size_t device = 0; device < devices; ++device) {
    ScoreMean all;
    for (const auto &[application, cases] : grouped) {
      ScoreMean mean;
      for (const Case *both : cases) {
        Score score;
        score.choice = predict::choiceOf(device, both->measured);
        mean.add(score);
      }
      all.add(mean.score(application));
    }
    habits.push_back({device, all.score("").choice});
  }
  std::ranges::stable_sort(habits, {}, [](const Habit &habit) { return habit.choice.regret; });
  return habits;
}

size_t indexOfLeast(const std::vector<double> &values) {
  return static_cast<size_t>(std::ranges::min_element(values) - values.begin());
}

} // namespace

CaseScore scoreOf(const Case &both) {
  return {both.id,
          predict::spearman(both.predicted, both.measured),
          predict::kendall(both.predicted, both.measured),
          predict::deviationOf(both.predicted, both.measured),
          predict::choiceOf(std::span<const double>(both.predicted), both.measured),
          indexOfLeast(both.predicted),
          indexOfLeast(both.measured)};
}

Summary summarise(std::span<const Case> cases) {
  Grouped grouped;
  for (const Case &both : cases)
    grouped[both.id.application].push_back(&both);
  std::map<std::string, Logarithms> logarithms;
  for (const auto &[application, own] : grouped)
    logarithms.emplace(application, logarithmsOf(own));

  Summary summary;
  ScoreMean all;
  for (const auto &[application, own] : grouped) {
    const Logarithms others = meanWithout(application, logarithms);
    ScoreMean mean;
    for (const Case *both : own)
      mean.add(scoreAgainst(*both, others));
    summary.applications.push_back(mean.score(application));
    all.add(summary.applications.back());
  }
  summary.all = all.score("");
  summary.devices = deviceDeviations(grouped);
  summary.habits = habitsOf(grouped);
  return summary;
}

} // namespace aiwc::evaluation
