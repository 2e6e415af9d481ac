/// Counts per source line of traces whose values follow from the definitions with pen and paper.
#include "metrics/loops/nest.h"

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::test;
using profile::KernelProfile;

TEST_CASE("of a line's instructions, some are none of a machine", "[lines]") {
  ProgramBuilder builder;
  trace::Operation phi = builder.op("phi");
  phi.isPseudo = true;
  trace::Operation add = builder.op("add");
  add.line = 7;
  trace::Operation marker = builder.op("call");
  marker.line = 7;
  marker.isPseudo = true;
  builder.function("kernel");
  builder.block({phi, add, marker, add, builder.op("ret")}, trace::BlockEnd::kReturn);
  const trace::Program program = builder.build();
  HandTrace trace(program);
  trace.group(2).item(0).block(0).item(1).block(0);
  const KernelProfile profile = measure(trace, 2);
  const std::vector<profile::LineRow> &lines = profile.histograms.lines;
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].instructions == 4); // phi and ret, without a line
  CHECK(lines[0].pseudoInstructions == 2);
  CHECK(lines[1].instructions == 6);
  CHECK(lines[1].pseudoInstructions == 2);
  CHECK(lines[1].machineInstructions() == 4);
}

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
