/// The control metrics of traces whose values follow from the definitions with pen and paper.
#include "metrics/hand_trace.h"
#include "metrics/reference_comparison.h"
#include "support/random.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <vector>

using namespace aiwc;
using namespace aiwc::test;
using profile::Histogram;
using profile::KernelProfile;
using trace::BlockEnd;
using trace::BlockId;
using trace::Program;

namespace {

/// Block 0 branches to block 1 (taken) or 2 (not taken), which both lead back to it; block 3
/// returns.
Program branchProgram() {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("br")}, BlockEnd::kBranch, {BlockId{1}, BlockId{2}});
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{0}});
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{0}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  return builder.build();
}

/// The current work-item executes the branch with these outcomes.
void execute(HandTrace &trace, const std::vector<bool> &outcomes) {
  for (const bool taken : outcomes)
    trace.block(0).block(taken ? 1 : 2);
}

/// One work-item that executes one branch with these outcomes.
KernelProfile measureOutcomes(const std::vector<bool> &outcomes) {
  const Program program = branchProgram();
  HandTrace trace(program);
  trace.group(1).item(0);
  execute(trace, outcomes);
  return measure(trace);
}

/// A binary de Bruijn sequence of order `n`: read in a circle, each pattern of n bits once. Greedy
/// "prefer one" construction.
std::vector<bool> deBruijn(unsigned n) {
  const uint32_t patterns = 1U << n;
  std::vector<bool> seen(patterns), sequence;
  uint32_t window = 0;
  for (uint32_t i = 0; i < patterns; ++i) {
    const uint32_t one = (window << 1 | 1) & (patterns - 1);
    window = seen[one] ? one ^ 1 : one;
    seen[window] = true;
    sequence.push_back(window & 1);
  }
  return sequence;
}

/// Entropy in bits of occurrences {count, how many patterns occur so often}, out of `total`.
double entropyOf(const std::vector<std::pair<double, double>> &occurrences, double total) {
  double sum = 0;
  for (const auto &[count, patterns] : occurrences)
    sum -= patterns * count / total * std::log2(count / total);
  return sum;
}

} // namespace

TEST_CASE("no branch, no entropy", "[control]") {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{1}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(1).item(0).blocks({0, 1});
  const KernelProfile profile = measure(trace);
  REQUIRE(profile.count("unique_branches"_metric) == 0);
  REQUIRE(profile.count("unique_branches_90"_metric) == 0);
  REQUIRE(profile.real("yokota_branch_entropy"_metric) == 0);
  REQUIRE(profile.real("linear_branch_entropy"_metric) == 0);
}

TEST_CASE("a branch always taken is predicted by every pattern", "[control]") {
  const int n = 1000;
  const KernelProfile profile = measureOutcomes(std::vector<bool>(n, true));
  REQUIRE(profile.real("linear_branch_entropy"_metric) == 0);
  // Histories of 0 to 15 outcomes once each, then always the same one of 16.
  REQUIRE(profile.real("yokota_branch_entropy"_metric) ==
          Approx(entropyOf({{1, 16}, {n - 16, 1}}, n) / 16).epsilon(1e-12));
  REQUIRE(profile.count("unique_branches"_metric) == 1);
  REQUIRE(profile.histograms.branchExecutions == Histogram{{n, 1}});
}

TEST_CASE("a loop taken 15 times then left has no linear entropy", "[control]") {
  const int rounds = 50;
  std::vector<bool> outcomes;
  for (int round = 0; round < rounds; ++round) {
    outcomes.insert(outcomes.end(), 15, true);
    outcomes.push_back(false);
  }
  const KernelProfile profile = measureOutcomes(outcomes);
  REQUIRE(profile.real("linear_branch_entropy"_metric) == 0);
  // After 16 executions, the 16 rotations of the loop's pattern follow one another.
  REQUIRE(profile.real("yokota_branch_entropy"_metric) ==
          Approx(entropyOf({{1, 16}, {rounds - 1, 16}}, 16 * rounds) / 16).epsilon(1e-12));
}

TEST_CASE("a loop of more iterations than the history is long is left unpredicted", "[control]") {
  // Taken 16 times, then left, in each of the work-groups: after 16 taken outcomes the history
  // says nothing, whether the loop goes on (a 17th time in half of the groups) or not.
  const Program program = branchProgram();
  HandTrace trace(program);
  const int groups = 10;
  for (int group = 0; group < groups; ++group) {
    std::vector<bool> outcomes(16, true);
    outcomes.push_back(group % 2 == 0);
    trace.group(1).item(0);
    execute(trace, outcomes);
  }
  REQUIRE(measure(trace).real("linear_branch_entropy"_metric) == Approx(1.0 / 17).epsilon(1e-12));
}

