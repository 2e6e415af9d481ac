#include "extrapolate/lane_model.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace aiwc::extrapolate {

namespace {

constexpr uint64_t kSegmentBytes = 128;
constexpr uint64_t kGroups = 1000;

/// Sums over the accesses of groups of lanes.
struct Sums {
  double needed = 0, touched = 0;
  double executions = 0, uniform = 0, consecutive = 0;
};

/// Adds one execution of a memory instruction: the addresses of the active lanes, in their order.
void add(const std::vector<uint64_t> &addresses, uint64_t bytes, double weight, Sums &sums) {
  if (addresses.empty())
    return;
  const auto lanes = static_cast<double>(addresses.size());
  if (addresses.size() > 1) {
    bool uniform = true;
    bool consecutive = true;
    for (size_t i = 1; i < addresses.size(); ++i) {
      uniform = uniform && addresses[i] == addresses[0];
      consecutive = consecutive && addresses[i] == addresses[i - 1] + bytes;
    }
    sums.uniform += uniform ? weight * lanes : 0;
    sums.consecutive += consecutive ? weight * lanes : 0;
  }
  sums.executions += weight * lanes;
  std::vector<uint64_t> distinct = addresses;
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const uint64_t needed = (distinct.size() * bytes + kSegmentBytes - 1) / kSegmentBytes;
  uint64_t touched = 0;
  uint64_t last = UINT64_MAX;
  for (const uint64_t address : distinct)
    for (uint64_t segment = address / kSegmentBytes;
         segment <= (address + bytes - 1) / kSegmentBytes; ++segment)
      if (segment != last) {
        ++touched;
        last = segment;
      }
  sums.needed += weight * static_cast<double>(needed);
  sums.touched += weight * static_cast<double>(touched);
}

Sums ofRows(const Traversal &traversal, const sparse::Matrix &matrix, unsigned lanes) {
  Sums sums;
  const uint64_t groups = (uint64_t{matrix.rows} + lanes - 1) / lanes;
  const uint64_t step = std::max<uint64_t>(1, groups / kGroups);
  std::vector<uint64_t> addresses;
  for (uint64_t group = 0; group < groups; group += step) {
    const auto first = static_cast<uint32_t>(group * lanes);
    const auto last = static_cast<uint32_t>(std::min<uint64_t>(matrix.rows, first + lanes));
    uint64_t longest = 0;
    for (uint32_t row = first; row < last; ++row)
      longest = std::max(longest, matrix.degree(row));
    for (const Stream &stream : traversal.perRow) {
      addresses.clear();
      for (uint32_t row = first; row < last; ++row)
        addresses.push_back(row * stream.bytes);
      add(addresses, stream.bytes, static_cast<double>(stream.times), sums);
    }
    // The steps of a long row are alike.
    constexpr uint64_t kSteps = 64;
    const uint64_t stride = std::max<uint64_t>(1, longest / kSteps);
    for (uint64_t k = 0; k < longest; k += stride) {
      const auto weight = static_cast<double>(std::min(stride, longest - k));
      const auto inLoop = [&](uint64_t bytes, double times, const auto &address) {
        addresses.clear();
        for (uint32_t row = first; row < last; ++row)
          if (k < matrix.degree(row))
            addresses.push_back(address(row));
        add(addresses, bytes, weight * times, sums);
      };
      for (const Stream &stream : traversal.perNonZero)
        inLoop(stream.bytes, static_cast<double>(stream.times),
               [&](uint32_t row) { return (matrix.rowBegins[row] + k) * stream.bytes; });
      for (const Gather &gather : traversal.gathers)
        inLoop(std::min<uint64_t>(gather.span, kLineBytes), gather.times, [&](uint32_t row) {
          return (gather.byRow ? row : matrix.columnOf[matrix.rowBegins[row] + k]) * gather.span;
        });
    }
  }
  return sums;
}

Sums ofVisits(const Traversal &traversal, const sparse::Matrix &matrix, unsigned lanes) {
  Sums sums;
  const uint64_t groups = (matrix.nonZeros() + lanes - 1) / lanes;
  const uint64_t step = std::max<uint64_t>(1, groups / kGroups);
  std::vector<uint64_t> addresses;
  uint32_t row = 0;
  std::vector<uint32_t> rows;
  for (uint64_t group = 0; group < groups; group += step) {
    const uint64_t first = group * lanes;
    const uint64_t last = std::min<uint64_t>(matrix.nonZeros(), first + lanes);
    rows.clear();
    while (matrix.rowBegins[row + 1] <= first)
      ++row;
    uint32_t of = row;
    for (uint64_t visit = first; visit < last; ++visit) {
      while (matrix.rowBegins[of + 1] <= visit)
        ++of;
      rows.push_back(of);
    }
    for (const Stream &stream : traversal.perNonZero) {
      addresses.clear();
      for (uint64_t visit = first; visit < last; ++visit)
        addresses.push_back(visit * stream.bytes);
      add(addresses, stream.bytes, static_cast<double>(stream.times), sums);
    }
    for (const Gather &gather : traversal.gathers) {
      addresses.clear();
      for (uint64_t visit = first; visit < last; ++visit)
        addresses.push_back((gather.byRow ? rows[visit - first] : matrix.columnOf[visit]) *
                            gather.span);
      add(addresses, std::min<uint64_t>(gather.span, kLineBytes), gather.times, sums);
    }
  }
  return sums;
}

} // namespace

