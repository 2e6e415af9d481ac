/// The compiled engine: runs kernels as machine code and writes the trace that the interpreter
/// engine writes. docs/engines.md says what it does and what it leaves to the interpreter.
#pragma once

#include "plugin/engine/jit.h"

#include <array>
#include <functional>
#include <future>
#include <map>

namespace aiwc::plugin::engine {

/// Who wants to know what a launch does.
struct Observer {
  trace::ChunkConsumer &trace;
  /// Whether the trace of this work-group, by its linear id, is asked for.
  std::function<bool(uint64_t)> observes;
  /// Called behind every work-group, observed or not.
  std::function<void()> groupDone;
  /// Called behind the last one. What it throws, as what `trace` throws, has the launch taken back.
  std::function<void()> finish = [] {};
  /// How many threads there are for it: where more than one, better code is made in the background.
  unsigned threads = 1;
};

class Engine {
public:
  /// That of the process. Not thread-safe: one kernel runs after the other.
  static Engine &instance();

  /// Runs the whole NDRange, trace and effects on memory included, and returns an empty string.
  /// Otherwise returns why the interpreter has to: global memory is then as it was, while
  /// `observer.trace` may have taken any part of a trace.
  std::string run(const oclgrind::KernelInvocation &invocation, const DecodedProgram &decoded,
                  const Observer &observer);

private:
  struct Entry {
    uint64_t fingerprint = 0;
    std::unique_ptr<CompiledKernel> kernel;
    std::string refusal; ///< why there is none
    /// By all earlier launches: in work-groups that nobody observed, and that somebody did.
    std::array<uint64_t, 2> blocksExecuted{};
    /// Better code that is being made, for work-groups that are observed or not.
    std::future<std::unique_ptr<CompiledKernel>> improved;
    bool improvedIsTraced = true;
    bool isGoodEnough = false; ///< better code cannot be made here

    void takeImproved(); ///< if it is there
    void adopt(std::unique_ptr<CompiledKernel> better) const;
  };

  /// Compiles with much effort, for work-groups that are `observed` or not, once that is worth it.
  static void improve(Entry &entry, const oclgrind::KernelInvocation &invocation,
                      const DecodedProgram &decoded, const Observer &observer, bool observed,
                      uint64_t blocksExecuted);
  /// The same; where it fails, the code that there is will do.
  static void improveIfPossible(Entry &entry, const oclgrind::KernelInvocation &invocation,
                                const DecodedProgram &decoded, const Observer &observer,
                                bool observed, uint64_t blocksExecuted);
  Entry &entryFor(const oclgrind::KernelInvocation &invocation, const DecodedProgram &decoded);

  std::map<const llvm::Function *, Entry> entries_;
};

/// A number that two kernels share only if they are the same code at the same place: a program that
/// was built anew may lie where another one lay.
uint64_t fingerprintOf(const DecodedProgram &decoded);

} // namespace aiwc::plugin::engine
