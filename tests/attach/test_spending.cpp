/// What captures may cost, with a clock on paper.
#include "attach/spending.h"

#include <catch2/catch.hpp>
#include <chrono>

using aiwc::attach::Spending;
using namespace std::chrono_literals;

namespace {

constexpr uint64_t kMega = 1'000'000; // bytes of a millisecond until copies have been measured

} // namespace

TEST_CASE("A first capture may take 300 ms and the share of the time, others half of the share") {
  const Spending spending(0.1, 1000 * kMega);
  CHECK(spending.allows(true, 300 * kMega, 0s));
  CHECK_FALSE(spending.allows(true, 300 * kMega + 1, 0s));
  CHECK(spending.allows(true, 400 * kMega, 1s));
  CHECK_FALSE(spending.allows(true, 400 * kMega + 1, 1s));
  CHECK(spending.allows(false, 0, 0s));
  CHECK_FALSE(spending.allows(false, 1, 0s));
  CHECK(spending.allows(false, 50 * kMega, 1s));
  CHECK_FALSE(spending.allows(false, 50 * kMega + 1, 1s));
}

TEST_CASE("All captures together copy no more bytes than the budget has") {
  Spending spending(1, 1000);
  CHECK(spending.allows(true, 1000, 1s));
  CHECK_FALSE(spending.allows(true, 1001, 1s));
  spending.copies(400);
  CHECK(spending.allows(true, 600, 1s));
  CHECK_FALSE(spending.allows(true, 601, 1s));
}

TEST_CASE("What reads are expected to take counts until they end, then what they took") {
  Spending spending(0.1, 1000 * kMega);
  // Of 200 ms the host takes 20: at least those, while the device does the rest.
  const auto expected = spending.began(20ms, 200 * kMega);
  CHECK(expected == 180ms);
  CHECK(spending.allows(true, 100 * kMega, 0s));
  CHECK_FALSE(spending.allows(true, 100 * kMega + 1, 0s));
  // The device takes no time: 200 MB in 20 ms, so that the 280 ms that are left are 2.8 GB.
  Spending larger(0.1, 10'000 * kMega);
  larger.ended(20ms, 0ms, larger.began(20ms, 200 * kMega), 200 * kMega);
  CHECK(larger.allows(true, 2800 * kMega, 0s));
  CHECK_FALSE(larger.allows(true, 2801 * kMega, 0s));
  // Another one takes longer than was expected: 20 ms more of the host, and 100 of the device, for
  // 300 MB in all.
  larger.ended(20ms, 100ms, larger.began(20ms, 100 * kMega), 100 * kMega);
  CHECK(larger.allows(true, 342 * kMega, 0s)); // 160 ms at 300 MB in 140 ms
  CHECK_FALSE(larger.allows(true, 343 * kMega, 0s));
}

TEST_CASE("A host that took longer than the device was expected to leaves nothing to expect") {
  Spending spending(0.1, 1000 * kMega);
  CHECK(spending.began(30ms, 10 * kMega) == 0ms);
  CHECK(spending.allows(true, 270 * kMega, 0s));
  CHECK_FALSE(spending.allows(true, 271 * kMega, 0s));
}

TEST_CASE("Copies of less than a mebibyte tell no speed") {
  Spending spending(0.1, 1000 * kMega);
  spending.ended(0ms, 100ms, spending.began(0ms, (1 << 20) - 1), (1 << 20) - 1);
  CHECK(spending.allows(true, 200 * kMega, 0s)); // at a GB/s
  CHECK_FALSE(spending.allows(true, 200 * kMega + 1, 0s));
  spending.ended(0ms, 0ms, spending.began(0ms, 1), 1); // a mebibyte in 100 ms
  CHECK(spending.allows(true, 2 << 20, 0s));
  CHECK_FALSE(spending.allows(true, (2 << 20) + 1, 0s));
}
