#include "predict/what_if.h"

#include "common/error.h"
#include "predict/host_link.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace aiwc::predict {

namespace {

struct Assignment {
  Parameter parameter;
  std::string_view value;
};

std::string names() {
  std::vector<std::string_view> all;
  for (const ParameterInfo &row : parameters())
    all.push_back(row.name);
  return fmt::format("{}", fmt::join(all, ", "));
}

Assignment assignment(std::string_view text, std::string_view what, std::string_view form) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    throw Error(fmt::format("{} \"{}\": expected {}", what, text::printable(text), form));
  const std::string_view name = text.substr(0, equals);
  const auto parameter = parameterOf(name);
  if (!parameter)
    throw Error(fmt::format("{}: {} is not a parameter of a device: expected one of {}", what,
                            text::printable(name, 60), names()));
  return {*parameter, text.substr(equals + 1)};
}

/// The whole of `text` as a number; none where it is not one.
std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

[[noreturn]] void refuseValue(std::string_view what, const ParameterInfo &row,
                              std::string_view value, std::string_view expected) {
  throw Error(fmt::format("{}: {} is {}: expected {}", what, row.name, text::printable(value, 60),
                          expected));
}

Change parseChange(std::string_view text, std::string_view what) {
  constexpr std::string_view kForm = "NAME=VALUE or NAME=FACTORx, separated by commas";
  const Assignment assigned = assignment(text, what, kForm);
  const ParameterInfo &row = info(assigned.parameter);
  const bool relative = assigned.value.ends_with('x');
  const auto value = number(assigned.value.substr(0, assigned.value.size() - (relative ? 1 : 0)));
  if (relative ? !value || !(*value > 0) || std::isinf(*value) : !value || !row.allows(*value))
    refuseValue(what, row, assigned.value,
                relative ? "a positive multiple such as 2x" : row.expected());
  return {assigned.parameter, *value, relative};
}

} // namespace

std::vector<Change> parseChanges(std::string_view text, std::string_view what) {
  std::vector<Change> changes;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const Change change = parseChange(text.substr(begin, end - begin), what);
    if (std::ranges::find(changes, change.parameter, &Change::parameter) != changes.end())
      throw Error(fmt::format("{}: {} appears twice: expected each parameter once", what,
                              info(change.parameter).name));
    changes.push_back(change);
    begin = end + 1;
  }
  return changes;
}

DeviceProfile changed(const DeviceProfile &device, const std::vector<Change> &changes) {
  DeviceProfile result = device;
  for (const Change &change : changes) {
    if (change.relative && !device.has(change.parameter))
      continue;
    const ParameterInfo &row = info(change.parameter);
    double value = change.relative ? change.value * device[change.parameter] : change.value;
    if (row.integer)
      value = std::round(value);
    if (!row.allows(value))
      throw Error(fmt::format("device {}: {:g} times its {} is {:g}: expected {}", device.id,
                              change.value, row.name, value, row.expected()));
    // Another rate of PCI Express is still one: transfers reach a part of it.
    const auto &before = device.quantities[static_cast<size_t>(change.parameter)];
    const bool isPciExpress = change.parameter == Parameter::kHostLinkBandwidth && before &&
                              before->source.starts_with(kPciExpressSource);
    result.set(change.parameter, value,
               isPciExpress ? fmt::format("{}, what if", kPciExpressSource) : "what if");
    const bool ofHostLink = change.parameter == Parameter::kHostLinkBandwidth ||
                            change.parameter == Parameter::kHostLinkLatency;
    if (ofHostLink && result.measurements) { // which would go before the parameters
      result.measurements->toDevice.reset();
      result.measurements->toHost.reset();
    }
  }
  return result;
}

Sweep parseSweep(std::string_view text, std::string_view what) {
  const Assignment assigned = assignment(text, what, "NAME=FROM:TO or NAME=FROM:TO:STEPS");
  const ParameterInfo &row = info(assigned.parameter);
  std::vector<double> bounds;
  for (size_t begin = 0; begin <= assigned.value.size();) {
    const size_t end = std::min(assigned.value.find(':', begin), assigned.value.size());
    const std::string_view part = assigned.value.substr(begin, end - begin);
    const auto value = number(part);
    const bool steps = bounds.size() == 2;
    if (steps ? !value || !(*value >= 2 && *value <= kMaximumSweepSteps) ||
                    *value != std::floor(*value)
              : !value || !row.allows(*value))
      refuseValue(what, row, part,
                  steps ? fmt::format("2 to {} steps", kMaximumSweepSteps) : row.expected());
    bounds.push_back(*value);
    begin = end + 1;
  }
  if (bounds.size() < 2 || bounds.size() > 3 || !(bounds[0] < bounds[1]))
    refuseValue(what, row, assigned.value, "FROM:TO or FROM:TO:STEPS, FROM below TO");

  const size_t steps = bounds.size() == 3 ? static_cast<size_t>(bounds[2]) : kDefaultSweepSteps;
  Sweep sweep{assigned.parameter, {}};
  for (size_t i = 0; i < steps; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(steps - 1);
    double value =
        bounds[0] > 0 ? bounds[0] * std::pow(bounds[1] / bounds[0], part) : bounds[1] * part;
    if (i + 1 == steps)
      value = bounds[1]; // exactly
    if (row.integer)
      value = std::round(value);
    if (sweep.values.empty() || sweep.values.back() < value)
      sweep.values.push_back(value);
  }
  return sweep;
}

std::vector<Prediction> predictSweep(std::span<const Invocation> invocations,
                                     std::span<const Candidate> devices, const Sweep &sweep,
                                     double exposed, std::span<const DeviceProfile> measuredOn) {
  std::vector<Prediction> predictions;
  for (const double value : sweep.values) {
    std::vector<Candidate> variants(devices.begin(), devices.end());
    for (Candidate &variant : variants) {
      variant.device = changed(variant.device, {{sweep.parameter, value, false}});
      variant.swept = true;
    }
    predictions.push_back(predict(invocations, variants, exposed, measuredOn));
  }
  return predictions;
}

} // namespace aiwc::predict
