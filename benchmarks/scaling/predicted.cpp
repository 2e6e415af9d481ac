#include "predicted.h"

#include "eod/statistics/quantile.h"
#include "scaling/launch_scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace aiwc::scaling_study {

using profile::KernelProfile;
using profile::Metric;
using scaling::ScaledProfile;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// Ends of the ranges of ratios. Far ones are not told apart: those that can be simulated are of
/// kernels that scale well.
constexpr std::array<double, 3> kRatios = {2, 8, kInfinite};

double factor(double a, double b) {
  if (a == b)
    return 1;
  return a > 0 && b > 0 ? std::max(a / b, b / a) : kInfinite;
}

double farness(const Trial &trial) {
  return std::max(trial.workItemRatio, 1 / trial.workItemRatio);
}

/// What grows with the work-items.
double workSeconds(const predict::Cost &cost) {
  const auto term = [&](predict::Term which) { return cost.terms[static_cast<size_t>(which)]; };
  return term(predict::Term::kCompute) + term(predict::Term::kCache) + term(predict::Term::kDram);
}

void compare(const ScaledProfile &predicted, const KernelProfile &measured,
             std::span<const predict::DeviceProfile> devices, const predict::CostModel &model,
             Trial &trial) {
  for (const profile::MetricInfo &row : profile::catalogue()) {
    const double p = predicted.profile.real(row.metric);
    const double m = measured.real(row.metric);
    if (std::isnan(p) || std::isnan(m))
      continue;
    const bool difference =
        row.range == profile::Range::kFraction || row.scaling == profile::Scaling::kLogarithm;
    trial.errors[row.metric] = difference ? std::abs(p - m) : factor(p, m);
  }
  if (!model.whyNot(measured).empty() || !model.whyNot(predicted.profile).empty())
    return;
  const predict::CostedLaunch scaled(predicted.profile, model);
  const predict::CostedLaunch actual(measured, model);
  for (const predict::DeviceProfile &device : devices)
    if (actual.missing(device).empty() && scaled.missing(device).empty()) {
      const predict::Cost p = scaled.cost(device);
      const predict::Cost m = actual.cost(device);
      trial.costErrors.push_back(factor(p.seconds, m.seconds));
      trial.workErrors.push_back(factor(workSeconds(p), workSeconds(m)));
    }
}

profile::Size3 localSizeOf(const SizedKernel &sized) {
  return sized.largest().provenance.localSize;
}

class Trials {
public:
  Trials(std::span<const predict::DeviceProfile> devices, const predict::CostModel &model)
      : devices_(devices), model_(model) {}

  void add(const KernelCases &cases, const SizedKernel &target) {
    const KernelProfile &measured = target.largest();
    const profile::LaunchKey wanted = profile::launchOf(measured.provenance);
    const auto isKnown = [&](const SizedKernel &sized) { // then there is nothing to scale
      return &sized == &target || std::ranges::any_of(sized.launches, [&](const auto &profile) {
        return profile::launchOf(profile.provenance) == wanted;
      });
    };
    const auto tryFrom = [&](std::vector<KernelProfile> known, const std::string &from,
                             size_t launches, Known kind = Known::kOtherSizes) {
      auto scaled = scaling::scaledTo(wanted, known);
      if (scaled && launches == 1 && scaled->from.size() == 2) {
        std::erase_if(known, [&](const KernelProfile &profile) {
          return profile::launchOf(profile.provenance) != scaled->from.front();
        });
        scaled = scaling::scaledTo(wanted, known);
      }
      if (!scaled || scaled->from.size() != launches)
        return;
      Trial trial;
      trial.application = cases.application;
      trial.kernel = cases.kernel;
      trial.from = from;
      trial.to = target.size;
      trial.launches = launches;
      trial.known = scaled->otherLocalSize ? Known::kOtherLocalSize : kind;
      trial.workItemRatio = scaled->workItemRatio;
      compare(*scaled, measured, devices_, model_, trial);
      all.push_back(std::move(trial));
    };
    std::vector<KernelProfile> others = target.launches;
    std::erase_if(others, [&](const KernelProfile &profile) {
      return profile::launchOf(profile.provenance) == wanted;
    });
    for (const size_t launches : {1U, 2U})
      tryFrom(others, target.size, launches, Known::kSameRun);
    for (size_t i = 0; i < cases.sizes.size(); ++i) {
      const SizedKernel &one = cases.sizes[i];
      if (isKnown(one))
        continue;
      tryFrom(one.launches, one.size, 1);
      for (size_t k = i + 1; k < cases.sizes.size(); ++k) {
        const SizedKernel &other = cases.sizes[k];
        if (isKnown(other) || localSizeOf(other) != localSizeOf(one))
          continue;
        std::vector<KernelProfile> both = one.launches;
        both.insert(both.end(), other.launches.begin(), other.launches.end());
        tryFrom(std::move(both), one.size + "+" + other.size, 2);
      }
    }
  }

  std::vector<Trial> all;

private:
  std::span<const predict::DeviceProfile> devices_;
  const predict::CostModel &model_;
};

} // namespace

std::string_view toString(Known known) {
  constexpr std::array<std::string_view, 3> kNames = {"other sizes", "other local size",
                                                      "same run"};
  return kNames[static_cast<size_t>(known)];
}

std::vector<Trial> tryAll(const std::vector<KernelCases> &kernels,
                          std::span<const predict::DeviceProfile> devices,
                          const predict::CostModel &model) {
  Trials trials(devices, model);
  for (const KernelCases &cases : kernels)
    for (const SizedKernel &target : cases.sizes)
      trials.add(cases, target);
  return std::move(trials.all);
}

std::vector<CostError> costErrors(const std::vector<Trial> &trials) {
  std::vector<CostError> result;
  const auto add = [&](CostError row, double above) {
    std::vector<double> errors;
    std::vector<double> workErrors;
    for (const Trial &trial : trials)
      if (trial.launches == row.launches && trial.known == row.known && !trial.costErrors.empty() &&
          farness(trial) > above && farness(trial) <= row.ratio) {
        errors.push_back(statistics::median(trial.costErrors));
        workErrors.push_back(statistics::median(trial.workErrors));
      }
    if (errors.empty())
      return;
    row.trials = errors.size();
    row.median = statistics::median(errors);
    row.ninthDecile = statistics::quantile(errors, 0.9);
    row.workMedian = statistics::median(workErrors);
    row.workNinthDecile = statistics::quantile(workErrors, 0.9);
    result.push_back(row);
  };
  for (const size_t launches : {1U, 2U}) {
    double above = 0;
    for (const double ratio : kRatios) {
      add({.launches = launches, .ratio = ratio}, above);
      above = ratio;
    }
  }
  add({.known = Known::kOtherLocalSize, .launches = 1, .ratio = kInfinite}, 0);
  for (const size_t launches : {1U, 2U})
    add({.known = Known::kSameRun, .launches = launches, .ratio = kInfinite}, 0);
  return result;
}

std::vector<double> metricErrors(const std::vector<Trial> &trials, Metric metric, size_t launches) {
  std::vector<double> errors;
  for (const Trial &trial : trials)
    if (const auto error = trial.errors.find(metric); trial.launches == launches &&
                                                      trial.known == Known::kOtherSizes &&
                                                      error != trial.errors.end())
      errors.push_back(error->second);
  return errors;
}

} // namespace aiwc::scaling_study
