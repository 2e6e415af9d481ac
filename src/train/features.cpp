#include "train/features.h"

#include <array>
#include <cmath>

namespace aiwc::train {

std::span<const profile::Metric> publishedFeatures() {
  static constexpr std::array kFeatures = {"opcode_90"_metric,
                                           "granularity"_metric,
                                           "barriers_per_instruction"_metric,
                                           "instructions_per_operand"_metric,
                                           "total_instruction_count"_metric,
                                           "work_items"_metric,
                                           "simd_operand_sum"_metric,
                                           "barriers_hit"_metric,
                                           "itb_min"_metric,
                                           "itb_max"_metric,
                                           "itb_median"_metric,
                                           "simd_width_max"_metric,
                                           "simd_width_mean"_metric,
                                           "simd_width_sd"_metric,
                                           "memory_footprint"_metric,
                                           "memory_footprint_90"_metric,
                                           "global_memory_address_entropy"_metric,
                                           "local_memory_address_entropy_1"_metric,
                                           "local_memory_address_entropy_2"_metric,
                                           "local_memory_address_entropy_3"_metric,
                                           "local_memory_address_entropy_4"_metric,
                                           "local_memory_address_entropy_5"_metric,
                                           "local_memory_address_entropy_6"_metric,
                                           "local_memory_address_entropy_7"_metric,
                                           "local_memory_address_entropy_8"_metric,
                                           "local_memory_address_entropy_9"_metric,
                                           "local_memory_address_entropy_10"_metric,
                                           "unique_branches"_metric,
                                           "unique_branches_90"_metric,
                                           "yokota_branch_entropy"_metric,
                                           "linear_branch_entropy"_metric};
  return kFeatures;
}

std::vector<std::vector<double>> featuresOf(const TrainingSet &set) {
  std::vector<std::vector<double>> result;
  result.reserve(set.workloads.size());
  for (const Workload &workload : set.workloads) {
    std::vector<double> &features = result.emplace_back();
    double launches = 0;
    for (const LaunchCount &launch : workload.launches)
      launches += launch.launches;
    for (const profile::Metric metric : publishedFeatures()) {
      double sum = 0;
      for (const LaunchCount &launch : workload.launches) {
        const double value = profile::toDouble((*launch.profile)[metric]);
        sum += std::isnan(value) ? 0 : launch.launches * value;
      }
      features.push_back(sum / launches);
    }
    features.insert(features.end(), {launches, workload.hostBytes, workload.hostTransfers});
  }
  return result;
}

} // namespace aiwc::train
