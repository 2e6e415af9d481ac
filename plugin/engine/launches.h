#pragma once

#include "plugin/decoder.h"
#include "trace/chunk.h"

#include <atomic>
#include <functional>
#include <string>

namespace aiwc::plugin::engine {

/// What is wanted of a launch that is characterised.
struct Wanted {
  const DecodedProgram &decoded;
  /// Whether the trace of this work-group, by its linear id, is.
  std::function<bool(uint64_t)> observes;
  /// A work-group has run, observed or not.
  std::function<void()> groupDone;
  /// What takes the trace of some of the work-groups, one after another. Called by each thread that
  /// analyses, once at most.
  std::function<trace::ChunkConsumer &()> newTrace;
};

/// The launches of one context that the compiled engine is offered.
class Launches {
public:
  /// `threads`: how many analyse what a kernel does.
  explicit Launches(unsigned threads) : threads_(threads) {}

  /// Runs the whole launch and returns an empty string. Otherwise returns why the interpreter has
  /// to, with what the traces have taken being void. `wanted`: null where the launch is not
  /// characterised. One launch at a time.
  std::string run(const oclgrind::KernelInvocation &kernelInvocation, const Wanted *wanted) const;

  // Regions of memory that the host has mapped; any thread.
  void regionMapped() { ++mapped_; }
  void regionUnmapped() { --mapped_; }

private:
  unsigned threads_;
  std::atomic<int> mapped_ = 0;
};

} // namespace aiwc::plugin::engine
