/// Computes each family separately.
#include "common/error.h"
#include "metrics/reference_comparison.h"
#include "support/random_trace.h"
#include "trace/recorder.h"

#include <catch2/catch.hpp>
#include <set>

using namespace aiwc;
using namespace aiwc::test;
using profile::KernelProfile;
using profile::Metric;

TEST_CASE("a family by itself writes what it writes among all, and all have a family",
          "[families]") {
  Random random(3);
  TraceShape shape;
  shape.groups = 8;
  shape.itemsPerGroup = 16;
  shape.stepsPerItem = 60;
  const RandomProgram program = randomProgram(random, shape);
  const Execution execution = randomExecution(random, program, shape);
  const KernelProfile all = analyse(program.program, execution, 16);
  const auto alone = [&](const std::vector<std::string> &only) {
    metrics::AnalysisOptions options;
    options.only = only;
    metrics::AnalysisSet analysis(program.program, options);
    trace::Recorder recorder(analysis);
    for (const GroupTrace &group : execution.groups)
      play(program.program, group, recorder);
    return finish(analysis, 16);
  };

  std::set<Metric> written;
  const std::vector<std::string> families = metrics::AnalysisSet::families();
  for (const std::string &family : families) {
    CAPTURE(family);
    const KernelProfile one = alone({family});
    for (const Metric metric : tracedMetrics())
      if (one[metric].index() != 0) {
        CAPTURE(profile::info(metric).key);
        REQUIRE(one[metric] == all[metric]);
        REQUIRE(written.insert(metric).second); // by no other family
      }
  }
  for (const Metric metric : tracedMetrics())
    if (all[metric].index() != 0)
      CHECK(written.contains(metric));
  CHECK(differentBits(alone(families), all).empty());
  CHECK(alone({})["total_instruction_count"_metric].index() == 0);
  CHECK_THROWS_AS(alone({"reuse"}), Error);
}
