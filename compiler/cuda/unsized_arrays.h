/// Arrays without a size.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::cuda {

/// Has addresses in arrays of 0 elements, as which CUDA's dynamic shared memory is declared, be
/// those behind a pointer to the first element: Oclgrind takes the size of an array for a bound.
void indexUnsizedArrays(llvm::Module &module);

} // namespace aiwc::cuda
