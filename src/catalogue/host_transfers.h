/// Data that the host copies to and from the device. The plugin counts it, because it is not in
/// traces.
#pragma once

#include "catalogue/description.h"

#include <array>

namespace aiwc::metrics::host_transfers {

inline constexpr auto kMetrics = std::to_array<MetricDescription>({
    {
        .key = "host_to_device_bytes",
        .category = Category::kMemory,
        .value = count("bytes"),
        .definition = "Bytes that the host wrote since the previous invocation ended.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kExact},
        .compact = {.list = "host_to_device_bytes_transfers", .rank = 250},
        .summaryLine = "host_to_device_bytes / transfers",
    },
    {
        .key = "host_to_device_transfers",
        .category = Category::kMemory,
        .value = count("transfers"),
        .definition = "Host writes since the previous invocation ended.",
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kExact},
        .compact = {.list = "host_to_device_bytes_transfers", .rank = 250},
        .summaryLine = "host_to_device_bytes / transfers",
    },
    {
        .key = "device_to_host_bytes",
        .category = Category::kMemory,
        .value = count("bytes"),
        .definition = "Bytes that the host read until the next invocation began.",
        .launch = {Scaling::kWorkItems, LocalSize::kDoesNotMatter, Estimate::kExact},
        .compact = {.list = "device_to_host_bytes_transfers", .rank = 260},
        .summaryLine = "device_to_host_bytes / transfers",
    },
    {
        .key = "device_to_host_transfers",
        .category = Category::kMemory,
        .value = count("transfers"),
        .definition = "Host reads until the next invocation began.",
        .launch = {Scaling::kStays, LocalSize::kDoesNotMatter, Estimate::kExact},
        .compact = {.list = "device_to_host_bytes_transfers", .rank = 260},
        .summaryLine = "device_to_host_bytes / transfers",
    },
});

} // namespace aiwc::metrics::host_transfers
