#include "metrics/sampled_groups/line_clusters.h"

#include "common/hash.h"
#include "metrics/shared/reuse_lines.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <utility>

namespace aiwc::metrics {

namespace {

constexpr uint64_t kNoLine = UINT64_MAX;

/// Whether a line is among the one of 2^halvings that are kept.
bool isKept(uint64_t line, unsigned halvings) {
  constexpr unsigned kShift = 20; // the lowest bits of a hash depend on those of the line only
  return (fibonacciHash(line) >> kShift & ((uint64_t{1} << halvings) - 1)) == 0;
}

} // namespace

LineClusters::LineClusters(uint32_t lineBytes, std::shared_ptr<const GroupSample> sample)
    : lineShift_(static_cast<unsigned>(std::countr_zero(lineBytes))), sample_(std::move(sample)),
      recent_(size_t{1} << kRecentBits, kNoLine) {}

void LineClusters::beginGroup(uint64_t group) {
  follows_ = sample_->isInCluster(group);
  if (!follows_)
    return;
  group_ = group;
  halvings_ = 0;
  lines_.clear();
  std::ranges::fill(recent_, kNoLine);
}

void LineClusters::consume(const trace::Chunk &chunk) {
  if (!follows_)
    return;
  for (const trace::Access &access : chunk.accesses)
    forEachReuseLine(access, lineShift_, [this](uint64_t line) { touch(line); });
}

void LineClusters::touch(uint64_t line) {
  uint64_t &recent = recent_[fibonacciHash(line) >> (64 - kRecentBits)];
  if (recent == line)
    return;
  recent = line;
  if (!isKept(line, halvings_))
    return;
  lines_.insert(line);
  while (lines_.size() > kMost) {
    ++halvings_;
    std::erase_if(lines_, [this](uint64_t of) { return !isKept(of, halvings_); });
  }
}

void LineClusters::endGroup() {
  if (!std::exchange(follows_, false))
    return;
  LineSet &set = sets_[group_];
  set.halvings = halvings_;
  set.lines.assign(lines_.begin(), lines_.end());
  std::ranges::sort(set.lines);
}

void LineClusters::merge(LineClusters &other) {
  sets_.merge(other.sets_);
}

uint64_t LineClusters::linesOf(const MemoryRange &range) const {
  return ((range.address + range.bytes - 1) >> lineShift_) - (range.address >> lineShift_) + 1;
}

size_t LineClusters::rangeOf(uint64_t line, std::span<const MemoryRange> memory) const {
  const uint64_t lastByte = ((line + 1) << lineShift_) - 1; // a range may begin within a line
  const auto next = std::ranges::upper_bound(memory, lastByte, {}, &MemoryRange::address);
  if (next == memory.begin())
    return memory.size();
  const auto at = static_cast<size_t>(next - memory.begin()) - 1;
  const bool inside = (line << lineShift_) < memory[at].address + memory[at].bytes;
  return inside ? at : memory.size();
}

LineClusters::Lines LineClusters::lines(size_t stratum, std::span<const MemoryRange> memory) const {
  struct Run {
    double clusters = 0, fresh = 0;
  };
  /// Clusters of groups that have the same edges.
  struct Kind {
    double groups = 0, clusters = 0;
    std::map<size_t, Run> runs{};
  };
  std::map<unsigned, Kind> kinds;
  double groups = 0;
  for (const GroupSample::Cluster &cluster : sample_->clusters())
    if (cluster.stratum == stratum && sets_.contains(cluster.group)) {
      Kind &kind = kinds[cluster.edges];
      if (++kind.clusters == 1)
        groups += kind.groups = cluster.groups;
    }

  const uint64_t row = sample_->groupsOfRow(), plane = sample_->groupsOfPlane();
  const uint64_t aboveIsAt = std::min(row + 1, plane - 1);
  Lines result;
  result.ranges.resize(memory.size() + 1);
  for (const GroupSample::Cluster &cluster : sample_->clusters()) {
    const auto own = sets_.find(cluster.group);
    if (cluster.stratum != stratum || own == sets_.end())
      continue;
    Kind &kind = kinds[cluster.edges];
    unsigned halvings = own->second.halvings;
    std::vector<std::pair<uint64_t, const LineSet *>> before; // with how far it is away
    for (const uint64_t group : cluster.before)
      if (const auto set = sets_.find(group); set != sets_.end()) {
        before.emplace_back(cluster.group - group, &set->second);
        halvings = std::max(halvings, set->second.halvings);
      }
    const double kept = std::ldexp(1, static_cast<int>(halvings)); // lines for each that is kept
    const double weight = kept * kind.groups / kind.clusters / groups;
    Run &run = kind.runs[cluster.run];
    ++run.clusters;
    for (const uint64_t line : own->second.lines) {
      if (!isKept(line, halvings))
        continue;
      const auto user = std::ranges::find_if(before, [line](const auto &group) {
        return std::ranges::binary_search(group.second->lines, line);
      });
      const bool isFresh = user == before.end();
      const uint64_t gap = isFresh ? UINT64_MAX : user->first;
      Lines::Range &range = result.ranges[rangeOf(line, memory)];
      range.accessed += weight;
      range.fresh[0] += gap > 1 ? weight : 0;
      range.fresh[1] += gap > aboveIsAt ? weight : 0;
      range.fresh[2] += isFresh ? weight : 0;
      run.fresh += isFresh ? kept : 0;
      if (!isFresh)
        result.gaps[gap] += weight;
    }
  }
  for (const Lines::Range &range : result.ranges) {
    result.accessed += range.accessed;
    result.fresh += range.fresh[2];
  }
  double variance = 0;
  for (const auto &[edges, kind] : kinds) {
    const auto runs = static_cast<double>(kind.runs.size());
    if (runs < 2 || kind.clusters == kind.groups)
      continue;
    double sum = 0, squares = 0;
    for (const auto &[number, run] : kind.runs) {
      const double mean = run.fresh / run.clusters;
      sum += mean;
      squares += mean * mean;
    }
    const double share = kind.groups / groups;
    variance += share * share * std::max(0.0, squares - sum * sum / runs) / (runs * (runs - 1));
  }
  result.error = std::sqrt(variance);
  return result;
}

std::vector<double> LineClusters::seen(std::span<const MemoryRange> memory) const {
  unsigned halvings = 0;
  size_t most = 0;
  for (const auto &[group, set] : sets_) {
    halvings = std::max(halvings, set.halvings);
    most += set.lines.size();
  }
  std::vector<uint64_t> lines;
  lines.reserve(most);
  for (const auto &[group, set] : sets_)
    std::ranges::copy_if(set.lines, std::back_inserter(lines),
                         [&](uint64_t line) { return isKept(line, halvings); });
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  std::vector<double> result(memory.size() + 1);
  for (const uint64_t line : lines)
    result[rangeOf(line, memory)] += std::ldexp(1, static_cast<int>(halvings));
  return result;
}

} // namespace aiwc::metrics
