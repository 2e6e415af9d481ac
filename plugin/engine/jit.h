#pragma once

#include "plugin/engine/lowering.h"
#include "plugin/engine/state.h"

namespace aiwc::plugin::engine {

/// What to spend on compiling: good machine code takes ten times as long to make as bad one, which
/// takes three times as long to run.
enum class Effort { kLittle, kMuch };

/// A kernel as machine code.
struct CompiledKernel {
  Effort effort = Effort::kLittle;
  KernelCode code;
  /// Runs the work-item that the state describes, to its end or into `calls::fail`.
  void (*run)(State *) = nullptr;
  std::unique_ptr<CompiledKernel> better; ///< whose code `run` is, once there is better one

  /// Takes the code of the same kernel, compiled with more effort, from the next work-item on.
  void improve(std::unique_ptr<CompiledKernel> kernel);
};

/// Compiles with LLVM's ORC for this processor. The code lives as long as the process. Throws
/// `NotCompilable`.
std::unique_ptr<CompiledKernel> compile(const llvm::Function &kernel, const DecodedProgram &decoded,
                                        const oclgrind::InterpreterCache &cache, Effort effort);

} // namespace aiwc::plugin::engine
