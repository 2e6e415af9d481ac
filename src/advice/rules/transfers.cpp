#include "advice/rules/rule.h"

#include <fmt/ranges.h>

#include <utility>

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> transfers(const ExaminedRun &run) {
  const std::vector<ExaminedRun::Times> &times = run.times();
  if (std::ranges::none_of(
          times, [](const ExaminedRun::Times &time) { return time.transfers > time.kernels; }))
    return std::nullopt;
  std::vector<std::string> ratios;
  for (size_t i = 0; i < times.size(); ++i)
    ratios.push_back(fmt::format("{} times as long on {}",
                                 rounded(times[i].transfers / times[i].kernels),
                                 run.devices()[i].id));
  const auto launches = static_cast<double>(run.launches().size());
  std::string moved;
  for (const auto &[verb, moves] : {std::pair("writes", run.writes()), {"reads", run.reads()}})
    if (moves.transfers > 0)
      moved += fmt::format("{}{} {} in {}", moved.empty() ? "" : " and ", verb,
                           text::formatBytes(static_cast<uint64_t>(moves.bytes)),
                           plural(static_cast<double>(moves.transfers), "transfer"));
  Finding finding;
  finding.problem =
      fmt::format("The host {}. Compared with the predicted time of {}, that takes {}.", moved,
                  launches == 1 ? "the launch" : plural(launches, "launch", "launches"),
                  fmt::join(ratios, ", "));
  finding.remedy = "Leave the data on the device between launches, copy it while a launch "
                   "computes, and join small transfers.";
  finding.gains = run.gainsOf([&](size_t device) { return times[device].transfers; }, true);
  return finding;
}

} // namespace

const Definition kTransfers = {
    RuleInfo{Rule::kTransfers, "transfers", "Transfers between host and device",
             "Copying between host and device takes longer than the launch."},
    nullptr, transfers};

} // namespace aiwc::advice::rule
