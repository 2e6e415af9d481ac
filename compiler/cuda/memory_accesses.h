/// How kernels access memory: copies of CUDA's vectors, fragments of matrices, which lie in
/// registers, shared memory by which threads of a warp exchange values without a function for it,
/// and arrays without a size.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::cuda {

/// Has addresses in arrays of 0 elements, as which CUDA's dynamic shared memory is declared, be
/// those behind a pointer to the first element: Oclgrind takes the size of an array for a bound.
void indexUnsizedArrays(llvm::Module &module);

/// Has copies of 16 aligned bytes, as an assignment of an int4 or a float4 is one, load and store a
/// vector, as a GPU does: a copy is a read and a write in two places of the program. LLVM does so
/// with copies of up to 8 bytes.
void loadVectorsToCopy(llvm::Module &module);

/// Has loops that count through elements of local arrays be unrolled in kernels that multiply
/// matrices: the hardware's compiler unrolls them, since registers have no index, where -Oz keeps
/// the fragments in memory.
void unrollOverFragments(llvm::Module &module);

/// Older programs rely on warps that execute each instruction together, and declare the shared
/// memory by which their threads exchange values volatile. Has the threads of a warp meet before
/// and after each volatile store to shared memory.
void meetAtVolatileStores(llvm::Module &module);

} // namespace aiwc::cuda
