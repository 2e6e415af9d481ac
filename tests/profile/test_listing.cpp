#include "profile/listing.h"

#include <catch2/catch.hpp>

using namespace aiwc::profile;
using Catch::Matchers::Contains;

TEST_CASE("the table of lines: hottest first, shares of the whole, the source beside them") {
  KernelProfile profile;
  profile.histograms.lines = {
      {0, 10, 0, 0, 0, 0}, {1, 20, 0, 0, 4, 1}, {2, 70, 8, 64, 0, 0}, {9, 0, 0, 64, 0, 0}};
  CHECK(lineTable(profile) == "  line  instructions   fp ops    bytes  mispredicted\n"
                              "     2        70.0 %  100.0 %   50.0 %             -\n"
                              "     1        20.0 %        -        -       100.0 %\n"
                              "     ?        10.0 %        -        -             -\n"
                              "     9             -        -   50.0 %             -\n");
  const std::string annotated = lineTable(profile, "for (;;)\n\ta[i] = 2;\x1b[1m\r\n");
  CHECK_THAT(annotated, Contains("mispredicted  source\n"));
  CHECK_THAT(annotated, Contains("50.0 %             -    a[i] = 2;\\x1b[1m\n"));
  CHECK_THAT(annotated, Contains("100.0 %  for (;;)\n"));
  CHECK_THAT(annotated, Contains("   9             -        -   50.0 %             -\n"));
}

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
