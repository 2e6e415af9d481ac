/// Several threads, each with its own recorder and analyses, share the program and the ReuseOrder.
/// The ThreadSanitizer build detects races; the comparison of profiles bit by bit detects a
/// dependence on the schedule.
#include "metrics/reuse_distance/reuse_order.h"
#include "reference_comparison.h"
#include "support/random_trace.h"
#include "trace/recorder.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <deque>
#include <thread>
#include <vector>

using namespace aiwc;
using namespace aiwc::test;

namespace {

constexpr uint64_t kSize = 16;

profile::KernelProfile analyseInParallel(const trace::Program &program, const Execution &execution,
                                         size_t threads) {
  // As the plugin does it.
  const auto order = std::make_shared<metrics::ReuseOrder>(program);
  std::deque<metrics::AnalysisSet> analyses;
  for (size_t i = 0; i < threads; ++i)
    analyses.emplace_back(program, metrics::AnalysisOptions{}, order);
  std::atomic<size_t> nextGroup = 0;
  std::vector<std::thread> pool;
  for (size_t i = 0; i < threads; ++i)
    pool.emplace_back([&, i] {
      trace::Recorder recorder(analyses[i]);
      for (size_t group; (group = nextGroup++) < execution.groups.size();)
        play(program, execution.groups[group], recorder);
    });
  for (std::thread &thread : pool)
    thread.join();
  for (size_t i = 1; i < threads; ++i)
    analyses[0].merge(analyses[i]);
  return finish(analyses[0], kSize);
}

} // namespace

TEST_CASE("any number of threads gives the same profile, bit for bit", "[threads]") {
  TraceShape shape;
  shape.groups = 200;
  shape.itemsPerGroup = kSize;
  shape.stepsPerItem = 60;
  shape.abortedGroups = true;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const RandomProgram program = randomProgram(random, shape);
    const Execution execution = randomExecution(random, program, shape);
    const profile::KernelProfile one = analyse(program.program, execution, kSize);
    for (const size_t threads : {1, 2, 4, 7})
      REQUIRE(differentBits(one, analyseInParallel(program.program, execution, threads)) == "");
  }
}
