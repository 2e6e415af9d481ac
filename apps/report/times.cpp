#include "report/times.h"

#include "common/as_number.h"
#include "predict/split.h"
#include "predict/what_if.h"
#include "predict/widened.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace aiwc::report {

using predict::DeviceProfile;
using predict::FittedCostModel;
using predict::Interval;
using predict::Parameter;
using profile::KernelProfile;

namespace {

constexpr double kMicros = 1e6; // per second
constexpr int kDigits = 6;

/// To a millionth of `whole`, which a page adds `part` up to.
Json roundedPart(double part, double whole) {
  const double step = std::pow(10, std::floor(std::log10(whole)) - kDigits);
  return whole > 0 ? rounded(std::round(part / step) * step) : Json(0);
}

/// Adds so many times a launch to several.
void add(DeviceTimes &sum, const DeviceTimes &launch, double launches) {
  for (size_t i = 0; i < sum.cost.parts.size(); ++i)
    sum.cost.parts[i] += launches * launch.cost.parts[i];
  sum.cost.seconds += launches * launch.cost.seconds;
  sum.cost.leastSeconds += launches * launch.cost.leastSeconds;
  sum.transferSeconds += launches * launch.transferSeconds;
  for (const auto which : {&DeviceTimes::hidden, &DeviceTimes::exposed}) {
    (sum.*which).low += launches * (launch.*which).low;
    (sum.*which).high += launches * (launch.*which).high;
  }
  sum.memoryBytes += launches * launch.memoryBytes;
}

} // namespace

Json rounded(double value, int digits) {
  if (!std::isfinite(value))
    return nullptr;
  const std::string text = fmt::format("{:.{}g}", value, digits);
  const double shown = asNumber<double>(text).value_or(0);
  constexpr double kMostExact = 1e15;
  if (shown == std::floor(shown) && std::abs(shown) < kMostExact) // without ".0"
    return static_cast<int64_t>(shown);
  return shown;
}

KernelTimes::KernelTimes(const Usable &usable, const FittedCostModel &model) {
  std::map<std::pair<const KernelProfile *, double>, size_t> places;
  for (size_t i = 0; i < usable.launches.size(); ++i) {
    const KernelProfile &profile = *usable.launches[i];
    const double errorFactor = usable.errorFactors[i];
    const auto [place, isNew] = places.try_emplace({&profile, errorFactor}, kinds_.size());
    if (isNew)
      kinds_.push_back({{profile, model}, predict::demandOf(profile), 0, errorFactor});
    Kind &kind = kinds_[place->second];
    ++kind.launches;
    transfersKnown_ = transfersKnown_ && kind.launch.traffic.unknown.empty();
  }
}

predict::Missing KernelTimes::missing(const DeviceProfile &device) const {
  predict::Missing missing;
  for (const Kind &kind : kinds_)
    missing.add(kind.launch.missing(device));
  return missing;
}

DeviceTimes KernelTimes::on(const DeviceProfile &device) const {
  DeviceTimes sum{.hidden = {0, 0}, .exposed = {0, 0}};
  for (const Kind &kind : kinds_) {
    DeviceTimes one{.cost = kind.launch.cost(device)};
    if (transfersKnown_)
      one.transferSeconds = kind.launch.transferSeconds(device);
    const auto intervalWith = [&](double exposed) {
      return predict::widened(*kind.launch.interval(device, one.cost, exposed),
                              one.cost.seconds + exposed * one.transferSeconds, kind.errorFactor);
    };
    one.hidden = intervalWith(0);
    one.exposed = one.transferSeconds > 0 ? intervalWith(1) : one.hidden;
    one.memoryBytes = predict::memoryBytes(kind.demand, device);
    add(sum, one, kind.launches);
  }
  return sum;
}

std::vector<double> KernelTimes::missRatios(std::span<const uint64_t> cacheBytes) const {
  const auto summed = [&](auto accessesOf) {
    double sum = 0;
    for (const Kind &kind : kinds_)
      sum += kind.launches * static_cast<double>(accessesOf(kind.demand.cacheMisses));
    return sum;
  };
  const double all = summed([](const profile::CacheMisses &accesses) { return accesses.all(); });
  std::vector<double> ratios;
  if (all > 0)
    for (const uint64_t bytes : cacheBytes)
      ratios.push_back(
          summed([&](const profile::CacheMisses &accesses) { return accesses(bytes); }) / all);
  return ratios;
}

