/// Accesses through pointers whose address space is known only when the kernel runs.
#pragma once

#include <llvm/IR/Function.h>

namespace aiwc::lowering {

/// Gives addresses of local and private memory that become generic a tag in bits 46 and 47 (global
/// and constant 0, local 1, private 2; null stays 0), and makes each access by a generic pointer
/// that may be one of these a switch over the tag. After this, generic values that are accessed as
/// they are point to global memory.
void lowerTaggedAccesses(llvm::Function &function);

} // namespace aiwc::lowering
