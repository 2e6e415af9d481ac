#include "advice/rules/rule.h"
#include "predict/report.h"

#include <fmt/ranges.h>

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> roundTrips(const ExaminedRun &run) {
  constexpr uint64_t kSeveral = 3;
  constexpr double kNotable = 0.1; // of the kernels' time
  const predict::HostTraffic &trips = run.roundTrips();
  if (trips.transfers < kSeveral)
    return std::nullopt;
  bool notable = false;
  std::vector<std::string> times;
  for (size_t i = 0; i < run.devices().size(); ++i) {
    const double seconds = run.transferSeconds(trips, i);
    notable = notable || seconds > kNotable * run.times()[i].kernels;
    times.push_back(fmt::format("{} on {}", predict::duration(seconds), run.devices()[i].id));
  }
  if (!notable)
    return std::nullopt;
  Finding finding;
  finding.problem = fmt::format(
      "{} times, the host reads a few bytes and then launches again: the device waits for it, {}.",
      text::formatReadable(static_cast<uint64_t>(trips.transfers)), fmt::join(times, ", "));
  finding.remedy = "Let the device decide: keep the flag or sum in a buffer that the next kernel "
                   "reads, or launch several steps and read once after them.";
  finding.gains =
      run.gainsOf([&](size_t device) { return run.transferSeconds(trips, device); }, true);
  return finding;
}

} // namespace

const Definition kRoundTrips = {
    RuleInfo{Rule::kRoundTrips, "round-trips", "Round trips to the host",
             "Between launches, the host reads a few bytes three times or more, which takes at "
             "least a tenth of the kernels' time."},
    nullptr, roundTrips};

} // namespace aiwc::advice::rule
