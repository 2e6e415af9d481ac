/// Branch entropies: how predictable branches are from their history.
#pragma once

#include "catalogue/description.h"

#include <array>

namespace aiwc::metrics::branch_entropy {

inline constexpr auto kMetrics = std::to_array<MetricDescription>({
    {
        .key = "unique_branches",
        .name = "Total Unique Branch Instructions",
        .category = Category::kControl,
        .type = MetricType::kCount,
        .unit = "branches",
        .range = Range::kNotNegative,
        .definition = "Static conditional branches and switches that were executed.",
        .scaling = Scaling::kStays,
        .localSize = LocalSize::kDoesNotMatter,
        .estimate = Estimate::kLowerBound,
    },
    {
        .key = "unique_branches_90",
        .name = "90% Branch Instructions",
        .category = Category::kControl,
        .type = MetricType::kCount,
        .unit = "branches",
        .range = Range::kNotNegative,
        .definition = "Smallest number of them that covers at least 90 % of the branches executed.",
        .scaling = Scaling::kStays,
        .localSize = LocalSize::kDoesNotMatter,
        .estimate = Estimate::kMean,
    },
    {
        .key = "yokota_branch_entropy",
        .name = "Yokota Branch Entropy",
        .category = Category::kControl,
        .type = MetricType::kReal,
        .range = Range::kFraction,
        .definition = "Per static branch, Shannon entropy of its 16-outcome history patterns, "
                      "divided by 16; mean over branches weighted by executions; 0 to 1.",
        .scaling = Scaling::kStays,
        .localSize = LocalSize::kMatters, // histories start empty in each group
        .estimate = Estimate::kMean,
    },
    {
        .key = "linear_branch_entropy",
        .name = "Average Linear Branch Entropy",
        .category = Category::kControl,
        .type = MetricType::kReal,
        .range = Range::kFraction,
        .definition =
            "Per branch and history pattern, 2 min(p, 1 - p), p being the share of taken outcomes; "
            "mean weighted by executions; 0 where history tells the outcome, 1 for a fair coin.",
        .scaling = Scaling::kStays,
        .localSize = LocalSize::kMatters, // likewise
        .estimate = Estimate::kMean,
    },
});

} // namespace aiwc::metrics::branch_entropy
