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
        .value = count("levels"),
        .definition = "D: the longest chain of floating-point operations that depend on each "
                      "other, through values or memory; the largest of any work-group.",
        // The depth is that of the deepest group.
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kLowerBound},
        .compact = {.list = "asap_fp_depth_parallelism", .rank = 110},
        .summaryLine = "asap_fp_depth / parallelism",
        .examples = kFpDepths,
    },
    {
        .key = "asap_fp_parallelism",
        .category = Category::kParallelism,
        .value = real("operations"),
        .definition = "Floating-point operations / asap_fp_depth: how many, on average, could run "
                      "at once if nothing but data held them up.",
        // Estimated work / depth of the sample is no bound.
        .launch = {Scaling::kDerived, LocalSize::kMatters, Estimate::kSample},
        .compact = {.list = "asap_fp_depth_parallelism", .rank = 110},
        .summaryLine = "asap_fp_depth / parallelism",
    },
    {
        .key = "asap_depth",
        .category = Category::kParallelism,
        .value = count("levels"),
        .definition = "The longest chain of instructions that depend on each other, through values "
                      "or memory, without phi, br, bitcast, addrspacecast and ret; the largest of "
                      "any work-group.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kLowerBound},
        .compact = {.list = "asap_depth_parallelism", .rank = 120},
        .summaryLine = "asap_depth / parallelism",
    },
    {
        .key = "asap_parallelism",
        .category = Category::kParallelism,
        .value = real("instructions"),
        .definition =
            "Instructions, without phi, br, bitcast, addrspacecast and ret, / asap_depth.",
        // Estimated work / depth of the sample is no bound.
        .launch = {Scaling::kDerived, LocalSize::kMatters, Estimate::kSample},
        .compact = {.list = "asap_depth_parallelism", .rank = 120},
        .summaryLine = "asap_depth / parallelism",
    },
});

} // namespace aiwc::metrics::asap
