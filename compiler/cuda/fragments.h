/// Fragments of matrices, which lie in registers.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::cuda {

/// Has loops that count through elements of local arrays be unrolled in kernels that multiply
/// matrices: the hardware's compiler unrolls them, since registers have no index, where -Oz keeps
/// the fragments in memory.
void unrollOverFragments(llvm::Module &module);

} // namespace aiwc::cuda
