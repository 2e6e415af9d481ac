/// Entropy of the addresses that the work-items of a group access at the same time.
#pragma once

#include "catalogue/description.h"

#include <array>
#include <cstdint>

namespace aiwc::metrics::parallel_spatial_locality {

/// Numbers of least significant address bits that are dropped.
inline constexpr std::array<uint32_t, 11> kSkippedBits = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

inline constexpr auto kMetrics = std::to_array<MetricDescription>({
    {
        .key = "parallel_spatial_locality",
        .name = "Normed PSL -- Skipped {} LSBs",
        .parameters = kSkippedBits,
        .category = Category::kMemory,
        .value = fraction(),
        .definition = "Entropy of what the k-th accesses of a work-group's work-items address, "
                      "least significant bits dropped, over log2 of the work-group size; mean over "
                      "k. 0: all work-items access the same, 1: each its own.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kMean},
        .compact = {.list = "parallel_spatial_locality_0_to_10"},
        .summaryLine = "Normed PSL -- Skipped {} LSBs",
    },
    {
        .key = "parallel_spatial_locality_measured",
        .category = Category::kMemory,
        .value = fraction(),
        .definition = "Share of the work-items' accesses that parallel spatial locality looked at: "
                      "1 where it is exact; less where a work-item made more than 1024 accesses in "
                      "a barrier interval, and then sampled.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kMean},
    },
});

} // namespace aiwc::metrics::parallel_spatial_locality
