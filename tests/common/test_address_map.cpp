// Ranges of addresses: which one an address is in, by the definition of a half-open range.

#include "common/address_map.h"

#include <catch2/catch.hpp>

using aiwc::AddressMap;

TEST_CASE("A range has its first address and not its end") {
  AddressMap<int> map;
  map.add(100, 10, 1);
  map.add(110, 5, 2);
  CHECK(map.find(99) == nullptr);
  CHECK(map.find(100)->value == 1);
  CHECK(map.find(109)->value == 1);
  CHECK(map.find(110)->value == 2);
  CHECK(map.find(115) == nullptr);
  CHECK(map.at(100)->value == 1);
  CHECK(map.at(101) == nullptr);
}

TEST_CASE("An empty range has one address") {
  AddressMap<int> map;
  map.add(100, 0, 1);
  CHECK(map.find(100)->value == 1);
  CHECK(map.find(101) == nullptr);
  CHECK(map.contains(100, 0));
  CHECK_FALSE(map.contains(100, 1));
}

TEST_CASE("Bytes are in a range if all of them are, whatever their number") {
  AddressMap<int> map;
  map.add(100, 10, 1);
  CHECK(map.contains(103, 7));
  CHECK_FALSE(map.contains(103, 8));
  CHECK_FALSE(map.contains(103, SIZE_MAX));
  CHECK_FALSE(map.contains(99, 1));
}

TEST_CASE("Ranges overlap if one byte is in both") {
  AddressMap<int> map;
  map.add(100, 10, 1);
  CHECK(map.overlaps(95, 6));
  CHECK_FALSE(map.overlaps(95, 5));
  CHECK(map.overlaps(109, 1));
  CHECK_FALSE(map.overlaps(110, 100));
  map.remove(100);
  CHECK_FALSE(map.overlaps(0, SIZE_MAX));
  CHECK(map.empty());
}
