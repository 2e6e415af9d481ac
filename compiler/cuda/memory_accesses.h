/// How kernels access memory: copies of CUDA's vectors, private memory, and arrays without a size.
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

/// Has optimisation draw no conclusions from the types of accesses to private memory: programs
/// write two halves there, and read an unsigned, which NVIDIA's compiler takes as it is meant.
void forgetPrivateTypes(llvm::Module &module);

} // namespace aiwc::cuda
