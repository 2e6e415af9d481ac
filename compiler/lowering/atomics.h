/// Atomic operations, which Oclgrind has as OpenCL's functions only.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::lowering {

/// Replaces calls of `__atomic_fetch_add_4` and its like, which clang makes of its builtins, by
/// LLVM's instructions, whose addresses the inference of address spaces follows.
void replaceAtomicCalls(llvm::Module &module);

/// Replaces atomic instructions and fences by OpenCL's functions for 32 and 64 bits in global and
/// local memory, what OpenCL has not by a loop of compare-and-exchange, and those in private
/// memory by plain instructions. Atomic loads and stores become volatile ones.
void lowerAtomics(llvm::Module &module);

} // namespace aiwc::lowering
