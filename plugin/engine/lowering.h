/// Oclgrind's IR to IR that computes the same as its interpreter, writes the trace and reaches
/// memory through the tables of a `State`.
#pragma once

#include "common/error.h"
#include "plugin/decoder.h"
#include "plugin/engine/builtin_site.h"

#include <memory>
#include <string>
#include <vector>

namespace aiwc::plugin::engine {

/// The kernel has to be interpreted; says why.
class NotCompilable : public Error {
public:
  using Error::Error;
};

/// An argument of the kernel or a variable of the program, and where in `State::values` it lies.
struct ValueSlot {
  const llvm::Value *value = nullptr; ///< Oclgrind's
  uint32_t offset = 0;
  uint32_t size = 0;

  bool operator==(const ValueSlot &) const = default;
};

/// Whether code writes the trace of what it does.
enum class Tracing { kOn, kOff };

/// What a lowered module needs when it runs.
struct KernelCode {
  std::vector<ValueSlot> slots;
  uint32_t valueBytes = 0;
  bool synchronises = false;  ///< has a barrier, or waits for copies
  uint32_t blockAccesses = 0; ///< the most accesses that a block makes, where that is known
  /// Calls that go to Oclgrind's own functions; compiled code holds pointers to them.
  std::vector<std::unique_ptr<BuiltinSite>> builtins;
};

inline constexpr const char *kEntryName = "aiwc_kernel";

/// Turns `module`, a copy of the kernel's in a context of its own, into one that defines
/// `void aiwc_kernel(State *)`. Throws `NotCompilable`.
KernelCode lower(llvm::Module &module, const llvm::Function &kernel, const DecodedProgram &decoded,
                 const oclgrind::InterpreterCache &cache, Tracing tracing);

} // namespace aiwc::plugin::engine
