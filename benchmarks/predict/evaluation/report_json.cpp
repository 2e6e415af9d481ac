#include "evaluation/report.h"

#include <nlohmann/json.hpp>

namespace aiwc::evaluation {

namespace {

using Json = nlohmann::ordered_json;

Json orNull(const std::optional<double> &value) {
  return value ? Json(*value) : Json();
}

Json jsonOf(const CaseId &id) {
  return {{"application", id.application}, {"size", id.size}, {"kernel", id.kernel}};
}

Json jsonOf(const Score &score) {
  return {{"kernels", score.kernels},
          {"spearman", orNull(score.spearman)},
          {"kendall", orNull(score.kendall)},
          {"fixed_order_spearman", orNull(score.fixedOrderSpearman)},
          {"error_factor", score.deviation.error},
          {"bias_factor", score.deviation.bias},
          {"scaled_error_factor", orNull(score.scaledError)},
          {"device_scaled_error_factor", orNull(score.deviceScaledError)},
          {"top_1", score.choice.topOne},
          {"regret_factor", score.choice.regret}};
}

Json kernelJson(const Case &both, const std::vector<std::string> &devices) {
  const CaseScore score = scoreOf(both);
  Json json = jsonOf(both.id);
  json["spearman"] = orNull(score.spearman);
  json["kendall"] = orNull(score.kendall);
  json["error_factor"] = score.deviation.error;
  json["bias_factor"] = score.deviation.bias;
  json["top_1"] = score.choice.topOne;
  json["regret_factor"] = score.choice.regret;
  json["devices"] = Json::array();
  for (size_t d = 0; d < devices.size(); ++d)
    json["devices"].push_back({{"device", devices[d]},
                               {"predicted_us", both.predicted[d] * 1e6},
                               {"measured_us", both.measured[d] * 1e6}});
  return json;
}

Json leftOutJson(const std::vector<LeftOut> &leftOut) {
  Json json = Json::array();
  for (const LeftOut &left : leftOut) {
    json.push_back(jsonOf(left.id));
    json.back()["reason"] = left.reason;
  }
  return json;
}

std::string dump(const Json &json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace

std::string publishedJson(const Heading &heading, const Joined &joined,
                          const std::vector<std::string> &devices) {
  Json json = {{"model", heading.model}, {"protocol", heading.protocol}};
  json["kernels"] = Json::array();
  for (const Case &both : joined.cases)
    json["kernels"].push_back(kernelJson(both, devices));
  json["sizes"] = Json::array();
  for (const auto &[size, cases] : bySize(joined.cases)) {
    const Summary summary = summarise(std::span<const Case>(cases));
    Json one = {{"size", size}, {"applications", Json::array()}};
    for (const Score &score : summary.applications) {
      one["applications"].push_back({{"application", score.application}});
      one["applications"].back().update(jsonOf(score));
    }
    one["mean"] = jsonOf(summary.all);
    one["devices"] = Json::array();
    for (const Habit &habit : summary.habits)
      one["devices"].push_back({{"device", devices[habit.device]},
                                {"error_factor", summary.devices[habit.device].error},
                                {"bias_factor", summary.devices[habit.device].bias},
                                {"always_top_1", habit.choice.topOne},
                                {"always_regret_factor", habit.choice.regret}});
    json["sizes"].push_back(std::move(one));
  }
  json["left_out"] = leftOutJson(joined.leftOut);
  return dump(json);
}

std::string measuredJson(const Heading &heading, const Comparisons &comparisons) {
  Json json = {{"model", heading.model}, {"protocol", heading.protocol}};
  json["kernels"] = Json::array();
  for (const Comparison &both : comparisons.cases) {
    Json one = jsonOf(both.id);
    one["launches"] = both.launches;
    one["median_us"] = both.median * 1e6;
    one["minimum_us"] = both.minimum * 1e6;
    one["measured_us"] = both.measured * 1e6;
    one["predicted_us"] = both.predicted * 1e6;
    one["bound_by"] = both.boundBy;
    json["kernels"].push_back(std::move(one));
  }
  const ComparisonSummary summary = summarise(comparisons.cases);
  const auto scoreJson = [](const ComparisonScore &score) {
    return Json{{"kernels", score.kernels},
                {"error_factor", score.deviation.error},
                {"bias_factor", score.deviation.bias}};
  };
  json["applications"] = Json::array();
  for (const ComparisonScore &score : summary.applications) {
    json["applications"].push_back({{"application", score.application}});
    json["applications"].back().update(scoreJson(score));
  }
  json["mean"] = scoreJson(summary.all);
  json["spearman"] = orNull(summary.spearman);
  json["left_out"] = leftOutJson(comparisons.leftOut);
  return dump(json);
}

} // namespace aiwc::evaluation
