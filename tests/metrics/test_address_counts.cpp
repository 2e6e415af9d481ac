/// The counters of addresses against a std::map, where no trace can bring them: beyond 32 bits.
#include "metrics/address_counts.h"
#include "support/random.h"

#include <algorithm>
#include <catch2/catch.hpp>
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

void add(AddressCounts &counts, Plain &plain, const trace::Access &access) {
  counts.add(access);
  auto &[reads, writes, extent] = plain[{access.space, access.address}];
  ++(access.write ? writes : reads);
  extent = std::max(extent, access.size);
}

void merge(Plain &into, const Plain &from) {
  for (const auto &[address, counts] : from) {
    auto &[reads, writes, extent] = into[address];
    reads += std::get<0>(counts);
    writes += std::get<1>(counts);
    extent = std::max(extent, std::get<2>(counts));
  }
}

/// What `counts` tells, in the order in which it tells it.
std::vector<Plain::value_type> told(const AddressCounts &counts) {
  std::vector<Plain::value_type> result;
  counts.forEach([&](trace::AddressSpace space, uint64_t address, const auto &of) {
    result.push_back({{static_cast<uint32_t>(space), address}, {of.reads, of.writes, of.extent}});
  });
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

TEST_CASE("merged counts stay exact beyond 32 bits", "[address_counts]") {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    AddressCounts counts[2];
    Plain plain[2];
    // Each merged into the other in turn: the counts grow like Fibonacci's numbers, past 2^32 at
    // the 48th step; in between some more accesses fill counters that are almost full.
    for (int step = 0; step < 60; ++step) {
      const int into = step % 2, from = 1 - into;
      for (int n = 0; n < 20; ++n) {
        trace::Access access = randomAccess(random);
        access.address = access.address >> 48 << 48 | access.address % 40; // few, so they grow
        add(counts[into], plain[into], access);
      }
      counts[into].merge(counts[from]);
      merge(plain[into], plain[from]);
      requireEqual(counts[into], plain[into]);
    }
    uint64_t largest = 0;
    for (const auto &[address, of] : plain[1])
      largest = std::max(largest, std::get<0>(of));
    REQUIRE(largest > uint64_t{1} << 33);
  }
}

TEST_CASE("a counter that is full goes on counting", "[address_counts]") {
  AddressCounts one;
  trace::Access access;
  access.address = uint64_t{1} << 48;
  access.size = 4;
  access.space = 1;
  one.add(access);
  // 2^32 - 1 reads, by merging powers of two.
  AddressCounts sum, power;
  sum.merge(one);
  power.merge(one);
  for (int bit = 1; bit < 32; ++bit) {
    AddressCounts twice;
    twice.merge(power);
    twice.merge(power);
    power = std::move(twice);
    sum.merge(power);
  }
  REQUIRE(std::get<0>(told(sum).at(0).second) == 0xffffffffu);
  sum.add(access);
  REQUIRE(std::get<0>(told(sum).at(0).second) == 0x100000000u);
  access.write = 1;
  sum.add(access);
  sum.add(access);
  REQUIRE(told(sum).at(0).second == std::tuple<uint64_t, uint64_t, uint32_t>(0x100000000u, 2, 4));
}
