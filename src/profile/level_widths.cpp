#include "profile/level_widths.h"

#include "common/wide.h"

#include <algorithm>
#include <map>

namespace aiwc::profile {

namespace {

/// part / whole of `of`, to the nearest integer; `part` is at most `whole`.
uint64_t partOf(uint64_t of, uint64_t part, uint64_t whole) {
  return scaledCount(part, of, whole).value_or(of);
}

} // namespace

std::optional<LevelSums> sumsOf(const Histogram &levels) {
  Wide count = 0;
  Wide operations = 0;
  for (const auto &[width, number] : levels) {
    count += number;
    operations += Wide{width} * number;
    if (count > kLargestCount || operations > kLargestCount)
      return std::nullopt;
  }
  return LevelSums{static_cast<uint64_t>(count), static_cast<uint64_t>(operations)};
}

Histogram scaledLevels(const Histogram &levels, const LevelSums &to) {
  const LevelSums from = sumsOf(levels).value_or(LevelSums{});
  std::map<uint64_t, uint64_t> result;
  LevelSums read;
  LevelSums written;
  for (const auto &[width, count] : levels) {
    read.levels += count;
    read.operations += width * count;
    const uint64_t levelsUpTo = partOf(to.levels, read.levels, from.levels);
    const uint64_t more = levelsUpTo - written.levels;
    if (more == 0)
      continue; // its operations are added to the next width's
    // Despite rounding, each level needs at least one operation, also the levels that follow.
    const uint64_t operationsUpTo =
        levelsUpTo == to.levels
            ? to.operations
            : std::clamp(partOf(to.operations, read.operations, from.operations),
                         written.operations + more, to.operations - (to.levels - levelsUpTo));
    const uint64_t operations = operationsUpTo - written.operations;
    const uint64_t wider = operations % more;
    result[operations / more] += more - wider;
    if (wider > 0)
      result[operations / more + 1] += wider;
    written = {levelsUpTo, operationsUpTo};
  }
  Histogram histogram;
  for (const auto &[width, count] : result)
    if (count > 0)
      histogram.emplace_back(width, count);
  return histogram;
}

} // namespace aiwc::profile
