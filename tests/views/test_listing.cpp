#include "views/listing.h"

#include <catch2/catch.hpp>

using namespace aiwc::profile;
using namespace aiwc::views;
using Catch::Matchers::Contains;

TEST_CASE("the table of loops says what each carries, and through which lines") {
  KernelProfile profile;
  CHECK(loopTable(profile).empty());
  profile.histograms.loops = {{"lu", 4, 1, 1, 8, 8, 8, true, {{7, 5}, {9, 5}}},
                              {"lu", 5, 2, 8, 28, 0, 7, false, {}},
                              {"f", 0, 1, 2, 2, 1, 1, std::nullopt, {}}};
  const std::string text = loopTable(profile);
  CHECK_THAT(text, Contains("  line 7->5 9->5  lu\n"));
  CHECK_THAT(text, Contains("0 to 7                  none  lu\n"));
  CHECK_THAT(text, Contains("         ?      1           2           2                1"));
}
