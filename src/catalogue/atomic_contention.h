/// Contention of atomic operations on one address and on one line.
#pragma once

#include "catalogue/description.h"

#include <array>

namespace aiwc::metrics::atomic_contention {

inline constexpr auto kMetrics = std::to_array<MetricDescription>({
    {
        .key = "atomic_contention_max",
        .category = Category::kParallelism,
        .value = count("atomics"),
        .definition =
            "Largest number of atomics on one address; on local memory, of one work-group.",
        // Atomics on local memory are counted per group.
        .launch = {Scaling::kUnknown, LocalSize::kMatters, Estimate::kMean},
        .compact = {.rank = 170},
        .summaryLine = "atomic_contention_max / of a line",
    },
    {
        .key = "atomic_line_contention_max",
        .category = Category::kParallelism,
        .value = count("atomics"),
        .definition = "Largest number of atomics on one 128-byte line of global memory, or on one "
                      "address of local memory of one work-group; those that compilers make one of "
                      "for 32 work-items count as one.",
        .launch = {Scaling::kUnknown, LocalSize::kMatters, Estimate::kMean},
        .summaryLine = "atomic_contention_max / of a line",
    },
});

} // namespace aiwc::metrics::atomic_contention
