/// Opcodes, floating-point and integer operations, and SIMD widths: static properties of
/// instructions, weighted by the number of executions of their block.
#pragma once

#include "catalogue/description.h"

#include <array>

namespace aiwc::metrics::instruction_mix {

inline constexpr auto kFpOps = std::to_array<Example>({
    {"saxpy", 128, "64 work-items do a multiplication and an addition each"},
});

inline constexpr auto kMachineInstructions = std::to_array<Example>({
    {"saxpy", 64 * 8, "a straight line of 8 instructions in 64 work-items"},
    {"private_array", 16 * ((6 - 1) + (3 - 1) * 9 + 6 * 8 + (10 - 1)),
     "16 work-items, without a phi in each of 9 tests of the loop and without the two ends of the "
     "array's lifetime"},
});

inline constexpr auto kMetrics = std::to_array<MetricDescription>({
    {
        .key = "opcode_90",
        .name = "Opcode",
        .category = Category::kCompute,
        .value = count("opcodes"),
        .definition = "Smallest k such that the k most frequent LLVM opcodes cover at least 90 % "
                      "of the instructions.",
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kMean},
    },
    {
        .key = "total_instruction_count",
        .name = "Total Instruction Count",
        .category = Category::kCompute,
        .value = count("instructions"),
        .definition = "Executed LLVM IR instructions of the kernel and of the functions it calls.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.rank = 10},
    },
    {
        .key = "machine_instruction_count",
        .category = Category::kCompute,
        .value = count("instructions"),
        .definition = "Executed instructions that a machine has, too: all but phi and markers of "
                      "lifetimes, assumptions and debugging.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .examples = kMachineInstructions,
    },
    {
        .key = "fp_add",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Floating-point additions and subtractions, a vector counting its lanes; a "
                      "fused multiply-add counts one here and one in fp_mul.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "fp_add_mul_div_special", .rank = 30},
        .summaryLine = "fp_add / mul / div / special",
    },
    {
        .key = "fp_mul",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Floating-point multiplications, a vector counting its lanes; a fused "
                      "multiply-add counts one here and one in fp_add.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "fp_add_mul_div_special", .rank = 30},
        .summaryLine = "fp_add / mul / div / special",
    },
    {
        .key = "fp_div",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Floating-point divisions and remainders, a vector counting its lanes.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "fp_add_mul_div_special", .rank = 30},
        .summaryLine = "fp_add / mul / div / special",
    },
    {
        .key = "fp_special",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Calls of builtin mathematical functions and square roots, a vector counting "
                      "its lanes.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "fp_add_mul_div_special", .rank = 30},
        .summaryLine = "fp_add / mul / div / special",
    },
    {
        .key = "fp_div_f64",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Of fp_div, those of 64-bit values.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .summaryLine = "fp_div_f64 / fp_special_instructions / f64",
    },
    {
        .key = "fp_special_instructions",
        .category = Category::kCompute,
        .value = count("instructions"),
        .definition = "Instructions that the functions of fp_special take on a GPU, in the "
                      "precision that the kernel asks for.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .summaryLine = "fp_div_f64 / fp_special_instructions / f64",
    },
    {
        .key = "fp_special_instructions_f64",
        .category = Category::kCompute,
        .value = count("instructions"),
        .definition = "Of fp_special_instructions, those of functions of 64-bit values.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .summaryLine = "fp_div_f64 / fp_special_instructions / f64",
    },
    {
        .key = "fp_ops",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition =
            "All floating-point operations, W: the sum of fp_add, fp_mul, fp_div and fp_special.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.rank = 20},
        .examples = kFpOps,
    },
    {
        .key = "fp_ops_f16",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Floating-point operations on 16-bit values.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "fp_ops_f16_f32_f64", .rank = 40},
        .summaryLine = "fp_ops_f16 / f32 / f64",
    },
    {
        .key = "fp_ops_f32",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Floating-point operations on 32-bit values.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "fp_ops_f16_f32_f64", .rank = 40},
        .summaryLine = "fp_ops_f16 / f32 / f64",
    },
    {
        .key = "fp_ops_f64",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Floating-point operations on 64-bit values.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "fp_ops_f16_f32_f64", .rank = 40},
        .summaryLine = "fp_ops_f16 / f32 / f64",
    },
    {
        .key = "int_ops",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition =
            "Integer arithmetic, logic, shift and compare operations, a vector counting its lanes.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.rank = 50},
        .summaryLine = "int_ops / 64 / mul / mul_64 / div_uniform / fp_conversions",
    },
    {
        .key = "int_ops_64",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Those of int_ops on integers of more than 32 bits that compute no index: "
                      "compilers calculate those in 32 bits, or with one instruction more.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.rank = 51},
        .summaryLine = "int_ops / 64 / mul / mul_64 / div_uniform / fp_conversions",
    },
    {
        .key = "int_mul",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Products of integers that a device computes each time, a vector counting "
                      "its width: not those that are the same in all work-items, nor those of a "
                      "loop's counter, for which compilers add.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .summaryLine = "int_ops / 64 / mul / mul_64 / div_uniform / fp_conversions",
    },
    {
        .key = "int_mul_64",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Those of int_mul on more than 32 bits that compute no index, and whose "
                      "factors have more than 32 bits.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .summaryLine = "int_ops / 64 / mul / mul_64 / div_uniform / fp_conversions",
    },
    {
        .key = "int_div_uniform",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Integer divisions and remainders by a value that is the same in all "
                      "work-items and that the compiler does not know, a vector counting its "
                      "lanes.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.rank = 52},
        .summaryLine = "int_ops / 64 / mul / mul_64 / div_uniform / fp_conversions",
    },
    {
        .key = "fp_conversions",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Casts between floating-point numbers of different widths, a vector counting "
                      "its lanes. They are not in fp_ops.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.rank = 54},
        .summaryLine = "int_ops / 64 / mul / mul_64 / div_uniform / fp_conversions",
    },
    {
        .key = "matrix_ops",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Multiplications and additions of products of matrices by warps (tensor "
                      "cores): the sum of the four that follow. They are in no other count of "
                      "operations.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.rank = 56},
        .summaryLine = "matrix_ops / f16 / tf32 / i8 / f64",
    },
    {
        .key = "matrix_ops_f16",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Of matrix_ops, those on half and bfloat16.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "matrix_ops_f16_tf32_i8_f64", .rank = 57},
        .summaryLine = "matrix_ops / f16 / tf32 / i8 / f64",
    },
    {
        .key = "matrix_ops_tf32",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Of matrix_ops, those on tf32.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "matrix_ops_f16_tf32_i8_f64", .rank = 57},
        .summaryLine = "matrix_ops / f16 / tf32 / i8 / f64",
    },
    {
        .key = "matrix_ops_i8",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Of matrix_ops, those on integers of 8 bits.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "matrix_ops_f16_tf32_i8_f64", .rank = 57},
        .summaryLine = "matrix_ops / f16 / tf32 / i8 / f64",
    },
    {
        .key = "matrix_ops_f64",
        .category = Category::kCompute,
        .value = count("operations"),
        .definition = "Of matrix_ops, those on double.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "matrix_ops_f16_tf32_i8_f64", .rank = 57},
        .summaryLine = "matrix_ops / f16 / tf32 / i8 / f64",
    },
    {
        .key = "joined_accesses",
        .category = Category::kMemory,
        .value = count("accesses"),
        .definition = "Of the accesses to global, constant and local memory, those that a device "
                      "makes together with an earlier one: the further parts of a vector, or of an "
                      "aligned unit of up to 16 bytes, that a basic block accesses in parts.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.rank = 58},
        .summaryLine = "joined_accesses / chained_loads / rounds",
    },
    {
        .key = "chained_loads",
        .category = Category::kMemory,
        .value = count("accesses"),
        .definition = "Loads from global, constant and local memory whose address depends on what "
                      "they loaded before, as in a loop that follows a list: each waits for the "
                      "one before. Parts of a vector are one load.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.rank = 59},
        .summaryLine = "joined_accesses / chained_loads / rounds",
    },
    {
        .key = "load_rounds",
        .category = Category::kMemory,
        .value = count("rounds"),
        .definition =
            "In each basic block that a work-item executes, the most loads from global, "
            "constant and local memory of which each depends on the one before: as "
            "often, the work-item has to wait for memory. Parts of a vector are one load.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.rank = 59},
        .summaryLine = "joined_accesses / chained_loads / rounds",
    },
    {
        .key = "instruction_mix_factor",
        .category = Category::kCompute,
        .value = fraction(),
        .definition =
            "(additions + multiplications) / (2 max(additions, multiplications)), floating point: "
            "1 where they balance or there are none, 1/2 where only one kind occurs.",
        .launch = {Scaling::kDerived, LocalSize::kDoesNotMatter, Estimate::kMean},
        .compact = {.rank = 60},
    },
    {
        .key = "simd_width_max",
        .name = "Max SIMD Width",
        .category = Category::kParallelism,
        .value = count("elements"),
        .definition =
            "Largest number of data items that an instruction operates on; 1 for scalars.",
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kLowerBound},
        .compact = {.list = "simd_width_max_mean_sd"},
        .summaryLine = "SIMD Width max / mean / sd",
        .listedAfter = "load_imbalance",
    },
    {
        .key = "simd_width_mean",
        .name = "Mean SIMD Width",
        .category = Category::kParallelism,
        .value = real("elements"),
        .definition = "Mean number of data items that an instruction operates on.",
        .launch = {Scaling::kDerived, LocalSize::kDoesNotMatter, Estimate::kMean},
        .compact = {.list = "simd_width_max_mean_sd"},
        .summaryLine = "SIMD Width max / mean / sd",
    },
    {
        .key = "simd_width_sd",
        .name = "SD SIMD Width",
        .category = Category::kParallelism,
        .value = real("elements"),
        .definition = "Population standard deviation of the number of data items that an "
                      "instruction operates on.",
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kMean},
        .compact = {.list = "simd_width_max_mean_sd"},
        .summaryLine = "SIMD Width max / mean / sd",
    },
    {
        .key = "simd_operand_sum",
        .name = "SIMD Operand Sum",
        .category = Category::kParallelism,
        .value = count("elements"),
        .definition = "Data items operated on, summed over instructions.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
    },
    {
        .key = "instructions_per_operand",
        .name = "Instructions Per Operand",
        .category = Category::kParallelism,
        .value = number(),
        .definition = "Instructions / SIMD operand sum.",
        .launch = {Scaling::kDerived, LocalSize::kDoesNotMatter, Estimate::kMean},
        .listedAfter = "barriers_per_instruction",
    },
});

} // namespace aiwc::metrics::instruction_mix
