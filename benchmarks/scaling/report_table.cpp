#include "eod/statistics/quantile.h"
#include "profile/metric.h"
#include "report.h"

#include <fmt/format.h>

#include <cmath>

namespace aiwc::scaling_study {

namespace {

std::string number(double value) {
  return std::isinf(value) ? "inf" : fmt::format("{:.2f}", value);
}

std::string quantiles(const std::vector<double> &values, std::initializer_list<double> at) {
  std::string text;
  for (const double q : at)
    text += fmt::format(" {:>7}", values.empty() ? "-" : number(statistics::quantile(values, q)));
  return text;
}

std::string metricTable(const Observed &observed, const std::vector<Trial> &trials) {
  std::string text =
      fmt::format("{:<36} {:<10} {:>5} {:>7} {:>7} {:>7} | {:>7} {:>7} | {:>7} {:>7}\n", "metric",
                  "class", "steps", "25 %", "median", "75 %", "one", "90 %", "two", "90 %");
  for (const ObservedMetric &metric : observed.metrics)
    text += fmt::format("{:<36} {:<10} {:>5}{} |{} |{}\n", profile::info(metric.metric).key,
                        profile::toString(profile::info(metric.metric).scaling),
                        metric.changes.size(), quantiles(metric.changes, {0.25, 0.5, 0.75}),
                        quantiles(metricErrors(trials, metric.metric, 1), {0.5, 0.9}),
                        quantiles(metricErrors(trials, metric.metric, 2), {0.5, 0.9}));
  return text;
}

std::string stepTable(const Observed &observed) {
  std::string text = fmt::format("\n{:<8} {:<28} {:<22} {:>11} {:>12} {:>9}\n", "app", "kernel",
                                 "step", "work-items", "instructions", "exponent");
  for (const Step &step : observed.steps)
    text += fmt::format("{:<8} {:<28} {:<22} {:>10.2f}x {:>11.2f}x {:>9}\n", step.application,
                        step.kernel, step.from + " > " + step.to, step.workItemRatio,
                        step.instructionRatio,
                        step.instructionExponent ? number(*step.instructionExponent) : "-");
  return text;
}

std::string costTable(const std::vector<Trial> &trials) {
  std::string text = fmt::format("\ncost, and without synchronisation and latency\n{:<17} {:>8} "
                                 "{:>16} {:>7} {:>8} {:>8} {:>8} {:>8}\n",
                                 "known", "launches", "work-items up to", "trials", "median",
                                 "90 %", "median", "90 %");
  for (const CostError &error : costErrors(trials))
    text += fmt::format("{:<17} {:>8} {:>15}x {:>7} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f}\n",
                        toString(error.known), error.launches, error.ratio, error.trials,
                        error.median, error.ninthDecile, error.workMedian, error.workNinthDecile);
  return text;
}

} // namespace

std::string asTable(const Observed &observed, const std::vector<Trial> &trials) {
  return metricTable(observed, trials) + stepTable(observed) + costTable(trials);
}

} // namespace aiwc::scaling_study
