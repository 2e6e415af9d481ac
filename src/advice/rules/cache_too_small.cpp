#include "advice/rules/rule.h"
#include "profile/reuse.h"

namespace aiwc::advice::rule {
namespace {

std::optional<Finding> cacheTooSmall(const ExaminedLaunch &launch) {
  Finding finding;
  for (size_t i = 0; i < launch.devices().size(); ++i) {
    const auto cache = static_cast<uint64_t>(launch.devices()[i][Parameter::kCacheCapacity]);
    Gain gain = {.device = launch.devices()[i].id};
    for (const profile::Knee &knee : profile::workingSetKnees(launch.profile())) {
      if (knee.cacheBytes <= cache || knee.cacheBytes > 4 * cache)
        continue;
      DeviceProfile larger = launch.devices()[i];
      larger.set(Parameter::kCacheCapacity, static_cast<double>(knee.cacheBytes), "advice");
      gain = launch.gainFrom(i, launch.model().cost(launch.demand(), larger));
      finding.evidence.push_back(
          {0, fmt::format("{}: {} of cache miss {} of the accesses, {} would miss {}",
                          launch.devices()[i].id, text::formatBytes(cache),
                          percent(1 - profile::hitRatio(launch.profile(), cache).value_or(1)),
                          text::formatBytes(knee.cacheBytes), percent(knee.missRatio))});
    }
    finding.gains.push_back(std::move(gain));
  }
  if (finding.evidence.empty())
    return std::nullopt;
  finding.problem = "What the launch uses again and again is a little larger than a cache.";
  finding.remedy = "Compute block by block, so that a block stays in the cache until it is not "
                   "needed any more, or use smaller elements.";
  return ifWorth(std::move(finding));
}

} // namespace

const Definition kCacheTooSmall = {
    RuleInfo{Rule::kCacheTooSmall, "cache-too-small", "A working set just above a cache",
             "A cache of at most four times the size would miss at least a tenth of the accesses "
             "less."},
    cacheTooSmall};

} // namespace aiwc::advice::rule
