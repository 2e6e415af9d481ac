/// The compiled engine: runs kernels as machine code and writes the trace that the interpreter
/// engine writes. docs/engines.md says what it does and what it leaves to the interpreter.
#pragma once

#include "plugin/engine/jit.h"
#include "plugin/engine/launch_proof.h"
#include "plugin/engine/launches.h"
#include "plugin/engine/memory_rules.h"

#include <array>
#include <functional>
#include <map>

namespace aiwc::engine {

/// Receives the trace and the progress of a launch.
struct Observer {
  trace::ChunkConsumer &trace;
  /// Whether to trace this work-group, given by its linear id.
  std::function<bool(uint64_t)> isTraced;
  bool runsOthers; ///< whether to run the work-groups that are not traced
  /// Called after each work-group, given by its linear id. The work is null if it was traced, or
  /// did not run. Null: nobody wants to know.
  std::function<Verdict(uint64_t, const GroupWork *)> groupDone;
  /// Called after the last work-group. If a callback or `trace` throws, the launch is refused.
  std::function<Verdict()> finish = [] { return Verdict::kKeep; };
  unsigned threads = 1; ///< for the launch
  /// Whether to do at once what pays only for long launches: compile the best code, prove that
  /// groups are apart, and run groups on several threads.
  bool optimised = false;
  /// Whether a callback may want the launch undone, or may throw.
  bool mayUndo = true;
};

class Engine {
public:
  /// The only engine of the process. Not thread-safe: run one kernel at a time.
  static Engine &instance();

  /// Runs the whole NDRange, including its trace and its effects on memory. If the launch is undone
  /// or refused, global memory is unchanged, but `observer.trace` may have received any part of a
  /// trace. After a refusal for what the launch has done, later launches of the kernel are refused,
  /// too. `mapped`: the regions of global memory that the host has mapped.
  Outcome run(const oclgrind::KernelInvocation &invocation, const decoding::DecodedProgram &decoded,
              const Observer &observer, std::vector<MappedRegion> mapped);

  /// Runs later launches of the kernel compiled, although an earlier launch was refused for what it
  /// did.
  void forgetFailure(const llvm::Function &kernel);

private:
  struct Entry {
    uint64_t decoding = 0; ///< DecodedProgram::id
    std::unique_ptr<CompiledKernel> kernel;
    std::string refusal; ///< why the interpreter has to run it; empty: no such reason
    /// The blocks that all earlier launches have executed: [0] in untraced work-groups, [1] in
    /// traced ones.
    std::array<uint64_t, 2> blocksExecuted{};
    /// What the code shows of its accesses; null before it was examined.
    std::unique_ptr<ProvableAccesses> accesses;
    /// The instructions that all earlier launches have executed in code that writes no trace.
    uint64_t untracedInstructions = 0;
    bool isGoodEnough = false; ///< better code cannot be compiled
    bool isNeverApart = false; ///< its code calls functions that need the order of the groups
    /// How many rounds of work-groups ran at once and were rolled back. After the first, threads
    /// compare bytes instead of granules where neighbouring groups meet. After the second, the
    /// groups run in order.
    unsigned roundsRolledBack = 0;
    static constexpr unsigned kMostRolledBack = 2;
    bool needsOrder() const { return roundsRolledBack >= kMostRolledBack; }
  };

  class Run;

  Entry &entryFor(const oclgrind::KernelInvocation &invocation,
                  const decoding::DecodedProgram &decoded);
  static void compile(Entry &entry, const oclgrind::KernelInvocation &invocation,
                      const decoding::DecodedProgram &decoded, bool optimised);

  std::map<const llvm::Function *, Entry> entries_;
};

} // namespace aiwc::engine
