#pragma once

#include "metrics/reuse_distance/reuse_order.h"
#include "metrics/sampled_groups/sampled_analyses.h"
#include "metrics/shared/analysis.h"
#include "plugin/decoder.h"
#include "plugin/execution_tracker.h"
#include "plugin/progress.h"
#include "profile/kernel_profile.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::plugin {

/// What a kernel's program was built from: its source or, where it has none, its bitcode as the
/// simulator built it.
std::string contentOf(const oclgrind::Program &program);

/// One kernel invocation that is being characterised: its decoded program and, per simulator
/// thread, what was recorded of it.
class Invocation {
public:
  /// `sampleGroups`: how many of its work-groups are characterised; 0 or as many as there are: all.
  /// Throws `aiwc::Error` where the kernel cannot be decoded.
  Invocation(const oclgrind::KernelInvocation &invocation, uint64_t number,
             const metrics::AnalysisOptions &options, uint64_t sampleGroups, bool showProgress);

  /// A tracker for the calling thread, which keeps it until the invocation ends. Thread-safe.
  ExecutionTracker &newTracker();
  /// The simulator reported an error. Thread-safe.
  void simulatorError(const char *message);
  /// A work-group has run, characterised or not. Thread-safe.
  void groupDone() { recorded_->progress.show(++recorded_->groupsDone); }
  /// Whether this work-group, by its linear id, is characterised.
  bool characterises(uint64_t linearId) const {
    return !sample_ || sample_->rankOf(linearId).has_value();
  }
  bool characterises(const oclgrind::Size3 &group) const {
    return !sample_ || characterises(group.x + groups_.x * (group.y + groups_.y * group.z));
  }

  const DecodedProgram &decoded() const { return decoded_; }
  /// Takes the trace of a thread of the compiled engine. Thread-safe.
  trace::ChunkConsumer &newTrace();
  /// Forgets everything that was recorded: the interpreter begins anew.
  void discardTraces() { recorded_ = newRecorded(); }
  /// What executes it; `reason`: why that is the interpreter.
  void setEngine(std::string engine, std::string reason = "") {
    provenance_.engine = std::move(engine);
    provenance_.engineReason = std::move(reason);
  }

  /// The profile of what was executed. Called once, when every simulator thread is done.
  profile::KernelProfile finish();

private:
  /// What one simulator thread executes, and the analyses of it.
  struct Thread {
    explicit Thread(const Invocation &invocation);
    /// One of the two: of all work-groups, or of a sample.
    std::optional<metrics::AnalysisSet> analyses;
    std::optional<metrics::SampledAnalyses> sampled;
    ExecutionTracker tracker;

    trace::ChunkConsumer &consumer() {
      return analyses ? static_cast<trace::ChunkConsumer &>(*analyses) : *sampled;
    }
  };

  /// What an engine has left so far. All of it goes when a launch is taken back.
  struct Recorded {
    std::shared_ptr<metrics::ReuseOrder> reuseOrder; ///< of all threads
    Progress progress;
    std::atomic<uint64_t> groupsDone = 0;
    std::mutex mutex; ///< guards what follows
    std::vector<std::unique_ptr<Thread>> threads;
    uint64_t simulatorErrors = 0;
    std::string fatalError;
  };

  std::unique_ptr<Recorded> newRecorded() const;
  Thread &newThread();
  void merge(profile::KernelProfile &profile);

  void judgeCompleteness(profile::KernelProfile &profile) const;

  profile::Provenance provenance_;
  DecodedProgram decoded_;
  metrics::AnalysisOptions options_;
  bool showProgress_;
  oclgrind::Size3 groups_; ///< per dimension
  uint64_t totalGroups_;
  std::shared_ptr<const metrics::GroupSample> sample_; ///< null where all are characterised
  std::unique_ptr<Recorded> recorded_;
};

} // namespace aiwc::plugin
