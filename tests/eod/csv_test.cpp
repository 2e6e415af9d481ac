#include "eod/common/csv.h"

#include <catch2/catch.hpp>

using aiwc::eod::csvField;

TEST_CASE("a field is quoted where it has to be (RFC 4180)") {
  CHECK(csvField("plain text") == "plain text");
  CHECK(csvField("") == "");
  CHECK(csvField("256,30,5") == "\"256,30,5\"");
  CHECK(csvField("say \"hello\"") == "\"say \"\"hello\"\"\"");
  CHECK(csvField("two\nlines") == "\"two\nlines\"");
}
