#pragma once

#include "engine_passes/lowering.h"
#include "engine_passes/state.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace aiwc {
class CodeCache;
} // namespace aiwc

namespace aiwc::engine {

/// How far code is optimised. The optimised tier takes ten times as long to compile; code of the
/// baseline tier takes three times as long to run.
enum class Tier { kBaseline, kOptimised };

/// The entry of a kernel's machine code, and the addresses that the code refers to.
struct KernelEntry {
  void (*function)(State *, const void *const *) = nullptr;
  const void *const *addresses = nullptr; ///< of a KernelCode

  void operator()(State *state) const { function(state, addresses); }
};

/// A kernel as machine code.
struct CompiledKernel {
  Tier tier = Tier::kBaseline;
  KernelCode code;
  /// Bytes that the frames of the kernel and of the functions that it calls take at most, in all
  /// its versions. What the engine's own functions take that they call is not included.
  size_t frameBytes = 0;
  std::string cacheKey; ///< under which its machine code is in the cache; empty: in none
  /// Runs the work-item that the state describes, until it ends or calls `calls::fail`.
  KernelEntry run;
  std::unique_ptr<CompiledKernel> better; ///< owner of the code of `run`, after `improve`
  /// The same kernel without writing a trace, for untraced work-groups; null until enough of them
  /// have run.
  std::unique_ptr<CompiledKernel> untraced;
  /// The same for launches whose groups are proved to be apart (launch_proof.h); null until then.
  std::unique_ptr<CompiledKernel> apart;

  /// Uses the code of `kernel`, the optimised tier of the same kernel, from the next work-item
  /// on. Later processes take the code of `kernel` from the cache at once.
  void improve(std::unique_ptr<CompiledKernel> kernel);
  /// The same for untraced work-groups, of launches whose groups are apart if `kernel` is for
  /// these.
  void improveUntraced(std::unique_ptr<CompiledKernel> kernel);

private:
  /// Whether the data that a launch has prepared for this code also fits the other's.
  bool isPreparedAs(const CompiledKernel &other) const;
};

struct CodeGeneratorReport;

/// A kernel that has been lowered to IR in its own module and is ready to compile.
class LoweredKernel {
public:
  /// Throws `NotCompilable`.
  LoweredKernel(const llvm::Function &kernel, const decoding::DecodedProgram &decoded,
                const oclgrind::InterpreterCache &cache, Tier tier, Tracing tracing = Tracing::kOn,
                const ArgumentValues &seen = {}, Groups groups = Groups::kInOrder,
                const Accesses &inBounds = {});
  ~LoweredKernel();
  LoweredKernel(LoweredKernel &&) noexcept;

  const KernelCode &code() const { return kernel_->code; }
  /// Whether an earlier process compiled the optimised tier of this kernel, and left the code in
  /// the cache.
  bool wasImproved() const;
  /// Compiles for this processor, or takes the code from the cache. The code lives as long as the
  /// process. Call it once. Throws `NotCompilable`.
  std::unique_ptr<CompiledKernel> compile();

private:
  bool takeFromCache(const CodeCache &cache);
  std::string generate();
  void link(const std::string &object);

  std::unique_ptr<llvm::LLVMContext> context_; // before the module, which must be destroyed first
  std::unique_ptr<llvm::Module> module_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  std::unique_ptr<CompiledKernel> kernel_;
  std::shared_ptr<CodeGeneratorReport> report_;
};

/// Where the machine code in this process came from.
struct CodeCounts {
  uint64_t compiled = 0; ///< pieces of code that were compiled
  uint64_t cached = 0;   ///< pieces that were read from the cache
};
CodeCounts codeCounts();

/// Sets the folder in which machine code is kept from now on; empty, which is the default: none.
/// Call it while no kernel is compiled.
void cacheCodeIn(const std::filesystem::path &folder);

} // namespace aiwc::engine
