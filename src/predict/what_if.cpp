#include "predict/what_if.h"

#include "common/as_number.h"
#include "common/error.h"
#include "predict/host_link.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace aiwc::predict {

namespace {

std::string names() {
  std::vector<std::string_view> all;
  for (const ParameterInfo &row : parameters())
    all.push_back(row.name);
  return fmt::format("{}", fmt::join(all, ", "));
}

Change parseChange(std::string_view text, std::string_view what) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size())
    throw Error(fmt::format("{} \"{}\": expected NAME=VALUE or NAME=FACTORx, separated by commas",
                            what, text::printable(text)));
  const std::string_view name = text.substr(0, equals), assigned = text.substr(equals + 1);
  const auto parameter = parameterOf(name);
  if (!parameter)
    throw Error(fmt::format("{}: {} is not a parameter of a device: expected one of {}", what,
                            text::printable(name, 60), names()));
  const ParameterInfo &row = info(*parameter);
  const bool relative = assigned.ends_with('x');
  const auto value = asNumber<double>(assigned.substr(0, assigned.size() - (relative ? 1 : 0)));
  if (!value || (relative ? !(*value > 0) || std::isinf(*value) : !row.allows(*value)))
    throw Error(fmt::format("{}: {} is {}: expected {}", what, row.name,
                            text::printable(assigned, 60),
                            relative ? "a positive multiple such as 2x" : row.expected()));
  return {*parameter, *value, relative};
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

} // namespace aiwc::predict
