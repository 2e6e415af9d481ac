#include "eod/nqueens/nqueens_reference.h"
#include "programs.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <numeric>
#include <set>

using namespace aiwc::eod;
using nqueens::Counts;
using nqueens::Prefix;

namespace {

bool peaceful(const Prefix &queens) {
  for (size_t i = 0; i < queens.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const int columns = std::abs(static_cast<int>(queens[i]) - static_cast<int>(queens[j]));
      if (columns == 0 || columns == static_cast<int>(i - j))
        return false;
    }
  return true;
}

/// Solutions are permutations: try all of them.
std::vector<Prefix> solutionsOf(uint32_t board) {
  std::vector<Prefix> solutions;
  Prefix queens(board);
  std::iota(queens.begin(), queens.end(), 0u);
  do {
    if (peaceful(queens))
      solutions.push_back(queens);
  } while (std::next_permutation(queens.begin(), queens.end()));
  return solutions;
}

Prefix mirrored(Prefix queens) {
  for (uint32_t &column : queens)
    column = static_cast<uint32_t>(queens.size()) - 1 - column;
  return queens;
}

Prefix transposed(const Prefix &queens) {
  Prefix columns(queens.size());
  for (uint32_t row = 0; row < queens.size(); ++row)
    columns[queens[row]] = row;
  return columns;
}

/// A reflection and a transposition generate all eight images.
std::set<Prefix> imagesOf(const Prefix &solution) {
  std::set<Prefix> images;
  Prefix image = solution;
  for (int i = 0; i < 4; ++i) {
    images.insert(image);
    images.insert(image = mirrored(image));
    image = transposed(image);
  }
  return images;
}

bool begins(const Prefix &solution, const Prefix &prefix) {
  return std::equal(prefix.begin(), prefix.end(), solution.begin());
}

/// What the kernels have to count, from all permutations.
Counts countsOf(uint32_t board, uint32_t depth) {
  const std::vector<Prefix> solutions = solutionsOf(board);
  Counts counts;
  for (const Prefix &prefix : nqueens::allPrefixes(board, depth))
    counts.all.push_back(static_cast<uint64_t>(std::ranges::count_if(
        solutions, [&](const Prefix &solution) { return begins(solution, prefix); })));
  for (const Prefix &prefix : nqueens::symmetricPrefixes(board, depth)) {
    uint64_t symmetric = 0;
    uint64_t classes = 0;
    for (const Prefix &solution : solutions) {
      const std::set<Prefix> images = imagesOf(solution);
      if (!begins(solution, prefix) || *images.begin() != solution)
        continue;
      symmetric += images.size();
      ++classes;
    }
    counts.symmetric.push_back(symmetric);
    counts.classes.push_back(classes);
  }
  return counts;
}

} // namespace

TEST_CASE("counts from all permutations pass, for every board and depth") {
  for (uint32_t board : {2, 3, 4, 5, 6, 7, 8})
    for (uint32_t depth = 1; depth < board && depth <= 4; ++depth) {
      INFO("board " << board << ", depth " << depth);
      CHECK(nqueens::checkCounts(board, depth, countsOf(board, depth)).passed);
    }
}

TEST_CASE("eight queens have 92 solutions in 12 classes") {
  const auto finding = nqueens::checkCounts(8, 2, countsOf(8, 2)).finding;
  CHECK_THAT(finding, Catch::Contains("92 known solutions, in 12 classes"));
  CHECK_THAT(finding, Catch::Contains("serial search agrees"));
}

TEST_CASE("a count too many, too few, or at the wrong placement fails") {
  const Counts right = countsOf(6, 2);
  for (auto member : {&Counts::all, &Counts::symmetric, &Counts::classes}) {
    for (size_t i = 0; i < (right.*member).size(); ++i) {
      Counts wrong = right;
      ++(wrong.*member)[i];
      CHECK_FALSE(nqueens::checkCounts(6, 2, wrong).passed);
    }
    Counts moved = right;
    auto &counts = moved.*member;
    const auto found = std::ranges::find_if(counts, [](uint64_t count) { return count > 0; });
    REQUIRE(found != counts.end());
    --*found;
    ++(found == counts.begin() ? counts.back() : counts.front());
    CHECK_FALSE(nqueens::checkCounts(6, 2, moved).passed);
    Counts fewer = right;
    (fewer.*member).push_back(0);
    CHECK_FALSE(nqueens::checkCounts(6, 2, fewer).passed);
  }
}

