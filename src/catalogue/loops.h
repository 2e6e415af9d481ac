/// Loops with their trip counts and the memory dependences that they carry; synchronisation points.
#pragma once

#include "catalogue/description.h"

#include <array>

namespace aiwc::metrics::loops {

inline constexpr auto kMetrics = std::to_array<MetricDescription>({
    {
        .key = "sync_points",
        .category = Category::kParallelism,
        .value = count("synchronisations"),
        .definition = "Global synchronisations that a parallel version needs: 1 for an NDRange; "
                      "for a single work-item, the trips of loops that carry a memory dependence "
                      "around loops that carry none.",
        // If there are several work-groups, it is 1.
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kExact},
        .compact = {.rank = 180},
    },
});

} // namespace aiwc::metrics::loops
