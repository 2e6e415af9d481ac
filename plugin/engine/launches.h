#pragma once

#include "decoding/decoder.h"
#include "plugin/engine/memory_rules.h"
#include "simulator/compat.h"
#include "trace/chunk.h"
#include "trace/executed.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace aiwc::engine {

/// What a callback wants to become of the launch that is running.
enum class Verdict {
  kKeep,
  kUndo, ///< nothing of the launch remains, and it can be run again
};

/// What has become of a launch.
struct Outcome {
  bool undone = false;      ///< because a callback wanted it
  std::string refusal = {}; ///< why the interpreter has to run the launch; empty: it need not
};

/// A consumer that ignores the trace.
class NoTrace final : public trace::ChunkConsumer {
public:
  void beginGroup(const trace::Program &, const trace::Group &) override {}
  void consume(const trace::Chunk &) override {}
  void endGroup() override {}
};

/// What a work-group has executed.
struct GroupWork {
  trace::Executed executed;
  /// Instructions of a work-item.
  uint64_t leastOfItem = 0, mostOfItem = 0;
};

/// A work-group of a launch, after the engine has run it or left it out.
struct GroupDone {
  uint64_t linearId = 0;
  bool traced = false;
  std::optional<GroupWork> work = {}; ///< none if it was left out
  uint64_t tracedInstructions = 0;    ///< by all traced groups of the launch so far
};

/// What the plugin wants from a launch that is characterised.
struct Wanted {
  /// Whether to trace this work-group, given by its linear id.
  std::function<bool(uint64_t)> isTraced;
  /// Whether to run the other work-groups, too. Without them, the results are wrong.
  bool runsOthers = true;
  /// Called after each work-group, traced or not.
  std::function<Verdict(const GroupDone &)> groupDone;
  /// Returns a new consumer for the traces of some of the work-groups, one after another. Each
  /// analysing thread calls it at most once.
  std::function<trace::ChunkConsumer &()> newTrace;
  /// Called when the consumers have received everything.
  std::function<Verdict()> traced;
  /// Asked now and then while a traced work-group runs: whether to end the launch, which is then
  /// refused. Null: never.
  std::function<bool()> stops = nullptr;
};

/// Runs launches of one context with the compiled engine.
class Launches {
public:
  /// `threads`: number of threads that analyse the trace of a kernel. `optimised`: as
  /// Observer::optimised (engine.h).
  Launches(unsigned threads, bool optimised) : threads_(threads), optimised_(optimised) {}

  /// Runs the whole launch. If it is undone or refused, anything that the consumers have received
  /// is void. `decoded`: its kernel. `wanted`: null if the launch is not characterised. Not
  /// thread-safe: run one launch at a time.
  Outcome run(const oclgrind::KernelInvocation &kernelInvocation,
              const decoding::DecodedProgram &decoded, const Wanted *wanted) const;

  /// Runs later launches of a kernel compiled again, although one was refused for what it did.
  static void forgetFailure(const oclgrind::KernelInvocation &kernelInvocation);

  /// The regions of global memory that the host has mapped. Any thread may change them.
  MappedRegions &mapped() { return mapped_; }

private:
  Outcome runUntraced(const oclgrind::KernelInvocation &kernelInvocation,
                      const decoding::DecodedProgram &decoded) const;
  Outcome runTraced(const oclgrind::KernelInvocation &kernelInvocation,
                    const decoding::DecodedProgram &decoded, const Wanted &wanted) const;

  unsigned threads_;
  bool optimised_;
  MappedRegions mapped_;
};

} // namespace aiwc::engine