TEST_CASE("large boards are checked by their known sums") {
  CHECK(nqueens::checkCounts(16, 5, {{14772512}, {14772512}, {1846955}}).passed);
  CHECK_FALSE(nqueens::checkCounts(16, 5, {{14772511}, {14772512}, {1846955}}).passed);
  CHECK_FALSE(nqueens::checkCounts(16, 5, {{14772512}, {14772504}, {1846955}}).passed);
  CHECK_FALSE(nqueens::checkCounts(16, 5, {{14772512}, {14772512}, {1846954}}).passed);
  CHECK(nqueens::checkCounts(20, 6, {{39029188884}, {39029188884}, {4878666808}}).passed);
}

TEST_CASE("prefixes are the peaceful placements, each once, in lexicographic order") {
  const std::vector<Prefix> prefixes = nqueens::allPrefixes(6, 3);
  CHECK(std::ranges::is_sorted(prefixes));
  CHECK(std::ranges::adjacent_find(prefixes) == prefixes.end());
  size_t expected = 0;
  for (uint32_t a = 0; a < 6; ++a)
    for (uint32_t b = 0; b < 6; ++b)
      for (uint32_t c = 0; c < 6; ++c)
        expected += peaceful({a, b, c});
  CHECK(prefixes.size() == expected);
  CHECK(std::ranges::all_of(prefixes, peaceful));
  CHECK(nqueens::countPrefixes(6, 3).all == expected);
  CHECK(nqueens::countPrefixes(6, 3).symmetric == nqueens::symmetricPrefixes(6, 3).size());
}

TEST_CASE("every class has its first solution among the symmetric prefixes") {
  for (uint32_t board : {4, 5, 6, 7, 8}) {
    const std::vector<Prefix> prefixes = nqueens::symmetricPrefixes(board, 3);
    CHECK(prefixes.size() < nqueens::allPrefixes(board, 3).size());
    for (const Prefix &solution : solutionsOf(board)) {
      const Prefix first = *imagesOf(solution).begin();
      CHECK(std::ranges::any_of(prefixes, [&](const Prefix &p) { return begins(first, p); }));
    }
  }
}

TEST_CASE("packed: columns, the diagonals where they meet the next row, and positions") {
  // Queens at (0, 1) and (1, 4) of 6: in row 2 they attack 3 and 5 to the left, and 3 to the right.
  CHECK(nqueens::packed(6, {{1, 4}}) ==
        std::vector<uint32_t>{0b010010, 0b101000, 0b001000, 1 | 4 << 5});
  CHECK(nqueens::packed(4, {{3}, {0}}) == std::vector<uint32_t>{8, 0, 4, 3, 1, 2, 0, 0});
}

TEST_CASE("--list of nqueens: 24 bytes for each placement, 32 for the symmetric ones") {
  const test::Outcome outcome = test::run("nqueens", "--list");
  REQUIRE(outcome.status == 0);
  const std::tuple<const char *, uint32_t, uint32_t> sizes[] = {
      {"tiny", 8, 3}, {"small", 10, 3}, {"medium", 13, 4}, {"large", 16, 5}};
  for (const auto &[size, board, depth] : sizes) {
    const auto all = static_cast<double>(nqueens::allPrefixes(board, depth).size());
    const auto symmetric = static_cast<double>(nqueens::symmetricPrefixes(board, depth).size());
    const double footprint = (24 * all + 32 * symmetric) / 1024;
    CHECK(test::listed(outcome.out, size, 2) == Approx(footprint).margin(0.06));
    CHECK(test::listed(outcome.out, size, 3) == Approx(footprint).margin(0.06));
  }
  CHECK_THAT(outcome.out, Catch::Contains("placements of 5 rows"));
}

TEST_CASE("nqueens refuses boards and depths that it cannot count") {
  test::checkRefused("nqueens", {{"--queens 1", "expected 2 to 20"},
                                 {"--queens 21", "expected 2 to 20"},
                                 {"--queens -8", "--queens"},
                                 {"--queens 8 --size tiny", "excludes"},
                                 {"--depth 0", "expected 1 to 6"},
                                 {"--depth 7", "expected 1 to 6"},
                                 {"--queens 4 --depth 4", "expected 1 to 3"}});
}
