#include "embed/compact_histogram.h"

#include "common/wide.h"
#include "profile/reuse.h"

#include <algorithm>

namespace aiwc::embed {

using profile::Histogram;

namespace {

/// Groups level widths. Groups are given by indices into the widths, and computed from sums over
/// all smaller widths.
class LevelGroups {
public:
  explicit LevelGroups(const Histogram &levels) : levels_(levels) {
    for (const auto &[width, count] : levels) {
      countBefore_.push_back(countBefore_.back() + count);
      operationsBefore_.push_back(operationsBefore_.back() + Wide{width} * count);
    }
  }

  /// Whether levels or operations exceed those of any real profile, so that the sums below would
  /// overflow.
  bool beyondCounts() const {
    return countBefore_.back() > kLargestCount || operationsBefore_.back() > kLargestCount;
  }

  /// One past the last width of the group that begins with `begin`: as many as the bound allows,
  /// which is monotone, for the flattest of more levels is flatter.
  size_t end(size_t begin) const {
    size_t good = begin + 1;
    size_t bad = levels_.size() + 1;
    for (size_t step = 1; good < levels_.size(); step *= 2) {
      const size_t next = std::min(begin + 1 + step, levels_.size());
      if (!allowed(begin, next)) {
        bad = next;
        break;
      }
      good = next;
    }
    while (bad - good > 1 && good < levels_.size()) {
      const size_t middle = good + (bad - good) / 2;
      (allowed(begin, middle) ? good : bad) = middle;
    }
    return good;
  }

  void append(size_t begin, size_t end, Histogram &result) const {
    const Mean mean(*this, begin, end);
    const auto add = [&](uint64_t width, Wide count) {
      if (count == 0)
        return;
      if (!result.empty() && result.back().first == width)
        result.back().second += static_cast<uint64_t>(count);
      else
        result.emplace_back(width, static_cast<uint64_t>(count));
    };
    add(mean.width, mean.count - mean.remainder);
    add(mean.width + 1, mean.remainder);
  }

private:
  /// `count` levels, of which `remainder` are one operation wider than the others.
  struct Mean {
    Mean(const LevelGroups &groups, size_t begin, size_t end)
        : count(groups.countBefore_[end] - groups.countBefore_[begin]) {
      const Wide sum = groups.operationsBefore_[end] - groups.operationsBefore_[begin];
      width = count == 0 ? 0 : static_cast<uint64_t>(sum / count);
      remainder = count == 0 ? 0 : sum % count;
    }
    Wide count;
    uint64_t width = 0;
    Wide remainder = 0;
  };

  /// The loss of the group's sum of w / min(w, n), times n, and the whole sum, times n, are both
  /// linear between widths, so their quotient is largest at one of the widths.
  bool allowed(size_t begin, size_t end) const {
    const Mean mean(*this, begin, end);
    size_t i = begin; // first width beyond n
    const auto within = [&](uint64_t n) {
      while (i < end && levels_[i].first <= n)
        ++i;
      const Wide before = n * (countBefore_[i] - countBefore_[begin]) + operationsBefore_[end] -
                          operationsBefore_[i];
      const Wide after = (mean.count - mean.remainder) * std::max(n, mean.width) +
                         mean.remainder * std::max(n, mean.width + 1);
      const Wide all = n * countBefore_[i] + operationsBefore_.back() - operationsBefore_[i];
      return static_cast<long double>(before - after) <=
             static_cast<long double>(kLevelBound) * static_cast<long double>(all);
    };
    size_t next = begin; // of the group's widths, and the mean's two among them, in order
    for (const uint64_t n : {mean.width, mean.width + 1}) {
      for (; next < end && levels_[next].first <= n; ++next)
        if (!within(levels_[next].first))
          return false;
      if (!within(n))
        return false;
    }
    for (; next < end; ++next)
      if (!within(levels_[next].first))
        return false;
    return true;
  }

  const Histogram &levels_;
  std::vector<Wide> countBefore_{0};
  std::vector<Wide> operationsBefore_{0};
};

/// Accesses with a distance below that of the i-th bin's begin, and what follows from them.
class ReuseRanges {
public:
  ReuseRanges(const Histogram &distances, uint64_t coldAccesses)
      : distances_(distances), all_(coldAccesses) {
    for (const auto &[lowest, accesses] : distances) {
      before_.push_back(before_.back() + accesses);
      all_ += accesses;
    }
  }

