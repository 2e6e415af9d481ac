#pragma once

#include "plugin/engine/lowering.h"
#include "plugin/engine/state.h"

namespace aiwc::plugin::engine {

/// A kernel as machine code.
struct CompiledKernel {
  KernelCode code;
  /// Runs the work-item that the state describes, to its end or into `calls::fail`.
  void (*run)(State *) = nullptr;
};

/// Compiles with LLVM's ORC for this processor, the better the more `workItems` are going to run.
/// The code lives as long as the process. Throws `NotCompilable`.
std::unique_ptr<CompiledKernel> compile(const llvm::Function &kernel, const DecodedProgram &decoded,
                                        const oclgrind::InterpreterCache &cache,
                                        uint64_t workItems);

} // namespace aiwc::plugin::engine
