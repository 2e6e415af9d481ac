#include "predict/cost_model.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::predict {

std::string_view toString(Term term) {
  switch (term) {
  case Term::kCompute:
    return "compute";
  case Term::kCache:
    return "cache";
  case Term::kDram:
    return "DRAM";
  case Term::kLatency:
    return "latency";
  case Term::kLaunch:
    break;
  }
  return "launch";
}

void Cost::sumParts(std::span<const TermInfo> rows) {
  terms = {};
  seconds = 0;
  boundBy = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    terms[static_cast<size_t>(rows[i].term)] += parts[i];
    seconds += parts[i];
    if (parts[i] > parts[boundBy])
      boundBy = i;
  }
}

void Missing::add(Parameter parameter) {
  const auto place = std::ranges::lower_bound(parameters, parameter);
  if (place == parameters.end() || *place != parameter)
    parameters.insert(place, parameter);
}

void Missing::add(const Missing &more) {
  for (const Parameter parameter : more.parameters)
    add(parameter);
  for (const std::string &key : more.curves)
    if (std::ranges::find(curves, key) == curves.end())
      curves.push_back(key);
}

std::vector<std::string> Missing::keys() const {
  std::vector<std::string> all;
  for (const Parameter parameter : parameters)
    all.emplace_back(info(parameter).key);
  all.insert(all.end(), curves.begin(), curves.end());
  return all;
}

void Missing::require(const DeviceProfile &device) const {
  if (!parameters.empty())
    (void)device[parameters.front()];
  if (!curves.empty())
    throw MissingParameter(fmt::format("device {}: no {}, which this prediction needs: expected "
                                       "the curves of aiwc devices measure",
                                       device.id, curves.front()));
}

std::optional<Interval> CostModel::interval(const DeviceProfile & /*device*/, const Cost & /*cost*/,
                                            double /*transferSeconds*/) const {
  return std::nullopt;
}

double CostModel::errorCorrelation() const {
  return 0;
}

double CostModel::errorCorrelation(const DeviceProfile & /*a*/, const DeviceProfile & /*b*/) const {
  return errorCorrelation();
}

bool CostModel::knows(const DeviceProfile & /*device*/) const {
  return false;
}

double CostModel::transferSeconds(const HostTraffic &traffic, const DeviceProfile &device,
                                  HostMemory /*memory*/) const {
  return predict::transferSeconds(traffic, device);
}

Missing CostModel::missingForTransfers(const HostTraffic &traffic,
                                       const DeviceProfile &device) const {
  return {missingHostLink(traffic, device), {}};
}

} // namespace aiwc::predict
