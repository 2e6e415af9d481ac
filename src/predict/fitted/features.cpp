#include "predict/fitted/features.h"

#include <fmt/format.h>

#include <algorithm>

namespace aiwc::predict {

namespace {

double perInstruction(double count, const LaunchDemand &demand) {
  return demand.instructions > 0 ? 100 * count / demand.instructions : 0;
}

constexpr std::array<Feature, kFeatureCount> kFeatures = {{
    {"work_items", "work-items", [](const LaunchDemand &demand) { return demand.workItems; }},
    {"work_group_size", "work-items of a work-group",
     [](const LaunchDemand &demand) { return demand.workGroupSize; }},
    {"item_instructions", "instructions of a work-item",
     [](const LaunchDemand &demand) { return demand.itemInstructions; }},
    {"barriers", "barriers of a work-item",
     [](const LaunchDemand &demand) { return demand.barriers; }},
    {"local_bytes", "bytes of local memory in a hundred instructions",
     [](const LaunchDemand &demand) { return perInstruction(demand.localBytes, demand); }},
    {"special_operations", "divisions and special functions in a hundred instructions",
     [](const LaunchDemand &demand) {
       return perInstruction(demand.divisions + demand.specialOperations, demand);
     }},
    {"double_operations", "64-bit floating-point operations in a hundred instructions",
     [](const LaunchDemand &demand) { return perInstruction(demand.doubleOperations, demand); }},
    {"contended_atomics", "atomics on one address",
     [](const LaunchDemand &demand) { return demand.contendedAtomics; }},
}};

} // namespace

std::span<const Feature, kFeatureCount> features() {
  return kFeatures;
}

void include(const LaunchDemand &demand, TrainingRanges &seen) {
  const bool first = seen.empty();
  seen.resize(kFeatureCount);
  for (size_t i = 0; i < kFeatureCount; ++i) {
    const double value = kFeatures[i].of(demand);
    seen[i].low = first ? value : std::min(seen[i].low, value);
    seen[i].high = first ? value : std::max(seen[i].high, value);
  }
}

std::vector<std::string> featuresOutsideTraining(const LaunchDemand &demand,
                                                 const TrainingRanges &seen) {
  std::vector<std::string> found;
  for (size_t i = 0; i < seen.size(); ++i) {
    const double value = kFeatures[i].of(demand);
    if (value > kOutsideFactor * seen[i].high && value >= 1)
      found.push_back(fmt::format("{:.3g} {} (at most {:.3g} in training)", value,
                                  kFeatures[i].name, seen[i].high));
    else if (value * kOutsideFactor < seen[i].low)
      found.push_back(fmt::format("{:.3g} {} (at least {:.3g} in training)", value,
                                  kFeatures[i].name, seen[i].low));
  }
  return found;
}

} // namespace aiwc::predict
