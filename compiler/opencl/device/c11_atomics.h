/// C11 atomics.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::opencl {

/// Replaces calls of `atomic_fetch_add_explicit` and its like by LLVM's instructions, whose
/// addresses the inference of address spaces follows. The simulator executes one work-item after
/// the other between barriers, so that every order of memory is the strictest one. Returns whether
/// there was one. Refuses the minimum and the maximum of real numbers.
bool replaceAtomicFunctions(llvm::Module &module);

} // namespace aiwc::opencl
