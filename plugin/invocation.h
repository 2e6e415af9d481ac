#pragma once

#include "decoding/decoder.h"
#include "metrics/reuse_distance/reuse_order.h"
#include "metrics/sampled_groups/sampled_analyses.h"
#include "metrics/sampled_groups/sampler.h"
#include "metrics/shared/analysis.h"
#include "plugin/execution_tracker.h"
#include "plugin/program_descriptions.h"
#include "plugin/progress.h"
#include "plugin/warp_races.h"
#include "profile/kernel_profile.h"
#include "simulator/compat.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::plugin {

/// One kernel invocation that is being characterised: its decoded program and, per simulator
/// thread, the recorded data.
class Invocation {
public:
  /// `identity`: all but the engine. `sampleGroups`: number of work-groups to characterise
  /// (metrics::sampleOf); 0: all. Throws `aiwc::Error` if the kernel cannot be decoded.
  Invocation(const oclgrind::KernelInvocation &invocation, const profile::LaunchIdentity &identity,
             std::shared_ptr<ProgramDescription> program, const metrics::AnalysisOptions &options,
             uint64_t sampleGroups, bool showProgress, std::string hint);

  /// Creates a tracker for the calling thread. It is valid until the invocation ends. Thread-safe.
  ExecutionTracker &newTracker();
  /// Records an error that the simulator reported. Thread-safe.
  void simulatorError(const char *message);
  /// Counts a work-group that has run or was left out. `recorded`: whether it was recorded.
  /// Thread-safe.
  void groupDone(bool recorded) {
    ++recorded_->groupsDone;
    recorded_->progress.groupDone(recorded);
  }
  /// Whether this work-group, by its linear id, has to be recorded: it is characterised, or it
  /// shows which cache lines a characterised one shares with its neighbours.
  bool records(uint64_t linearId) const { return !sample_ || sample_->isRecorded(linearId); }
  bool records(const oclgrind::Size3 &group) const {
    return !sample_ || records(group.x + groups_.x * (group.y + groups_.y * group.z));
  }

  const decoding::DecodedProgram &decoded() const { return decoded_.program; }
  ProgramDescription &program() const { return *program_; }
  /// The source that the profile's line numbers refer to.
  const decoding::SourceText &source() const { return decoded_.source; }
  /// Creates a consumer for the trace of one thread of the compiled engine. Thread-safe.
  trace::ChunkConsumer &newTrace();
  /// Discards all recorded data, so that an engine can start again, and from now on characterises
  /// these work-groups; null: all.
  void startAgain(std::shared_ptr<const metrics::GroupSample> sample);
  /// The same with a sample as in the constructor.
  void startAgain(uint64_t sampleGroups) {
    startAgain(metrics::sampleOf(groupCounts(), sampleGroups));
  }
  /// The work-groups of the launch, per dimension.
  metrics::GroupCounts groupCounts() const { return {groups_.x, groups_.y, groups_.z}; }
  /// Whether it is known of all work-groups how their addresses step from work-item to work-item;
  /// without it, whether the code tells.
  void setKnowsSteps(bool knows) { knowsSteps_ = knows; }
  bool knowsSteps() const { return knowsSteps_; }
  /// What the sample tells. Call it after the last work-group of a sample. `instructions`: as
  /// metrics::LaunchSize has them.
  metrics::SampleResult judge(std::vector<uint64_t> instructions);
  /// Sets the name of the engine that executed the invocation. `reason`: why the interpreter did.
  void setEngine(std::string engine, std::string reason = "") {
    provenance_.engine = std::move(engine);
    provenance_.engineReason = std::move(reason);
  }
  /// Says that the work-groups outside of the sample, if there is one, were left out.
  void leaveOthersOut() { provenance_.othersLeftOut = isSampled(); }
  /// Whether only some of the work-groups are characterised.
  bool isSampled() const { return sample_ != nullptr; }
  /// Of the work-groups since the launch has begun or started again. Call it where no work-group
  /// may end at the same time.
  const Pace &pace() const { return recorded_->progress.pace(); }

  /// The line of a race inside of a warp, as WarpRaces::Found::line.
  std::optional<uint32_t> raceInWarp() const { return decoded_.races.line(); }

  /// Returns the profile of the execution. Call once, after every simulator thread has finished.
  profile::KernelProfile finish();

private:
  /// The analyses of the trace of one thread, and the tracker that records it.
  struct Thread {
    explicit Thread(const Invocation &invocation);
    /// Exactly one of these two is set: `analyses` for all work-groups, `sampled` for a sample.
    std::optional<metrics::AnalysisSet> analyses;
    std::optional<metrics::SampledAnalyses> sampled;
    WarpRaces races;
    std::optional<ExecutionTracker> tracker; ///< none under the compiled engine

    trace::ChunkConsumer &consumer() {
      return analyses ? static_cast<trace::ChunkConsumer &>(*analyses) : *sampled;
    }
  };

  /// What an engine has recorded so far. It is discarded as a whole if a launch is undone.
  struct Recorded {
    /// Shared by all threads; one per stratum of a sample.
    std::vector<std::shared_ptr<metrics::ReuseOrder>> reuseOrders;
    Progress progress;
    std::atomic<uint64_t> groupsDone = 0;
    std::mutex mutex = {}; ///< guards the members below
    std::vector<std::unique_ptr<Thread>> threads = {};
    uint64_t simulatorErrors = 0;
    std::string fatalError = {};
    /// None until the last work-group has ended.
    std::optional<profile::KernelProfile> merged = {};
  };

  std::unique_ptr<Recorded> newRecorded() const;
  Thread &newThread();
  metrics::LaunchSize launchSize() const;
  uint32_t warp() const; ///< work-items of one
  /// The metrics of what was recorded, merged from all threads; computed once.
  const profile::KernelProfile &merged();

  void judgeCompleteness(profile::KernelProfile &profile) const;

  profile::Provenance provenance_;
  std::shared_ptr<ProgramDescription> program_;
  const ProgramDescription::Decoded &decoded_; ///< of `program_`
  metrics::AnalysisOptions options_;
  bool showProgress_;
  std::string hint_;       ///< what would shorten the launch
  oclgrind::Size3 groups_; ///< per dimension
  uint64_t totalGroups_;
  std::vector<metrics::MemoryRange> memory_; ///< the buffers that are arguments, each once
  std::shared_ptr<const metrics::GroupSample> sample_; ///< null if all are characterised
  std::vector<uint64_t> instructions_;                 ///< of the strata of `sample_`, if known
  bool knowsSteps_;
  std::unique_ptr<Recorded> recorded_;
};

} // namespace aiwc::plugin
