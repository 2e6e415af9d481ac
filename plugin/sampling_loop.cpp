#include "plugin/sampling_loop.h"

#include "metrics/sampled_groups/group_dependence.h"
#include "metrics/sampled_groups/sampler.h"

#include <cstdlib>
#include <deque>
#include <mutex>
#include <set>
#include <utility>

namespace aiwc::plugin {
namespace {

/// What the launches of the process tell about later ones.
struct History {
  /// The instructions of all launches that were not sampled.
  uint64_t instructionsWithoutSample = 0;
  /// Kernels of which a launch needed all work-groups: short ones are not sampled again.
  std::set<std::string, std::less<>> needAllGroups;
};

History &history() {
  static auto *instance = new History; // outlives every static destructor
  return *instance;
}

metrics::SampleGoal goalOf(Accuracy accuracy, const std::string &kernel) {
  metrics::SampleGoal goal =
      accuracy == Accuracy::kFast ? metrics::kFastGoal : metrics::kStandardGoal;
  if (const char *const instructions = std::getenv("AIWC_ACCURACY_INSTRUCTIONS")) // for tests
    goal.instructions = std::strtoull(instructions, nullptr, 10);
  return history().needAllGroups.contains(kernel)
             ? goal
             : metrics::goalAfter(goal, history().instructionsWithoutSample);
}

engine::Verdict verdictOf(metrics::Next next) {
  return next == metrics::Next::kAgain ? engine::Verdict::kUndo : engine::Verdict::kKeep;
}

} // namespace

std::string SamplingLoop::run(const oclgrind::KernelInvocation &kernelInvocation,
                              Invocation &invocation) const {
  const std::string &kernel = kernelInvocation.getKernel()->getName();
  const bool isChosen = options_.sampleGroups == 0 && options_.accuracy != Accuracy::kExact;
  const bool othersRun = !leavesOthersOut(invocation);
  metrics::Sampler sampler(goalOf(options_.accuracy, kernel), invocation.groupCounts(), othersRun);
  const auto groupDone = [&](const engine::GroupDone &group) {
    invocation.groupDone(group.traced);
    if (!isChosen)
      return engine::Verdict::kKeep;
    if (const auto &work = group.work)
      sampler.add(group.linearId, work->executed, work->leastOfItem, work->mostOfItem);
    return verdictOf(sampler.afterGroup(group.tracedInstructions));
  };
  const auto launchDone = [&] {
    return sampler.sample()
               ? verdictOf(sampler.afterLaunch(invocation.judge(sampler.instructions())))
               : engine::Verdict::kKeep;
  };
  const engine::Wanted wanted{
      [&](uint64_t group) { return invocation.records(group); }, othersRun, groupDone,
      [&]() -> trace::ChunkConsumer & { return invocation.newTrace(); }, launchDone};
  bool knowsKinds = !othersRun || invocation.knowsSteps();
  for (;;) {
    const engine::Outcome outcome = launches_.run(kernelInvocation, invocation.decoded(), &wanted);
    if (!outcome.undone)
      return outcome.refusal;
    if (sampler.needsAllGroups())
      history().needAllGroups.insert(kernel);
    if (sampler.sample() && !std::exchange(knowsKinds, true)) {
      metrics::StepCensus census(invocation.decoded().stepsVary(), sampler.sample()->groups());
      if (std::string refusal = lookAtSteps(kernelInvocation, invocation, census); !refusal.empty())
        return refusal;
      sampler.setKinds(census.kinds());
      invocation.setKnowsSteps(census.isComplete());
    }
    invocation.startAgain(sampler.sample());
  }
}

std::string SamplingLoop::lookAtSteps(const oclgrind::KernelInvocation &kernelInvocation,
                                      Invocation &invocation, metrics::StepCensus &census) const {
  invocation.startAgain(
      std::shared_ptr<const metrics::GroupSample>()); // the progress of all work-groups
  std::mutex mutex;                                   // of the analysing threads
  std::deque<metrics::StepCensus::Reader> readers;
  const engine::Wanted wanted{[](uint64_t) { return true; }, true,
                              [&](const engine::GroupDone &) {
                                invocation.groupDone(true);
                                return census.isUseless() ? engine::Verdict::kUndo
                                                          : engine::Verdict::kKeep;
                              },
                              [&]() -> trace::ChunkConsumer & {
                                const std::scoped_lock lock(mutex);
                                return readers.emplace_back(census);
                              },
                              [] { return engine::Verdict::kUndo; }};
  return launches_.run(kernelInvocation, invocation.decoded(), &wanted).refusal;
}

bool SamplingLoop::leavesOthersOut(const Invocation &invocation) const {
  return options_.onlySampled && !metrics::dependsOnOtherGroups(invocation.decoded().program());
}

void SamplingLoop::ranWithoutSample(uint64_t instructions) {
  history().instructionsWithoutSample += instructions;
}

} // namespace aiwc::plugin
