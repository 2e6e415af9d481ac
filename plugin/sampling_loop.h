#pragma once

#include "metrics/sampled_groups/step_census.h"
#include "plugin/engine/launches.h"
#include "plugin/invocation.h"
#include "session/options.h"

#include <cstdint>
#include <string>

namespace aiwc::plugin {

/// Runs characterised launches with the compiled engine. Undoes a launch and runs it again until
/// the sample of its work-groups is as accurate as the options ask, or with its sample only if it
/// would take more than is left of the budget. All contexts of the process share what earlier
/// launches tell about later ones. Not thread-safe: run one launch at a time.
class SamplingLoop {
public:
  /// What has become of a launch.
  struct Ran {
    std::string refusal; ///< why the interpreter has to run the launch; empty: it need not
    /// A work-group takes longer than the budget: the launch was undone, and its sample does not
    /// run either.
    bool stopped = false;
    bool exceeded = false;      ///< the launch was undone, since it would take more than is left
    bool smallerSample = false; ///< a better one would have taken more than is left
  };

  /// `launches` and `options` outlive the object.
  SamplingLoop(const engine::Launches &launches, const SessionOptions &options)
      : launches_(launches), options_(options) {}

  /// `Ran::exceeded` is false: the launch has then run with its sample only. After `Ran::stopped`,
  /// nothing of it has run.
  Ran run(const oclgrind::KernelInvocation &kernelInvocation, Invocation &invocation) const;
  /// Call it after each launch of which all work-groups were characterised.
  static void ranWithoutSample(uint64_t instructions);

private:
  /// What to do with the work-groups outside of a sample.
  enum class Others {
    kRun,
    kRunWithinBudget, ///< undo the launch if it would take more than is left
    kLeaveOut
  };

  Ran run(const oclgrind::KernelInvocation &kernelInvocation, Invocation &invocation,
          Others others) const;
  /// Runs all work-groups, and undoes it, to look at the steps of their addresses.
  Ran lookAtSteps(const oclgrind::KernelInvocation &kernelInvocation, Invocation &invocation,
                  Others others, metrics::StepCensus &census) const;
  /// What is left of the budget for the present launch, which has taken some of it already.
  double left(const Invocation &invocation) const;
  /// Whether the launch takes more than is left, or will at its present speed.
  bool exceeds(const Invocation &invocation) const;
  /// Whether a sample of a launch without one would save a good part of the budget.
  bool isLong(const Invocation &invocation) const;

  const engine::Launches &launches_;
  const SessionOptions &options_;
};

} // namespace aiwc::plugin
