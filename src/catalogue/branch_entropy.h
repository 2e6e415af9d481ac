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
        .value = count("branches"),
        .definition = "Static conditional branches and switches that were executed.",
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kLowerBound},
    },
    {
        .key = "unique_branches_90",
        .name = "90% Branch Instructions",
        .category = Category::kControl,
        .value = count("branches"),
        .definition = "Smallest number of them that covers at least 90 % of the branches executed.",
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kMean},
    },
    {
        .key = "yokota_branch_entropy",
        .name = "Yokota Branch Entropy",
        .category = Category::kControl,
        .value = fraction(),
        .definition = "Per static branch, Shannon entropy of its 16-outcome history patterns, "
                      "divided by 16; mean over branches weighted by executions; 0 to 1.",
        // Histories start empty in each group.
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kMean},
    },
    {
        .key = "linear_branch_entropy",
        .name = "Average Linear Branch Entropy",
        .category = Category::kControl,
        .value = fraction(),
        .definition =
            "Per branch and history pattern, 2 min(p, 1 - p), p being the share of taken outcomes; "
            "mean weighted by executions; 0 where history tells the outcome, 1 for a fair coin.",
        // Histories start empty in each group.
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kMean},
    },
});

} // namespace aiwc::metrics::branch_entropy
