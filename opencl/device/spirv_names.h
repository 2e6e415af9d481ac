/// What llvm-spirv calls OpenCL's functions.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::opencl {

/// Gives a module that llvm-spirv made for OpenCL 2 what clang gives OpenCL C 1.2: `barrier` for
/// `work_group_barrier`, pointers of events to private memory, and names of kernels' arguments.
void useNamesOfOclgrind(llvm::Module &module);

} // namespace aiwc::opencl
