// The laws that tell how the accesses of a place in the source follow from the matrix, one by one.
#include "extrapolate/access_laws.h"

#include <catch2/catch.hpp>
#include <vector>

using namespace aiwc::extrapolate;
using aiwc::profile::AccessKind;
using aiwc::profile::AccessRow;
using aiwc::profile::MemorySpace;

namespace {

constexpr uint64_t kVisits = 1000, kRows = 200, kNonEmpty = 150, kColumns = 300;

AccessContext context(bool byVisit) {
  return {.byVisit = byVisit,
          .visits = kVisits,
          .rows = kRows,
          .nonEmptyRows = kNonEmpty,
          .columns = kColumns};
}

/// Accesses of 4 bytes each, in a loop.
AccessRow accesses(uint64_t number, bool dataDependent) {
  AccessRow row;
  row.array = "x";
  row.line = 3;
  row.loop = 2;
  row.accesses = number;
  row.bytes = 4 * number;
  row.footprint = 4 * kColumns;
  row.dataDependent = dataDependent;
  return row;
}

AccessLaw law(const AccessRow &row, const AccessContext &context, size_t gathersOfArray = 1) {
  return lawOf({row, gathersOfArray}, context);
}

} // namespace

TEST_CASE("An address that is data, at each non-zero of a row, is that of the column") {
  const AccessRow x = accesses(kVisits, true);
  CHECK(law(x, context(false)) == AccessLaw::kColumnNode);
  const Accesses of = accessesOf(std::vector{x}, context(false));
  CHECK(of.traversal.gathers == std::vector<Gather>{{"x", false, 4, 1}});
  CHECK(of.arrays == std::vector<GatheredArray>{{"x", Quantity::kUsedColumns, 4, 1, true, false}});
  CHECK(of.traversal.perNonZero.empty());
  // Sampled work-groups give counts that are 3 % off at most.
  CHECK(law(accesses(970, true), context(false)) == AccessLaw::kColumnNode);
  CHECK(law(accesses(969, true), context(false)) == AccessLaw::kNone);
  AccessRow local = x;
  local.space = MemorySpace::kLocal;
  CHECK(law(local, context(false)) == AccessLaw::kNone);
}

TEST_CASE("An array of several elements for each column is gathered with all of them") {
  AccessRow x = accesses(kVisits, true);
  x.footprint = 8 * 4 * kColumns;
  CHECK(accessesOf(std::vector{x}, context(false)).traversal.gathers ==
        std::vector<Gather>{{"x", false, 32, 1}});
  CHECK(accessesOf(std::vector{x}, context(false)).arrays.at(0).elements == 8);
}

TEST_CASE("Of an array that is gathered, as many indices are in use as the gathers reach") {
  AccessContext here = context(true);
  const auto arrays = [&here](const std::vector<AccessRow> &rows) {
    return accessesOf(rows, here).arrays;
  };
  AccessRow sums = accesses(kVisits, true);
  sums.array = "sums";
  sums.kind = AccessKind::kAtomic;
  const AccessRow x = accesses(2 * kVisits, true);
  CHECK(arrays({x, sums}) ==
        std::vector<GatheredArray>{{"sums", Quantity::kUsedColumns, 4, 1, true, true},
                                   {"x", Quantity::kUsedNodes, 4, 1, true, false}});
  here.singlesByRow = true;
  sums.kind = AccessKind::kWrite;
  CHECK(arrays({sums}) ==
        std::vector<GatheredArray>{{"sums", Quantity::kNonEmptyRows, 4, 1, false, true}});
  CHECK(arrays({accesses(kVisits, false)}).empty());
}

TEST_CASE("A work-item that takes a non-zero gathers at its row or at its column") {
  const AccessRow x = accesses(kVisits, true);
  AccessContext here = context(true);
  CHECK(law(x, here) == AccessLaw::kColumnNode);
  here.singlesByRow = true;
  CHECK(law(x, here) == AccessLaw::kRowNode);
  CHECK(accessesOf(std::vector{x}, here).traversal.gathers ==
        std::vector<Gather>{{"x", true, 4, 1}});
  here.byVisit = false; // a work-item of a row has one row
  CHECK(law(x, here) == AccessLaw::kColumnNode);
}

