#include "advice/rules/rule.h"

#include <fmt/ranges.h>

namespace aiwc::advice::rule {
const Definition kTransfers = {
    RuleInfo{Rule::kTransfers, "transfers", "Transfers between host and device",
             "Copying between host and device takes longer than the launch."},
    nullptr};

} // namespace aiwc::advice::rule

namespace aiwc::advice {

std::vector<Finding> applicationFindings(std::span<const profile::KernelProfile *const> launches,
                                         std::span<const predict::DeviceProfile> devices,
                                         const predict::FittedCostModel &model) {
  struct Times {
    double kernels = 0, transfers = 0;
  };
  std::vector<Times> times(devices.size());
  predict::HostTraffic in;
  predict::HostTraffic out;
  for (const profile::KernelProfile *launch : launches) {
    const predict::CostedLaunch costed(*launch, model);
    const auto &[writes, reads, unknown] = costed.traffic;
    if (!unknown.empty())
      return {};
    for (size_t i = 0; i < devices.size(); ++i) {
      times[i].kernels += costed.cost(devices[i]).seconds;
      times[i].transfers += costed.transferSeconds(devices[i]);
    }
    in.bytes += writes.bytes;
    in.transfers += writes.transfers;
    out.bytes += reads.bytes;
    out.transfers += reads.transfers;
  }
  if (std::ranges::none_of(times, [](const Times &time) { return time.transfers > time.kernels; }))
    return {};
  std::vector<std::string> ratios;
  for (size_t i = 0; i < devices.size(); ++i)
    ratios.push_back(fmt::format("{:.2g} times as long on {}",
                                 times[i].transfers / times[i].kernels, devices[i].id));
  Finding finding;
  finding.rule = Rule::kTransfers;
  finding.problem = fmt::format(
      "The host writes {} in {} and reads {} in {}. Compared with the predicted time of {}, that "
      "takes "
      "{}.",
      text::formatBytes(static_cast<uint64_t>(in.bytes)),
      plural(static_cast<double>(in.transfers), "transfer"),
      text::formatBytes(static_cast<uint64_t>(out.bytes)),
      plural(static_cast<double>(out.transfers), "transfer"),
      launches.size() == 1 ? "the launch"
                           : plural(static_cast<double>(launches.size()), "launch", "launches"),
      fmt::join(ratios, ", "));
  finding.remedy = "Leave the data on the device between launches, copy it while a launch "
                   "computes, and join small transfers.";
  for (size_t i = 0; i < devices.size(); ++i)
    finding.gains.push_back({devices[i].id, 1 + times[i].transfers / times[i].kernels});
  return {finding};
}

} // namespace aiwc::advice
