/// Functions of warps.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::cuda {

/// Replaces the primitives of warps, `__aiwc_shuffle32`, `__aiwc_ballot` and `__aiwc_warp_barrier`,
/// by an exchange in shared memory between barriers of the whole block, which is all that the
/// simulator has. So each thread of a block has to come by: where a condition that differs between
/// threads leads to a primitive, all threads take that way, and those for which the condition does
/// not hold neither load nor store. Refuses a primitive in a loop whose number of iterations
/// differs between threads.
///
/// Older programs rely on warps that execute each instruction together, and declare the shared
/// memory by which their threads exchange values volatile: volatile stores to shared memory are
/// between two barriers, where all threads can come by.
void lowerWarpFunctions(llvm::Module &module);

} // namespace aiwc::cuda
