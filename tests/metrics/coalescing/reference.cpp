#include "metrics/brute_force_common.h"

namespace aiwc::test {

using namespace trace;

namespace {

/// What a lane accesses in one execution of an instruction, in one address space.
struct LaneAccess {
  uint64_t begin = 0, end = 0;
  bool onePiece = true; ///< each access begins within or right after those before
};

void vectorAccesses(const Execution &execution, BruteForce &result) {
  constexpr uint32_t kLanes = 8;
  uint64_t all = 0, uniform = 0, consecutive = 0;
  for (const GroupTrace &group : execution.groups)
    for (const Interval &interval : group.intervals) {
      // (lane group, address space, block, operation, k) -> by lane
      using Key = std::tuple<uint32_t, AddressSpace, BlockId, uint32_t, uint64_t>;
      std::map<Key, std::map<uint32_t, LaneAccess>> together;
      std::map<std::pair<uint32_t, BlockId>, uint64_t> executions;
      for (const Stretch &stretch : interval.stretches)
        for (const Step &step : stretch.steps) {
          const uint64_t k = executions[{stretch.item, step.block}]++;
          if (stretch.item == Run::kWorkGroup)
            continue;
          for (const Access &access : step.accesses) {
            if (access.addressSpace() == AddressSpace::kPrivate || access.size == 0)
              continue;
            auto &lanes = together[{stretch.item / kLanes, access.addressSpace(), step.block,
                                    access.opOffset, k}];
            const uint64_t end = access.address + access.size;
            const auto [lane, first] =
                lanes.try_emplace(stretch.item, LaneAccess{access.address, end});
            LaneAccess &made = lane->second;
            made.onePiece &= access.address >= made.begin && access.address <= made.end;
            if (!first && made.onePiece)
              made.end = std::max(made.end, end);
          }
        }
      for (const auto &[key, lanes] : together) {
        all += lanes.size();
        bool same = lanes.size() > 1, following = lanes.size() > 1;
        const LaneAccess *before = nullptr;
        for (const auto &[lane, access] : lanes) {
          const LaneAccess &first = lanes.begin()->second;
          const bool alike =
              access.onePiece && access.end - access.begin == first.end - first.begin;
          same &= alike && access.begin == first.begin;
          following &= alike && (before == nullptr || access.begin == before->end);
          before = &access;
        }
        uniform += same ? lanes.size() : 0;
        consecutive += following ? lanes.size() : 0;
      }
    }
  result.values["uniform_accesses"_metric] = ratio(uniform, all);
  result.values["consecutive_accesses"_metric] = ratio(consecutive, all);
}

} // namespace

void coalescing::reference(const Traced &traced, BruteForce &result) {
  const Execution &execution = traced.execution;
  if (mayBeSampled(execution))
    return;
  vectorAccesses(execution, result);
  for (size_t i = 0; i < 3; ++i) {
    const uint32_t width = 16u << i;
    uint64_t needed = 0, touched = 0;
    for (const GroupTrace &group : execution.groups)
      for (const Interval &interval : group.intervals) {
        // (lane group, block, operation, k) -> bytes
        std::map<std::tuple<uint32_t, BlockId, uint32_t, uint64_t>, std::vector<uint64_t>> bytes;
        std::map<std::pair<uint32_t, BlockId>, uint64_t> executions;
        for (const Stretch &stretch : interval.stretches)
          for (const Step &step : stretch.steps) {
            const uint64_t k = executions[{stretch.item, step.block}]++;
            for (const Access &access : step.accesses)
              for (uint32_t byte = 0; byte < access.size; ++byte)
                if (access.addressSpace() == AddressSpace::kGlobal)
                  bytes[{stretch.item / width, step.block, access.opOffset, k}].push_back(
                      access.address + byte);
          }
        for (const auto &[together, list] : bytes) {
          const std::set<uint64_t> distinct(list.begin(), list.end());
          std::set<uint64_t> segments;
          for (const uint64_t byte : distinct)
            segments.insert(byte / 128);
          needed += (distinct.size() + 127) / 128;
          touched += segments.size();
        }
      }
    result.values[kVectorMetric<"coalescing">.of(width)] = ratio(needed, touched);
    if (i == 0)
      result.values["coalescing_measured"_metric] = ratio(touched > 0, touched > 0);
  }
}

} // namespace aiwc::test