MeasuredKernel::MeasuredKernel(const ReportedKernel &kernel, const Usable &usable,
                               const KernelTimes &times, std::span<const DeviceProfile> devices,
                               const FittedCostModel &model)
    : model_(&model) {
  if (usable.launches.size() != kernel.launches.size())
    return;
  for (const DeviceProfile &device : devices) {
    const auto measured = kernel.measuredLaunches.find(device.id);
    if (measured == kernel.measuredLaunches.end() || !kernel.isLaunchedOn(device.type) ||
        !times.missing(device).empty())
      continue;
    std::map<const KernelProfile *, double> predicted;
    std::vector<predict::TimedLaunch> launches;
    for (size_t i = 0; i < usable.launches.size(); ++i) {
      if (!(measured->second[i] > 0))
        continue;
      const auto [place, isNew] = predicted.try_emplace(usable.launches[i], 0);
      if (isNew)
        place->second = predict::CostedLaunch(*usable.launches[i], model).cost(device).seconds;
      launches.push_back({measured->second[i], place->second});
    }
    const double deviation = predict::errorDeviationOf(times.on(device).hidden);
    if (!launches.empty() && deviation > 0)
      on_.push_back({device, launches.size(), predict::observedErrorOf(launches), deviation});
  }
}

MeasuredKernel::Follows MeasuredKernel::followsOn(const DeviceProfile &device,
                                                  bool isChanged) const {
  const auto itself =
      std::ranges::find_if(on_, [&](const On &on) { return on.device.id == device.id; });
  const bool isMeasured = itself != on_.end() && !isChanged;
  const size_t place = isMeasured ? static_cast<size_t>(itself - on_.begin()) : on_.size();
  const auto deviceAt = [&](size_t i) -> const DeviceProfile & {
    return i < on_.size() ? on_[i].device : device;
  };
  predict::CorrelatedErrors errors(on_.size() + 1, [&](size_t a, size_t b) {
    return model_->errorCorrelation(deviceAt(a), deviceAt(b));
  });
  Follows follows;
  for (size_t i = 0; i < on_.size(); ++i) {
    const double noise = on_[i].error.noise / on_[i].deviation;
    follows.explained.push_back(errors.covariance(place, i) /
                                std::sqrt(errors.covariance(i, i) + noise * noise));
    errors.observe(i, on_[i].error.ln / on_[i].deviation, noise);
  }
  follows.mean = errors.mean(place);
  follows.deviation = errors.deviation(place);
  follows.itself = isMeasured ? &*itself : nullptr;
  return follows;
}

void MeasuredKernel::condition(DeviceTimes &times, const DeviceProfile &device,
                               bool isChanged) const {
  const double deviation = predict::errorDeviationOf(times.hidden);
  const double before = times.cost.seconds;
  if (on_.empty() || !(deviation > 0))
    return;
  const Follows follows = followsOn(device, isChanged);
  const double least = follows.itself ? 0 : times.cost.leastSeconds;
  const double factor =
      std::max(std::exp(follows.itself ? follows.itself->error.ln : follows.mean * deviation),
               least / before);
  const double repeat =
      follows.itself ? std::exp(predict::kHalfInterval * follows.itself->error.repeat) : 1;
  const auto endOf = [&](double end) { return std::pow(end / before, follows.deviation); };
  const double seconds = factor * before;
  const Interval hidden{
      std::max(least, seconds * (follows.itself ? 1 / repeat : endOf(times.hidden.low))),
      seconds * (follows.itself ? repeat : endOf(times.hidden.high))};
  times.exposed.low += hidden.low - times.hidden.low;
  times.exposed.high += hidden.high - times.hidden.high;
  times.hidden = hidden;
  for (double &part : times.cost.parts)
    part *= factor;
  times.cost.seconds = seconds;
}

std::vector<double> MeasuredKernel::explained(const DeviceProfile &device, bool isChanged) const {
  return followsOn(device, isChanged).explained;
}

Json MeasuredKernel::json() const {
  Json json = Json::object();
  for (const On &on : on_)
    json[on.device.id] = on.launches;
  return json;
}

