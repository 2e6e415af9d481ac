/// Functions that Oclgrind lacks, or knows by another name.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::opencl {

/// Gives a module that llvm-spirv made for OpenCL 2 what clang gives OpenCL C 1.2: `barrier` for
/// `work_group_barrier`, and names of kernels' arguments.
void useNamesOfOclgrind(llvm::Module &module);

/// Has `wait_group_events` read the events from private memory, where Oclgrind looks for them.
void useEventsOfOclgrind(llvm::Module &module);

/// Links the functions of the library that `module` calls to it. Returns whether it calls any.
/// Refuses what neither Oclgrind nor the library has and OpenCL C 2 and 3 name: pipes, kernels that
/// enqueue kernels, and functions of sub-groups for types that the library does not have.
bool linkLibrary(llvm::Module &module);

/// Replaces calls of `atomic_fetch_add_explicit` and its like by LLVM's instructions, whose
/// addresses the inference of address spaces follows. The simulator executes one work-item after
/// the other between barriers, so that every order of memory is the strictest one. Returns whether
/// there was one. Refuses the minimum and the maximum of real numbers.
bool replaceAtomicFunctions(llvm::Module &module);

} // namespace aiwc::opencl
