/// Shared memory by which threads of a warp exchange values without a function for it.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::cuda {

/// Older programs rely on warps that execute each instruction together, and declare the shared
/// memory by which their threads exchange values volatile. Has the threads of a warp meet before
/// and after each volatile store to shared memory.
void meetAtVolatileStores(llvm::Module &module);

} // namespace aiwc::cuda