  ReuseRange range(size_t begin, size_t end) const {
    return {distances_[begin].first, profile::reuseBinEnd(distances_[end - 1].first),
            static_cast<uint64_t>(before_[end] - before_[begin])};
  }

  size_t end(size_t begin) const {
    size_t end = begin + 1;
    while (end < distances_.size() && allowed(begin, end + 1))
      ++end;
    return end;
  }

private:
  bool allowed(size_t begin, size_t end) const {
    const ReuseRange merged = range(begin, end);
    const Wide accesses = before_[end] - before_[begin];
    if (accesses > kLargestCount || merged.end == kLargestCount)
      return false;
    const Wide most = std::min(before_[begin], all_ - before_[end]);
    size_t i = begin; // first bin that does not end at or before `lines`
    for (uint64_t lines = profile::reuseBinEnd(merged.lowest); lines < merged.end;
         lines = profile::reuseBinEnd(lines)) {
      while (distances_[i].first < lines)
        ++i;
      const Wide exact = before_[i] - before_[begin];
      const Wide even = accesses * (lines - merged.lowest) / (merged.end - merged.lowest);
      // One more for accesses that are rounded down inside a bin.
      const Wide off = (exact > even ? exact - even : even - exact) + 1;
      if (static_cast<long double>(off) >
          static_cast<long double>(kReuseBound) * static_cast<long double>(most))
        return false;
    }
    return true;
  }

  const Histogram &distances_;
  std::vector<Wide> before_{0};
  Wide all_;
};

/// Rounds to four digits if the number has at least six; rounding shorter numbers would not shorten
/// their text.
uint64_t rounded(uint64_t count) {
  if (count < 100'000)
    return count;
  uint64_t unit = 1;
  while (count / unit >= 10'000)
    unit *= 10;
  const uint64_t down = count / unit * unit;
  const bool up = count - down >= unit - (count - down) && down <= kLargestCount - unit;
  return up ? down + unit : down;
}

} // namespace

Histogram compactLevels(const Histogram &levels) {
  if (levels.size() <= kExactWidths)
    return levels;
  const LevelGroups groups(levels);
  if (groups.beyondCounts())
    return levels;
  Histogram result;
  size_t begin = 0;
  if (levels.front().first == 0) {
    result.push_back(levels.front());
    begin = 1;
  }
  while (begin < levels.size()) {
    const size_t end = groups.end(begin);
    groups.append(begin, end, result);
    begin = end;
  }
  return result;
}

std::vector<ReuseRange> compactReuse(const Histogram &distances, uint64_t coldAccesses,
                                     ReuseDetail detail) {
  const ReuseRanges ranges(distances, coldAccesses);
  std::vector<ReuseRange> result;
  size_t begin = 0;
  if (detail == ReuseDetail::kCoarse) {
    ReuseRange near{0, profile::kExactReuseDistances, 0};
    for (; begin < distances.size() && distances[begin].first < near.end; ++begin)
      near.accesses += distances[begin].second;
    if (near.accesses > 0)
      result.push_back(near);
  }
  while (begin < distances.size()) {
    const size_t end = detail == ReuseDetail::kExact ? begin + 1 : ranges.end(begin);
    if (const ReuseRange range = ranges.range(begin, end); range.accesses > 0)
      result.push_back(range);
    begin = end;
  }
  if (detail >= ReuseDetail::kRounded)
    for (ReuseRange &range : result)
      range.accesses = rounded(range.accesses);
  return result;
}

std::optional<Histogram> expandReuse(const std::vector<ReuseRange> &ranges) {
  Histogram result;
  uint64_t end = 0;
  for (const ReuseRange &range : ranges) {
    if (range.lowest < end || range.end <= range.lowest || range.accesses == 0 ||
        profile::reuseBin(range.lowest) != range.lowest ||
        (range.end != kLargestCount && profile::reuseBin(range.end) != range.end))
      return std::nullopt;
    end = range.end;
    if (profile::reuseBinEnd(range.lowest) == range.end) { // without a division of 128 bits
      result.emplace_back(range.lowest, range.accesses);
      continue;
    }
    uint64_t done = 0;
    for (uint64_t lowest = range.lowest; lowest < range.end;) {
      const uint64_t next = profile::reuseBinEnd(lowest);
      const auto until = static_cast<uint64_t>(Wide{range.accesses} * (next - range.lowest) /
                                               (range.end - range.lowest));
      if (until > done)
        result.emplace_back(lowest, until - done);
      done = until;
      lowest = next;
    }
  }
  return result;
}

} // namespace aiwc::embed
