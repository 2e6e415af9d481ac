/// Shared memory whose size the launch says.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>

namespace aiwc::cuda {

/// Whether the variable stands for the shared memory whose size the launch says.
bool isDynamicShared(const llvm::GlobalVariable &variable);

/// The type of the argument for dynamic shared memory that `variable` stands for: a pointer to an
/// element, as OpenCL C passes it.
llvm::PointerType *dynamicPointerType(const llvm::GlobalVariable &variable);

} // namespace aiwc::cuda
