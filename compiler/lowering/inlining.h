/// One function per kernel.
#pragma once

#include <llvm/IR/Module.h>

#include <vector>

namespace aiwc::lowering {

std::vector<llvm::Function *> kernelsOf(llvm::Module &module);

/// Inlines all functions with a body into the kernels and removes them, since the address space of
/// a pointer is known only where the call comes from. Refuses recursion.
void inlineAll(llvm::Module &module);

} // namespace aiwc::lowering
