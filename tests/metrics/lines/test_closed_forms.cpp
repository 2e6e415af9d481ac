/// Counts per source line of traces whose values follow from the definitions with pen and paper.
#include "metrics/loops/nest.h"

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::test;
using profile::KernelProfile;

TEST_CASE("work is told by source line", "[lines]") {
  const KernelProfile profile = run(2, 3, [](uint64_t, uint64_t j) { return Elements{j, j + 10}; });
  const std::vector<profile::LineRow> &lines = profile.histograms.lines;
  REQUIRE(lines.size() == 5);
  CHECK(lines[0].instructions == 2); // no line is known of the entry and the return
  CHECK(lines[1].instructions == 3 + 2);
  CHECK(lines[1].branches == 3);
  CHECK(lines[2].branches == 2 * (3 + 1));
  CHECK(lines[3].bytes == 2 * 3 * 4);
  CHECK(lines[4].instructions == 6);
}
