#pragma once

#include "metrics/sampled_groups/step_census.h"
#include "plugin/engine/launches.h"
#include "plugin/invocation.h"
#include "session/options.h"

#include <cstdint>
#include <string>

namespace aiwc::plugin {

/// Runs characterised launches with the compiled engine. Undoes a launch and runs it again until
/// the sample of its work-groups is as accurate as the options ask. All contexts of the process
/// share what earlier launches tell about later ones. Not thread-safe: run one launch at a time.
class SamplingLoop {
public:
  /// `launches` and `options` outlive the object.
  SamplingLoop(const engine::Launches &launches, const SessionOptions &options)
      : launches_(launches), options_(options) {}

  /// Returns an empty string, or the reason why the interpreter has to run the launch.
  std::string run(const oclgrind::KernelInvocation &kernelInvocation, Invocation &invocation) const;
  /// Whether the work-groups outside of a sample do not run (SessionOptions::onlySampled).
  bool leavesOthersOut(const Invocation &invocation) const;
  /// Call it after each launch of which all work-groups were characterised.
  static void ranWithoutSample(uint64_t instructions);

private:
  /// Runs all work-groups, and undoes it, to look at the steps of their addresses. Returns as `run`
  /// does.
  std::string lookAtSteps(const oclgrind::KernelInvocation &kernelInvocation,
                          Invocation &invocation, metrics::StepCensus &census) const;

  const engine::Launches &launches_;
  const SessionOptions &options_;
};

} // namespace aiwc::plugin
