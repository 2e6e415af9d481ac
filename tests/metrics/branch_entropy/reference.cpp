#include "metrics/brute_force_common.h"

#include <string>
#include <utility>

namespace aiwc::test {

using namespace trace;

namespace {

constexpr size_t kHistory = 16;

/// One execution of a branch: the outcomes of the same branch before it, and its own.
struct Outcome {
  BlockId branch;
  std::string history; ///< at most kHistory of 'T' (taken) and 'N', the latest last
  bool taken;
};

/// Whether going from `block` to `next` counts as taken.
bool isTaken(const Program &program, const Block &block, BlockId next) {
  const BlockId first = program.successorsOf(block)[0];
  if (block.end == BlockEnd::kSwitch)
    return next != first; // not its default
  return next == first;
}

std::vector<Outcome> outcomesOf(const Program &program, const GroupTrace &group) {
  std::vector<Outcome> outcomes;
  std::map<BlockId, std::string> soFar; // every outcome of the branch in this work-group
  for (const Interval &interval : group.intervals)
    for (const Stretch &stretch : interval.stretches)
      for (size_t i = 0; i + 1 < stretch.steps.size(); ++i) {
        const BlockId id = stretch.steps[i].block;
        const Block &block = program.block(id);
        if (block.end != BlockEnd::kBranch && block.end != BlockEnd::kSwitch)
          continue;
        const bool taken = isTaken(program, block, stretch.steps[i + 1].block);
        std::string &all = soFar[id];
        const size_t length = std::min(all.size(), kHistory);
        outcomes.push_back({id, all.substr(all.size() - length), taken});
        all += taken ? 'T' : 'N';
      }
  return outcomes;
}

struct Tally {
  uint64_t executions = 0, taken = 0;
};

} // namespace

void branch_entropy::reference(const Traced &traced, BruteForce &result) {
  const Program &program = traced.program;
  const Execution &execution = traced.execution;
  std::map<BlockId, std::map<std::string, Tally>> patterns;
  std::map<BlockId, uint64_t> executions;
  uint64_t total = 0;
  for (const GroupTrace &group : execution.groups)
    for (const Outcome &outcome : outcomesOf(program, group)) {
      Tally &tally = patterns[outcome.branch][outcome.history];
      ++tally.executions;
      tally.taken += outcome.taken;
      ++executions[outcome.branch];
      ++total;
    }

  for (const auto &[branch, tallies] : patterns) {
    profile::LineRow &row = rowOf(result, program.operationsOf(program.block(branch)).back().line);
    for (const auto &[pattern, tally] : tallies) {
      row.branches += tally.executions;
      row.mispredictions += std::min(tally.taken, tally.executions - tally.taken);
    }
  }

  long double yokota = 0, linear = 0;
  for (const auto &[branch, tallies] : patterns) {
    Counts counts;
    for (const auto &[pattern, tally] : tallies) {
      counts.push_back(tally.executions);
      const long double p = static_cast<long double>(tally.taken) / tally.executions;
      linear += 2 * std::min(p, 1 - p) * tally.executions / total;
    }
    yokota += entropy(counts) / kHistory * executions[branch] / total;
  }
  result.values["unique_branches"_metric] = uint64_t{executions.size()};
  result.values["unique_branches_90"_metric] = cover90(countsOf(executions));
  result.values["yokota_branch_entropy"_metric] = real(std::min(yokota, 1.0L));
  result.values["linear_branch_entropy"_metric] = real(linear);
  result.histograms.branchExecutions = histogramOf(countsOf(executions));
}

} // namespace aiwc::test
