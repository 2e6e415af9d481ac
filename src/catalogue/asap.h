/// The ASAP schedules of floating-point operations and of instructions.
#pragma once

#include "catalogue/description.h"

#include <array>

namespace aiwc::metrics::asap {

inline constexpr auto kFpDepths = std::to_array<Example>({
    {"saxpy", 2, "an addition after a multiplication"},
    {"serial_dot", 25, "a chain of 24 additions after the first multiplication"},
});

inline constexpr auto kMetrics = std::to_array<MetricDescription>({
    {
        .key = "asap_fp_depth",
        .category = Category::kParallelism,
        .type = MetricType::kCount,
        .unit = "levels",
        .range = Range::kNotNegative,
        .definition = "D: the longest chain of floating-point operations that depend on each "
                      "other, through values or memory; the largest of any work-group.",
        .scaling = Scaling::kStays,
        .localSize = LocalSize::kMatters, // it is the depth of the deepest group
        .estimate = Estimate::kLowerBound,
        .compact = {.list = "asap_fp_depth_parallelism", .rank = 110},
        .summaryLine = "asap_fp_depth / parallelism",
        .examples = kFpDepths,
    },
    {
        .key = "asap_fp_parallelism",
        .category = Category::kParallelism,
        .type = MetricType::kReal,
        .unit = "operations",
        .range = Range::kNotNegative,
        .definition = "Floating-point operations / asap_fp_depth: how many, on average, could run "
                      "at once if nothing but data held them up.",
        .scaling = Scaling::kDerived,
        .localSize = LocalSize::kMatters,
        .estimate = Estimate::kSample, // estimated work / depth of the sample: no bound
        .compact = {.list = "asap_fp_depth_parallelism", .rank = 110},
        .summaryLine = "asap_fp_depth / parallelism",
    },
    {
        .key = "asap_depth",
        .category = Category::kParallelism,
        .type = MetricType::kCount,
        .unit = "levels",
        .range = Range::kNotNegative,
        .definition = "The longest chain of instructions that depend on each other, through values "
                      "or memory, without phi, br, bitcast, addrspacecast and ret; the largest of "
                      "any work-group.",
        .scaling = Scaling::kStays,
        .localSize = LocalSize::kMatters,
        .estimate = Estimate::kLowerBound,
        .compact = {.list = "asap_depth_parallelism", .rank = 120},
        .summaryLine = "asap_depth / parallelism",
    },
    {
        .key = "asap_parallelism",
        .category = Category::kParallelism,
        .type = MetricType::kReal,
        .unit = "instructions",
        .range = Range::kNotNegative,
        .definition =
            "Instructions, without phi, br, bitcast, addrspacecast and ret, / asap_depth.",
        .scaling = Scaling::kDerived,
        .localSize = LocalSize::kMatters,
        .estimate = Estimate::kSample, // likewise
        .compact = {.list = "asap_depth_parallelism", .rank = 120},
        .summaryLine = "asap_depth / parallelism",
    },
});

} // namespace aiwc::metrics::asap
