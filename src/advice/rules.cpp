#include "advice/rules/rule.h"

namespace aiwc::advice {

namespace {

#define AIWC_RULE(Name) &rule::k##Name,
constexpr std::array kDefinitions = {AIWC_ALL_RULES(AIWC_RULE)};
#undef AIWC_RULE

} // namespace

std::span<const RuleInfo> rules() {
  static const auto kInfos = [] {
    std::vector<RuleInfo> infos;
    for (const rule::Definition *definition : kDefinitions)
      infos.push_back(definition->info);
    return infos;
  }();
  return kInfos;
}

const RuleInfo &info(Rule rule) {
  return kDefinitions[static_cast<size_t>(rule)]->info;
}

double Finding::largestGain() const {
  double largest = 1;
  for (const Gain &gain : gains)
    largest = std::max(largest, gain.factor);
  return largest;
}

std::vector<Finding> findingsOf(const profile::KernelProfile &profile,
                                std::span<const predict::DeviceProfile> devices,
                                const predict::FittedCostModel &model) {
  const rule::ExaminedLaunch launch(profile, devices, model);
  std::vector<Finding> findings;
  for (const rule::Definition *definition : kDefinitions)
    if (definition->find)
      if (std::optional<Finding> finding = definition->find(launch))
        findings.push_back(std::move(*finding));
  std::ranges::stable_sort(findings, [](const Finding &a, const Finding &b) {
    return std::pair(a.gains.empty(), -a.largestGain()) <
           std::pair(b.gains.empty(), -b.largestGain());
  });
  return findings;
}

} // namespace aiwc::advice