TEST_CASE("outcomes that no history predicts: both entropies tend to 1", "[control]") {
  // A de Bruijn sequence of order 17 in a circle: each of the 2^16 histories is followed once by
  // each outcome. The circle is closed by starting with its last 16 outcomes.
  const std::vector<bool> circle = deBruijn(17);
  std::vector<bool> outcomes(circle.end() - 16, circle.end());
  outcomes.insert(outcomes.end(), circle.begin(), circle.end());
  const KernelProfile profile = measureOutcomes(outcomes);
  const double n = 16 + 131072;
  REQUIRE(profile.real("linear_branch_entropy"_metric) == Approx(131072 / n).epsilon(1e-12));
  REQUIRE(profile.real("yokota_branch_entropy"_metric) ==
          Approx(std::min(1.0, entropyOf({{1, 16}, {2, 65536}}, n) / 16)).epsilon(1e-12));
}

TEST_CASE("a fair coin: the more throws, the closer both entropies come to 1", "[control]") {
  double yokota = 0, linear = 0;
  for (const int throws : {1000, 30000, 400000}) {
    Random random(7);
    std::vector<bool> outcomes;
    for (int i = 0; i < throws; ++i)
      outcomes.push_back(random.oneIn(2));
    const KernelProfile profile = measureOutcomes(outcomes);
    REQUIRE(profile.real("yokota_branch_entropy"_metric) > yokota);
    REQUIRE(profile.real("linear_branch_entropy"_metric) > linear);
    yokota = profile.real("yokota_branch_entropy"_metric);
    linear = profile.real("linear_branch_entropy"_metric);
  }
  // With 6 throws per pattern on average, 1 − E |2 p − 1| is near 1 − sqrt(2 / (6 π)).
  REQUIRE(yokota > 0.99);
  REQUIRE(linear > 0.6);
}

TEST_CASE("the length of a history at the start is part of the pattern", "[control]") {
  // Histories "", T, TT, TTT once each: were they one pattern, its entropy would be 0.
  REQUIRE(measureOutcomes({true, true, true, true}).real("yokota_branch_entropy"_metric) ==
          2.0 / 16);
}

TEST_CASE("a history ends with its work-group", "[control]") {
  const Program program = branchProgram();
  HandTrace trace(program);
  for (int group = 0; group < 8; ++group) {
    trace.group(1).item(0);
    execute(trace, {group % 2 == 0});
  }
  const KernelProfile profile = measure(trace);
  // Eight times the empty history, half of them taken.
  REQUIRE(profile.real("yokota_branch_entropy"_metric) == 0);
  REQUIRE(profile.real("linear_branch_entropy"_metric) == 1);
}

TEST_CASE("a history is that of the group: its work-items follow one another", "[control]") {
  // Work-item 0 takes the branch, 1 does not, and so on: within the group, each history is
  // another one; a history per work-item would always be empty.
  const Program program = branchProgram();
  HandTrace trace(program);
  trace.group(4);
  for (uint32_t item = 0; item < 4; ++item) {
    trace.item(item);
    execute(trace, {item % 2 == 0});
  }
  const KernelProfile profile = measure(trace);
  REQUIRE(profile.real("yokota_branch_entropy"_metric) == 2.0 / 16);
  REQUIRE(profile.real("linear_branch_entropy"_metric) == 0);
}

TEST_CASE("each branch has a history of its own, weighted by its executions", "[control]") {
  // Block 0 as above, block 1 another branch to 0 or 2; block 2 jumps.
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("br")}, BlockEnd::kBranch, {BlockId{1}, BlockId{2}});
  builder.block({builder.op("br")}, BlockEnd::kBranch, {BlockId{0}, BlockId{2}});
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{0}});
  const Program program = builder.build();
  HandTrace trace(program);
  // In each of four groups, both branches are executed four times. The first is always taken (its
  // last execution, at the end, stays open). The second is taken or not at first, then taken twice,
  // then not taken.
  for (const bool taken : {true, true, false, false}) {
    trace.group(1).item(0).blocks({0, 1});
    if (!taken)
      trace.block(2);
    trace.blocks({0, 1, 0, 1, 0, 1});
    trace.block(2).block(0);
  }
  const KernelProfile profile = measure(trace);
  // First branch: histories of 0 to 3 outcomes, four times each. Second: nothing is known of the
  // first outcome in all four groups; the histories behind it are those of two groups each.
  REQUIRE(profile.count("unique_branches"_metric) == 2);
  REQUIRE(profile.histograms.branchExecutions == Histogram{{16, 2}});
  const double first = entropyOf({{4, 4}}, 16), second = entropyOf({{4, 1}, {2, 6}}, 16);
  REQUIRE(profile.real("yokota_branch_entropy"_metric) ==
          Approx((first + second) / 2 / 16).epsilon(1e-12));
  REQUIRE(profile.real("linear_branch_entropy"_metric) == Approx(4.0 / 32).epsilon(1e-12));
}

