#include "extrapolate/count_law.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <vector>

using aiwc::extrapolate::CountLaw;
using aiwc::extrapolate::Observed;
using aiwc::extrapolate::Pattern;
using aiwc::extrapolate::Quantity;
using aiwc::extrapolate::WorkItems;
using aiwc::extrapolate::workItemsOf;
using aiwc::sparse::Entry;
using aiwc::sparse::matrixOf;

namespace {

/// Some rows are empty, others have many non-zeros; a few are on the diagonal.
Pattern pattern(uint32_t rows, uint32_t step) {
  std::vector<Entry> entries;
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t i = 0; i < row * step % 7; ++i)
      entries.push_back({row, (row + i * i * 31) % rows});
  return Pattern(matrixOf(rows, rows, entries, false));
}

constexpr uint64_t kGroup = 64;
Observed launchOn(const Pattern &pattern, Quantity quantity) {
  return {&pattern, (pattern[quantity] + kGroup - 1) / kGroup * kGroup, kGroup, std::nullopt};
}

} // namespace

TEST_CASE("The work-items of launches tell what they were taken from") {
  const Pattern small = pattern(1000, 3);
  const Pattern large = pattern(3100, 3);
  for (const Quantity quantity : {Quantity::kRows, Quantity::kNonZeros, Quantity::kNonEmptyRows}) {
    const std::vector<Observed> launches{launchOn(small, quantity), launchOn(large, quantity)};
    const std::vector<WorkItems> found = workItemsOf(launches);
    REQUIRE_FALSE(found.empty());
    CHECK(std::ranges::any_of(found, [&](const WorkItems &items) { return items.of == quantity; }));
    CHECK(found.front().each == 1);
    CHECK(found.front().on(large) == launches[1].workItems);
  }
  std::vector<Observed> wide{launchOn(small, Quantity::kRows), launchOn(large, Quantity::kRows)};
  for (Observed &launch : wide)
    launch.workItems = (*launch.pattern)[Quantity::kRows] * 32;
  REQUIRE(workItemsOf(wide).size() == 2); // the columns are as many
  CHECK(workItemsOf(wide)[0].of == Quantity::kRows);
  CHECK(workItemsOf(wide)[0].each == 32);
  wide[0].workItems = 77 * kGroup;
  CHECK(workItemsOf(wide).empty());
}

TEST_CASE("A count that is a sum of whole multiples is found from one sample") {
  const Pattern sample = pattern(5000, 5);
  const Pattern whole = pattern(60000, 3);
  CountLaw::Terms terms{{Quantity::kRows, 1, kGroup}, Quantity::kNonZeros};
  const std::vector<Observed> launches{launchOn(sample, Quantity::kRows)};
  const auto check = [&](const std::function<uint64_t(const Pattern &, uint64_t)> &count,
                         double tolerance) {
    const std::vector<uint64_t> counts{count(sample, launches[0].workItems)};
    const Observed target = launchOn(whole, Quantity::kRows);
    const auto expected = static_cast<double>(count(whole, target.workItems));
    const CountLaw law(terms, launches, counts);
    CHECK(law.whole());
    CHECK(law.on(target) == Approx(expected).epsilon(tolerance));
  };
  check([](const Pattern &, uint64_t) { return 0; }, 0);
  check([](const Pattern &of, uint64_t) { return 3 * of[Quantity::kNonZeros]; }, 0);
  check([](const Pattern &of, uint64_t) { return of[Quantity::kRows]; }, 0);
  check(
      [](const Pattern &of, uint64_t) {
        return 2 * of[Quantity::kNonZeros] + 3 * of[Quantity::kRows] + of[Quantity::kNonEmptyRows];
      },
      0);
  // The padding does something, too.
  terms.byPadding = true;
  check(
      [](const Pattern &of, uint64_t items) {
        return of[Quantity::kNonZeros] + 2 * of[Quantity::kRows] +
               5 * (items - of[Quantity::kRows]);
      },
      0);
  terms.byPadding = false;
  // The beginnings of the rows are one more than these.
  check([](const Pattern &of,
           uint64_t) { return 2 * of[Quantity::kNonZeros] + of[Quantity::kRows] + 1; },
        1e-4);
}

TEST_CASE("A count that is no such sum follows the samples with the least squares") {
  const Pattern one = pattern(5000, 5);
  const Pattern two = pattern(11000, 4);
  const CountLaw::Terms terms{{Quantity::kRows, 1, kGroup}, Quantity::kNonZeros};
  const std::vector<Observed> launches{launchOn(one, Quantity::kRows),
                                       launchOn(two, Quantity::kRows)};
  const auto count = [](const Pattern &of) {
    return static_cast<uint64_t>(321.37 * static_cast<double>(of[Quantity::kNonZeros]) +
                                 97.61 * static_cast<double>(of[Quantity::kRows]));
  };
  const std::vector<uint64_t> counts{count(one), count(two)};
  const CountLaw law(terms, launches, counts);
  CHECK_FALSE(law.whole());
  const Pattern whole = pattern(60000, 3);
  CHECK(law.on(launchOn(whole, Quantity::kRows)) ==
        Approx(static_cast<double>(count(whole))).epsilon(1e-3));
}

TEST_CASE("Trips of an inner loop are a term of their own") {
  const Pattern sample = pattern(5000, 5);
  const CountLaw::Terms terms{{Quantity::kNonZeros, 1, kGroup}, Quantity::kNonZeros};
  std::vector<Observed> launches{launchOn(sample, Quantity::kNonZeros)};
  launches[0].innerTrips = 23456;
  const std::vector<uint64_t> counts{17 * sample[Quantity::kNonZeros] + 11 * 23456};
  const CountLaw law(terms, launches, counts);
  CHECK(law.whole());
  CHECK(law.perItem() == 17);
  CHECK(law.perInnerTrip() == 11);
}
