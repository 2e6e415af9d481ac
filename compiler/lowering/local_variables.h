/// Variables in local memory.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace aiwc::lowering {

/// Whether the module has local variables that Oclgrind would not find: it knows those of a kernel
/// by names that begin with the kernel's and a dot, as clang gives them in OpenCL C.
bool hasForeignLocalVariables(const llvm::Module &module);

/// Gives the kernel local variables of its own, of such names, in place of those that it uses. Call
/// it when all functions are inlined and constants expanded (passes.h). Returns their bytes.
uint64_t takeLocalVariables(llvm::Function &kernel);

} // namespace aiwc::lowering
