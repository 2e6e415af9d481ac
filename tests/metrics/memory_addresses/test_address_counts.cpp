/// Compares AddressCounts with a std::map, also for counts beyond 32 bits, which no test trace
/// reaches.
#include "metrics/memory_addresses/address_counts.h"
#include "support/random.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

using namespace aiwc;
using namespace aiwc::test;
using metrics::AddressCounts;

namespace {

/// (address space, address) -> reads, writes, size of the largest access.
using Plain = std::map<std::pair<uint32_t, uint64_t>, std::tuple<uint64_t, uint64_t, uint32_t>>;

void add(AddressCounts &counts, Plain &plain, const trace::Access &access, uint32_t times = 1) {
  AddressCounts::Hint page;
  counts.add(access, 0, times, page);
  auto &[reads, writes, extent] = plain[{access.space, access.address}];
  (access.write ? writes : reads) += times;
  extent = std::max(extent, access.size);
}

/// Equally spaced accesses, after each other in time.
void addSpaced(AddressCounts &counts, Plain &plain, trace::Access access, uint64_t stride,
               uint32_t times, AddressCounts::Hint &page) {
  counts.add(access, stride, times, page);
  for (; times > 0; --times, access.address += stride) {
    const uint32_t space = access.space;
    auto &[reads, writes, extent] = plain[{space, access.address}];
    ++(access.write ? writes : reads);
    extent = std::max(extent, access.size);
  }
}

/// The counts that `counts.forEach` visits, in its order.
std::vector<Plain::value_type> told(const AddressCounts &counts) {
  std::vector<Plain::value_type> result;
  bool allAlone = true; // of the addresses so far that are said to be alone in their words
  const auto visit = [&](trace::AddressSpace space, uint64_t address, const auto &of, bool alone) {
    const bool closeToLast = !result.empty() && result.back().first.second / 4 == address / 4 &&
                             result.back().first.first == static_cast<uint32_t>(space);
    allAlone &= !alone || (address % 4 == 0 && !closeToLast);
    result.push_back({{static_cast<uint32_t>(space), address}, {of.reads, of.writes, of.extent}});
  };
  counts.forEach(visit, [&](trace::AddressSpace space, uint64_t page, const auto &of) {
    REQUIRE(of.extent >= 4);
    for (uint64_t element = 0; element < AddressCounts::kPageBytes; element += of.extent)
      visit(space, page + element, of, true);
  });
  REQUIRE(allAlone);
  return result;
}

void requireEqual(const AddressCounts &counts, const Plain &plain) {
  REQUIRE(told(counts) == std::vector<Plain::value_type>(plain.begin(), plain.end()));
}

trace::Access randomAccess(Random &random) {
  trace::Access access;
  const uint64_t buffer = random.oneOf<uint64_t>({1, 2, 3, 0xffff});
  const uint64_t range = random.oneOf<uint64_t>({16, 600, 1 << 20, uint64_t{1} << 47});
  access.address = buffer << 48 | random.below(range);
  access.size = random.oneOf<uint32_t>({0, 1, 2, 4, 8, 16, 5000});
  access.space = static_cast<uint32_t>(random.between(1, 3)) & 3;
  access.write = random.oneIn(2);
  return access;
}

} // namespace

TEST_CASE("addresses are counted one by one, visited in increasing order", "[address_counts]") {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    AddressCounts counts;
    Plain plain;
    for (uint64_t n = random.below(5000); n > 0; --n)
      add(counts, plain, randomAccess(random));
    requireEqual(counts, plain);
  }
}

TEST_CASE("equally spaced accesses are counted like one after the other", "[address_counts]") {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    AddressCounts counts;
    Plain plain;
    const bool whole = random.oneIn(3); // pages whose elements have equal counts
    const auto size = random.oneOf<uint32_t>({4, 8, 16, 128, 256});
    trace::Access access = randomAccess(random);
    AddressCounts::Hint page;
    for (int n = 0; n < 40; ++n) {
      access.address = access.address >> 32 << 32 | random.below(4000);
      if (whole)
        access.address &= ~uint64_t{255};
      access.size = whole ? size : random.oneOf<uint32_t>({1, 4, 8});
      access.write = random.oneIn(2);
      const auto stride =
          whole ? int64_t{size} : random.oneOf<int64_t>({0, 1, 4, -4, 8, 60, -256, 300});
      addSpaced(counts, plain, access, static_cast<uint64_t>(stride),
                whole ? 256 / size * random.between(1, 3) : random.between(1, 64), page);
    }
    requireEqual(counts, plain);
  }
}

