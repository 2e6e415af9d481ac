/// Copies of CUDA's vectors.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::cuda {

/// Has copies of 16 aligned bytes, as an assignment of an int4 or a float4 is one, load and store a
/// vector, as a GPU does: a copy is a read and a write in two places of the program. LLVM does so
/// with copies of up to 8 bytes.
void loadVectorsToCopy(llvm::Module &module);

} // namespace aiwc::cuda
