#include "report/launch_groups.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace aiwc::report {

using predict::LaunchDemand;
using profile::KernelProfile;

namespace {

constexpr std::array kFields = {
    DemandField{"workItems", &LaunchDemand::workItems},
    DemandField{"workGroups", &LaunchDemand::workGroups},
    DemandField{"workGroupSize", &LaunchDemand::workGroupSize},
    DemandField{"instructions", &LaunchDemand::instructions},
    DemandField{"itemInstructions", &LaunchDemand::itemInstructions},
    DemandField{"groupInstructions", &LaunchDemand::groupInstructions},
    DemandField{"accesses", &LaunchDemand::accesses},
    DemandField{"privateAccesses", &LaunchDemand::privateAccesses},
    DemandField{"jointAccesses", &LaunchDemand::jointAccesses},
    DemandField{"globalBytes", &LaunchDemand::globalBytes},
    DemandField{"localBytes", &LaunchDemand::localBytes},
    DemandField{"barriers", &LaunchDemand::barriers},
    DemandField{"divisions", &LaunchDemand::divisions},
    DemandField{"integerDivisions", &LaunchDemand::integerDivisions},
    DemandField{"specialOperations", &LaunchDemand::specialOperations},
    DemandField{"doubleOperations", &LaunchDemand::doubleOperations},
    DemandField{"doubleConversions", &LaunchDemand::doubleConversions},
    DemandField{"contendedAtomics", &LaunchDemand::contendedAtomics},
    DemandField{"hostBytes", &LaunchDemand::hostBytes},
    DemandField{"hostTransfers", &LaunchDemand::hostTransfers},
};

/// All numbers of a demand but its misses, instructions first: equal ones are one group, and
/// neighbours in this order are alike.
using Key = std::vector<double>;

Key keyOf(const LaunchDemand &demand) {
  Key key{demand.instructions};
  for (const DemandField &field : kFields)
    key.push_back(demand.*field.member);
  key.insert(key.end(), demand.laneUtilization.begin(), demand.laneUtilization.end());
  key.insert(key.end(), demand.coalescing.begin(), demand.coalescing.end());
  return key;
}

/// The mean launch of several groups: its sums over all launches are theirs. Shares of lanes and
/// segments are weighted as the times that they divide.
LaunchGroup meanOf(std::span<const LaunchGroup> groups) {
  LaunchGroup mean = groups.back();
  if (groups.size() == 1)
    return mean;
  mean.launches = 0;
  double weight = 0;
  for (const LaunchGroup &group : groups) {
    mean.launches += group.launches;
    weight += static_cast<double>(group.launches);
  }
  const auto average = [&](auto valueOf) {
    double sum = 0;
    for (const LaunchGroup &group : groups)
      sum += static_cast<double>(group.launches) * valueOf(group.demand);
    return sum / weight;
  };
  for (const DemandField &field : kFields)
    mean.demand.*field.member =
        average([&](const LaunchDemand &demand) { return demand.*field.member; });
  const auto harmonic = [&](auto shareOf, double LaunchDemand::*amount) {
    const double ideal = average([&](const LaunchDemand &demand) { return demand.*amount; });
    const double real =
        average([&](const LaunchDemand &demand) { return demand.*amount / shareOf(demand); });
    return real > 0 ? ideal / real : 1;
  };
  for (size_t i = 0; i < mean.demand.laneUtilization.size(); ++i)
    mean.demand.laneUtilization[i] =
        harmonic([i](const LaunchDemand &demand) { return demand.laneUtilization[i]; },
                 &LaunchDemand::instructions);
  for (size_t i = 0; i < mean.demand.coalescing.size(); ++i)
    mean.demand.coalescing[i] =
        harmonic([i](const LaunchDemand &demand) { return demand.coalescing[i]; },
                 &LaunchDemand::globalBytes);
  return mean;
}

/// One curve for each size of a cache line, the sum of those with this size, as if they were one
/// launch.
std::vector<MissCurve> summed(std::span<const MissCurve> curves) {
  struct Sum {
    uint64_t workGroups = 0, cold = 0;
    double workItems = 0;
    std::map<uint64_t, uint64_t> distances;
  };
  std::map<uint64_t, Sum> sums;
  for (const MissCurve &curve : curves) {
    Sum &sum = sums[curve.lineBytes];
    sum.workGroups += curve.launches * curve.workGroups;
    sum.workItems += static_cast<double>(curve.launches * curve.workGroups) * curve.workGroupSize;
    sum.cold += curve.launches * curve.coldAccesses;
    for (const auto &[distance, accesses] : curve.distances)
      sum.distances[distance] += curve.launches * accesses;
  }
  std::vector<MissCurve> result;
  result.reserve(sums.size());
  for (const auto &[lineBytes, sum] : sums)
    result.push_back({1,
                      lineBytes,
                      sum.workGroups,
                      sum.workItems / static_cast<double>(sum.workGroups),
                      sum.cold,
                      {sum.distances.begin(), sum.distances.end()}});
  return result;
}

} // namespace

std::span<const DemandField> demandFields() {
  return kFields;
}

MissCurve curveOf(const KernelProfile &launch) {
  const LaunchDemand demand = predict::demandOf(launch);
  return {1,
          launch.reuse.lineBytes,
          launch.count("work_groups"_metric),
          demand.workGroupSize,
          launch.reuse.coldAccesses,
          launch.histograms.reuseDistances};
}

LaunchGroups groupedLaunches(std::span<const KernelProfile *const> launches) {
  std::map<Key, LaunchGroup> groups;
  std::map<MissCurve, uint64_t> curves;
  for (const KernelProfile *launch : launches) {
    LaunchDemand demand = predict::demandOf(*launch);
    LaunchGroup &group = groups[keyOf(demand)];
    if (group.launches++ == 0)
      group.demand = std::move(demand);
    ++curves[curveOf(*launch)];
  }
  LaunchGroups result;
  for (auto &[key, group] : groups)
    result.groups.push_back(std::move(group));
  for (const auto &[curve, count] : curves) {
    result.curves.push_back(curve);
    result.curves.back().launches = count;
  }
  if (result.curves.size() > kMostCurves)
    result.curves = summed(result.curves);
  if (result.groups.size() > kMostGroups) {
    result.pooled = true;
    const std::span all(result.groups);
    std::vector<LaunchGroup> pools;
    for (size_t i = 0; i < kMostGroups; ++i) {
      const size_t begin = i * all.size() / kMostGroups;
      const size_t end = (i + 1) * all.size() / kMostGroups;
      pools.push_back(meanOf(all.subspan(begin, end - begin)));
    }
    result.groups = std::move(pools);
  }
  return result;
}

} // namespace aiwc::report
