#include "plugin/sampling_loop.h"

#include "metrics/sampled_groups/sampler.h"
#include "plugin/launch_clock.h"

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
  using Size = std::pair<std::string, metrics::GroupCounts>;
  /// Kernels, with their numbers of work-groups, of which a launch would have taken more than was
  /// left of the budget.
  std::set<Size> exceeded;
  std::set<Size> stopped; ///< those of which a work-group takes longer than the budget
};

/// A launch may take this part of what is left of the budget before its speed is judged.
constexpr double kTrial = 0.1;
/// A launch of few instructions is sampled if it would take more than this part of the budget.
constexpr double kLongPart = 0.1;

History &history() {
  static auto *instance = new History; // outlives every static destructor
  return *instance;
}

metrics::SampleGoal goalOf(const Accuracy &accuracy, const History::Size &launch) {
  const std::string &kernel = launch.first;
  metrics::SampleGoal goal =
      accuracy.level == AccuracyLevel::kFast ? metrics::kFastGoal : metrics::kStandardGoal;
  if (history().exceeded.contains(launch)) {
    goal.instructions = 0;
    goal.isBrief = true;
    return goal;
  }
  if (accuracy.longLaunch > 0)
    goal.instructions = accuracy.longLaunch;
  return history().needAllGroups.contains(kernel)
             ? goal
             : metrics::goalAfter(goal, history().instructionsWithoutSample);
}

engine::Verdict verdictOf(metrics::Next next) {
  return next == metrics::Next::kAgain ? engine::Verdict::kUndo : engine::Verdict::kKeep;
}

} // namespace

SamplingLoop::Ran SamplingLoop::run(const oclgrind::KernelInvocation &kernelInvocation,
                                    Invocation &invocation) const {
  const metrics::GroupCounts &groups = invocation.groupCounts();
  const History::Size size(kernelInvocation.getKernel()->getName(), groups);
  if (history().stopped.contains(size))
    return {.stopped = true};
  if (!options_.hasBudget() || metrics::dependsOnOtherGroups(invocation.decoded().program()))
    return run(kernelInvocation, invocation, Others::kRun);
  if (options_.hasTime() && !history().exceeded.contains(size)) {
    Ran ran = run(kernelInvocation, invocation, Others::kRunWithinBudget);
    if (!ran.exceeded)
      return ran;
    history().exceeded.insert(size);
    invocation.startAgain(options_.sampleGroups);
  }
  Ran ran = run(kernelInvocation, invocation, Others::kLeaveOut);
  invocation.leaveOthersOut();
  return ran;
}

