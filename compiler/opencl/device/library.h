/// The functions that Oclgrind lacks and this project has (compiler/opencl/builtins).
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::opencl {

/// Links the functions of the library that `module` calls to it. Returns whether it calls any.
/// Refuses what neither Oclgrind nor the library has and OpenCL C 2 and 3 name: pipes, kernels that
/// enqueue kernels, and functions of sub-groups for types that the library does not have.
bool linkLibrary(llvm::Module &module);

} // namespace aiwc::opencl
