/// What lanes access together: segments of global memory that lane groups need and touch, turns of
/// the banks of local memory, accesses that a vector instruction of a CPU could make for all of
/// them.
#pragma once

#include "catalogue/description.h"

#include <array>
#include <cstdint>

namespace aiwc::metrics::coalescing {

/// Sizes of the lane groups, in lanes.
inline constexpr std::array<uint32_t, 3> kWidths = {16, 32, 64};

inline constexpr auto kUniform = std::to_array<Example>({
    {"divergent", 27.0 / 36,
     "of 8 lanes, 7, 6, ... 1 read in[0], in[1], ... in[6] together, the last one nobody else; 8 "
     "store"},
    {"matmul_naive", 0, "8 lanes are two rows of 4, which read two elements of a together"},
    {"saxpy", 0, "each lane has its own elements"},
});
inline constexpr auto kConsecutive = std::to_array<Example>({
    {"saxpy", 1, "neighbours load and store neighbouring elements"},
    {"divergent", 8.0 / 36, "of 28 loads and 8 stores, the stores"},
    {"matrix_sums_rows", 1.0 / 65, "64 loads a row apart, and a store"},
    {"matmul_naive", 0, "8 lanes are two rows of 4, which are apart in b and c"},
});

inline constexpr auto kMetrics = std::to_array<MetricDescription>({
    {
        .key = "coalescing",
        .parameters = kWidths,
        .category = Category::kMemory,
        .value = fraction(),
        .definition =
            "128-byte segments of global memory that the lanes of a lane group need at least when "
            "they execute a memory instruction together, over those they touch; 1 is best.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kMean},
        .compact = {.list = "coalescing_16_32_64", .rank = 150},
        .summaryLine = "coalescing_{}",
    },
    {
        .key = "coalescing_measured",
        .category = Category::kMemory,
        .value = fraction(),
        .definition = "Share of the work-items' global accesses that coalescing looked at: 1 where "
                      "it is exact; less where an instruction was executed more than 1024 times in "
                      "a barrier interval, and then sampled.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kMean},
        .compact = {.rank = 160},
    },
    {
        .key = "uniform_accesses",
        .category = Category::kMemory,
        .value = fraction(),
        .definition = "Share of the executions of memory instructions by work-items in which the "
                      "lanes of a group of 8, at least two of them, access the same bytes.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kMean},
        .compact = {.rank = 162},
        .summaryLine = "uniform / consecutive / bank_efficiency",
        .examples = kUniform,
    },
    {
        .key = "consecutive_accesses",
        .category = Category::kMemory,
        .value = fraction(),
        .definition = "Share of the executions of memory instructions by work-items in which the "
                      "lanes of a group of 8, at least two of them, each access the bytes that "
                      "follow those of the lane before.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kMean},
        .compact = {.rank = 164},
        .summaryLine = "uniform / consecutive / bank_efficiency",
        .examples = kConsecutive,
    },
    {
        .key = "bank_efficiency",
        .category = Category::kMemory,
        .value = fraction(),
        .definition =
            "Turns of 32 banks of four bytes that the lanes of a group of 32 need at least "
            "when they access local memory together, over those they take; 1: no bank "
            "conflicts.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kMean},
        .compact = {.rank = 166},
        .summaryLine = "uniform / consecutive / bank_efficiency",
    },
});

} // namespace aiwc::metrics::coalescing
