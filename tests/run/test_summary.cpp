#include "run/summary.h"
#include "runs.h"

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::run;
using Lines = std::vector<std::string>;

namespace {

/// `count` launches of a kernel; characterised if `instructions` is above 0, interpreted if there
/// is a `reason`.
struct Launches {
  std::string kernel;
  int count = 1;
  uint64_t instructions = 0;
  std::string reason = {};
};

Run runOf(const std::vector<Launches> &all) {
  Run run;
  for (const Launches &some : all)
    for (int i = 0; i < some.count; ++i) {
      Launch launch = test::launchOf(some.kernel, some.instructions);
      if (some.instructions == 0)
        launch.profile.clear();
      launch.engineReason = some.reason;
      launch.engine = some.reason.empty() ? "compiled" : "interpreter";
      run.launches.push_back(launch);
    }
  return run;
}

} // namespace

TEST_CASE("The summary has a line per kernel, most instructions first") {
  CHECK(summaryOf({}, "out").empty());
  Run run = runOf({{"dot", 2, 100}, {"matrix_product", 1, 800}});
  run.seconds = 1.5;
  CHECK(summaryOf(run, "out") ==
        Lines{"3 launches of 2 kernels characterised in 1.5 s; look at them with: aiwc show out",
              "  matrix_product  1 launch, 80.0 % of the instructions",
              "  dot             2 launches, 20.0 % of the instructions"});
  run.launches[0].simulatorErrors = 3;
  run.launches[1].complete = false;
  run.launches.push_back(runOf({{"dot"}}).launches[0]);
  CHECK(summaryOf(run, "out") ==
        Lines{"3 launches of 2 kernels characterised (of 4 launches) in 1.5 s; look at them with: "
              "aiwc show out",
              "  matrix_product  1 launch, 80.0 % of the instructions",
              "  dot             2 launches, 20.0 % of the instructions; the simulator reported "
              "errors in 1: the numbers may be wrong; 1 incomplete"});
}

TEST_CASE("The summary separates thousands in every number") {
  Run run = runOf({{"dot", 2500, 100}});
  for (size_t i = 1; i < run.launches.size(); ++i)
    run.launches[i].representative = 0;
  for (size_t i = 0; i < 1200; ++i)
    run.launches[i].complete = false;
  CHECK(summaryOf(run, "out") ==
        Lines{"1 launch of 1 kernel characterised (of 2,500 launches, 2,499 like these); look at "
              "them with: aiwc show out",
              "  dot  2,500 launches (1 characterised, 2,499 like them), 100.0 % of the "
              "instructions; 1,200 incomplete"});
  CHECK(engineLine(run) == "compiled 2,500 of 2,500 launches, 1 of 1 kernel");
}

TEST_CASE("The summary ranks kernels by their predicted time where it is known") {
  Run run = runOf({{"dot", 2, 100}, {"matrix_product", 1, 800}, {"sum"}});
  run.launches[0].profile = "aiwc_dot_0.json";
  run.launches[1].profile = "aiwc_dot_1.json";
  run.launches[2].profile = "aiwc_matrix_product_0.json";
  const PredictedTimes times = {
      "gpu1",
      {{"aiwc_dot_0.json", 0.25}, {"aiwc_dot_1.json", 0.5}, {"aiwc_matrix_product_0.json", 0.25}}};
  const Lines lines = summaryOf(run, "out", times);
  REQUIRE(lines.size() == 3);
  CHECK(lines[1] == "  dot             2 launches, 75.0 % of the predicted time on gpu1");
  CHECK(lines[2] == "  matrix_product  1 launch, 25.0 % of the predicted time on gpu1");
}

TEST_CASE("The summary says for which launches the application gives no local size") {
  Run run = runOf({{"dot", 2, 100}});
  run.launches[1].localSizeLeftOpen = true;
  CHECK_THAT(summaryOf(run, "out")[1],
             Catch::EndsWith("; the application gives no local size for 1"));
  run.launches[0].localSizeLeftOpen = true;
  CHECK_THAT(summaryOf(run, "out")[1], Catch::EndsWith("; the application gives no local size"));
}

TEST_CASE("The summary counts launches that another one's profile represents") {
  Run run = runOf({{"dot", 3, 100}, {"sum", 1, 100}});
  run.launches[1].representative = run.launches[2].representative = 0;
  run.launches[0].sampledGroups = 64;
  run.launches[3].sampledGroups = 64;
  CHECK(summaryOf(run, "out") ==
        Lines{"2 launches of 2 kernels characterised (of 4 launches, 2 like these); look at them "
              "with: aiwc show out",
              "  dot  3 launches (1 characterised, 2 like them), 75.0 % of the instructions; 1 "
              "estimated from some of the work-groups",
              "  sum  1 launch, 25.0 % of the instructions; all estimated from some of the "
              "work-groups"});
}

TEST_CASE("The summary says where work-groups outside of a sample did not run, and what it means") {
  Run run = runOf({{"sum", 1, 100}, {"dot", 3, 100}});
  CHECK(unfinishedLine(run).empty());
  for (size_t i : {1, 2, 3}) {
    run.launches[i].number = i;
    run.launches[i].sampledGroups = 64;
  }
  run.launches[2].othersLeftOut = true;
  CHECK_THAT(
      summaryOf(run, "out")[1],
      Catch::EndsWith("; all estimated from some of the work-groups; of 1 the others did not "
                      "run"));
  run.launches[1].othersLeftOut = run.launches[3].othersLeftOut = true;
  CHECK_THAT(
      summaryOf(run, "out")[1],
      Catch::EndsWith("; all estimated from some of the work-groups; the others did not run"));
  CHECK(unfinishedLine(run) ==
        "--aiwc-budget left work-groups out of 3 of 4 launches, first of launch 2 (dot): the "
        "results are wrong, what later launches read of them is unfinished, and loops of the "
        "application on them may end early or never");
  run.launches[3].profile.clear();
  CHECK_THAT(unfinishedLine(run),
             Catch::StartsWith("--aiwc-budget left work-groups out of 3 of 4 launches, 1 of which "
                               "did not run at all, first of launch 2 (dot): the results are"));
}

