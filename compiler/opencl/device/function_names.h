/// What llvm-spirv, and clang in OpenCL C 2, call OpenCL's functions.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::opencl {

/// Gives a module that llvm-spirv made for OpenCL 2 what clang gives OpenCL C 1.2: `barrier` for
/// `work_group_barrier`, and names of kernels' arguments.
void useNamesOfOclgrind(llvm::Module &module);

/// Has `wait_group_events` read the events from private memory, where Oclgrind looks for them.
void useEventsOfOclgrind(llvm::Module &module);

} // namespace aiwc::opencl
