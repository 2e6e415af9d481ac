/// Variables of a work-group.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>

namespace aiwc::cuda {

/// Whether the variable stands for the shared memory whose size the launch says.
bool isDynamicShared(const llvm::GlobalVariable &variable);

/// The type of the argument for dynamic shared memory that `variable` stands for: a pointer to an
/// element, as OpenCL C passes it.
llvm::PointerType *dynamicPointerType(const llvm::GlobalVariable &variable);

/// Gives the kernel static shared variables of its own, which Oclgrind recognises by names that
/// begin with the kernel's. Returns their bytes.
uint64_t takeShared(llvm::Function &kernel);

} // namespace aiwc::cuda