TEST_CASE("merged counts stay exact beyond 32 bits", "[address_counts]") {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    AddressCounts counts;
    Plain plain;
    for (int step = 0; step < 60; ++step) {
      AddressCounts more;
      for (int n = 0; n < 80; ++n) {
        trace::Access access = randomAccess(random);
        access.address = access.address >> 48 << 48 | access.address % 6; // few, so they grow
        if (random.oneIn(4)) // elsewhere than the counts so far: pages that are the other's alone
          access.address += uint64_t{1} << (random.below(20) + 8);
        add(more, plain, access, 1 + static_cast<uint32_t>(random.below(uint64_t{1} << 30)));
      }
      if (random.oneIn(2))
        std::swap(counts, more);
      counts.merge(std::move(more));
      requireEqual(counts, plain);
    }
    uint64_t largest = 0;
    for (const auto &[address, of] : plain)
      largest = std::max(largest, std::get<0>(of));
    REQUIRE(largest > uint64_t{1} << 33);
  }
}

TEST_CASE("a counter that is full goes on counting", "[address_counts]") {
  AddressCounts sum, more;
  trace::Access access;
  access.address = uint64_t{1} << 48;
  access.size = 4;
  access.space = 1;
  AddressCounts::Hint page;
  AddressCounts::Hint pageOfMore;
  sum.add(access, 0, 0x7fffffff, page);
  sum.add(access, 0, 0x7fffffff, page);
  more.add(access, 0, 1, pageOfMore);
  sum.merge(std::move(more));
  REQUIRE(std::get<0>(told(sum).at(0).second) == 0xffffffffu);
  sum.add(access, 0, 1, page);
  REQUIRE(std::get<0>(told(sum).at(0).second) == 0x100000000u);
  access.write = 1;
  sum.add(access, 0, 1, page);
  sum.add(access, 0, 1, page);
  REQUIRE(told(sum).at(0).second == std::tuple<uint64_t, uint64_t, uint32_t>(0x100000000u, 2, 4));
}

TEST_CASE("a page is told as one only if all its elements are alike", "[address_counts]") {
  trace::Access access;
  access.space = 1;
  const auto wordsOf = [&](const std::function<uint32_t(uint64_t)> &times, uint32_t size,
                           uint32_t more, uint64_t spacing = 4) {
    AddressCounts counts;
    Plain plain;
    access.size = size;
    for (uint64_t word = 0; word < AddressCounts::kPageBytes / 4; word += spacing / 4) {
      access.address = (uint64_t{1} << 48) + 4 * word;
      add(counts, plain, access, times(word));
      if (more > 0 && word != 9)
        add(counts, plain, access, more);
    }
    access.address = (uint64_t{1} << 48) + 4 * 9;
    if (more > 0) // as many as the others, and 2^32 - 2 that are kept elsewhere
      for (const uint32_t part : {0x7fffffff, 0x7fffffff, 1, 0x7ffffffe})
        add(counts, plain, access, part);
    requireEqual(counts, plain);
    size_t pages = 0;
    counts.forEach([](auto...) {}, [&](auto...) { ++pages; });
    return pages;
  };
  CHECK(wordsOf([](uint64_t) { return 3; }, 4, 0) == 1);
  CHECK(wordsOf([](uint64_t) { return 3; }, 8, 0) == 0);
  CHECK(wordsOf([](uint64_t) { return 3; }, 2, 0) == 0);
  CHECK(wordsOf([](uint64_t) { return 3; }, 8, 0, 8) == 1);
  CHECK(wordsOf([](uint64_t) { return 3; }, 128, 0, 128) == 1);
  CHECK(wordsOf([](uint64_t) { return 3; }, 4, 0, 8) == 0);
  CHECK(wordsOf([](uint64_t) { return 3; }, 12, 0, 12) == 0);
  CHECK(wordsOf([](uint64_t) { return 3; }, 16, 0, 8) == 0);
  CHECK(wordsOf([](uint64_t word) { return word == 62 ? 4 : 3; }, 8, 0, 8) == 0);
  for (const uint64_t different : {0, 1, 31, 63})
    CHECK(wordsOf([&](uint64_t word) { return word == different ? 4 : 3; }, 4, 0) == 0);
  CHECK(wordsOf([](uint64_t word) { return word % 32 == 1 ? 4 : 3; }, 4, 0) == 0);
  CHECK(wordsOf([](uint64_t) { return 1; }, 4, 0x7fffffff) == 0); // one went beyond 32 bits
}
