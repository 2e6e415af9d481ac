/// Memory footprints, reads and writes, and address entropies.
#pragma once

#include "catalogue/description.h"

#include <array>
#include <cstdint>

namespace aiwc::metrics::memory_addresses {

/// Numbers of least significant address bits that are dropped.
inline constexpr std::array<uint32_t, 10> kSkippedBits = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

inline constexpr auto kMetrics = std::to_array<MetricDescription>({
    {
        .key = "memory_footprint",
        .name = "Total Memory Footprint",
        .category = Category::kMemory,
        .value = count("addresses"),
        .definition = "Unique addresses accessed in global, constant and local memory.",
        // Each group has its own local memory.
        .launch = {Scaling::kWorkItems, LocalSize::kMatters, Estimate::kLowerBound},
        .compact = {.rank = 190},
    },
    {
        .key = "memory_footprint_90",
        .name = "90% Memory Footprint",
        .category = Category::kMemory,
        .value = count("addresses"),
        .definition = "Smallest number of addresses that cover at least 90 % of the accesses.",
        .launch = {Scaling::kWorkItems, LocalSize::kMatters, Estimate::kSample},
    },
    {
        .key = "unique_reads",
        .name = "Unique Reads",
        .category = Category::kMemory,
        .value = count("addresses"),
        .definition = "Unique addresses read.",
        .launch = {Scaling::kWorkItems, LocalSize::kMatters, Estimate::kLowerBound},
    },
    {
        .key = "unique_writes",
        .name = "Unique Writes",
        .category = Category::kMemory,
        .value = count("addresses"),
        .definition = "Unique addresses written.",
        .launch = {Scaling::kWorkItems, LocalSize::kMatters, Estimate::kLowerBound},
    },
    {
        .key = "unique_read_write_ratio",
        .name = "Unique Read/Write Ratio",
        .category = Category::kMemory,
        .value = number(),
        .definition = "Unique reads / unique writes.",
        .launch = {Scaling::kDerived, LocalSize::kMatters, Estimate::kSample},
    },
    {
        .key = "total_reads",
        .name = "Total Reads",
        .category = Category::kMemory,
        .value = count("accesses"),
        .definition = "Reads of global, constant and local memory.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.rank = 210},
    },
    {
        .key = "total_writes",
        .name = "Total Writes",
        .category = Category::kMemory,
        .value = count("accesses"),
        .definition = "Writes of global and local memory.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.rank = 220},
    },
    {
        .key = "reread_ratio",
        .name = "Reread Ratio",
        .category = Category::kMemory,
        .value = fraction(),
        .definition =
            "Unique reads / total reads: the smaller, the more often an address is read again.",
        .launch = {Scaling::kDerived, LocalSize::kMatters, Estimate::kSample},
    },
    {
        .key = "rewrite_ratio",
        .name = "Rewrite Ratio",
        .category = Category::kMemory,
        .value = fraction(),
        .definition = "Unique writes / total writes: the smaller, the more often an address is "
                      "written again.",
        .launch = {Scaling::kDerived, LocalSize::kMatters, Estimate::kSample},
    },
    {
        .key = "private_accesses",
        .category = Category::kMemory,
        .value = count("accesses"),
        .definition = "Reads and writes of private memory, which count nowhere else.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.rank = 225},
    },
    {
        .key = "bytes_read_global",
        .category = Category::kMemory,
        .value = count("bytes"),
        .definition = "Bytes read from global memory.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "bytes_read_global_local_constant", .rank = 230},
        .summaryLine = "bytes_read_global / local / constant",
    },
    {
        .key = "bytes_read_local",
        .category = Category::kMemory,
        .value = count("bytes"),
        .definition = "Bytes read from local memory.",
        .launch = {Scaling::kWorkItems, LocalSize::kMatters, Estimate::kTotal},
        .compact = {.list = "bytes_read_global_local_constant", .rank = 230},
        .summaryLine = "bytes_read_global / local / constant",
    },
    {
        .key = "bytes_read_constant",
        .category = Category::kMemory,
        .value = count("bytes"),
        .definition = "Bytes read from constant memory.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "bytes_read_global_local_constant", .rank = 230},
        .summaryLine = "bytes_read_global / local / constant",
    },
    {
        .key = "bytes_written_global",
        .category = Category::kMemory,
        .value = count("bytes"),
        .definition = "Bytes written to global memory.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "bytes_written_global_local_constant", .rank = 240},
        .summaryLine = "bytes_written_global / local / constant",
    },
    {
        .key = "bytes_written_local",
        .category = Category::kMemory,
        .value = count("bytes"),
        .definition = "Bytes written to local memory.",
        .launch = {Scaling::kWorkItems, LocalSize::kMatters, Estimate::kTotal},
        .compact = {.list = "bytes_written_global_local_constant", .rank = 240},
        .summaryLine = "bytes_written_global / local / constant",
    },
    {
        .key = "bytes_written_constant",
        .category = Category::kMemory,
        .value = count("bytes"),
        .definition = "Bytes written to constant memory.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kTotal},
        .compact = {.list = "bytes_written_global_local_constant", .rank = 240},
        .summaryLine = "bytes_written_global / local / constant",
    },
    {
        .key = "footprint_bytes",
        .category = Category::kMemory,
        .value = count("bytes"),
        .definition = "Distinct bytes touched in global, constant and local memory.",
        .launch = {Scaling::kWorkItems, LocalSize::kMatters, Estimate::kLowerBound},
        .compact = {.rank = 200},
    },
    {
        .key = "global_memory_address_entropy",
        .name = "Global Memory Address Entropy",
        .category = Category::kMemory,
        .value = real("bits"),
        .definition =
            "Entropy -sum p log2 p over addresses, p being an address's share of the accesses: "
            "log2 n for n addresses accessed equally often, 0 for a single one.",
        .launch = {Scaling::kLogarithm, LocalSize::kMatters, Estimate::kSample},
    },
    {
        .key = "local_memory_address_entropy",
        .name = "LMAE -- Skipped {} LSBs",
        .parameters = kSkippedBits,
        .category = Category::kMemory,
        .value = real("bits"),
        .definition = "Entropy of the accessed addresses after their k least significant bits are "
                      "dropped, address space and buffer kept apart. How fast it falls with k "
                      "tells the spatial locality.",
        .launch = {Scaling::kLogarithm, LocalSize::kMatters, Estimate::kSample},
        .compact = {.list = "local_memory_address_entropy_1_to_10"},
        .summaryLine = "LMAE -- Skipped {} LSBs",
    },
});

} // namespace aiwc::metrics::memory_addresses
