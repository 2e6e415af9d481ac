#include "report/json_parts.h"

#include <array>
#include <string_view>

namespace aiwc::report {

namespace {

/// A metric with its name beside a spoke.
struct Axis {
  std::string_view key, name;
};

constexpr std::array<Axis, 13> kRadarAxes = {{
    {"opcode_90", "opcodes"},
    {"total_instruction_count", "instructions"},
    {"freedom_to_reorder", "freedom to reorder"},
    {"work_items", "work-items"},
    {"barriers_hit", "barriers"},
    {"itb_median", "to barrier"},
    {"simd_operand_sum", "SIMD operands"},
    {"footprint_bytes", "footprint"},
    {"global_memory_address_entropy", "address entropy"},
    {"local_memory_address_entropy_3", "local entropy"},
    {"unique_branches", "branches"},
    {"yokota_branch_entropy", "branch entropy"},
    {"linear_branch_entropy", "branch history"},
}};

Json axesJson(std::span<const Axis> axes) {
  Json rows = Json::array();
  for (const Axis &axis : axes)
    rows.push_back({{"key", axis.key}, {"name", axis.name}});
  return rows;
}

} // namespace

Json radarAxesJson() {
  return axesJson(kRadarAxes);
}

} // namespace aiwc::report
