/// SIMT efficiency of lane groups, for all instructions and for floating-point work, and idle lanes
/// per source line.
#pragma once

#include "catalogue/description.h"

#include <array>
#include <cstdint>

namespace aiwc::metrics::lane_utilization {

/// Sizes of the lane groups, in lanes.
inline constexpr std::array<uint32_t, 4> kWidths = {8, 16, 32, 64};

inline constexpr auto kMetrics = std::to_array<MetricDescription>({
    {
        .key = "lane_utilization",
        .parameters = kWidths,
        .category = Category::kParallelism,
        .value = fraction(),
        .definition = "SIMT efficiency of lanes that reconverge perfectly: per basic block and "
                      "lane group, the lanes' instructions over the width times the most of any "
                      "lane; 1 where all lanes do the same.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kMean},
        .compact = {.list = "lane_utilization_8_16_32_64", .rank = 130},
        .summaryLine = "lane_utilization_{}",
    },
    {
        .key = "lane_utilization_fp",
        .parameters = kWidths,
        .category = Category::kParallelism,
        .value = fraction(),
        .definition = "SIMT efficiency as lane_utilization, floating-point operations alone.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kMean},
        .compact = {.list = "lane_utilization_fp_8_16_32_64", .rank = 140},
        .summaryLine = "lane_utilization_fp_{}",
    },
});

} // namespace aiwc::metrics::lane_utilization
