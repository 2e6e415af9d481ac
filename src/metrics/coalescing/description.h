/// Segments of global memory that lane groups need and touch.
#pragma once

#include "metrics/catalogue/description.h"

#include <array>
#include <cstdint>

namespace aiwc::metrics::coalescing {

/// Sizes of the lane groups, in lanes.
inline constexpr std::array<uint32_t, 3> kWidths = {16, 32, 64};

inline constexpr auto kMetrics = std::to_array<MetricDescription>({
    {
        .key = "coalescing",
        .parameters = kWidths,
        .category = Category::kMemory,
        .type = MetricType::kReal,
        .range = Range::kFraction,
        .definition =
            "128-byte segments of global memory that the lanes of a lane group need at least when "
            "they execute a memory instruction together, over those they touch; 1 is best.",
        .scaling = Scaling::kStays,
        .localSize = LocalSize::kMatters,
        .estimate = Estimate::kMean,
        .compact = {.list = "coalescing_16_32_64", .rank = 150},
        .summaryLine = "coalescing {}",
    },
    {
        .key = "coalescing_measured",
        .category = Category::kMemory,
        .type = MetricType::kReal,
        .range = Range::kFraction,
        .definition = "Share of the work-items' global accesses that coalescing looked at: 1 where "
                      "it is exact; less where an instruction was executed more than 1024 times in "
                      "a barrier interval, and then sampled.",
        .scaling = Scaling::kStays,
        .localSize = LocalSize::kMatters,
        .estimate = Estimate::kMean,
        .compact = {.rank = 160},
    },
});

} // namespace aiwc::metrics::coalescing