TEST_CASE("a switch is taken where it leaves its default", "[control]") {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("switch")}, BlockEnd::kSwitch, {BlockId{1}, BlockId{2}, BlockId{3}});
  for (int target = 1; target <= 3; ++target)
    builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{0}});
  const Program program = builder.build();
  const auto linear = [&](const std::vector<uint32_t> &targets) {
    HandTrace trace(program);
    for (const uint32_t target : targets) // a group each, so that every history is empty
      trace.group(1).item(0).block(0).block(target);
    return measure(trace).real("linear_branch_entropy"_metric);
  };
  REQUIRE(linear({2, 3, 2, 3}) == 0); // another case is no other outcome
  REQUIRE(linear({1, 1, 1, 1}) == 0);
  REQUIRE(linear({1, 2, 1, 3}) == 1);
  REQUIRE(linear({1, 2, 2, 3}) == 0.5);
}

TEST_CASE("unique_branches_90: as few branches as cover 90 % of the executions", "[control]") {
  ProgramBuilder builder;
  builder.function("kernel");
  for (uint32_t block = 0; block < 3; ++block)
    builder.block({builder.op("br")}, BlockEnd::kBranch, {BlockId{block}, BlockId{block + 1}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  const Program program = builder.build();
  const auto cover = [&](std::vector<uint64_t> executions) {
    HandTrace trace(program);
    trace.group(1).item(0);
    for (uint32_t branch = 0; branch < 3; ++branch)
      trace.block(branch, {}, executions[branch]);
    trace.block(3);
    return measure(trace).count("unique_branches_90"_metric);
  };
  REQUIRE(cover({9, 1, 90}) == 1);
  REQUIRE(cover({9, 2, 90}) == 2);
  REQUIRE(cover({5, 5, 5}) == 3);
  REQUIRE(cover({90, 9, 1}) == 1);
}

TEST_CASE("a branch whose outcome nobody saw is not counted", "[control]") {
  const Program program = branchProgram();
  HandTrace none(program), seen(program);
  none.group(1).item(0).abort(0, 0);
  REQUIRE(measure(none).count("unique_branches"_metric) == 0);
  // Given up in the block behind the branch: that tells its outcome.
  seen.group(1).item(0).block(0).abort(1, 0);
  REQUIRE(measure(seen).count("unique_branches"_metric) == 1);
  REQUIRE(measure(seen).histograms.branchExecutions == Histogram{{1, 1}});
}

TEST_CASE("a branch that an earlier work-item left open takes no outcome from a later one",
          "[control]") {
  const Program program = branchProgram();
  HandTrace trace(program);
  trace.group(1).item(0).block(0).group(1).item(0).block(1);
  REQUIRE(measure(trace).count("unique_branches"_metric) == 0);
}

TEST_CASE("outcomes are counted beyond 2^32", "[branch]") {
  // Groups take the branch three times, and then the usual ones do not, the others do. So each of
  // the four histories occurs once per group, and the best guess at the last one fails in the usual
  // groups. Two of these are counted one by one, which carries the lower halves of their counts.
  const Program program = branchProgram();
  const auto groupOf = [&](bool last) {
    HandTrace trace(program);
    trace.group(1).item(0);
    execute(trace, {true, true, true, last});
    return trace;
  };
  const HandTrace usual = groupOf(false), other = groupOf(true);
  metrics::AnalysisOptions options;
  options.only = {"branch_entropy"};
  const auto analysed = [&](const HandTrace &trace) {
    auto analysis = std::make_unique<metrics::AnalysisSet>(program, options);
    trace::Recorder recorder(*analysis);
    play(program, trace.execution().groups.front(), recorder);
    return analysis;
  };
  constexpr uint64_t kTimes = (uint64_t{1} << 32) - 1;
  metrics::AnalysisSet sum(program, options);
  sum.add(*analysed(usual), kTimes);
  sum.add(*analysed(other), 5 * kTimes);
  trace::Recorder recorder(sum);
  for (int i = 0; i < 2; ++i)
    play(program, usual.execution().groups.front(), recorder);
  const KernelProfile profile = finish(sum, 1);
  const uint64_t usually = kTimes + 2, otherwise = 5 * kTimes, groups = usually + otherwise;
  CHECK(profile.histograms.branchExecutions == Histogram{{4 * groups, 1}});
  CHECK(profile.real("linear_branch_entropy"_metric) ==
        Approx(2 * static_cast<double>(usually) / static_cast<double>(4 * groups)).epsilon(1e-15));
}
