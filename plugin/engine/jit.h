#pragma once

#include "plugin/engine/lowering.h"
#include "plugin/engine/state.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

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
  /// The same without writing a trace, for work-groups that nobody observes; null until there are
  /// enough of them.
  std::unique_ptr<CompiledKernel> untraced;

  /// What runs a work-item that nobody observes.
  auto unobserved() const -> void (*)(State *) { return untraced ? untraced->run : run; }

  /// Takes the code of the same kernel, compiled with more effort, from the next work-item on.
  void improve(std::unique_ptr<CompiledKernel> kernel);
  /// The same for work-groups that nobody observes.
  void improveUnobserved(std::unique_ptr<CompiledKernel> kernel);

private:
  /// Whether what a launch has prepared for this code is right for the other's.
  bool isPreparedAs(const CompiledKernel &other) const;
};

/// A kernel as IR of its own, which is about to become machine code.
class LoweredKernel {
public:
  /// Throws `NotCompilable`.
  LoweredKernel(const llvm::Function &kernel, const DecodedProgram &decoded,
                const oclgrind::InterpreterCache &cache, Effort effort,
                Tracing tracing = Tracing::kOn);
  ~LoweredKernel();
  LoweredKernel(LoweredKernel &&) noexcept;

  /// Compiles with LLVM's ORC for this processor. The code lives as long as the process. Called
  /// once, by any thread: nothing of Oclgrind's is looked at. Throws `NotCompilable`.
  std::unique_ptr<CompiledKernel> compile();

private:
  std::unique_ptr<llvm::LLVMContext> context_; // before the module, which must go first
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  std::unique_ptr<CompiledKernel> kernel_;
};

} // namespace aiwc::plugin::engine