TEST_CASE("Two gathers of a non-zero are those of its row and its column") {
  const AccessContext here = context(true);
  CHECK(law(accesses(kVisits, true), here, 2) == AccessLaw::kBothNodes);
  CHECK(law(accesses(2 * kVisits, true), here) == AccessLaw::kBothNodes);
  CHECK(law(accesses(2 * kVisits, true), context(false)) == AccessLaw::kColumnNode);
  // Of one place, half of the accesses are at each index.
  CHECK(accessesOf(std::vector{accesses(2 * kVisits, true)}, here).traversal.gathers ==
        std::vector<Gather>{{"x", true, 4, 1}, {"x", false, 4, 1}});
  // Of two places, each is at both, since nothing tells which is where.
  AccessRow second = accesses(kVisits, true);
  second.line = 4;
  CHECK(accessesOf(std::vector{accesses(kVisits, true), second}, here).traversal.gathers ==
        std::vector<Gather>{{"x", true, 4, 2}, {"x", false, 4, 2}});
}

TEST_CASE("Atomics that are repeated are where their first times are") {
  AccessRow sums = accesses(kVisits + kVisits / 2, true);
  sums.kind = AccessKind::kAtomic;
  AccessContext here = context(true);
  here.firstAt = Quantity::kUsedNodes;
  CHECK(law(sums, here) == AccessLaw::kBothNodes);
  here.firstAt = Quantity::kNonEmptyRows;
  CHECK(law(sums, here) == AccessLaw::kRowNode);
  here.firstAt = Quantity::kUsedColumns;
  CHECK(law(sums, here) == AccessLaw::kColumnNode);
}

TEST_CASE("An access at each non-zero whose address is no data goes through an array") {
  const AccessRow values = accesses(kVisits, false);
  CHECK(law(values, context(false)) == AccessLaw::kNonZeros);
  CHECK(accessesOf(std::vector{values}, context(false)).traversal.perNonZero ==
        std::vector<Stream>{{"x", 4, 1}});
  AccessRow outside = values;
  outside.loop = 0;
  CHECK(law(outside, context(true)) == AccessLaw::kNonZeros);
  CHECK(law(outside, context(false)) == AccessLaw::kNone);
  // A second place reads what the first one has read.
  AccessRow again = values;
  again.line = 4;
  CHECK(accessesOf(std::vector{values, again}, context(false)).traversal.perNonZero ==
        std::vector<Stream>{{"x", 4, 2}});
}

TEST_CASE("An access of each row, or of each row with a non-zero, goes through an array of rows") {
  for (const uint64_t number : {kRows, kNonEmpty}) {
    AccessRow begins = accesses(number, false);
    begins.loop = 0;
    CHECK(law(begins, context(false)) == AccessLaw::kRows);
    CHECK(accessesOf(std::vector{begins}, context(false)).traversal.perRow ==
          std::vector<Stream>{{"x", 4, 1}});
    CHECK(law(begins, context(true)) == AccessLaw::kNone);
    begins.dataDependent = true;
    CHECK(law(begins, context(false)) == AccessLaw::kNone);
  }
  CHECK(law(accesses(175, false), context(false)) == AccessLaw::kNone);
  CHECK(law(accesses(0, false), context(false)) == AccessLaw::kNone);
}

TEST_CASE("Accesses of one place are one row, and data where another sample says so") {
  AccessRow near = accesses(300, false);
  near.laneStride = 4;
  AccessRow far = accesses(700, false);
  far.laneStride = 64;
  far.footprint = 5000;
  const std::vector<AccessRow> table{near, far};
  const std::vector<AccessRow> places = placesOf(table, {});
  REQUIRE(places.size() == 1);
  CHECK(places[0].accesses == 1000);
  CHECK(places[0].bytes == 4000);
  CHECK(places[0].footprint == 5000);
  CHECK(places[0].laneStride == 64);
  CHECK_FALSE(places[0].dataDependent);
  const std::vector<AccessRow> other{accesses(1, true)};
  const std::vector<const std::vector<AccessRow> *> others{&other};
  CHECK(placesOf(table, others)[0].dataDependent);
}

TEST_CASE("A loop without a stride that accesses more bytes than its range has gathers") {
  AccessRow row = accesses(1000, false);
  row.footprint = 3799; // 95 % of 4000 bytes are 3800
  CHECK(placesOf({row}, {})[0].dataDependent);
  row.footprint = 3800;
  CHECK_FALSE(placesOf({row}, {})[0].dataDependent);
  row.footprint = 100;
  row.loopStride = 4;
  CHECK_FALSE(placesOf({row}, {})[0].dataDependent);
  row.loopStride.reset();
  row.loop = 0;
  CHECK_FALSE(placesOf({row}, {})[0].dataDependent);
}
