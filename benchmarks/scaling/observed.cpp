#include "observed.h"

#include "scaling/launch_scaling.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace aiwc::scaling_study {

using profile::KernelProfile;
using profile::Metric;

std::optional<double> changeOf(Metric metric, const KernelProfile &before,
                               const KernelProfile &after) {
  const double a = before.real(metric);
  const double b = after.real(metric);
  const double doublings = std::log2(workItems(after) / workItems(before));
  if (std::isnan(a) || std::isnan(b))
    return std::nullopt;
  if (profile::info(metric).scaling == profile::Scaling::kLogarithm)
    return (b - a) / doublings;
  if (profile::info(metric).range == profile::Range::kFraction)
    return b - a;
  if (a == 0 || b == 0)
    return std::nullopt;
  return std::log2(b / a) / doublings;
}

Observed observe(const std::vector<KernelCases> &kernels) {
  Observed observed;
  for (const profile::MetricInfo &row : profile::catalogue())
    observed.metrics.push_back({row.metric, {}});
  for (const KernelCases &cases : kernels)
    for (size_t i = 0; i < cases.sizes.size(); ++i) {
      const KernelProfile &before = cases.sizes[i].largest();
      const auto next =
          std::find_if(cases.sizes.begin() + static_cast<std::ptrdiff_t>(i) + 1, cases.sizes.end(),
                       [&](const SizedKernel &sized) {
                         return sized.largest().provenance.localSize == before.provenance.localSize;
                       });
      if (next == cases.sizes.end())
        continue;
      const KernelProfile &after = next->largest();
      Step step{cases.application,
                cases.kernel,
                cases.sizes[i].size,
                next->size,
                workItems(after) / workItems(before),
                std::nullopt,
                after.real("total_instruction_count"_metric) /
                    before.real("total_instruction_count"_metric)};
      if (std::max(step.workItemRatio, 1 / step.workItemRatio) >= scaling::kLeastSpread) {
        step.instructionExponent = changeOf("total_instruction_count"_metric, before, after);
        for (ObservedMetric &metric : observed.metrics)
          if (const auto change = changeOf(metric.metric, before, after))
            metric.changes.push_back(*change);
      }
      observed.steps.push_back(std::move(step));
    }
  return observed;
}

} // namespace aiwc::scaling_study
