#include "eod/nqueens/nqueens_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace aiwc::eod::nqueens {
namespace {

/// Of boards of 1, 2, 3, ...: A000170 and A002562.
constexpr std::array<uint64_t, kLargestBoard> kSolutions{
    1,    0,     0,     2,      10,      4,        40,       92,        352,        724,
    2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624, 4968057848, 39029188884};
constexpr std::array<uint64_t, kLargestBoard> kClasses{
    1,   0,    0,    1,     2,      1,       6,        12,       46,        92,
    341, 1787, 9233, 45752, 285053, 1846955, 11977939, 83263591, 621012754, 4878666808};

bool attacked(const Prefix &queens, uint32_t column) {
  for (size_t row = 0; row < queens.size(); ++row) {
    const auto rows = static_cast<uint32_t>(queens.size() - row);
    if (queens[row] == column || queens[row] + rows == column || column + rows == queens[row])
      return true;
  }
  return false;
}

/// Calls `visit` with every placement of the first `depth` rows that continues `queens`.
template <typename Visit>
void forEachPlacement(uint32_t board, uint32_t depth, Prefix &queens, const Visit &visit) {
  if (queens.size() == depth) {
    visit(queens);
    return;
  }
  for (uint32_t column = 0; column < board; ++column) {
    if (attacked(queens, column))
      continue;
    queens.push_back(column);
    forEachPlacement(board, depth, queens, visit);
    queens.pop_back();
  }
}

bool mayStandForItsClass(uint32_t board, const Prefix &queens) {
  const uint32_t last = board - 1;
  const uint32_t first = queens.front();
  if (first > last - first)
    return false;
  for (uint32_t row = 1; row < queens.size(); ++row) {
    const bool nearCorner = row < first || last - row < first;
    if (nearCorner && (queens[row] == 0 || queens[row] == last))
      return false;
  }
  return true;
}

/// The different images of a solution under the rotations and reflections of the board.
std::vector<Prefix> imagesOf(const Prefix &solution) {
  const auto last = static_cast<uint32_t>(solution.size() - 1);
  std::vector<Prefix> images;
  Prefix image = solution;
  for (int turn = 0; turn < 4; ++turn) {
    Prefix turned(image.size());
    Prefix mirrored(image.size());
    for (uint32_t row = 0; row <= last; ++row) {
      turned[image[row]] = last - row; // (row, column) goes to (column, last - row)
      mirrored[row] = last - image[row];
    }
    images.push_back(image);
    images.push_back(mirrored);
    image = turned;
  }
  std::ranges::sort(images);
  images.erase(std::unique(images.begin(), images.end()), images.end());
  return images;
}

struct SerialCount {
  uint64_t all = 0;
  uint64_t symmetric = 0;
  uint64_t classes = 0;
};

SerialCount countSerially(uint32_t board, Prefix queens) {
  SerialCount count;
  forEachPlacement(board, board, queens, [&](const Prefix &solution) {
    const std::vector<Prefix> images = imagesOf(solution);
    const bool stands = images.front() == solution;
    ++count.all;
    count.symmetric += stands ? images.size() : 0;
    count.classes += stands;
  });
  return count;
}

uint64_t sum(const std::vector<uint64_t> &counts) {
  return std::accumulate(counts.begin(), counts.end(), uint64_t{0});
}

Verdict checkSerially(uint32_t board, uint32_t depth, const Counts &counts) {
  const std::vector<Prefix> all = allPrefixes(board, depth);
  const std::vector<Prefix> symmetric = symmetricPrefixes(board, depth);
  if (counts.all.size() != all.size() || counts.symmetric.size() != symmetric.size() ||
      counts.classes.size() != symmetric.size())
    return {false, "as many counts as placements expected"};
  for (size_t i = 0; i < all.size(); ++i) {
    const SerialCount expected = countSerially(board, all[i]);
    if (counts.all[i] != expected.all)
      return {false,
              fmt::format("nqueen: {} solutions continue placement {}, a serial search finds "
                          "{}",
                          counts.all[i], i, expected.all)};
  }
  for (size_t i = 0; i < symmetric.size(); ++i) {
    const SerialCount expected = countSerially(board, symmetric[i]);
    if (counts.symmetric[i] != expected.symmetric || counts.classes[i] != expected.classes)
      return {false, fmt::format("nqueen1: {} solutions in {} classes continue placement {}, a "
                                 "serial search finds {} in {}",
                                 counts.symmetric[i], counts.classes[i], i, expected.symmetric,
                                 expected.classes)};
  }
  return {true, "; a serial search agrees for every placement"};
}

} // namespace

std::vector<Prefix> allPrefixes(uint32_t board, uint32_t depth) {
  std::vector<Prefix> prefixes;
  Prefix none;
  forEachPlacement(board, depth, none, [&](const Prefix &prefix) { prefixes.push_back(prefix); });
  return prefixes;
}

std::vector<Prefix> symmetricPrefixes(uint32_t board, uint32_t depth) {
  std::vector<Prefix> prefixes;
  Prefix none;
  forEachPlacement(board, depth, none, [&](const Prefix &prefix) {
    if (mayStandForItsClass(board, prefix))
      prefixes.push_back(prefix);
  });
  return prefixes;
}

PrefixCounts countPrefixes(uint32_t board, uint32_t depth) {
  PrefixCounts counts;
  Prefix none;
  forEachPlacement(board, depth, none, [&](const Prefix &prefix) {
    ++counts.all;
    counts.symmetric += mayStandForItsClass(board, prefix);
  });
  return counts;
}

std::vector<uint32_t> packed(uint32_t board, const std::vector<Prefix> &prefixes) {
  const uint32_t all = (1u << board) - 1;
  std::vector<uint32_t> numbers;
  numbers.reserve(4 * prefixes.size());
  for (const Prefix &prefix : prefixes) {
    uint32_t columns = 0;
    uint32_t left = 0;
    uint32_t right = 0;
    uint32_t positions = 0;
    for (uint32_t row = 0; row < prefix.size(); ++row) {
      const uint32_t queen = 1u << prefix[row];
      columns |= queen;
      left = ((left | queen) << 1) & all;
      right = (right | queen) >> 1;
      positions |= prefix[row] << (5 * row);
    }
    numbers.insert(numbers.end(), {columns, left, right, positions});
  }
  return numbers;
}

Verdict checkCounts(uint32_t board, uint32_t depth, const Counts &counts) {
  const uint64_t solutions = kSolutions[board - 1];
  const uint64_t classes = kClasses[board - 1];
  if (sum(counts.all) != solutions)
    return {false, fmt::format("nqueen: {} solutions, {} are known", sum(counts.all), solutions)};
  if (sum(counts.symmetric) != solutions || sum(counts.classes) != classes)
    return {false, fmt::format("nqueen1: {} solutions in {} classes, {} in {} are known",
                               sum(counts.symmetric), sum(counts.classes), solutions, classes)};
  Verdict verdict{true, ""};
  if (board <= kSerialBoard)
    verdict = checkSerially(board, depth, counts);
  if (verdict.passed)
    verdict.finding = fmt::format("both kernels count the {} known solutions, in {} classes{}",
                                  solutions, classes, verdict.finding);
  return verdict;
}

} // namespace aiwc::eod::nqueens
