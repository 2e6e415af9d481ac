#include "advice/rules/rule.h"

#include <fmt/ranges.h>

#include <unordered_map>

namespace aiwc::advice::rule {
namespace {

struct Started {
  std::string kernel;
  uint64_t launches = 0;
  uint64_t inARow = 0; ///< the most that follow one another, with no transfer between them
};

std::vector<Started> startedIn(const ExaminedRun &run) {
  std::vector<Started> kernels;
  std::unordered_map<std::string, size_t> places;
  const KernelProfile *before = nullptr;
  uint64_t row = 0;
  for (const KernelProfile *launch : run.launches()) {
    const auto [place, isNew] = places.try_emplace(launch->provenance.kernel, kernels.size());
    if (isNew)
      kernels.push_back({launch->provenance.kernel});
    Started &kernel = kernels[place->second];
    const bool follows = before && before->provenance.kernel == kernel.kernel &&
                         before->count("device_to_host_transfers"_metric) == 0 &&
                         launch->count("host_to_device_transfers"_metric) == 0;
    row = follows ? row + 1 : 1;
    ++kernel.launches;
    kernel.inARow = std::max(kernel.inARow, row);
    before = launch;
  }
  std::ranges::stable_sort(kernels, std::ranges::greater{}, &Started::launches);
  return kernels;
}

std::optional<Finding> launchBound(const ExaminedRun &run) {
  if (std::ranges::none_of(run.times(), [](const ExaminedRun::Times &time) {
        return 2 * time.starts > time.kernels;
      }))
    return std::nullopt;
  std::vector<std::string> shares;
  for (size_t i = 0; i < run.devices().size(); ++i)
    shares.push_back(fmt::format(
        "{} on {}", percent(run.times()[i].starts / run.times()[i].kernels), run.devices()[i].id));
  const size_t launches = run.launches().size();
  Finding finding;
  finding.problem = fmt::format(
      "Starting {} takes much of the predicted time: {}.",
      launches == 1 ? "the kernel" : plural(static_cast<double>(launches), "launch", "launches"),
      fmt::join(shares, ", "));
  finding.remedy =
      launches == 1 ? "Predicted times of such a launch say little about its code: use a larger "
                      "input, or do more in it."
                    : "Do more in a launch: several steps of a loop at once, kernels that follow "
                      "one another as one, or a larger input.";
  constexpr uint64_t kSeveral = 4;
  constexpr size_t kMost = 3;
  for (const Started &kernel : startedIn(run))
    if (kernel.launches >= kSeveral && finding.evidence.size() < kMost)
      finding.evidence.push_back(
          {0, fmt::format("{}: {} launches{}", text::printable(kernel.kernel, 60),
                          text::formatReadable(kernel.launches),
                          kernel.inARow < kSeveral
                              ? ""
                              : fmt::format(", up to {} in a row: if they do not need each other's "
                                            "results, they can be one with a further dimension",
                                            text::formatReadable(kernel.inARow)))});
  finding.gains = run.gainsOf([&](size_t device) { return run.times()[device].starts; }, false);
  return finding;
}

} // namespace

const Definition kLaunchBound = {RuleInfo{Rule::kLaunchBound, "launch-bound",
                                          "Launches take longer than the work",
                                          "Starting kernels takes more than half of their time."},
                                 nullptr, launchBound};

} // namespace aiwc::advice::rule