SamplingLoop::Ran SamplingLoop::run(const oclgrind::KernelInvocation &kernelInvocation,
                                    Invocation &invocation, Others others) const {
  const std::string &kernel = kernelInvocation.getKernel()->getName();
  const bool othersRun = others != Others::kLeaveOut;
  const bool isExact = options_.accuracy.level == AccuracyLevel::kExact && othersRun;
  const bool isChosen = options_.sampleGroups == 0 && !isExact;
  metrics::Sampler sampler(goalOf(options_.accuracy, {kernel, invocation.groupCounts()}),
                           invocation.groupCounts(), othersRun);
  Ran ran;
  const auto groupDone = [&](const engine::GroupDone &group) {
    invocation.groupDone(group.traced);
    ran.exceeded = others == Others::kRunWithinBudget &&
                   (isExact || invocation.isSampled() || (isChosen && isLong(invocation))) &&
                   exceeds(invocation);
    if (ran.exceeded)
      return engine::Verdict::kUndo;
    if (!isChosen)
      return engine::Verdict::kKeep;
    if (const auto &work = group.work)
      sampler.add(group.linearId, work->executed, work->leastOfItem, work->mostOfItem);
    return verdictOf(sampler.afterGroup(group.tracedInstructions));
  };
  const auto launchDone = [&] {
    if (!sampler.sample())
      return engine::Verdict::kKeep;
    const auto size = static_cast<double>(sampler.sample()->size());
    const metrics::Next next = sampler.afterLaunch(invocation.judge(sampler.instructions()));
    if (next == metrics::Next::kAgain && others != Others::kRun && options_.hasTime()) {
      // If others do not run, a launch takes as much longer as its sample is larger.
      const auto groups = static_cast<double>(sampler.sample() ? sampler.sample()->size()
                                                               : invocation.pace().groups());
      ran.smallerSample =
          invocation.pace().taken() * (othersRun ? 1 : groups / size) > left(invocation);
    }
    return ran.smallerSample ? engine::Verdict::kKeep : verdictOf(next);
  };
  const auto stops = [&] {
    const Pace &pace = invocation.pace();
    ran.stopped =
        options_.hasTime() && pace.done() == 0 && secondsNow() - pace.begun() > options_.budget;
    return ran.stopped;
  };
  const engine::Wanted wanted{
      [&](uint64_t group) { return invocation.records(group); },         othersRun,  groupDone,
      [&]() -> trace::ChunkConsumer & { return invocation.newTrace(); }, launchDone, stops};
  bool knowsKinds = !othersRun || invocation.knowsSteps();
  for (;;) {
    engine::Outcome outcome = launches_.run(kernelInvocation, invocation.decoded(), &wanted);
    ran.refusal = std::move(outcome.refusal);
    if (ran.stopped) {
      engine::Launches::forgetFailure(kernelInvocation);
      history().stopped.insert({kernel, invocation.groupCounts()});
      ran.refusal.clear();
      return ran;
    }
    if (!outcome.undone || ran.exceeded)
      return ran;
    if (sampler.needsAllGroups())
      history().needAllGroups.insert(kernel);
    if (sampler.sample() && !std::exchange(knowsKinds, true)) {
      metrics::StepCensus census(invocation.decoded().stepsVary(), sampler.sample()->groups());
      if (Ran looked = lookAtSteps(kernelInvocation, invocation, others, census);
          looked.exceeded || !looked.refusal.empty())
        return looked;
      sampler.setKinds(census.kinds());
      invocation.setKnowsSteps(census.isComplete());
    }
    invocation.startAgain(sampler.sample());
  }
}

SamplingLoop::Ran SamplingLoop::lookAtSteps(const oclgrind::KernelInvocation &kernelInvocation,
                                            Invocation &invocation, Others others,
                                            metrics::StepCensus &census) const {
  invocation.startAgain(
      std::shared_ptr<const metrics::GroupSample>()); // the progress of all work-groups
  Ran ran;
  std::mutex mutex; // of the analysing threads
  std::deque<metrics::StepCensus::Reader> readers;
  const engine::Wanted wanted{
      [](uint64_t) { return true; }, true,
      [&](const engine::GroupDone &) {
        invocation.groupDone(true);
        ran.exceeded = others == Others::kRunWithinBudget && exceeds(invocation);
        return census.isUseless() || ran.exceeded ? engine::Verdict::kUndo : engine::Verdict::kKeep;
      },
      [&]() -> trace::ChunkConsumer & {
        const std::scoped_lock lock(mutex);
        return readers.emplace_back(census);
      },
      [] { return engine::Verdict::kUndo; }};
  ran.refusal = launches_.run(kernelInvocation, invocation.decoded(), &wanted).refusal;
  return ran;
}

double SamplingLoop::left(const Invocation &invocation) const {
  return options_.budget - programTime().seconds - (invocation.pace().now() - programTime().begun);
}

bool SamplingLoop::exceeds(const Invocation &invocation) const {
  const double rest = left(invocation);
  if (rest <= 0)
    return true;
  // The first work-groups may be slow: their code is not yet the best.
  const double taken = invocation.pace().now() - programTime().begun;
  if (taken < kTrial * (rest + taken))
    return false;
  const auto others = invocation.pace().secondsLeft();
  return others && *others > rest;
}

bool SamplingLoop::isLong(const Invocation &invocation) const {
  const Pace &pace = invocation.pace();
  const auto others = pace.secondsLeft();
  return others && pace.groups() >= metrics::Sampler::kLeastGroups &&
         pace.taken() + *others > kLongPart * options_.budget;
}

void SamplingLoop::ranWithoutSample(uint64_t instructions) {
  history().instructionsWithoutSample += instructions;
}

} // namespace aiwc::plugin
