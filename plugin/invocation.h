#pragma once

#include "metrics/analysis.h"
#include "metrics/reuse_order.h"
#include "plugin/decoder.h"
#include "plugin/execution_tracker.h"
#include "plugin/progress.h"
#include "profile/kernel_profile.h"

#include <memory>
#include <mutex>
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
  /// Throws `aiwc::Error` where the kernel cannot be decoded.
  Invocation(const oclgrind::KernelInvocation &invocation, uint64_t number,
             const metrics::AnalysisOptions &options, bool showProgress);

  /// A tracker for the calling thread, which keeps it until the invocation ends. Thread-safe.
  ExecutionTracker &newTracker();
  /// The simulator reported an error. Thread-safe.
  void simulatorError(const char *message);
  void groupDone() { progress_->groupDone(); }

  const DecodedProgram &decoded() const { return decoded_; }
  /// Takes the trace of a thread of the compiled engine. Thread-safe.
  trace::ChunkConsumer &newTrace();
  /// Forgets every trace that was taken: the interpreter begins anew.
  void discardTraces() { threads_.clear(); }
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
    Thread(const DecodedProgram &decoded, const metrics::AnalysisOptions &options,
           std::shared_ptr<metrics::ReuseOrder> reuseOrder, oclgrind::Size3 groups)
        : analyses(decoded.program(), options, std::move(reuseOrder)),
          tracker(decoded, analyses, groups) {}
    metrics::AnalysisSet analyses;
    ExecutionTracker tracker;
  };

  void judgeCompleteness(profile::KernelProfile &profile) const;

  profile::Provenance provenance_;
  DecodedProgram decoded_;
  metrics::AnalysisOptions options_;
  std::shared_ptr<metrics::ReuseOrder> reuseOrder_; ///< of all threads
  oclgrind::Size3 groups_;                          ///< per dimension
  uint64_t totalGroups_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Thread>> threads_;
  uint64_t simulatorErrors_ = 0;
  std::string fatalError_;
  std::unique_ptr<Progress> progress_;
};

} // namespace aiwc::plugin