Json explainedJson(const MeasuredKernel &measured, std::span<const DeviceProfile> devices,
                   bool areChanged) {
  Json rows = Json::array();
  if (!measured.json().empty())
    for (const DeviceProfile &device : devices) {
      Json row = Json::array();
      for (const double part : measured.explained(device, areChanged))
        row.push_back(rounded(part));
      rows.push_back(std::move(row));
    }
  return rows;
}

std::vector<ChangedDevices> changedDevices(std::span<const DeviceProfile> devices,
                                           std::span<const WhatIf> more) {
  std::vector<ChangedDevices> all;
  for (const Parameter parameter :
       {Parameter::kCores, Parameter::kClock, Parameter::kDramBandwidth, Parameter::kCacheBandwidth,
        Parameter::kCacheCapacity, Parameter::kHostLinkBandwidth})
    for (const double factor : {0.5, 2.0}) {
      const predict::ParameterInfo &row = predict::info(parameter);
      ChangedDevices one{{fmt::format("{}={}x", row.name, factor), {{parameter, factor, true}}},
                         {}};
      for (const DeviceProfile &device : devices) {
        const double value = device.has(parameter) ? factor * device[parameter] : row.minimum;
        if (row.allows(row.integer ? std::round(value) : value))
          one.devices.push_back(predict::changed(device, one.whatIf.changes));
      }
      all.push_back(std::move(one));
    }
  for (const WhatIf &whatIf : more) {
    if (std::ranges::any_of(all, [&](const auto &one) { return one.whatIf.text == whatIf.text; }))
      continue;
    ChangedDevices one{whatIf, {}};
    for (const DeviceProfile &device : devices)
      one.devices.push_back(predict::changed(device, whatIf.changes));
    all.push_back(std::move(one));
  }
  return all;
}

Json timesJson(const ReportedKernel &kernel, const KernelTimes &times,
               std::span<const DeviceProfile> devices, const FittedCostModel &model,
               const MeasuredKernel &measured, bool areChanged) {
  Json rows = Json::array();
  for (const DeviceProfile &device : devices) {
    if (!kernel.isLaunchedOn(device.type)) {
      rows.push_back(0);
      continue;
    }
    if (!times.missing(device).empty()) {
      rows.push_back(nullptr);
      continue;
    }
    DeviceTimes one = times.on(device);
    measured.condition(one, device, areChanged);
    Json row = Json::array();
    for (size_t i = 0; i < model.parts().size(); ++i)
      row.push_back(roundedPart(kMicros * one.cost.parts[i], kMicros * one.cost.seconds));
    row.push_back(rounded(one.memoryBytes));
    const auto addInterval = [&](const Interval &interval) {
      row.push_back(rounded(kMicros * interval.low));
      row.push_back(rounded(kMicros * interval.high));
    };
    addInterval(one.hidden);
    if (one.transferSeconds > 0) {
      row.push_back(rounded(kMicros * one.transferSeconds));
      addInterval(one.exposed);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json splitsJson(const KernelProfile &launch, std::span<const DeviceProfile> devices, bool exposed,
                const FittedCostModel &model) {
  const predict::CostedLaunch costed(launch, model);
  const predict::SplitOptions options{.transfers = {.exposed = exposed ? 1.0 : 0.0}};
  Json splits = Json::object();
  const auto addSplit = [&](std::span<const DeviceProfile> some) {
    const predict::Split split = predict::split(costed, some, options);
    Json row = {split.dimension, rounded(kMicros * split.best.makespanSeconds)};
    std::string ids;
    for (size_t i = 0; i < some.size(); ++i) {
      ids += (i > 0 ? "," : "") + some[i].id;
      row.push_back(split.best.shares[i].workGroups);
      row.push_back(rounded(kMicros * split.best.shares[i].finishSeconds));
    }
    splits[ids] = std::move(row);
  };
  const size_t divided = std::min(devices.size(), kMostDivided);
  for (size_t set = 1; set < size_t{1} << divided; ++set) {
    std::vector<DeviceProfile> some;
    for (size_t i = 0; i < divided; ++i)
      if ((set >> i & 1U) != 0)
        some.push_back(devices[i]);
    addSplit(some);
  }
  for (size_t i = divided; i < devices.size(); ++i)
    addSplit(devices.subspan(i, 1));
  if (devices.size() > divided)
    addSplit(devices);
  return splits;
}

} // namespace aiwc::report