TEST_CASE("A run that took long says which kernels took the time") {
  Run run = runOf({{"a", 2, 1}, {"b", 1, 1}, {"c", 3}, {"d", 1, 1}, {"e", 1, 1}});
  run.seconds = 100;
  CHECK(timeLine(run).empty()); // no times
  const double seconds[] = {1, 1, 60, 8, 8, 8, 1, 1};
  for (size_t i = 0; i < run.launches.size(); ++i)
    run.launches[i].seconds = seconds[i];
  CHECK(timeLine(run) == "of 1 min 40 s, b took 60 % (1 launch), c 24 % (3 launches), a 2 % (2 "
                         "launches), and 2 more kernels; 12 % passed outside of launches");
  run.cutOffBy = 2; // perhaps in a launch, which the run has not
  CHECK_THAT(timeLine(run), Catch::EndsWith("; 12 % passed outside of launches or in one that was "
                                            "cut off"));
  run.seconds = 29.9;
  CHECK(timeLine(run).empty());
  run.seconds.reset(); // it has not ended
  CHECK(timeLine(run).empty());
}

TEST_CASE("Kernels of one name from different sources have a line each, and there are at most 13") {
  Run run = runOf({{"k", 3, 10}});
  run.launches[0].sourceHash = "xxh3-128:0123";
  run.launches[1].sourceHash = "xxh3-128:89abcdef01";
  run.launches[2].sourceHash = run.launches[0].sourceHash;
  run.launches[2].profile.clear();
  const Lines two = summaryOf(run, "out");
  REQUIRE(two.size() == 3);
  CHECK(two[1] == "  k of source 0123      1 launch, 50.0 % of the instructions");
  CHECK(two[2] == "  k of source 89abcdef  1 launch, 50.0 % of the instructions");
  CHECK(engineLine(run) == "compiled 3 of 3 launches, 2 of 2 kernels");
  Run variants = run; // one source with other options
  variants.launches[1].sourceHash = run.launches[0].sourceHash;
  variants.launches[0].buildOptions = "-cl-mad-enable -DN=1  -DT=half";
  variants.launches[1].buildOptions = "-cl-mad-enable -DN=2 -DT=half ";
  const Lines apart = summaryOf(variants, "out");
  REQUIRE(apart.size() == 3);
  CHECK_THAT(apart[1], Catch::StartsWith("  k of source 0123 with -DN=1  1 launch"));
  CHECK_THAT(apart[2], Catch::StartsWith("  k of source 0123 with -DN=2  1 launch"));
  for (Launch &launch : run.launches) {
    launch.engine = "interpreter";
    launch.engineReason = "why";
  }
  CHECK(engineLine(run) ==
        "compiled 0 of 3 launches, 0 of 2 kernels, 0.0 % of the instructions of 2 "
        "characterised launches; interpreted 3 launches of k: why");
  std::vector<Launches> many;
  for (int i = 0; i < 20; ++i)
    many.push_back({"k" + std::to_string(i), 1, 10});
  const Lines lines = summaryOf(runOf(many), "out");
  CHECK(lines.size() == 14);
  CHECK(lines.back() == "  and 8 kernels more");
}

TEST_CASE("The line about engines says how many were compiled and why the rest was not") {
  CHECK(engineLine({}).empty());
  CHECK(engineLine(runOf({{"dot", 1, 7}})) == "compiled 1 of 1 launch, 1 of 1 kernel");
  CHECK(engineLine(runOf({{"dot", 2, 999}, {"sum", 3}, {"sum", 1, 1, "why"}})) ==
        "compiled 5 of 6 launches, 1 of 2 kernels, 99.9 % of the instructions of 3 characterised "
        "launches; interpreted 1 launch of sum: why");
  // Less than all is never all.
  CHECK(engineLine(runOf({{"dot", 1, 1000000}, {"dot", 1, 1, "why"}})) ==
        "compiled 1 of 2 launches, 0 of 1 kernel, 99.9 % of the instructions; interpreted 1 launch "
        "of dot: why");
  CHECK(engineLine(runOf({{"dot", 1, 0, "why"}})) ==
        "compiled 0 of 1 launch, 0 of 1 kernel; interpreted 1 launch of dot: why");
  // What the budget left out whole did not run.
  Run some = runOf({{"dot", 4, 100}});
  some.launches.back().othersLeftOut = true;
  some.launches.back().profile.clear();
  CHECK(engineLine(some) == "compiled 3 of 3 launches, 1 of 1 kernel");
  // The most frequent reason comes first, and the line is bounded.
  std::vector<Launches> many;
  for (const char *kernel : {"a", "b", "c", "d", "e"})
    many.push_back({kernel, 1, 0, "common"});
  for (int reason = 0; reason < 6; ++reason)
    many.push_back({"a", 1, 0, "rare " + std::to_string(reason)});
  CHECK(engineLine(runOf(many)) ==
        "compiled 0 of 11 launches, 0 of 5 kernels; interpreted 5 launches of "
        "a, b, c and 2 more: common; interpreted 1 launch of a: rare 0; "
        "interpreted 1 launch of a: rare 1; interpreted 1 launch of a: rare 2; "
        "and others for 3 more reasons");
}
