#include "metrics/sampled_groups/line_sharing.h"

#include "common/wide.h"
#include "metrics/shared/reuse_lines.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace aiwc::metrics {

namespace {

constexpr uint64_t kNoLine = UINT64_MAX;

} // namespace

LineSharing::LineSharing(uint32_t lineBytes)
    : lineShift_(static_cast<unsigned>(std::countr_zero(lineBytes))),
      recent_(size_t{1} << kRecentBits, kNoLine) {}

void LineSharing::beginGroup(uint64_t rank) {
  rank_ = rank;
  std::ranges::fill(recent_, kNoLine);
}

void LineSharing::consume(const trace::Chunk &chunk) {
  for (const trace::Access &access : chunk.accesses)
    forEachReuseLine(access, lineShift_, [this](uint64_t line) { touch(line); });
}

void LineSharing::touch(uint64_t line) {
  uint64_t &recent = recent_[line * 0x9E3779B97F4A7C15U >> (64 - kRecentBits)];
  if (recent == line)
    return;
  recent = line;
  // A consumer gets its groups by increasing rank.
  const auto [entry, isNew] = users_.try_emplace(line, Users{rank_, rank_, 1});
  Users &users = entry->second;
  if (users.last == rank_)
    return;
  users.last = rank_;
  ++users.groups;
}

void LineSharing::merge(const LineSharing &other) {
  for (const auto &[line, more] : other.users_) {
    const auto [entry, isNew] = users_.try_emplace(line, more);
    if (isNew)
      continue;
    Users &users = entry->second;
    users = {std::min(users.first, more.first), std::max(users.last, more.last),
             users.groups + more.groups};
  }
}

LineSharing::Lines LineSharing::lines(const SampledShare &share, std::vector<MemoryRange> memory,
                                      const LineSharing *before) const {
  /// The lines of a range that the sample accesses.
  struct Used {
    uint64_t all = 0, ofOneGroup = 0, ofEachGroup = 0, known = 0;
  };
  std::ranges::sort(memory, {}, &MemoryRange::address);
  std::vector<Used> used(memory.size() + 1); // the last: elsewhere
  const auto rangeOf = [&](uint64_t line) {
    const uint64_t lastByte = ((line + 1) << lineShift_) - 1; // a range may begin within a line
    const auto next = std::ranges::upper_bound(memory, lastByte, {}, &MemoryRange::address);
    if (next == memory.begin())
      return memory.size();
    const auto at = static_cast<size_t>(next - memory.begin()) - 1;
    const bool inside = (line << lineShift_) < memory[at].address + memory[at].bytes;
    return inside ? at : memory.size();
  };
  // Groups that were not sampled, per sampled group.
  const double others =
      static_cast<double>(share.totalItems) / static_cast<double>(share.items) - 1;
  std::map<uint64_t, double> gaps;
  for (const auto &[line, users] : users_) {
    Used &range = used[rangeOf(line)];
    ++range.all;
    range.ofEachGroup += users.groups;
    range.known += before && before->users_.contains(line);
    if (users.groups == 1)
      ++range.ofOneGroup;
    else // the launch has more groups between two users, and more users, by the same factor
      gaps[(users.last - users.first + (users.groups - 1) / 2) / (users.groups - 1)] += others;
  }
  Lines lines;
  uint64_t ofEachGroup = 0;
  for (size_t i = 0; i < used.size(); ++i) {
    const Used &range = used[i];
    lines.all += range.all;
    ofEachGroup += range.ofEachGroup;
    const double wanted = static_cast<double>(range.ofOneGroup) * others;
    double added = wanted;
    lines.ranges.emplace_back();
    if (i < memory.size()) {
      const uint64_t first = memory[i].address >> lineShift_;
      const uint64_t size =
          (memory[i].address + memory[i].bytes - 1) / (1U << lineShift_) - first + 1;
      lines.ranges.back().limit = size;
      added = std::min(wanted, static_cast<double>(size - std::min(size, range.all)));
      if (added < wanted) {
        // All of the range is used, by so many groups per line; suppose they are evenly spread.
        const double users =
            static_cast<double>(range.ofEachGroup) * (1 + others) / static_cast<double>(size);
        const double gap = static_cast<double>(share.totalGroups) / std::max(1.0, users);
        gaps[std::max<uint64_t>(1, std::llround(gap))] += wanted - added;
      }
    }
    lines.added += static_cast<uint64_t>(std::llround(added));
    lines.cut += static_cast<uint64_t>(std::llround(wanted - added));
    LineSharing::Lines::Range &last = lines.ranges.back();
    last.lines = range.all + static_cast<uint64_t>(std::llround(added));
    last.fresh = range.all == 0 ? 0 : *scaledCount(last.lines, range.all - range.known, range.all);
  }
  lines.ofGroup = static_cast<double>(ofEachGroup) / static_cast<double>(share.groups);
  for (const auto &[gap, count] : gaps)
    if (const auto rounded = static_cast<uint64_t>(std::llround(count)); rounded > 0)
      lines.gaps.emplace_back(gap, rounded);
  return lines;
}

bool LineSharing::isSimple(const SampledShare &share,
                           const std::vector<MemoryRange> &memory) const {
  constexpr uint64_t kPart = 20;
  uint64_t some = 0;
  for (const auto &[line, users] : users_)
    some += users.groups > 1 && users.groups < share.groups;
  const Lines estimate = lines(share, memory);
  return some <= users_.size() / kPart && estimate.cut <= (estimate.all + estimate.added) / kPart;
}

} // namespace aiwc::metrics
