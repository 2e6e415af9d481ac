/// The number of instructions between memory instructions.
#pragma once

#include "catalogue/description.h"

#include <array>

namespace aiwc::metrics::freedom_to_reorder {

inline constexpr auto kMetrics = std::to_array<MetricDescription>({
    {
        .key = "freedom_to_reorder",
        .name = "Freedom to Reorder",
        .category = Category::kCompute,
        .value = real("instructions"),
        .definition = "Mean number of instructions of a work-item between two consecutive memory "
                      "instructions.",
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kMean},
    },
});

} // namespace aiwc::metrics::freedom_to_reorder
