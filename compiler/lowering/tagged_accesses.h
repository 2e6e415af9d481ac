/// Accesses through pointers whose address space is known only when the kernel runs.
#pragma once

#include <llvm/IR/Module.h>

#include <cstdint>

namespace aiwc::lowering {

// Oclgrind's addresses have the number of the buffer in the upper 16 bits, 32 in private memory.
inline constexpr unsigned kTagShift = 46;
inline constexpr uint64_t kTagMask = uint64_t{3} << kTagShift;
inline constexpr unsigned kLocalTag = 1, kPrivateTag = 2;

/// Gives addresses of local and private memory that become generic a tag in bits 46 and 47 (global
/// and constant 0, local 1, private 2; null stays 0), and makes each access by a generic pointer
/// that may be one of these a switch over the tag. After this, generic values that are accessed as
/// they are point to global memory.
void lowerTaggedAccesses(llvm::Module &module);

} // namespace aiwc::lowering
