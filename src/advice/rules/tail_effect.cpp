#include "advice/rules/rule.h"
#include "predict/fitted/compute_unit.h"

namespace aiwc::advice::rule {
namespace {

/// How many times longer the waves of work-groups take than if the last one was full as well; 1
/// where it is not nearly empty, or is one of many. `waves`: work-groups over those that are
/// resident at a time.
double unevenness(double waves) {
  constexpr double kMost = 4;
  constexpr double kNearlyEmpty = 0.25;
  const double last = waves - std::floor(waves);
  return waves > 1 && waves < kMost && last > 0 && last <= kNearlyEmpty ? std::ceil(waves) / waves
                                                                        : 1;
}

std::optional<Finding> tailEffect(const ExaminedLaunch &launch) {
  constexpr double kWorthSaying = 1.1;
  if (kUnevenWorkGroups.find(launch) || kIdleWorkItems.find(launch))
    return std::nullopt; // the work-groups differ, and their remedies change how many there are
  const double groups = launch.demand().workGroups;
  Finding finding;
  finding.isCosted = false; // the predicted time has no last wave
  for (size_t device = 0; device < launch.devices().size(); ++device) {
    const DeviceProfile &on = launch.devices()[device];
    if (!predict::isGpu(on))
      continue;
    const double resident =
        predict::residencyOf(on, launch.demand().workGroupSize, launch.demand().localArrayBytes)
            .residentGroups();
    // Within a wave, every work-group takes as long as its work-items wait; that it shares a unit
    // with fewer others makes it little faster.
    const double lost = (unevenness(groups / resident) - 1) *
                        launch.partSeconds(device, {"serial_chain", "latency", "dispatch"});
    if (lost < (kWorthSaying - 1) * launch.costs()[device].seconds)
      continue;
    finding.evidence.push_back(
        {0, fmt::format("{} runs {} of the {} at a time: the last wave has {}", on.id,
                        rounded(resident), plural(groups, "work-group"),
                        rounded(std::fmod(groups, resident)))});
  }
  if (finding.evidence.empty())
    return std::nullopt;
  finding.problem = "The last wave of work-groups is nearly empty: most of the device has nothing "
                    "left to do while it takes as long as a full one.";
  finding.remedy =
      launch.leavesLocalSizeOpen()
          ? "Let as many work-groups as run at a time share the work in a loop "
            "(get_global_id(0) plus a multiple of get_global_size(0)), or give a local "
            "size with which the last wave is full or gone."
          : "Let as many work-groups as run at a time share the work in a loop "
            "(get_global_id(0) plus a multiple of get_global_size(0)), or choose a "
            "local size with which the last wave is full or gone.";
  return finding;
}

} // namespace

const Definition kTailEffect = {
    RuleInfo{Rule::kTailEffect, "tail-effect", "A nearly empty last wave",
             "A GPU runs the work-groups in four waves or fewer, the last of which fills at most a "
             "quarter of it."},
    tailEffect};

} // namespace aiwc::advice::rule