double rowUtilization(const Pattern &pattern, unsigned lanes, double perRow, double perNonZero) {
  const sparse::Matrix &matrix = pattern.matrix();
  double slots = 0;
  for (uint64_t first = 0; first < matrix.rows; first += lanes) {
    uint64_t longest = 0;
    const uint64_t last = std::min<uint64_t>(matrix.rows, first + lanes);
    for (uint64_t row = first; row < last; ++row)
      longest = std::max(longest, matrix.degree(static_cast<uint32_t>(row)));
    slots += lanes * (perRow + perNonZero * static_cast<double>(longest));
  }
  const double used = perRow * static_cast<double>(matrix.rows) +
                      perNonZero * static_cast<double>(matrix.nonZeros());
  return slots > 0 ? used / slots : 1;
}

double visitUtilization(const Pattern &pattern, Quantity visits, Quantity firstAt, unsigned lanes,
                        double perItem, double perTrip) {
  const sparse::Matrix &matrix = pattern.matrix();
  std::vector<uint8_t> seen(std::max(matrix.rows, matrix.columns));
  double used = 0;
  double slots = 0;
  unsigned inGroup = 0;
  double longest = 0;
  const auto endGroup = [&] {
    if (inGroup > 0)
      slots += lanes * (perItem + perTrip * longest);
    inGroup = 0;
    longest = 0;
  };
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (const uint32_t column : matrix.row(row)) {
      if (visits == Quantity::kOffDiagonal && column == row)
        continue;
      double trips = 0;
      const auto at = [&](uint32_t node) { trips += std::exchange(seen[node], 1) == 0 ? 1 : 2; };
      if (firstAt != Quantity::kUsedColumns)
        at(row);
      if (firstAt != Quantity::kNonEmptyRows)
        at(column);
      used += perItem + perTrip * trips;
      longest = std::max(longest, trips);
      if (++inGroup == lanes)
        endGroup();
    }
  endGroup();
  return slots > 0 ? used / slots : 1;
}

LaneAccesses laneAccesses(const Traversal &traversal, const Pattern &pattern, bool byVisit) {
  const auto sumsOf = [&](unsigned lanes) {
    return byVisit ? ofVisits(traversal, pattern.matrix(), lanes)
                   : ofRows(traversal, pattern.matrix(), lanes);
  };
  LaneAccesses result;
  for (size_t i = 0; i < result.coalescing.size(); ++i) {
    const Sums sums = sumsOf(kLaneGroups[i + 1]);
    result.coalescing[i] = sums.touched > 0 ? sums.needed / sums.touched : 1;
  }
  const Sums sums = sumsOf(kLaneGroups[0]);
  result.uniform = sums.executions > 0 ? sums.uniform / sums.executions : 0;
  result.consecutive = sums.executions > 0 ? sums.consecutive / sums.executions : 0;
  return result;
}

} // namespace aiwc::extrapolate
