/// The compiled engine: runs kernels as machine code and writes the trace that the interpreter
/// engine writes. docs/engines.md says what it does and what it leaves to the interpreter.
#pragma once

#include "plugin/engine/jit.h"

#include <functional>
#include <map>

namespace aiwc::plugin::engine {

class Engine {
public:
  /// That of the process. Not thread-safe: one kernel runs after the other.
  static Engine &instance();

  /// Runs the whole NDRange, trace and effects on memory included, and returns an empty string.
  /// Otherwise returns why the interpreter has to: global memory is then as it was, while `trace`
  /// may have taken any part of a trace. `groupDone` is called behind every work-group.
  std::string run(const oclgrind::KernelInvocation &invocation, const DecodedProgram &decoded,
                  trace::ChunkConsumer &trace, const std::function<void()> &groupDone);

private:
  struct Entry {
    uint64_t fingerprint = 0;
    std::unique_ptr<CompiledKernel> kernel;
    std::string refusal;         ///< why there is none
    uint64_t blocksExecuted = 0; ///< by all earlier launches
  };

  /// Compiles with much effort once that is worth it.
  static void improve(Entry &entry, const oclgrind::KernelInvocation &invocation,
                      const DecodedProgram &decoded, uint64_t blocksExecuted);
  Entry &entryFor(const oclgrind::KernelInvocation &invocation, const DecodedProgram &decoded);

  std::map<const llvm::Function *, Entry> entries_;
};

/// A number that two kernels share only if they are the same code at the same place: a program that
/// was built anew may lie where another one lay.
uint64_t fingerprintOf(const DecodedProgram &decoded);

} // namespace aiwc::plugin::engine
