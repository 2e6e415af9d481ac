#include "common/as_number.h"

#include <catch2/catch.hpp>

using aiwc::asNumber;

TEST_CASE("A text is a number if it is nothing else as well") {
  CHECK(asNumber("0") == 0);
  CHECK(asNumber("18446744073709551615") == UINT64_MAX);
  CHECK(asNumber("ff", 16) == 255);
  CHECK(asNumber<int>("-7") == -7);
  CHECK(asNumber<double>("2.5e3") == 2500);
  for (const char *text : {"", " 1", "1 ", "+1", "-1", "1x", "0x1", "18446744073709551616", "1.5"})
    CHECK_FALSE(asNumber(text));
  CHECK_FALSE(asNumber<uint8_t>("256"));
  CHECK_FALSE(asNumber<double>("2.5 "));
}
