/// Numbers of work-items and barriers, instructions and floating-point operations per work-item,
/// and instructions between barriers.
#pragma once

#include "catalogue/description.h"

#include <array>

namespace aiwc::metrics::parallelism {

inline constexpr auto kFpOpsOfBusiest = std::to_array<Example>({
    {"divergent", 7, "work-item l of a group of 8 adds l elements"},
    {"reduce", 5, "work-item 0 adds once after each of the 5 barriers of a tree over 32 elements"},
    {"serial_dot", 48, "the one work-item adds and multiplies 24 times"},
});
inline constexpr auto kInstructionsOfHeaviest = std::to_array<Example>({
    {"divergent", 332, "work-item l of a group of 8 executes 10 + 9 l instructions"},
});

inline constexpr auto kMetrics = std::to_array<MetricDescription>({
    {
        .key = "work_items",
        .name = "Work-items",
        .category = Category::kParallelism,
        .value = count("work-items"),
        .definition = "Work-items executed.",
        .launch = {Scaling::kLaunch, LocalSize::kDoesNotMatter, Estimate::kExact},
        .compact = {.rank = 70},
    },
    {
        .key = "work_groups",
        .category = Category::kParallelism,
        .value = count("work-groups"),
        .definition = "Work-groups executed.",
        .launch = {Scaling::kLaunch, LocalSize::kDoesNotMatter, Estimate::kExact},
        .compact = {.rank = 80},
    },
    {
        .key = "work_group_size",
        .category = Category::kParallelism,
        .value = count("work-items"),
        .definition = "Work-items of a work-group: the product of the local size.",
        .launch = {Scaling::kLaunch, LocalSize::kDoesNotMatter, Estimate::kExact},
        .compact = {.rank = 90},
    },
    {
        .key = "fp_ops_max_item",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Floating-point operations of the work-item that does the most of them.",
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kLowerBound},
        .examples = kFpOpsOfBusiest,
    },
    {
        .key = "barriers_hit",
        .name = "Total Barriers Hit",
        .category = Category::kParallelism,
        .value = count("barriers"),
        .definition = "Barrier calls executed, summed over work-items.",
        .launch = {Scaling::kWorkItems, LocalSize::kMatters, Estimate::kTotal},
        .compact = {.rank = 100},
    },
    {
        .key = "itb_min",
        .name = "Min Instructions To Barrier",
        .category = Category::kParallelism,
        .value = count("instructions"),
        .definition = "Fewest instructions that a work-item executes from its begin or a barrier "
                      "to the next barrier or its end.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kUpperBound},
        .compact = {.list = "itb_min_median_max"},
        .summaryLine = "Instructions To Barrier min / median / max",
    },
    {
        .key = "itb_median",
        .name = "Median Instructions To Barrier",
        .category = Category::kParallelism,
        .value = real("instructions"),
        .definition = "Median number of instructions that a work-item executes from its begin or a "
                      "barrier to the next barrier or its end.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kMean},
        .compact = {.list = "itb_min_median_max"},
        .summaryLine = "Instructions To Barrier min / median / max",
    },
    {
        .key = "itb_max",
        .name = "Max Instructions To Barrier",
        .category = Category::kParallelism,
        .value = count("instructions"),
        .definition = "Most instructions that a work-item executes from its begin or a barrier to "
                      "the next barrier or its end.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kLowerBound},
        .compact = {.list = "itb_min_median_max"},
        .summaryLine = "Instructions To Barrier min / median / max",
    },
    {
        .key = "ipt_min",
        .name = "Min Instructions Per Thread",
        .category = Category::kParallelism,
        .value = count("instructions"),
        .definition = "Fewest instructions that a work-item executes.",
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kUpperBound},
        .compact = {.list = "ipt_min_median_max"},
        .summaryLine = "Instructions Per Thread min / median / max",
    },
    {
        .key = "ipt_median",
        .name = "Median Instructions Per Thread",
        .category = Category::kParallelism,
        .value = real("instructions"),
        .definition = "Median number of instructions that a work-item executes.",
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kMean},
        .compact = {.list = "ipt_min_median_max"},
        .summaryLine = "Instructions Per Thread min / median / max",
    },
    {
        .key = "ipt_max",
        .name = "Max Instructions Per Thread",
        .category = Category::kParallelism,
        .value = count("instructions"),
        .definition = "Most instructions that a work-item executes.",
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kLowerBound},
        .compact = {.list = "ipt_min_median_max"},
        .summaryLine = "Instructions Per Thread min / median / max",
    },
    {
        .key = "machine_itb_median",
        .category = Category::kParallelism,
        .value = real("instructions"),
        .definition = "Median number of machine instructions (machine_instruction_count) that a "
                      "work-item executes from its begin or a barrier to the next barrier or its "
                      "end.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kMean},
        .summaryLine = "machine_itb_median / ipt_min / ipt_max",
    },
    {
        .key = "machine_ipt_min",
        .category = Category::kParallelism,
        .value = count("instructions"),
        .definition = "Fewest machine instructions that a work-item executes.",
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kUpperBound},
        .summaryLine = "machine_itb_median / ipt_min / ipt_max",
    },
    {
        .key = "machine_ipt_max",
        .category = Category::kParallelism,
        .value = count("instructions"),
        .definition = "Most machine instructions that a work-item executes.",
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kLowerBound},
        .summaryLine = "machine_itb_median / ipt_min / ipt_max",
    },
    {
        .key = "load_imbalance",
        .category = Category::kParallelism,
        .value = count("instructions"),
        .definition =
            "Difference between the most and the fewest instructions that a work-item executes.",
        .launch = {Scaling::kDerived, LocalSize::kDoesNotMatter, Estimate::kLowerBound},
    },
    {
        .key = "work_group_instructions_max",
        .category = Category::kParallelism,
        .value = count("instructions"),
        .definition = "Instructions of the work-group whose work-items execute the most together.",
        .launch = {Scaling::kStays, LocalSize::kMatters, Estimate::kLowerBound},
        .compact = {.rank = 105},
        .examples = kInstructionsOfHeaviest,
    },
    {
        .key = "granularity",
        .name = "Granularity",
        .category = Category::kParallelism,
        .value = fraction(),
        .definition = "1 / work-items.",
        .launch = {Scaling::kDerived, LocalSize::kDoesNotMatter, Estimate::kExact},
    },
    {
        .key = "barriers_per_instruction",
        .name = "Barriers Per Instruction",
        .category = Category::kParallelism,
        .value = number(),
        .definition = "(Barriers hit + work-items) / instructions: the end of a work-item is its "
                      "implicit barrier.",
        .launch = {Scaling::kDerived, LocalSize::kMatters, Estimate::kMean},
    },
});

} // namespace aiwc::metrics::parallelism
