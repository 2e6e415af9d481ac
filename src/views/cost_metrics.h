/// The few numbers that say what a kernel costs, wherever it runs: what `aiwc diff` and a page with
/// `--compare` show of a change.
#pragma once

#include <array>
#include <string_view>

namespace aiwc::views {

struct CostMetric {
  std::string_view key;  ///< of a Quantity
  std::string_view name; ///< for people
  bool fewerIsBetter = true;
};
inline constexpr std::array<CostMetric, 8> kCostMetrics = {{
    {"total_instruction_count", "instructions"},
    {"fp_ops", "floating-point operations"},
    {"fp_ops_f64", "of them 64-bit"},
    {"bytes_read_global", "read from global memory"},
    {"bytes_written_global", "written to global memory"},
    {"dram_bytes@32KiB", "misses of 32 KiB of cache"},
    {"coalescing_32", "coalescing of 32 lanes", false},
    {"lane_utilization_32", "use of 32 lanes", false},
}};

} // namespace aiwc::views
