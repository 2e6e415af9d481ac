#pragma once

#include "decoding/llvm.h"

namespace aiwc::decoding {

/// Whether the result of an atomic serves only to try it again until the memory has the value that
/// was expected: it is a compare-and-swap in a loop of one block, which goes on while its result
/// differs from the value that it expected. That value is the result of the time before, and
/// nothing outside of the block or but this atomic accesses memory by what is computed from it.
bool onlyTriesAgain(const llvm::Instruction &atomic);

} // namespace aiwc::decoding
