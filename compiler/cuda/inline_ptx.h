/// Inline assembly of CUDA: the instructions of PTX that public code writes, as LLVM's.
#pragma once

#include <llvm/IR/Module.h>

namespace aiwc::cuda {

/// Replaces the inline assembly of all kernels, which have their functions inlined. Instructions
/// are those of NVIDIA's "PTX ISA": arithmetic on integers, `float` and `double`, bits,
/// conversions, comparisons, loads, stores and atomic operations, shuffles, votes and barriers,
/// asynchronous copies, which are done at once, products of matrices, and hints, which are nothing.
/// Approximate functions have full precision. Throws lowering::Refusal with the name of another
/// instruction, or of a form that is not known.
void translateInlinePtx(llvm::Module &module);

} // namespace aiwc::cuda
