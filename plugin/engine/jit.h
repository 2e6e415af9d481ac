#pragma once

#include "plugin/engine/lowering.h"
#include "plugin/engine/state.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace aiwc::plugin::engine {

/// How much time to spend on compiling: with much effort, compiling takes ten times as long; with
/// little effort, the code takes three times as long to run.
enum class Effort { kLittle, kMuch };

/// A kernel as machine code.
struct CompiledKernel {
  Effort effort = Effort::kLittle;
  KernelCode code;
  /// Bytes that the frames of the kernel and of the functions that it calls take at most, in all
  /// its versions. What the engine's own functions take that they call is not included.
  size_t frameBytes = 0;
  /// Runs the work-item that the state describes, until it ends or calls `calls::fail`.
  void (*run)(State *) = nullptr;
  std::unique_ptr<CompiledKernel> better; ///< owner of the code of `run`, after `improve`
  /// The same kernel without writing a trace, for untraced work-groups; null until enough of them
  /// have run.
  std::unique_ptr<CompiledKernel> untraced;

  /// The function that runs a work-item of an untraced work-group.
  auto unobserved() const -> void (*)(State *) { return untraced ? untraced->run : run; }

  /// Uses the code of `kernel`, the same kernel compiled with more effort, from the next work-item
  /// on.
  void improve(std::unique_ptr<CompiledKernel> kernel);
  /// The same for untraced work-groups.
  void improveUnobserved(std::unique_ptr<CompiledKernel> kernel);

private:
  /// Whether the data that a launch has prepared for this code also fits the other's.
  bool isPreparedAs(const CompiledKernel &other) const;
};

struct CodeGeneratorReport;

/// A kernel that has been lowered to IR in its own module and is ready to compile.
class LoweredKernel {
public:
  /// Throws `NotCompilable`.
  LoweredKernel(const llvm::Function &kernel, const DecodedProgram &decoded,
                const oclgrind::InterpreterCache &cache, Effort effort,
                Tracing tracing = Tracing::kOn);
  ~LoweredKernel();
  LoweredKernel(LoweredKernel &&) noexcept;

  /// Compiles with LLVM's ORC for this processor. The code lives as long as the process. Call it
  /// once, from any thread: it reads no data of Oclgrind's. Throws `NotCompilable`.
  std::unique_ptr<CompiledKernel> compile();

private:
  std::unique_ptr<llvm::LLVMContext> context_; // before the module, which must be destroyed first
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  std::unique_ptr<CompiledKernel> kernel_;
  std::shared_ptr<CodeGeneratorReport> report_;
};

} // namespace aiwc::plugin::engine
