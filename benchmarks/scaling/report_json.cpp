#include "eod/statistics/quantile.h"
#include "profile/metric.h"
#include "report.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace aiwc::scaling_study {

namespace {

using Json = nlohmann::ordered_json;

/// JSON knows no infinity.
Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json at(const std::vector<double> &values, double q) {
  return values.empty() ? Json(nullptr) : finite(statistics::quantile(values, q));
}

Json errorsOf(const std::vector<double> &errors) {
  return {
      {"trials", errors.size()}, {"median", at(errors, 0.5)}, {"ninth_decile", at(errors, 0.9)}};
}

Json metricRow(const ObservedMetric &metric, const std::vector<Trial> &trials) {
  return {{"metric", profile::info(metric.metric).key},
          {"class", profile::toString(profile::info(metric.metric).scaling)},
          {"steps", metric.changes.size()},
          {"change_quartiles",
           {at(metric.changes, 0.25), at(metric.changes, 0.5), at(metric.changes, 0.75)}},
          {"error_from_one", errorsOf(metricErrors(trials, metric.metric, 1))},
          {"error_from_two", errorsOf(metricErrors(trials, metric.metric, 2))}};
}

Json trialRow(const Trial &trial) {
  return {{"application", trial.application},
          {"kernel", trial.kernel},
          {"from", trial.from},
          {"to", trial.to},
          {"launches", trial.launches},
          {"known", toString(trial.known)},
          {"work_item_ratio", trial.workItemRatio},
          {"devices", trial.costErrors.size()},
          {"cost_error_median", at(trial.costErrors, 0.5)},
          {"cost_error_worst", at(trial.costErrors, 1)},
          {"work_error_median", at(trial.workErrors, 0.5)},
          {"work_error_worst", at(trial.workErrors, 1)}};
}

} // namespace

std::string asJson(const Observed &observed, const std::vector<Trial> &trials) {
  Json json = {{"metrics", Json::array()},
               {"steps", Json::array()},
               {"cost_errors", Json::array()},
               {"trials", Json::array()}};
  for (const ObservedMetric &metric : observed.metrics)
    json["metrics"].push_back(metricRow(metric, trials));
  for (const Step &step : observed.steps)
    json["steps"].push_back(
        {{"application", step.application},
         {"kernel", step.kernel},
         {"from", step.from},
         {"to", step.to},
         {"work_item_ratio", step.workItemRatio},
         {"instruction_ratio", step.instructionRatio},
         {"instruction_exponent",
          step.instructionExponent ? finite(*step.instructionExponent) : Json(nullptr)}});
  for (const CostError &error : costErrors(trials))
    json["cost_errors"].push_back({{"known", toString(error.known)},
                                   {"launches", error.launches},
                                   {"work_item_ratio_up_to", finite(error.ratio)},
                                   {"trials", error.trials},
                                   {"median", finite(error.median)},
                                   {"ninth_decile", finite(error.ninthDecile)},
                                   {"work_median", finite(error.workMedian)},
                                   {"work_ninth_decile", finite(error.workNinthDecile)}});
  for (const Trial &trial : trials)
    json["trials"].push_back(trialRow(trial));
  return json.dump(1) + "\n";
}

} // namespace aiwc::scaling_study
