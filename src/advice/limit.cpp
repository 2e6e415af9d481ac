#include "advice/limit.h"

#include "advice/words.h"
#include "predict/costed_launch.h"
#include "predict/fitted/time_terms.h"
#include "profile/kernel_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace aiwc::advice {

using namespace literals;

namespace {

struct PartWords {
  std::string_view key;
  std::string_view activity;
  std::string_view helps; ///< what makes the part shorter
};
constexpr std::string_view kDispatch = "dispatch", kDispatchAlone = "dispatch without barriers";
constexpr std::array<PartWords, 14> kParts = {{
    {"launch", "starting the kernel", "only fewer launches, or more work in each, help"},
    {"dram", "access to memory (DRAM)", "fewer bytes help, and more accesses at a time"},
    {"floating_point", "floating-point operations", "fewer operations help"},
    {"double_precision", "double precision", "fewer operations help, or single precision"},
    {"matrices", "products of matrices", "fewer operations help"},
    {"integers", "integer operations", "fewer of them help"},
    {"special_functions", "functions and divisions", "fewer of them help"},
    {"instructions", "executing instructions", "fewer instructions help"},
    {"accesses", "access to the caches and local memory",
     "fewer accesses help: values that registers keep, neighbours side by side"},
    {"serial_chain", "the instructions of each work-item, one after another",
     "more work-items at a time help, or more independent operations in each"},
    {"latency", "memory latency",
     "more work-items at a time help, or more independent accesses in each"},
    {kDispatch, "starting work-groups and waiting at barriers",
     "fewer barriers help, or more work in each work-group"},
    {kDispatchAlone, "starting work-groups", "more work in each work-group helps"},
    {"atomics", "contended atomics", "fewer of them help"},
}};

} // namespace

std::optional<Limit> limitOf(std::span<const LaunchKind> launches,
                             const predict::DeviceProfile &device,
                             const predict::FittedCostModel &model) {
  std::array<double, predict::kMostParts> sums{};
  double seconds = 0;
  double secondsOfBytes = 0; // at the device's bandwidth
  double secondsOfOperations = 0;
  double functions = 0; // instructions of 64 bits that are no operations of the peak rate
  for (const LaunchKind &kind : launches) {
    if (!model.whyNot(*kind.profile).empty())
      return std::nullopt;
    const predict::CostedLaunch costed(*kind.profile, model);
    if (!costed.missing(device).empty())
      return std::nullopt;
    const predict::Cost cost = costed.cost(device);
    const predict::LaunchDemand demand = predict::demandOf(*kind.profile);
    const auto times = static_cast<double>(kind.launches);
    seconds += times * cost.seconds;
    secondsOfBytes += times * predict::memoryBytes(demand, device) /
                      (device[predict::Parameter::kDramBandwidth] * 1e9);
    secondsOfOperations += times * predict::peakMicros(demand, device) / 1e6;
    functions += times * (demand.doubleSpecialInstructions - demand.doubleOperations);
    for (size_t k = 0; k < sums.size(); ++k)
      sums[k] += times * cost.parts[k];
  }
  const auto largest = static_cast<size_t>(std::ranges::max_element(sums) - sums.begin());
  const predict::TermInfo &part = model.parts()[largest];
  Limit limit = {.part = part.key, .activity = part.name, .share = sums[largest] / seconds};
  limit.sourceKind = launches.front().profile->provenance.sourceKind;
  const bool isAlone =
      part.key == kDispatch && std::ranges::all_of(launches, [](const LaunchKind &kind) {
        return kind.profile->count("barriers_hit"_metric) == 0;
      });
  if (const auto *known =
          std::ranges::find(kParts, isAlone ? kDispatchAlone : part.key, &PartWords::key);
      known != kParts.end()) {
    limit.activity = known->activity;
    limit.helps = known->helps;
  }
  if (part.key == "dram")
    limit.ofRoof = secondsOfBytes / seconds;
  else if (part.key == "floating_point" || part.key == "matrices" ||
           (part.key == "double_precision" && functions <= 0))
    limit.ofRoof = secondsOfOperations / seconds;
  return limit;
}

std::string inWords(const Limit &limit) {
  std::string text =
      fmt::format("{}, {} of the predicted time", limit.activity, percent(limit.share));
  const bool isMemory = limit.part == "dram";
  if (limit.ofRoof)
    text += fmt::format(", at {} of {}", percent(*limit.ofRoof),
                        isMemory ? "the bandwidth" : "the peak rate");
  constexpr double kNear = 0.7;
  if (limit.ofRoof && *limit.ofRoof >= kNear)
    text += isMemory ? ": above all, fewer bytes help" : ": above all, fewer operations help";
  else if (!limit.helps.empty())
    text += fmt::format(": {}", limit.helps);
  return profile::inWordsOf(limit.sourceKind, std::move(text));
}

} // namespace aiwc::advice
