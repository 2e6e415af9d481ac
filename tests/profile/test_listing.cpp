#include "profile/listing.h"

#include <catch2/catch.hpp>

using namespace aiwc::profile;
using Catch::Matchers::Contains;

TEST_CASE("the table of lines: hottest first, shares of the whole, the source beside them") {
  KernelProfile profile;
  profile.histograms.lines = {
      {0, 10, 0, 0, 0, 0}, {1, 20, 0, 0, 4, 1}, {2, 70, 8, 64, 0, 0}, {9, 0, 0, 64, 0, 0}};
  std::vector<LineRow> &rows = profile.histograms.lines;
  profile.reuse.lineBytes = 64;
  rows[2].coldAccesses = 100;
  rows[2].reuseDistances = {{1, 800}, {512, 50}}; // 512 lines are 32 KiB
  rows[3].reuseDistances = {{480, 50}};
  rows[1].idleLanes32 = 300;
  rows[1].idleLanes8 = 25;
  rows[2].idleLanes8 = 75;
  CHECK(lineTable(profile) ==
        "  misses of a cache of 32 KiB: 150 of 1,000 accesses to lines of 64 bytes (15.0 %)\n"
        "  idle in groups of 32 lanes: 300 of 400 lane-instructions (75.0 %)\n"
        "  line  instructions   fp ops    bytes   misses  idle lanes  mispredicted\n"
        "     2        70.0 %  100.0 %   50.0 %  100.0 %           -             -\n"
        "     1        20.0 %        -        -        -     100.0 %       100.0 %\n"
        "     ?        10.0 %        -        -        -           -             -\n"
        "     9             -        -   50.0 %        -           -             -\n");
  const std::string smaller =
      lineTable(profile, {.cacheBytes = 64 * 480, .lanes = 8, .source = ""});
  CHECK_THAT(smaller, Contains("30 KiB: 200 of 1,000") && Contains("8 lanes: 100 of 200"));
  CHECK_THAT(smaller, Contains("   2        70.0 %  100.0 %   50.0 %   75.0 %      75.0 %"));
  CHECK_THAT(smaller, Contains("   9             -        -   50.0 %   25.0 %           -"));

  LineView view;
  view.source = "for (;;)\n\ta[i] = 2;\x1b[1m\r\n";
  const std::string annotated = lineTable(profile, view);
  CHECK_THAT(annotated, Contains("mispredicted  source\n"));
  CHECK_THAT(annotated, Contains("100.0 %           -             -    a[i] = 2;\\x1b[1m\n"));
  CHECK_THAT(annotated, Contains("100.0 %  for (;;)\n"));
  CHECK_THAT(annotated,
             Contains("   9             -        -   50.0 %        -           -         "
                      "    -\n"));
}

TEST_CASE("the table of lines of an older profile says what it does not tell") {
  KernelProfile profile;
  profile.histograms.lines = {{2, 70, 8, 64, 0, 0}};
  profile.histograms.linesTellReuseAndLanes = false;
  CHECK(lineTable(profile) ==
        "  The profile is of an older version, without misses and idle lanes by line.\n"
        "  line  instructions   fp ops    bytes  mispredicted\n"
        "     2       100.0 %  100.0 %  100.0 %             -\n");
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
